"""A table killed in the middle of a turn, with its dice in the tray, knows them again.

The tray is drawn, and the real thread reads it with the real reader. A copy of the folder at any
moment is what a kill at that moment leaves.
"""

import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from disks import copy_in_use
from endless_game import begin, press
from stand_ins import Dealer, dice_game
from tiers import later
from waiting import wait_until

from companion.camera.empty_tray import EmptyTray
from companion.camera.table_reader import TableReader, TrayModelKeeper, load_known_model
from companion.camera.watcher import Watcher
from companion.camera.workers import FrameWorkers
from companion.games.registry import GAMES
from companion.table.journal.journal import Journal
from companion.table.lessons import picture_accepted
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import Tray, TrayMark, TrayStatus
from companion.table.table import Table
from hardware.camera.interface import Camera
from vision.dice.find.tray_model import TrayModel
from vision.dice.profile import load_profile
from vision.imaging.geometry import Image
from vision.simulate.dice.tray import SimulatedDiceTray

pytestmark = pytest.mark.processes

FIRST = ("beer", "gatling", "bullseye1", "beer", "bullseye2")
SECOND = ("gatling", "beer", "gatling", "bullseye2", "bullseye1")
THIRD = ("bullseye1", "gatling", "beer", "bullseye1", "gatling")

QUESTIONS = {TrayStatus.UNSURE, TrayStatus.BESIDE, TrayStatus.COUNT, TrayStatus.INCOMPLETE}


class DrawnCamera:
    """A camera over a drawn tray with hands that throw; it outlives the tables that watch it."""

    name = "drawn"

    def __init__(self) -> None:
        self.tray = SimulatedDiceTray(seed=3)
        self._drawing = threading.Lock()
        self._pace = threading.Event()
        self._lay = self.tray.dice

    def open(self) -> Camera:
        return self

    def frame(self) -> Image:
        self._pace.wait(0.005)
        with self._drawing:
            return self.tray.frame()

    def close(self) -> None:
        """Nothing is held."""

    def pick_up(self, dice: Collection[int]) -> None:
        """Take some of the drawn dice into the hand."""
        with self._drawing:
            self._lay = self.tray.dice
            self.tray.place([die for n, die in enumerate(self._lay) if n not in dice])

    def throw(self, dice: Collection[int], faces: Sequence[str]) -> None:
        """Throw the dice from the hand."""
        with self._drawing:
            self.tray.place(self._lay)
            self.tray.throw(set(range(5)) - set(dice) if self._lay else (), faces)


class TrayEvening:
    """A table that watches a drawn tray and can be killed."""

    def __init__(self, folder: Path) -> None:
        self.camera, self._folder, self._running = DrawnCamera(), folder / "0", ExitStack()
        self.start()
        begin(self.table)

    def start(self) -> None:
        """Start a table where the last one was killed."""
        self.statuses = [TrayStatus.MOVING]
        with ExitStack() as running:
            journal, workers = Journal(self._folder), FrameWorkers()
            running.callback(journal.close)
            running.callback(workers.close)
            self.table = Table(journal, GAMES, dice_game(), chance=Dealer("sroo"))
            self.table.follow(lambda *_: self.statuses.append(self.table.scene.shown.status))
            empty_tray = EmptyTray(self._folder / "tray.png", workers)
            file = self._folder / "tray.json"
            reader = TableReader(load_profile("pips"), empty_tray, load_known_model(file))
            keeper = TrayModelKeeper(reader, file)
            keeper.start()
            running.callback(keeper.stop)
            self.table.follow(partial(picture_accepted, keeper))
            self.reader = reader
            watcher = Watcher(self.table, self.camera.open, reader.follower)
            watcher.start()
            running.callback(watcher.stop)
            self._running = running.pop_all()

    @property
    def saved_model(self) -> TrayModel:
        return load_known_model(self._folder / "tray.json")

    def kill(self) -> None:
        """Leave what a kill leaves; `start` goes on with that."""
        killed = self._folder
        self._folder = killed.with_name(str(int(killed.name) + 1))
        copy_in_use(killed, self._folder)
        self.close()

    def restart(self) -> None:
        self.kill()
        self.start()

    def close(self) -> None:
        self._running.close()

    def until(self, status: TrayStatus) -> Tray:
        """Wait until the camera says so: before its first picture the journal alone speaks."""
        wait_until(lambda: self.table.scene.camera.works and self.tray.status is status)
        return self.tray

    @property
    def tray(self) -> Tray:
        return self.table.scene.shown

    @property
    def drawn(self) -> dict[int, int]:
        """Which of the drawn dice each number is."""
        found = {}
        for number, die in enumerate(self.tray.dice):
            assert die.place is not None
            away = np.linalg.norm(self.camera.tray.centres - (die.place.x, die.place.y), axis=1)
            assert away.min() < die.place.size / 4
            found[number] = int(away.argmin())
        return found

    def roll(self, dice: Collection[int], faces: Sequence[str]) -> None:
        """Throw some of the drawn dice, and accept what lies."""
        self.camera.throw(dice, faces)
        self.until(TrayStatus.READY)
        self.accept()

    def accept(self) -> None:
        self.table.press_green()
        assert self.table.scene.notice == ""


