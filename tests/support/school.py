"""Lessons without pictures: what is captured is what the test says, and kept where it would be."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from setting_up import Camera
from sites import Site

from companion.base.refused import Message
from companion.camera.empty_tray import EmptyTray
from companion.camera.frames import SharedCamera
from companion.camera.pile_reader import PileReader
from companion.camera.setup_store import SetupStore
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers
from companion.games.cards.game import CARD_GAME
from companion.games.dice.rules.faces import Face
from companion.games.registry import card_signs
from companion.setup.card_capture import CardCapture
from companion.setup.decks import Decks
from companion.setup.dice_sets import DiceSets
from companion.setup.lesson import CapturedFace, Lesson, LessonCheck
from companion.setup.taught_folder import TaughtFolder
from companion.setup.teaching import LessonCapture, Teaching
from companion.setup.unfinished import UnfinishedLesson
from companion.table.changes import Permission, Press, change
from companion.table.scene import Scene, select
from vision.cards.deck import PICTURE as CARD_PICTURE
from vision.cards.deck import TaughtDeck
from vision.dice.profile import PICTURE, load_profile
from vision.imaging.crop import Crop

CHANCE = np.random.default_rng(1)


def noise(count: int) -> list[np.ndarray]:
    """Pictures of dice of which none is like another."""
    return list(CHANCE.integers(0, 256, (count, PICTURE, PICTURE, 3), np.uint8))


PICTURES = {face.value: noise(5) for face in Face}


class Told:
    """Captures what the test says, and looks into it as it does: before a `LessonCapture`."""

    shown: Crop | None = None
    motion: bool | None = None
    like: str | None = None

    def moving(self, frame: np.ndarray, at: float) -> bool | None:
        return self.motion

    def capture(self, frame: np.ndarray, known: object) -> Crop | None:
        return self.shown

    def looks_like(self, picture: np.ndarray, face: str, known: object) -> str | None:
        return self.like


class School(Told):
    """In the place of a `FaceCapture`; it sees a new picture wherever the test shows none."""

    same: int | None = None
    lessons = 0

    def begin(self) -> None:
        self.lessons += 1

    def end(self) -> None:
        self.lessons -= 1

    def capture(self, frame: np.ndarray, known: object) -> Crop:
        return self.shown or Crop(noise(1)[0], None)

    def same_as(self, crop: Crop, known: Sequence[CapturedFace]) -> int | None:
        return self.same

    def check(self, lesson: Lesson) -> LessonCheck:
        return LessonCheck((("beer", "arrow", 0.4),), 17 / 18)

    def jpeg(self, image: np.ndarray) -> bytes:
        return b"jpeg"


class Layer:
    """Notes which faces or titles it lays, and by which sign."""

    label = Message("Place a die for me")

    def __init__(self) -> None:
        self.laid: list[tuple[str, str]] = []

    def lay(self, face: str, sign: str) -> None:
        self.laid.append((face, sign))

    def end(self) -> None:
        """Nothing to put back."""


class Lessons:
    """A table whose host teaches, and the host's phone. part: of the table, which teaches."""

    def __init__(
        self, site: Site, part: str, sets: TaughtFolder, capture: LessonCapture, shape: object
    ) -> None:
        self.site, self.part, self.sets, self.capture = site, part, sets, capture
        self.shape, self.layer, self.shared = shape, Layer(), SharedCamera()
        self.begin_table()

    def begin_table(self) -> None:
        """Start the lessons, as the program does."""
        self.teaching = Teaching(
            self.site.table,
            self.shared,
            self.sets,
            self.capture,
            UnfinishedLesson(self.site.folder / "lesson", self.shape),
            self.layer,
        )
        self.teaching.listeners.add(self.site.streams.notify)
        self.site.furnish(**{self.part: self.teaching})
        self.camera = self.shared.share(Camera())
        self.camera.frame()

    @property
    def lesson(self) -> Lesson:
        lesson = self.teaching.lesson
        assert lesson is not None
        return lesson

    def press(self, path: str, **fields: object):
        return self.site.host.post(f"/teach/{path}", **fields)

    def do(self, path: str, **fields: object) -> None:
        answer = self.press(path, **fields)
        assert answer.status_code == 204, answer.text

    def page(self) -> str:
        return self.site.host.live("teach")

    def see(self, motion: bool | None) -> None:
        """One more picture comes while somebody looks."""
        self.capture.motion = motion
        self.teaching.look(np.zeros((48, 64, 3), np.uint8))


def sets_in(data: Path, profiles: str = "") -> tuple[DiceSets, TableReader]:
    """The sets of dice in a folder of a data folder, and the reader of those in use."""
    reader = TableReader(load_profile("pips"), EmptyTray(data / "tray.png", FrameWorkers()))
    return DiceSets(data / profiles, SetupStore(data), reader), reader


class Class(Lessons):
    """Where dice are taught."""

    def __init__(self, site: Site) -> None:
        self.school = School()
        sets, _ = sets_in(site.folder, "taught")
        super().__init__(site, "teaching", sets, self.school, (PICTURE, PICTURE))

    def begin(self, name: str = "Mine") -> "Class":
        self.do("begin", name=name, edition="base")
        return self

    def show_all(self, times: int = 3) -> None:
        for face in Face:
            self.do("face", face=face.value)
            for _ in range(times):
                self.do("take")

    def teach(self) -> None:
        """Show all faces, check them, and use the dice."""
        self.show_all()
        self.do("check")
        self.do("use")

    @property
    def taught(self) -> Mapping[str, int]:
        """How many pictures of each face its dice were taught by."""
        return {face: len(shown) for face, shown in self.sets.open("Mine").taught.items()}

    @property
    def taken(self) -> int:
        return len(self.lesson.pictures[self.lesson.face])


class CardSchool(Told, CardCapture):
    """Captures what the test says, and compares it as it would."""


@change(Permission.HOST)
def play_cards(scene: Scene, _: int | None) -> Scene:
    """Choose the card game."""
    games = {**scene.environment.games, CARD_GAME.record_name: CARD_GAME}
    environment = replace(scene.environment, games=games)
    return select(replace(scene, environment=environment), CARD_GAME.select("base"))


class DeckClass(Lessons):
    """A table whose host teaches cards."""

    def __init__(self, folder: Path, deck: TaughtDeck) -> None:
        site = Site(folder)
        press = Press(site.view.people[0].id, site.view.version)
        site.table.do(play_cards, press)
        self.cards = {card.title: card for card in deck.cards}
        self.workers, self.reader, self.store = FrameWorkers(), PileReader(), SetupStore(folder)
        decks = Decks(folder / "profiles", self.store, self.reader, card_signs())
        capture = CardSchool(self.workers, EmptyTray(folder / "tray.png", self.workers))
        super().__init__(site, "card_teaching", decks, capture, CARD_PICTURE)

    def lay(self, crop: Crop | None) -> None:
        """Somebody lays a card: something moves, then all lies still."""
        self.capture.shown = crop
        for motion in (True, None, False):
            self.see(motion)

    def lay_title(self, title: str) -> None:
        self.lay(Crop(self.cards[title].picture, None, (100.0, 100.0, 60.0)))

    def lay_copy(self, title: str) -> None:
        """Say which copy it is, and lay it."""
        sign = str(self.cards[title].sign)
        self.do("sign", rank=sign[:-1], suit=sign[-1])
        self.lay_title(title)

    def close(self) -> None:
        self.shared.close()
        self.workers.close()
        self.site.journal.close()
