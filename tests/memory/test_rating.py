"""Ratings: who plays better is rated higher, whichever roles they are dealt."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from companion.memory.statistics.rating import DOUBT, START, Handicap, RatedSeat, Rating, rate

TEAMS = ("law", "law", "outlaws", "outlaws", "renegade")
"""Five players."""

FAVOUR = {"law": 0.3, "outlaws": 0.6, "renegade": 0.1}
"""How often each side wins among equals."""


def evenings(
    games: int, skills: Sequence[float], seed: int = 1, fixed: Mapping[int, str] | None = None
) -> tuple[Mapping[int, Rating], Mapping[Handicap, Rating]]:
    """Play games that skill and side decide by known chances. fixed: roles always dealt to some."""
    chance = random.Random(seed)
    players: dict[int, Rating] = {}
    sides: dict[Handicap, Rating] = {}
    for _ in range(games):
        teams = list(TEAMS)
        whose = chance.sample(range(len(skills)), 5)
        for player, team in (fixed or {}).items():
            if player in whose:
                place = whose.index(player)
                other = teams.index(team)
                whose[place], whose[other] = whose[other], whose[place]
        weights = {
            side: FAVOUR[side] * sum(
                skills[player] for player, team in zip(whose, teams, strict=True) if team == side
            ) / teams.count(side)
            for side in FAVOUR
        }  # fmt: skip
        (winner,) = chance.choices(list(weights), list(weights.values()))
        seats = [RatedSeat(p, team, team == winner) for p, team in zip(whose, teams, strict=True)]
        after, moved = rate(seats, players, sides)
        players |= after
        sides |= moved
    return players, sides


def test_who_plays_better_is_rated_higher():
    found, _ = evenings(600, [3.0] * 3 + [1.0] * 7)
    good = [found[player].mean for player in range(3)]
    others = [found[player].mean for player in range(3, 10)]
    assert min(good) > max(others)


def test_the_role_that_somebody_is_always_dealt_makes_no_difference():
    found, _ = evenings(600, [1.0] * 8, fixed={0: "renegade", 1: "outlaws"})
    means = {player: rating.mean for player, rating in found.items()}
    reach = max(rating.reach for rating in found.values())
    assert max(means.values()) - min(means.values()) < 2 * reach
    # The Renegade won far less often, and isn't the last by far.
    assert means[0] > min(means[player] for player in range(2, 8)) - reach


def test_sides_take_their_part_so_that_equals_stay_where_they_began():
    found, sides = evenings(600, [1.0] * 10)
    assert sum(rating.mean for rating in found.values()) / 10 == pytest.approx(START, abs=3)
    even = {"law": START, "outlaws": START, "renegade": 2 * START}
    gained = {team: rating.mean - (even[team] - START) for (_, team), rating in sides.items()}
    assert gained["outlaws"] > gained["law"] > gained["renegade"]


def test_doubt_shrinks_with_games():
    few, _ = evenings(20, [1.0] * 10)
    many, _ = evenings(400, [1.0] * 10)
    assert DOUBT > few[0].doubt > many[0].doubt
    assert many[0].proven < many[0].mean


def test_a_game_that_nobody_wins_moves_nobody_much():
    seats = [RatedSeat(n, team, False) for n, team in enumerate(("deputy", "outlaw", "renegade"))]
    after, _ = rate(seats, {}, {})
    assert Counter(round(rating.mean, 3) for rating in after.values()).most_common(1)[0][1] == 3


def test_two_renegades_are_no_team():
    seats = [RatedSeat(0, "law", False), RatedSeat(1, "renegade", True),
             RatedSeat(2, "renegade", False)]  # fmt: skip
    after, _ = rate(seats, {}, {})
    assert after[1].mean > START > after[2].mean
