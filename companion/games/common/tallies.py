"""How often each level of stand-ins won, to measure which plays better."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.common.roles import Role
from companion.games.common.shares import interval


class Tally(NamedTuple):
    """How often a level won."""

    seats: int = 0
    """How many seats it played."""
    won: int = 0
    """How many of them won."""

    def add(self, won: bool) -> "Tally":
        """Return the tally with one more seat."""
        return Tally(self.seats + 1, self.won + won)

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds that hold its share of wins 19 times in 20."""
        return interval(self.won, self.seats)


Tallies = Mapping[tuple[str, Role], Tally]
"""By level and role, how often it won."""


def add_game(
    tallies: Tallies, levels: Sequence[str], roles: Sequence[Role], winners: Sequence[int]
) -> Tallies:
    """Return the tallies with one more game: the level and role of each seat, and who won."""
    result = dict(tallies)
    for seat, key in enumerate(zip(levels, roles, strict=True)):
        result[key] = result.get(key, Tally()).add(seat in winners)
    return result


def summary(tallies: Tallies) -> dict[str, dict[str, object]]:
    """Return the tally of each level, in all and by role, for JSON."""
    levels = dict.fromkeys(level for level, _ in tallies)
    return {
        level: _tally_json(Tally(*map(sum, zip(*by_role.values(), strict=True))))
        | {"roles": {role: _tally_json(tally) for role, tally in by_role.items()}}
        for level in levels
        if (by_role := {role: tallies[level, role] for role in Role if (level, role) in tallies})
    }


def _tally_json(tally: Tally) -> dict[str, object]:
    low, high = tally.interval
    return {"seats": tally.seats, "won": tally.won, "interval": [round(low, 3), round(high, 3)]}
