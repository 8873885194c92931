"""Another game than the dice game on the same table: what the table needs of a game is its seam."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from most_pips import FACES, MOST_PIPS, ONE_THROW, State, Thrown
from people import join
from stand_ins import Die, reading

from companion.base.refused import Refused
from companion.games.game import Selection
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press
from companion.table.journal.journal import GAMES as RECORDS
from companion.table.journal.journal import Journal
from companion.table.past.past_games import record_of
from companion.table.past.replays import finished
from companion.table.scene import CameraStatus, Phase, Signal
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import Mark, Status
from companion.table.table import Table
from companion.table.views import role_at


class Evening:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.open()
        self.tokens = [join(self.table, name, self.table.scene.code) for name in ("Ann", "Bob")]
        self.table.do(seats.add_person, self.press, "Cleo")

    def open(self) -> None:
        self.journal = Journal(self.folder)
        known = {**GAMES, MOST_PIPS.record_name: MOST_PIPS}
        self.table = Table(self.journal, known, Selection(MOST_PIPS, ONE_THROW))
        self.table.watch(CameraStatus("test"))

    def reopen(self) -> None:
        self.journal.close()
        self.open()

    @property
    def view(self):
        return self.table.view(1)

    @property
    def press(self) -> Press:
        return Press(1, self.view.version, self.view.reading)

    def throw(self, pips: str, y: float) -> None:
        dice = [Die(FACES[int(n) - 1], 100.0 * place, y) for place, n in enumerate(pips, start=1)]
        self.table.see(reading("moving"))
        self.table.see(reading("ok", dice))
        self.table.press_green()
        assert self.view.notice == ""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.journal.close()


def test_another_game_runs_on_the_table_from_its_start_to_its_record(evening: Evening) -> None:
    evening.table.do(rounds.start_game, evening.press)
    assert (evening.view.phase, evening.view.signal) == (Phase.PLAYING, Signal.WAITING)
    evening.throw("66661", 100)
    assert evening.view.game == State(("Ann", "Bob", "Cleo"), (25,))
    evening.throw("11111", 200)
    evening.throw("66652", 300)
    assert evening.view.phase is Phase.OVER
    assert evening.view.standing.outcome.winners == (0, 2)
    assert evening.view.events == (Thrown(0, 25), Thrown(1, 5), Thrown(2, 25))
    header, *lines = map(json.loads, record_of(evening.table.scene).splitlines())
    assert (header["record"], header["players"]) == ("most-pips", ["Ann", "Bob", "Cleo"])
    assert [seat for seat, _, _ in lines] == [0, 1, 2]
    replay = finished(evening.table.scene)
    assert replay is not None
    assert [len(replay.view(step).tray.dice) for step in range(4)] == [0, 5, 5, 5]
    evening.table.do(rounds.new_game, evening.press)
    (kept,) = (evening.folder / RECORDS).iterdir()
    assert json.loads(kept.read_text("utf-8").splitlines()[0]) == header


def test_another_game_stands_where_it_stood_after_a_restart_and_an_undo(evening: Evening) -> None:
    evening.table.do(rounds.start_game, evening.press)
    evening.throw("66661", 100)
    evening.throw("11112", 200)
    evening.table.do(moves.undo, evening.press)
    assert evening.view.game.pips == (25,)
    before = evening.view
    evening.reopen()
    assert evening.view.game == before.game
    assert (evening.view.story, evening.view.people) == (before.story, before.people)
    evening.throw("33333", 300)
    assert evening.view.game.pips == (25, 15)


def test_the_dice_of_another_game_are_corrected_like_any(evening: Evening) -> None:
    evening.table.do(rounds.start_game, evening.press)
    doubtful = [Die(FACES[0], 100.0 * n, sure=n > 0, likely=FACES[:2]) for n in range(5)]
    evening.table.see(reading("unsure", doubtful))
    assert evening.view.tray.status is Status.UNSURE
    evening.table.do(rolling.mark, evening.press, 0, Mark(FACES[5]))
    evening.table.press_green()
    assert evening.view.game.pips == (10,)


def test_what_another_game_refuses_reaches_the_pages_as_it_is(evening: Evening) -> None:
    evening.table.do(rounds.start_game, evening.press)
    evening.table.press_red()
    assert evening.view.notice == "seat 0 throws"


def test_a_game_without_roles_has_none_to_show(evening: Evening) -> None:
    evening.table.do(rounds.start_game, evening.press)
    with pytest.raises(Refused):
        role_at(evening.table.scene, 1, 0)
