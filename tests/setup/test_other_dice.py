"""Dice that nobody chose are noticed, and the known set that they are of is named."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from waiting import wait_until

from companion.base.worker import Supervisor
from companion.camera.empty_tray import EmptyTray
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers
from companion.setup.other_dice import OtherDice
from vision.dice.profile import load_profile
from vision.simulate.dice.art import DiceKind
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.dice.tray import SimulatedDiceTray

pytestmark = pytest.mark.pictures

FRAMES = 30
"""More than dice need to lie still."""
FACES = "arrow", "dynamite", "bullseye1", "bullseye2", "beer"


class Evening:
    """Dice that are thrown at a table which reads some set; what it says of other dice."""

    def __init__(
        self, tmp_path: Path, stack: ExitStack, dice: DiceKind, used: str, others: Iterable[str]
    ) -> None:
        self.reader = TableReader(load_profile(used), EmptyTray(tmp_path / "t.png", FrameWorkers()))
        self.told = ""
        sets = [load_profile(name) for name in others]
        other_dice = OtherDice(self.reader, lambda: sets, self._tell)
        Supervisor(stack).start_worker(other_dice, lambda _: None)
        self.follower = self.reader.follower(changed=other_dice.see)
        self.tray, self.seconds = SimulatedDiceTray(dice, seed=1), count()

    def _tell(self, reason: str) -> None:
        self.told = reason

    def throw(self) -> None:
        turn = next(self.seconds)
        self.tray.place([PlacedDie(f, 4 * n - 8, turn % 3, 10 * turn) for n, f in enumerate(FACES)])
        for number in range(FRAMES):
            self.follower.update(self.tray.frame(), 2 * turn + number / 15)


@pytest.fixture
def evening(tmp_path: Path) -> Iterable[Callable[..., Evening]]:
    with ExitStack() as stack:
        yield lambda dice, used, *others: Evening(tmp_path, stack, dice, used, others)


def test_the_set_that_lies_there_is_named_until_it_is_read(evening):
    table = evening("pips", "print", "print", "pips")
    table.throw()
    table.throw()
    wait_until(lambda: table.told == "the dice in the tray look like ordinary dice")
    table.reader.use(load_profile("pips"))
    assert table.told == ""
    for _ in range(4):
        table.throw()
    assert table.told == ""


def test_dice_of_no_known_set_are_told_of(evening):
    table = evening("symbols", "pips", "pips")
    table.throw()
    assert table.told == ""
    table.throw()
    wait_until(lambda: "don’t look like those" in table.told)