def shown(tray: Tray) -> list[tuple[str | None, bool]]:
    return [(die.face, die.thrown) for die in tray.dice]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[TrayEvening]:
    """After two rolls, so that the dice aren't numbered as they lie, from left to right."""
    made = TrayEvening(tmp_path)
    made.until(TrayStatus.EMPTY)
    made.roll(range(5), FIRST)
    made.until(TrayStatus.LYING)
    made.camera.pick_up({0, 3})
    made.until(TrayStatus.PICKED_UP)
    made.roll({0, 3}, SECOND)
    made.until(TrayStatus.LYING)
    across = [die.place.x for die in made.tray.dice if die.place is not None]
    assert len(across) == 5
    assert across != sorted(across)
    yield made
    made.close()


def test_the_table_is_known_after_a_kill(evening):
    known = evening.reader.model
    assert len(known.dice) == 10
    wait_until(lambda: evening.saved_model.digest == known.digest)
    evening.restart()
    evening.until(TrayStatus.LYING)
    assert evening.reader.model.digest == known.digest
    assert evening.reader.model.explains(known.dice[5:])


def killed_before_the_throw(evening: TrayEvening) -> None:
    evening.restart()
    assert evening.until(TrayStatus.PICKED_UP).seen == 3
    evening.camera.throw({1, 4}, THIRD)


def killed_during_the_throw(evening: TrayEvening) -> None:
    evening.kill()
    evening.camera.throw({1, 4}, THIRD)
    evening.start()


def killed_before_the_roll_was_accepted(evening: TrayEvening) -> None:
    evening.camera.throw({1, 4}, THIRD)
    evening.until(TrayStatus.READY)
    evening.restart()


KILLED_LATER = later(killed_before_the_throw, killed_before_the_roll_was_accepted)


@pytest.mark.parametrize("thrown_and_killed", [killed_during_the_throw, *KILLED_LATER])
def test_kept_dice_keep_their_numbers_and_the_others_were_thrown(evening, thrown_and_killed):
    drawn = evening.drawn
    evening.camera.pick_up({1, 4})
    evening.until(TrayStatus.PICKED_UP)
    thrown_and_killed(evening)
    tray = evening.until(TrayStatus.READY)
    numbers = {number for number, die in enumerate(tray.dice) if die.thrown}
    assert {drawn[number] for number in numbers} == {1, 4}
    now = evening.drawn
    assert {n: now[n] for n in now if n not in numbers} == {
        n: drawn[n] for n in drawn if n not in numbers
    }
    assert not QUESTIONS & set(evening.statuses)
    evening.accept()
    lying = [evening.camera.tray.faces[now[number]] for number in range(5)]
    assert [die.face for die in evening.tray.dice] == lying


def test_a_die_that_was_corrected_is_not_asked_about_again(tmp_path):
    with closing(TrayEvening(tmp_path)) as evening:
        evening.until(TrayStatus.EMPTY)
        evening.camera.throw(range(5), FIRST)
        tray = evening.until(TrayStatus.READY)
        corrected = [die.face for die in tray.dice].index("gatling")
        press(evening.table, 1, rolling.mark, corrected, TrayMark("bullseye2"))
        evening.accept()
        before, drawn = evening.until(TrayStatus.LYING), evening.drawn
        evening.restart()
        assert shown(evening.until(TrayStatus.LYING)) == shown(before)
        evening.camera.pick_up({0, 3})
        evening.until(TrayStatus.PICKED_UP)
        evening.camera.throw({0, 3}, SECOND)
        tray = evening.until(TrayStatus.READY)
        assert drawn[corrected] == 1
        assert (tray.dice[corrected].face, tray.dice[corrected].thrown) == ("bullseye2", False)
        assert not QUESTIONS & set(evening.statuses)
