"""Exact chances of throws, compared with every way in which the dice can fall."""

from itertools import product

import pytest
from dice_scenes import game, throw
from hypothesis import given
from hypothesis import strategies as st

from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.targets import in_reach, places_away
from companion.games.dice.rules.throws import FACES, StakeKind, at_least, reached, stakes
from companion.games.dice.rules.views import Audience, view

GATLING, DYNAMITE = Face.GATLING, Face.DYNAMITE


def by_hand(need: int, dice: tuple[Face, ...], left: int, again: bool) -> float:
    """The chance of so many Gatlings, by throwing the dice in every way."""
    if dice.count(GATLING) >= need:
        return 1.0
    if not left or dice.count(DYNAMITE) >= 3:
        return 0.0
    kept = tuple(face for face in dice if face is GATLING or (face is DYNAMITE and not again))
    thrown = 5 - len(kept)
    ways = product(Face, repeat=thrown)
    return sum(by_hand(need, kept + fell, left - 1, again) for fell in ways) / 6**thrown


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("need", [1, 2, 3, 5])
def test_one_throw_of_five_dice_is_every_way_in_which_they_fall(need, again):
    assert reached(need, 0, 0, 1, 1, again) == pytest.approx(by_hand(need, (), 1, again))


def test_several_throws_are_followed_one_by_one():
    cases = (3, 0, 2, False), (2, 1, 2, False), (2, 2, 1, True), (1, 2, 2, False), (3, 1, 3, True)
    for shown, dynamite, left, again in cases:
        dice = (GATLING,) * shown + (DYNAMITE,) * dynamite
        dice += (Face.BEER,) * (5 - len(dice))
        found = reached(4, shown, dynamite, left, 1, again)
        assert found == pytest.approx(by_hand(4, dice, left, again))


@pytest.mark.parametrize("dice", range(6))
def test_at_least_so_many_of_thrown_dice(dice):
    hits = [fell.count(0) for fell in product(range(FACES), repeat=dice)]
    for need in range(1, 6):
        ways = sum(hit >= need for hit in hits)
        assert at_least(need, dice) == pytest.approx(ways / FACES**dice)


def found(state) -> dict[tuple[StakeKind, tuple[int, ...]], float]:
    either = state.setup.either_way
    return {
        (stake.kind, stake.whom): stake.chance
        for stake in stakes(view(state, Audience.TABLE), places_away(state), either)
    }


def test_a_player_in_reach_is_shot_down_by_as_many_bulls_eyes_as_they_have_life_points():
    state = throw(game("S O R O D", life={1: 2, 4: 1, 2: 1, 3: 4}), "1GBAA")
    assert (in_reach(state)[0], in_reach(state)[1]) == ((1, 4), (2, 3))
    chances = found(state)
    # One die shows a 1 already: P5 has one life point.
    assert chances[StakeKind.SHOT, (4,)] == 1.0
    assert chances[StakeKind.SHOT, (2,)] == pytest.approx(reached(1, 0, 0, 2, 1, False))


def test_with_three_players_both_bulls_eyes_count():
    state = throw(game("S O R O", life={3: 0, 1: 2, 2: 2}), "1GBAA")
    assert found(state)[StakeKind.SHOT, (1, 2)] == pytest.approx(reached(2, 1, 0, 2, 2, False))


def test_dynamite_and_arrows_threaten_the_next_throw():
    state = throw(game("S O R O", arrows={0: 2, 1: 5}), "DDGBB")
    chances = found(state)
    assert chances[StakeKind.DYNAMITE, ()] == pytest.approx(1 - (5 / 6) ** 3)
    assert chances[StakeKind.INDIANS, ()] == pytest.approx(at_least(2, 3))


def test_nothing_is_at_stake_without_throws():
    state = throw(game("S O R O"), "DDDGB")
    assert state.turn != 0 or not found(state)


def test_before_the_first_roll_five_dice_are_thrown():
    chances = found(game("S O R O"))
    assert chances[StakeKind.GATLING, ()] == pytest.approx(reached(3, 0, 0, 3, 1, False))
    assert chances[StakeKind.DYNAMITE, ()] == pytest.approx(at_least(3, 5))


@given(st.sampled_from(["S O R O", "S O R O D", "D O R"]), st.integers(0, 3))
def test_chances_are_between_none_and_certain(players, turn):
    for chance in found(game(players)).values():
        assert 0 <= chance <= 1
