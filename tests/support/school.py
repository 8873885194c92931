"""Lessons without pictures: what captures and keeps is what the test says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from setting_up import Camera
from sites import Site

from companion.base.refused import Message, Problem, Refused
from companion.camera.frames import SharedCamera
from companion.games.dice.rules.faces import Face
from companion.setup.dice_sets import DiceSets
from companion.setup.lesson import CapturedFace, Lesson, LessonCheck
from companion.setup.taught_folder import KnownPicture
from companion.setup.teaching import Teaching
from companion.setup.unfinished import UnfinishedLesson
from vision.dice.profile import PICTURE

CHANCE = np.random.default_rng(1)


PICTURES = {
    face.value: list(CHANCE.integers(0, 256, (5, PICTURE, PICTURE, 3), np.uint8)) for face in Face
}


@dataclass
class Shown:
    picture: np.ndarray | None
    flaw: str | None = None
    spot: tuple[float, float, float] | None = None


class School:
    """Captures and keeps what the test says: in the place of both `FaceCapture` and `DiceSets`."""

    plan, editions, spare, words = (
        DiceSets.plan,
        DiceSets.editions,
        DiceSets.spare,
        DiceSets.words,
    )

    def __init__(self) -> None:
        self.shown = Shown(np.zeros((96, 96, 3), np.uint8))
        self.motion: bool | None = None
        self.same: int | None = None
        self.like: str | None = None
        self.saved: dict[str, tuple[str, Mapping[str, Sequence[np.ndarray]]]] = {}
        self.full = False
        self.used, self.named = "pips", ""
        self.lessons = 0

    def begin(self) -> None:
        self.lessons += 1

    def end(self) -> None:
        self.lessons -= 1

    def moving(self, frame: np.ndarray, at: float) -> bool | None:
        return self.motion

    def capture(self, frame: np.ndarray, known: object) -> Shown:
        return self.shown

    def same_as(self, crop: Shown, known: Sequence[CapturedFace]) -> int | None:
        return self.same

    def looks_like(self, picture: np.ndarray, face: str, known: object) -> str | None:
        return self.like

    def check(self, lesson: Lesson):
        return LessonCheck((("beer", "arrow", 0.4),), 17 / 18)

    def names(self) -> Sequence[str]:
        return sorted(self.saved)

    def others(self) -> Sequence[str]:
        return ("pips",)

    def is_taken(self, name: str) -> bool:
        return name in self.saved or name == "pips"

    def load(self, name: str) -> tuple[str, Mapping[str, Sequence[np.ndarray]]]:
        return self.saved[name]

    def save(self, name: str, edition: str, pictures: Mapping[str, Sequence[np.ndarray]]) -> None:
        if self.full:
            raise Refused(Problem.FAILED, "nothing was changed: the disc is full")
        self.saved[name] = (edition, pictures)

    def known(self, name: str) -> tuple[str, Mapping[str, Sequence[KnownPicture]]]:
        edition, pictures = self.load(name)
        return edition, {face: [KnownPicture(p) for p in each] for face, each in pictures.items()}

    def keep(self, lesson: Lesson) -> None:
        self.save(lesson.name, lesson.edition, lesson.images)

    def use(self, name: str) -> None:
        self.used = name

    def delete(self, name: str) -> None:
        del self.saved[name]

    def jpeg(self, image: np.ndarray) -> bytes:
        return b"jpeg"


class Layer:
    """Notes what it lays."""

    label = Message("Place a die for me")

    def __init__(self) -> None:
        self.laid: list[str] = []

    def lay(self, face: str, sign: str) -> None:
        self.laid.append(face)

    def end(self) -> None:
        """Nothing to put back."""


class Class:
    """A table, its host's phone, and a lesson that can be given."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.school, self.shared, self.layer = School(), SharedCamera(), Layer()
        self.unfinished = UnfinishedLesson(site.folder / "lesson", (PICTURE, PICTURE))
        self.teaching = Teaching(
            self.site.table, self.shared, self.school, self.school, self.unfinished, self.layer
        )
        self.teaching.listeners.add(self.site.streams.notify)
        self.site.furnish(teaching=self.teaching)
        self.camera = self.shared.share(Camera())
        self.camera.frame()

    def press(self, path: str, **fields: object):
        return self.site.host.post(f"/teach/{path}", **fields)

    def do(self, path: str, **fields: object) -> None:
        answer = self.press(path, **fields)
        assert answer.status_code == 204, answer.text

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

    def see(self, motion: bool | None) -> None:
        """One more picture comes while somebody looks."""
        self.school.motion = motion
        self.teaching.look(np.zeros((48, 64, 3), np.uint8))

    @property
    def taken(self) -> int:
        lesson = self.teaching.lesson
        return len(lesson.pictures[lesson.face])
