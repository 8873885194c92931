"""Aiming all shots of a turn by one tap: what is offered is legal; how it reads: questions.txt."""

import random

import pytest
from hypothesis import given, settings
from strategies import chances, moments

from companion.games.dice.players import random_move
from companion.games.dice.rules.check import check
from companion.games.dice.rules.choices import MOST_VOLLEYS, question, volleys
from companion.games.dice.rules.moves import (
    Action,
    Shoot,
)
from companion.games.dice.rules.rules import apply
from companion.games.dice.rules.state import State


def effect(state: State) -> tuple[object, ...]:
    """What a move leaves, without the dice that did it."""
    return state.life, state.arrows, state.living, state.awaits, state.turn, state.result


@pytest.mark.tables
@settings(max_examples=150)
@given(moments(Action.SHOOT), chances)
def test_what_is_offered_is_legal_and_complete_if_it_says_so(
    state: State, chance: random.Random
) -> None:
    asked = question(state)
    assert asked is not None
    ways = volleys(asked)
    assert len(ways.offered) <= MOST_VOLLEYS
    moves = [Shoot(asked.seat, shots) for shots in ways.offered]
    assert [check(state, move) for move in moves] == [None] * len(moves)
    if ways.complete:
        left = {effect(apply(state, move)) for move in moves}
        assert {effect(apply(state, random_move(state, chance))) for _ in range(30)} <= left
