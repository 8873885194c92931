"""What people tell each other of their games: who leads, streaks, evenings, favourite victims.

Games of all kinds count together, and people alone: stand-ins have no good evenings.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from companion.memory.statistics.evenings import same_evening

PODIUM = 3
"""How many players stand on the podium."""

LEAST = 2
"""Wins from which a streak or an evening is worth telling."""


class GamesWon(NamedTuple):
    """How often a player won."""

    name: str
    """The player."""
    won: int
    """How many games they won."""
    games: int
    """Of how many that they played to the end."""


class Streak(NamedTuple):
    """Games that a player won one after another."""

    name: str
    """The player."""
    wins: int
    """How many."""


class GoodEvening(NamedTuple):
    """The evening on which a player won most often."""

    date: str
    """When their first game of it began."""
    wins: GamesWon
    """How often they won then."""


class Shooting(NamedTuple):
    """How often a player shot at another."""

    shooter: str
    """The player who shot."""
    target: str
    """At whom."""
    shots: int
    """How often."""


class Highlights(NamedTuple):
    """What is worth telling, of all players or of one."""

    podium: tuple[GamesWon, ...]
    """Who won most often, at most PODIUM players."""
    streak: Streak | None
    """The longest streak: of all players, one that goes on; of one player, any."""
    evening: GoodEvening | None
    """The best evening."""
    favourite: Shooting | None
    """Who was shot most often, and by whom."""
    hunter: Shooting | None
    """Of one player: who shot at them most often."""


class _Tallies:
    """What games add up to, in their order."""

    def __init__(self) -> None:
        self.games: Counter[str] = Counter()
        self.won: Counter[str] = Counter()
        self.run: Counter[str] = Counter()
        self.longest: Counter[str] = Counter()
        self.evenings: dict[tuple[int, str], GoodEvening] = {}

    def add(self, name: str, date: str, won: bool, evening: int) -> None:
        """Count a player's game; evening: which one, 0 without a date."""
        self.games[name] += 1
        self.won[name] += won
        self.run[name] = self.run[name] + 1 if won else 0
        self.longest[name] = max(self.longest[name], self.run[name])
        if evening:
            key = evening, name
            first, (_, before, games) = self.evenings.get(key, (date, GamesWon(name, 0, 0)))
            self.evenings[key] = GoodEvening(first, GamesWon(name, before + won, games + 1))

    def podium(self) -> tuple[GamesWon, ...]:
        """Return who won most often; of as many wins, who needed fewer games for them."""
        counts = (GamesWon(name, self.won[name], games) for name, games in self.games.items())
        ranked = sorted((each for each in counts if each.won), key=_rank)
        return tuple(ranked[:PODIUM])

    def evening(self) -> GoodEvening | None:
        """Return the best evening; of equal ones the latest."""
        good = [each for each in self.evenings.values() if each.wins.won >= LEAST]
        return min(reversed(good), key=lambda each: _rank(each.wins)[:2], default=None)


def _rank(count: GamesWon) -> tuple[int, int, str]:
    return -count.won, count.games, count.name


def _streak(runs: Counter[str]) -> Streak | None:
    name, wins = max(runs.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    return Streak(name, wins) if wins >= LEAST else None


def highlights(base: sqlite3.Connection) -> Highlights:
    """Return what is worth telling of all players."""
    tallies = _count_up(base)
    shootings = tuple(_shootings(base, "", {}))
    return Highlights(
        tallies.podium(), _streak(tallies.run), tallies.evening(), next(iter(shootings), None), None
    )


def highlights_of(base: sqlite3.Connection, name: str) -> Highlights:
    """Return what is worth telling of one player."""
    tallies = _count_up(base, name)
    given = {"name": name}
    fired = _shootings(base, "AND a.name = :name", given)
    taken = _shootings(base, "AND b.name = :name", given)
    return Highlights(
        tallies.podium(),
        _streak(tallies.longest),
        tallies.evening(),
        next(fired, None),
        next(taken, None),
    )


def _count_up(base: sqlite3.Connection, only: str | None = None) -> _Tallies:
    """Return what all games to their end add up to; only: for one player."""
    tallies = _Tallies()
    evening, last = 0, ""
    for name, date, won in base.execute(
        "SELECT player.name, date, won FROM seat JOIN game ON game.id = game"
        " JOIN player ON player.id = player WHERE over AND player.level = ''"
        " ORDER BY date, game.name, seat"
    ):
        if date and not same_evening(last, date):
            evening += 1
        last = date
        if only in (None, name):
            tallies.add(name, date, won, evening)
    return tallies


def _shootings(base: sqlite3.Connection, whose: str, given: dict[str, str]) -> Iterator[Shooting]:
    """Yield who shot at whom, most often first; whose: a condition, on `a` who shot at `b`."""
    yield from map(
        Shooting._make,
        base.execute(
            f"""
            SELECT a.name, b.name, sum(shots) AS often FROM shot
            JOIN seat AS one ON one.game = shot.game AND one.seat = shooter
            JOIN seat AS other ON other.game = shot.game AND other.seat = target
            JOIN player AS a ON a.id = one.player JOIN player AS b ON b.id = other.player
            WHERE a.level = '' AND b.level = '' AND a.id <> b.id {whose}
            GROUP BY a.id, b.id ORDER BY often DESC, a.name, b.name LIMIT 1
            """,
            given,
        ),
    )
