"""Aiming all shots of a turn by one tap: what is offered, and how few touches a turn takes."""

import random
from collections import Counter
from math import sqrt
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from scenario import game, play, roll, stop
from strategies import chances, deal, moments

from companion.games.dice.minds.levels import MINDS
from companion.games.dice.minds.match import play_match
from companion.games.dice.players import random_move
from companion.games.dice.rules.check import check
from companion.games.dice.rules.choices import MOST_VOLLEYS, Volleys, only_move, question, volleys
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import (
    Action,
    Beer,
    DiscardFrom,
    Move,
    Roll,
    Shoot,
    Shot,
    Stop,
)
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import State


def offered(players: str, letters: str) -> tuple[list[str], bool]:
    """What a roll offers, in short (`1: 0 3, 4: 1` for dice 0 and 3 at seat 1), and if it's all."""
    ways = volleys_after(players, letters)
    return [told(shots) for shots in ways.offered], ways.complete


def volleys_after(players: str, letters: str) -> Volleys:
    asked = question(play(game(players), roll(letters), stop))
    assert asked is not None
    assert asked.action is Action.SHOOT
    return volleys(asked)


def told(shots: tuple[Shot, ...]) -> str:
    hit: dict[int | None, list[str]] = {}
    for shot in shots:
        beer = "" if shot.beer is None else f"+{shot.beer}"
        hit.setdefault(shot.target, []).append(f"{shot.die}{beer}")
    return ", ".join(f"{target}: {' '.join(dice)}" for target, dice in hit.items())


FIVE = "S O R O D"


@pytest.mark.parametrize(
    ("letters", "ways", "complete"),
    [
        # One choice alone is one tap anyway.
        ("1DDAG", [], False),
        ("11DAG", ["1: 0 1", "1: 0, 4: 1", "4: 0 1"], True),
        ("2A2DG", ["2: 0 2", "2: 0, 3: 2", "3: 0 2"], True),
        ("12DAG", ["1: 0, 2: 1", "1: 0, 3: 1", "4: 0, 2: 1", "4: 0, 3: 1"], True),
        (
            "11111",
            [
                "1: 0 1 2 3 4", "1: 0 1 2 3, 4: 4", "1: 0 1 2, 4: 3 4", "1: 0 1, 4: 2 3 4",
                "1: 0, 4: 1 2 3 4", "4: 0 1 2 3 4",
            ],
            True,
        ),
        # Too many to read: those that aim like dice at one player.
        ("1122A", ["1: 0 1, 2: 2 3", "1: 0 1, 3: 2 3", "4: 0 1, 2: 2 3", "4: 0 1, 3: 2 3"], False),
    ],
)  # fmt: skip
def test_like_dice_are_aimed_together(letters: str, ways: list[str], complete: bool) -> None:
    assert offered(FIVE, letters) == (ways, complete)


def test_a_shot_with_one_target_only_is_aimed_there() -> None:
    # At four players, only one sits two places away.
    assert offered("S O R O", "122DA") == ([], False)
    ways = ["1: 0 1, 2: 2", "1: 0, 3: 1, 2: 2", "3: 0 1, 2: 2"]
    assert offered("S O R O", "112DA") == (ways, True)


def test_all_shots_go_to_one_player_where_dice_reach_many() -> None:
    ways, complete = offered("S:calamity_janet O R O D O", "12DAG")
    assert ways == ["1: 0 1", "2: 0 1", "4: 0 1", "5: 0 1"]
    assert not complete
    (first, *_) = volleys_after("S:calamity_janet O R O D O", "12DAG").offered
    assert first == (Shot(0, 1), Shot(1, 1, used_as=Face.BULLSEYE1))


def test_a_beer_doubles_a_shot_by_the_same_tap() -> None:
    ways = ["1: 0", "1: 0+1", "4: 0", "4: 0+1"]
    assert offered("S:slab_the_killer O R O D", "1BDAG") == (ways, True)
    # Two shots at two players, and three ways to double: shot by shot if they are to part.
    ways = ["1: 0 1", "1: 0+2 1", "4: 0 1", "4: 0+2 1"]
    assert offered("S:slab_the_killer O R O D", "11BAG") == (ways, False)


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


def touches(state: State, move: Move) -> int:
    """How many presses and taps a move takes: as many as `tests.tools.bench.touches` counts.

    A roll takes one, and so does accepting it and stopping.
    """
    asked = question(state)
    assert asked is not None
    match move:
        case Roll():
            return 1
        case Stop():
            return 0
        case DiscardFrom(_, targets):
            return len(targets) + 1
        case Beer(seat, targets):
            (drinker, *others) = targets
            lacks = state.setup.max_life[drinker] - state.life[drinker]
            at_once = set(targets) == {drinker} and (drinker == seat or lacks >= len(targets))
            return 1 if at_once else 1 + len(others)
        case Shoot(_, shots):
            if effects(shots) in map(effects, volleys(asked).offered):
                return 1
            steps = sum(sum(len(aim.targets) for aim in ways) > 1 for ways in asked.aims.values())
            return max(steps + bool(asked.beers), 1)
    return 1


def effects(shots: tuple[Shot, ...]) -> Counter[object]:
    return Counter((shot.target, shot.beer is not None) for shot in shots)


@pytest.mark.tables
def test_a_turn_of_five_players_takes_less_than_four_touches() -> None:
    """Dice that are read wrong come on top: 0.06 taps a turn, as measured in the drawn tray."""
    games, means = 150, []
    chance = random.Random(1)
    for _ in range(games):
        setup = deal(RULESETS["base"], 5, chance)
        played = play_match(setup, (MINDS["sensible"],) * 5, chance)
        state, count = start(setup), 0
        for move in played.moves:
            count += 0 if move == only_move(state) else touches(state, move)
            state = apply(state, move)
        means.append(count / played.turns)
    high = mean(means) + 1.96 * stdev(means) / sqrt(games)
    assert high < 4
