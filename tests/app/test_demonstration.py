"""Stand-ins that play game after game by themselves, to show a table."""

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

import pytest
from endless_game import play
from people import join
from running import running_table
from stand_ins import Die, dice_game, reading
from waiting import view_when, wait_until

from companion.app.demonstration import Demonstration
from companion.base.refused import Refused
from companion.camera.empty_tray import EmptyTray
from companion.camera.simulated_dice import SimulatedDice
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers
from companion.games.registry import GAMES
from companion.table import rounds, stand_ins
from companion.table.changes import Press
from companion.table.journal.journal import Journal
from companion.table.scene import CameraStatus, Phase, SimulatedTray
from companion.table.surface.dice.state import Place, TrayStatus
from companion.table.table import Table
from vision.dice.profile import load_profile

pytestmark = pytest.mark.pictures


@pytest.fixture
def table(tmp_path) -> Table:
    return Table(Journal(tmp_path), GAMES, dice_game())


@contextmanager
def demonstrated(table: Table, *given: object, **options: float) -> Iterator[Demonstration]:
    """Let a demonstration follow the table while the block runs."""
    demonstration = Demonstration(table, *given, **options)
    table.follow(lambda *_: demonstration.wake())
    demonstration.start()
    yield demonstration
    demonstration.stop()


def test_nobody_is_disturbed_who_sits_at_the_table(table):
    join(table, "Ann", table.scene.code)
    with demonstrated(table, 5) as demonstration:
        demonstration.wake()
    assert (table.view().phase, len(table.view().people)) == (Phase.LOBBY, 1)
    with pytest.raises(Refused, match="people sit"):
        table.do(stand_ins.fill, Press(None, table.view().version), 5, "sensible")


def test_the_simulated_table_plays_by_itself(tmp_path):
    with running_table(tmp_path, camera="simulated", stand_ins=4, learn=False) as running:
        # The dice are thrown, read and accepted, and the game moves on.
        wait_until(lambda: running.table.view().story, patience_s=120)
        assert {person.stand_in for person in running.table.view().people} == {"sensible"}


def test_stand_ins_sit_down_alone_and_begin_and_a_game_follows_the_one_before(table):
    with demonstrated(table, 4, pause_s=0.01):
        view = view_when(table, lambda view: view.phase is Phase.PLAYING)
        assert [person.host for person in view.people] == [True, False, False, False]
        first, chance = view.game_number, random.Random(4)
        while table.view().game_number == first:
            view = table.view()
            # The thread may begin the next game between two looks.
            with suppress(Refused):
                if view.phase is Phase.PLAYING:
                    play(table, view.people[view.standing.awaited].id, chance)
        view = view_when(table, lambda view: view.phase is Phase.PLAYING)
    assert view.game_number == first + 1
    assert [person.stand_in for person in view.people] == ["sensible"] * 4


UNREAD = reading("unsure", [Die("beer", 100.0 * number, sure=number > 0) for number in range(5)])


def test_dice_that_can_not_be_read_are_thrown_again_while_nobody_is_there(table):
    table.watch(CameraStatus("simulated", tray=SimulatedTray()))
    thrown: list[str] = []

    def throw_again() -> None:
        thrown.append("again")
        table.see(reading("moving"))

    with demonstrated(table, 4, throw_again, unread_s=0.01):
        view_when(table, lambda view: view.phase is Phase.PLAYING)
        for count in (1, 2):
            table.see(UNREAD)
            wait_until(lambda count=count: len(thrown) == count)
    assert table.view().tray.status is TrayStatus.MOVING


def test_people_name_the_dice_themselves(table):
    table.watch(CameraStatus("simulated", tray=SimulatedTray()))
    join(table, "Ann", table.scene.code)
    for _ in range(3):
        table.do(stand_ins.add, Press(1, table.view().version), "sensible")
    table.do(rounds.start_game, Press(1, table.view().version))
    thrown: list[str] = []
    with demonstrated(table, 4, lambda: thrown.append("again"), unread_s=0) as demonstration:
        table.see(UNREAD)
        assert table.view().tray.status is TrayStatus.UNSURE
        demonstration.wake()
    assert thrown == []


def test_the_same_dice_are_thrown_again(tmp_path):
    empty_tray = EmptyTray(tmp_path / "tray.png", FrameWorkers())
    dice = SimulatedDice(TableReader(load_profile("pips"), empty_tray), seed=3)
    dice.throw([])
    dice.throw([Place(*dice.tray.centres[number], 1.0) for number in (1, 4)])
    before = dice.tray.dice
    dice.throw_again()
    after = dice.tray.dice
    assert [one == other for one, other in zip(before, after, strict=True)] == [
        False, True, False, False, True,
    ]  # fmt: skip
    dice.take_out()
    dice.throw_again()
    assert len(dice.tray.dice) == 5


@pytest.mark.parametrize("playing", [False, True])
def test_a_table_that_a_demonstration_left_is_free_for_people(tmp_path, playing):
    with closing(Journal(tmp_path)) as journal:
        table = Table(journal, GAMES, dice_game())
        table.do(stand_ins.fill, Press(None, table.view().version), 3, "sensible")
        if playing:
            table.do(rounds.start_game, Press(table.view().people[0].id, table.view().version))
            join(table, "Ann", table.scene.code)
    with running_table(tmp_path) as running:
        table = running.table
        assert table.view().phase is Phase.LOBBY
        join(table, "Bob", table.scene.code)
        people = [(person.name, person.host) for person in table.view().people]
    assert people == ([("Ann", True), ("Bob", False)] if playing else [("Bob", True)])


def test_people_keep_their_game_when_stand_ins_are_dismissed(table):
    join(table, "Ann", table.scene.code)
    with pytest.raises(Refused, match="people sit"):
        table.do(stand_ins.dismiss, Press(None))
