"""Odds: dealt from what everybody knows, legal to the end, and told to nobody who rolls."""

import random
import threading
from dataclasses import replace

import pytest
from dice_scenes import game
from hypothesis import assume, given
from strategies import chances, games, swapped

from companion.base.worker import WorkError
from companion.games.common.beliefs import no_memory
from companion.games.common.endings import Side
from companion.games.dice.game import DICE_GAME
from companion.games.dice.minds.known import knowledge
from companion.games.dice.minds.sensible import sensible
from companion.games.dice.odds import play, play_on, public_history
from companion.games.dice.rules import views
from companion.games.dice.rules.roles import ROLES
from companion.games.dice.rules.sides import sides
from companion.games.dice.rules.state import State
from companion.games.dice.rules.views import Audience
from companion.games.game import WantedOdds
from companion.games.odds import OddsWorker, estimate_odds
from companion.games.simulator_process import SimulatorProcess


def odds(state, count=20):
    found = public_history([state], [])
    return estimate_odds(sides(state.setup.roles), play(found, range(count)))


@given(games, chances)
def test_hidden_roles_change_nothing_that_is_seen_or_played(played, chance):
    last = chance.randrange(len(played.states))
    states, moves = played.states[: last + 1], played.moves[:last]
    assume(states[-1].awaits)
    setup, _ = swapped(states[-1].setup, states[-1], views, Audience.TABLE, chance)
    others = [replace(state, setup=setup) for state in states]
    assert public_history(others, moves) == public_history(states, moves)
    assert play(public_history(others, moves), range(2)) == play(
        public_history(states, moves), range(2)
    )


@given(games, chances)
def test_games_are_played_to_an_end_of_this_table(played, chance):
    state = chance.choice(played.states)
    assume(state.awaits)
    assert play_on(state, {}, chance) in sides(state.setup.roles)


def test_players_in_the_play_outs_decide_like_sensible_stand_ins(monkeypatch):
    # The first decision of a play-out is the one of the stand-in that knows as much.
    state = game("S O R O D", turn=2)
    decided = []
    monkeypatch.setattr(
        "companion.games.dice.odds.decide_sensibly",
        lambda now, roles, against, chance: decided.append((roles, dict(against))) or (
            sensible(knowledge(now, now.awaits.seat), no_memory(5), chance)
        ),
    )  # fmt: skip
    play_on(state, {}, random.Random(1))
    roles, against = decided[0]
    assert roles == knowledge(state, 2).roles
    assert against == {}


@pytest.mark.parametrize("people", range(3, 9))
def test_sides_are_those_that_the_roles_make(people):
    expected = {Side.LAW, Side.OUTLAWS, Side.RENEGADE}
    if people == 3:
        expected = {Side.DEPUTY, Side.OUTLAW, Side.RENEGADE, Side.NONE}
    assert set(sides(ROLES[people])) == expected


def test_shares_add_up_and_follow_what_is_seen():
    strong = odds(game("S O R O", life={0: 9, 1: 1, 2: 1, 3: 1}), 200)
    weak = odds(game("S O R O", life={0: 1, 1: 8, 2: 8, 3: 8}), 200)
    for found in (strong, weak):
        assert sum(found.shares.values()) == pytest.approx(1)
        assert found.games == 200
        for side, share in found.shares.items():
            low, high = found.intervals[side]
            assert 0 <= low <= share <= high <= 1
            assert high - low < 0.15
    assert strong.shares[Side.LAW] > 0.5 > weak.shares[Side.LAW]
    assert weak.shares[Side.OUTLAWS] > 0.5


def test_more_games_go_on_where_fewer_ended():
    told = public_history([game("S O R O")], [])
    assert play(told, range(7)) + play(told, range(7, 20)) == play(told, range(20))


def test_another_process_plays_the_same_games_and_may_rest():
    told = public_history([game("S O R O")], [])
    apart = SimulatorProcess()
    try:
        for games_played in (range(5), range(5, 9)):
            assert apart.play(told, games_played) == play(told, games_played)
        apart.rest()
        assert apart.play(told, range(3)) == play(told, range(3))
    finally:
        apart.rest()


def test_a_process_that_dies_is_told_and_replaced(monkeypatch):
    told, apart = public_history([game("S O R O")], []), SimulatorProcess()
    with monkeypatch.context() as patch:
        patch.setattr("sys.executable", "/bin/false")
        with pytest.raises(WorkError, match="its process has ended"):
            apart.play(told, range(3))
    try:
        assert apart.play(told, range(3)) == play(told, range(3))
    finally:
        apart.rest()


# The thread


def wanted_odds(state: State) -> WantedOdds:
    return WantedOdds(DICE_GAME, [state], [])


class Here:
    """Plays in the worker's own thread."""

    def play(self, seen, games):
        return play(seen, games)

    def rest(self):
        pass

    interrupt = rest


class Wanted:
    """What the worker is asked, and what it answered."""

    def __init__(self, state):
        self.game = None if state is None else wanted_odds(state)
        self.found = []
        self.told = threading.Event()

    def show(self, about, found):
        self.found.append((about, found))
        self.told.set()


@pytest.fixture
def workers():
    made = []

    def make(wanted, **options):
        made.append(OddsWorker(Here(), lambda: wanted.game, wanted.show, **options))
        made[-1].start()
        return made[-1]

    yield make
    for worker in made:
        worker.stop()


def test_odds_come_once_for_each_state(workers):
    state = game("S O R O", life={3: 0})
    wanted = Wanted(state)
    first = wanted.game
    worker = workers(wanted, games=5, share=1.0)
    worker.wake()
    assert wanted.told.wait(60)
    worker.wake()
    wanted.told.clear()
    wanted.game = wanted_odds(game("S O R O", life={2: 0}))
    worker.wake()
    assert wanted.told.wait(60)
    assert [about for about, _ in wanted.found] == [first, wanted.game]
    assert wanted.found[0][1] == odds(state, 5)


def test_first_odds_are_shown_while_more_games_are_played(workers):
    wanted = Wanted(game("S O R O"))
    worker = workers(wanted, games=100, share=1.0)
    worker.wake()
    while len(wanted.found) < 2:
        assert wanted.told.wait(60)
        wanted.told.clear()
    assert [found.games for _, found in wanted.found] == [50, 100]


def test_nothing_is_worked_out_while_nobody_wants_it(workers):
    wanted = Wanted(None)
    worker = workers(wanted, games=1, share=1.0)
    worker.wake()
    worker.stop()
    assert wanted.found == []


def test_odds_that_nobody_wants_any_more_are_given_up(workers):
    wanted = Wanted(game("S O R O", life={3: 0}))
    # So much rest after each batch that it would never come to an end.
    worker = workers(wanted, games=10**9, share=0.001)
    worker.wake()
    wanted.game = None
    worker.wake()
    worker.stop()
    assert wanted.found == []
