"""Another game than the dice game on the same table: what the table needs of a game is its seam."""

import json

import pytest
from evening import Evening
from most_pips import FACES, MOST_PIPS, ONE_THROW, State
from stand_ins import Die

from companion.base.refused import Refused
from companion.games.game import Selection
from companion.games.registry import GAMES
from companion.table import moves, rounds
from companion.table.journal.journal import GAMES as RECORDS
from companion.table.past.past_games import record_of
from companion.table.past.replays import finished
from companion.table.scene import Phase, Signal
from companion.table.surface.dice.state import TrayStatus
from companion.table.views import role_at

KNOWN = {**GAMES, MOST_PIPS.record_name: MOST_PIPS}


class PipsEvening(Evening):
    """A table at which that game is played."""

    games = KNOWN

    def throw(self, pips: str, y: float) -> None:
        self.see("moving")
        self.roll(*(FACES[int(n) - 1] for n in pips), y=y)


@pytest.fixture
def evening(tmp_path):
    game = Selection(MOST_PIPS, ONE_THROW)
    return PipsEvening(tmp_path, people=3, phones=2, selection=game).start()


def test_another_game_runs_on_the_table_from_its_start_to_its_record(evening):
    assert (evening.view.phase, evening.view.signal) == (Phase.PLAYING, Signal.WAITING)
    evening.throw("66661", 100)
    assert evening.view.game == State(("P0", "P1", "P2"), (25,))
    evening.throw("11111", 200)
    evening.throw("66652", 300)
    assert evening.view.phase is Phase.OVER
    assert evening.view.standing.outcome.winners == (0, 2)
    told = [f"Seat {seat} throws {pips} pips." for seat, pips in ((1, 25), (2, 5), (3, 25))]
    assert list(evening.view.events) == told
    header, *lines = map(json.loads, record_of(evening.table.scene).splitlines())
    assert (header["record"], header["players"]) == ("most-pips", ["P0", "P1", "P2"])
    assert [seat for seat, _, _ in lines] == [0, 1, 2]
    replay = finished(evening.table.scene)
    assert [len(replay.view(step).tray.dice) for step in range(4)] == [0, 5, 5, 5]
    evening.do(rounds.new_game)
    (kept,) = (evening.folder / RECORDS).iterdir()
    assert json.loads(kept.read_text("utf-8").splitlines()[0]) == header


def test_another_game_stands_where_it_stood_after_a_restart_and_an_undo(evening):
    evening.throw("66661", 100)
    evening.throw("11112", 200)
    evening.do(moves.undo)
    assert evening.view.game.pips == (25,)
    before = evening.view
    evening.reopen()
    assert evening.view.game == before.game
    assert (evening.view.story, evening.view.people) == (before.story, before.people)
    evening.throw("33333", 300)
    assert evening.view.game.pips == (25, 15)


def test_the_dice_of_another_game_are_corrected_like_any(evening):
    doubtful = [Die(FACES[0], 100.0 * n, sure=n > 0, likely=FACES[:2]) for n in range(5)]
    evening.see("unsure", *doubtful)
    assert evening.status is TrayStatus.UNSURE
    evening.correct(0, FACES[5])
    evening.table.press_green()
    assert evening.view.game.pips == (10,)


def test_what_another_game_refuses_reaches_the_pages_as_it_is_and_it_has_no_roles(evening):
    evening.table.press_red()
    assert evening.view.notice == "seat 0 throws"
    with pytest.raises(Refused):
        role_at(evening.table.scene, 1, 0)
