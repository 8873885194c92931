"""The awards at the end of a game: who gets them, for what figure, and only after the end."""

import pytest

from companion.games.dice.rules.events import (
    ArrowsTaken,
    Cause,
    GatlingFired,
    LifeGained,
    LifeLost,
    ShotsFired,
)
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Shot
from web.games.dice.awards import arrows_taken, damage, points_drunk, surplus
from web.games.dice.chronicle import Luck
from web.play.finale import most_of

STORY = (
    ArrowsTaken(1, 2, Cause.ROLL),
    ShotsFired(0, (Shot(0, 1), Shot(1, 2))),
    LifeLost(1, 1, Cause.BULLSEYE),
    ArrowsTaken(0, 1, Cause.ABILITY),
    LifeLost(2, 1, Cause.BULLSEYE),
    LifeGained(0, 2, Cause.BEER),
    LifeGained(1, 1, Cause.ABILITY),
    GatlingFired(2),
    LifeLost(0, 1, Cause.GATLING),
    LifeLost(1, 1, Cause.GATLING),
    LifeLost(2, 3, Cause.DYNAMITE),
    LifeLost(0, 2, Cause.INDIANS),
)


def test_damage_counts_for_who_shot_and_neither_dynamite_nor_indians_count():
    assert damage(STORY) == {0: 2, 2: 2}


def test_arrows_and_beers_count_for_who_took_them():
    assert arrows_taken(STORY) == {1: 2, 0: 1}
    assert points_drunk(STORY) == {0: 2}


@pytest.mark.parametrize(
    ("counts", "seats"),
    [({}, None), ({0: 0}, None), ({0: 2, 2: 3}, (2,)), ({3: 3, 2: 3, 1: 1}, (2, 3)),
     ({0: 1, 1: 1, 2: 1}, None)],
)  # fmt: skip
def test_an_award_is_for_the_most_and_shared_by_two_at_most(counts, seats):
    given = list(most_of(counts, Face.BEER, "title", str))
    assert [award.seats for award in given] == ([] if seats is None else [seats])
    assert all(award.figure == str(max(counts.values())) for award in given)


def test_luck_is_what_chance_does_not_explain():
    few = Luck(6, {Face.BEER: 2}, 1.0, None, 0.0)
    many = Luck(60, {Face.BEER: 20}, 10.0, None, 0.0)
    assert surplus(many, Face.BEER) == pytest.approx(3.464, abs=1e-3)
    assert 0 < surplus(few, Face.BEER) < surplus(many, Face.BEER)
    assert surplus(Luck(0, {}, 0.0, None, 0.0), Face.BEER) == 0
