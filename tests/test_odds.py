"""Odds: dealt from what everybody knows, legal to the end, and told to nobody but the fallen."""

import random
import threading
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given
from scenario import game, throw
from strategies import chances, games

from companion.chance.dice_odds import (
    DiceSimulator,
    beginners_move,
    play_on,
    seeded,
    without_secrets,
)
from companion.chance.odds import OddsWorker, tallied
from companion.dicegame.check import check
from companion.dicegame.events import Side
from companion.dicegame.roles import ROLES, Role
from companion.dicegame.rules import apply
from companion.dicegame.sides import sides
from companion.dicegame.state import Setup
from companion.dicegame.views import Audience, knows_role, view


def dealt_otherwise(state, chance):
    """The same moment with the hidden roles at other seats."""
    hidden = [seat for seat in state.living if not knows_role(state, Audience.TABLE, seat)]
    roles = [state.setup.roles[seat] for seat in hidden]
    chance.shuffle(roles)
    players = list(state.setup.players)
    for seat, role in zip(hidden, roles, strict=True):
        players[seat] = players[seat]._replace(role=role)
    setup = Setup(state.setup.ruleset, tuple(players), state.setup.house_rules)
    return replace(state, setup=setup)


def odds(state, count=20):
    chance = seeded(state)
    return tallied(sides(state.setup.roles), Counter(play_on(state, chance) for _ in range(count)))


@given(games, chances)
def test_hidden_roles_change_nothing(played, chance):
    state = chance.choice(played.states)
    assume(state.awaits)
    other = dealt_otherwise(state, chance)
    assert without_secrets(other) == without_secrets(state)
    assert view(without_secrets(state), Audience.TABLE) == view(state, Audience.TABLE)
    assert odds(other, 2) == odds(state, 2)


@given(games, chances)
def test_beginners_make_legal_moves(played, chance):
    state = chance.choice(played.states)
    while state.awaits:
        move = beginners_move(state, chance)
        assert check(state, move) is None
        state = apply(state, move)


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
    assert strong.shares[Side.LAW] > 0.5 > weak.shares[Side.LAW]
    assert weak.shares[Side.OUTLAWS] > 0.5


@pytest.mark.parametrize(
    ("players", "hit"),
    [
        ("S R D O O O", {0}),
        ("S R O O D O", {2, 3, 5}),
        ("S O D O R O", {2, 3, 5}),
    ],
)
def test_beginners_shoot_whom_their_role_tells_them_to(players, hit):
    # P4 reaches P3 and P5 with a 1, P2 and the Sheriff with a 2.
    state = throw(game(players, turn=4), "DD2BA" if hit == {0} else "D12BA")
    chance = random.Random(1)
    moves = [beginners_move(state, chance) for _ in range(40)]
    assert {shot.target for move in moves for shot in move.shots} == hit


# The thread


class Wanted:
    """What the worker is asked, and what it answered."""

    def __init__(self, state):
        self.state = state
        self.found = []
        self.told = threading.Event()

    def show(self, state, found):
        self.found.append((state, found))
        self.told.set()


@pytest.fixture
def workers():
    made = []

    def make(wanted, **options):
        made.append(OddsWorker(DiceSimulator(), lambda: wanted.state, wanted.show, **options))
        made[-1].start()
        return made[-1]

    yield make
    for worker in made:
        worker.stop()


def test_odds_come_once_for_each_state(workers):
    state = without_secrets(game("S O R O", life={3: 0}))
    wanted = Wanted(state)
    worker = workers(wanted, games=5, share=1.0)
    worker.look()
    assert wanted.told.wait(60)
    worker.look()
    wanted.told.clear()
    wanted.state = without_secrets(game("S O R O", life={2: 0}))
    worker.look()
    assert wanted.told.wait(60)
    assert [about for about, _ in wanted.found] == [state, wanted.state]
    assert wanted.found[0][1] == odds(state, 5)


def test_nothing_is_worked_out_while_nobody_wants_it(workers):
    wanted = Wanted(None)
    worker = workers(wanted, games=1, share=1.0)
    worker.look()
    worker.stop()
    assert wanted.found == []


def test_odds_that_nobody_wants_any_more_are_given_up(workers):
    first = without_secrets(game("S O R O", life={3: 0}))
    wanted = Wanted(first)
    # So much rest after each game that it would never come to an end.
    worker = workers(wanted, games=10**9, share=0.001)
    worker.look()
    wanted.state = None
    worker.look()
    worker.stop()
    assert wanted.found == []


# At the table


def test_the_roles_dealt_anew_are_those_that_are_left():
    state = game("S O R O D", life={1: 0})
    roles = without_secrets(state).setup.roles
    assert Counter(roles) == Counter(ROLES[5])
    assert (roles[0], roles[1]) == (Role.SHERIFF, Role.OUTLAW)
