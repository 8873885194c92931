"""Stand-ins that play game after game by themselves, to show a table."""

import random
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from endless_game import play
from process import companion
from stand_ins import dice_game
from waiting import view_when, wait_until

from companion.app.build import start_table
from companion.app.demonstration import Demonstration
from companion.games import GAMES
from companion.settings import ConfigError, Settings
from companion.table import stand_ins
from companion.table.changes import Press
from companion.table.journal import Journal
from companion.table.refused import Refused
from companion.table.scene import Phase
from companion.table.table import Table


@pytest.fixture
def table(tmp_path) -> Table:
    journal = Journal(tmp_path)
    yield Table(journal, GAMES, dice_game())
    journal.close()


def test_stand_ins_sit_down_alone_and_begin(table):
    demonstration = Demonstration(table, 5)
    table.listen(demonstration.look)
    demonstration.start()
    view = view_when(table, lambda view: view.phase is Phase.PLAYING)
    demonstration.stop()
    assert [person.stand_in for person in view.people] == ["sensible"] * 5
    assert [person.host for person in view.people] == [True, False, False, False, False]


def test_nobody_is_disturbed_who_sits_at_the_table(table):
    table.join("Ann", table.code)
    demonstration = Demonstration(table, 5)
    table.listen(demonstration.look)
    demonstration.start()
    demonstration.look()
    demonstration.stop()
    assert (table.view().phase, len(table.view().people)) == (Phase.LOBBY, 1)
    with pytest.raises(Refused, match="people sit"):
        table.do(stand_ins.fill, Press(None, table.view().version), 5, "sensible")


def test_the_simulated_table_plays_by_itself(tmp_path: Path):
    settings = Settings(
        data=tmp_path, camera="simulated", stand_ins=4, port=0, host="127.0.0.1", learn=False
    )
    with ExitStack() as stack:
        running = start_table(settings, stack, seed=1)
        # The dice are thrown, read and accepted, and the game moves on.
        wait_until(lambda: running.table.view().story, patience_s=120)
        assert {person.stand_in for person in running.table.view().people} == {"sensible"}


def test_a_game_follows_the_one_before(table):
    demonstration = Demonstration(table, 4, pause_s=0.01)
    table.listen(demonstration.look)
    demonstration.start()
    view = view_when(table, lambda view: view.phase is Phase.PLAYING)
    first, chance = view.game_number, random.Random(4)
    while table.view().game_number == first:
        view = table.view()
        # The thread may begin the next game between two looks.
        with suppress(Refused):
            if view.phase is Phase.PLAYING:
                play(table, view.people[view.standing.awaited].id, chance)
    view = view_when(table, lambda view: view.phase is Phase.PLAYING)
    demonstration.stop()
    assert view.game_number == first + 1
    assert [person.stand_in for person in view.people] == ["sensible"] * 4


@pytest.mark.parametrize("count", [2, 9, -1])
def test_a_number_that_can_not_play_is_refused(count, tmp_path):
    with pytest.raises(ConfigError, match=r"stand_ins: base is for 3 to 8"):
        Settings(stand_ins=count)
    ended = companion("run", "--stand-ins", count, "--data", tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.startswith("--stand-ins: base is for 3 to 8")
