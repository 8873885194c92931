"""Rate players over all games, although teams are unequal and secret while they play.

The model is Plackett-Luce by Weng and Lin, of the library openskill. A side is a team. Sides differ
in size and in how often they win, which isn't its players' merit: so each team has one more member,
the side itself at this number of players, which is rated like a player and takes that part of every
win and loss.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce, PlackettLuceRating

START = 25.0
"""Everybody's rating before their first game."""

DOUBT = START / 3
"""Its standard deviation then."""

SIDE_DOUBT = 2 * DOUBT
"""That of a side's rating: with it, players' ratings stay round START while sides find theirs."""


class Rating(NamedTuple):
    """How well somebody plays, as far as their games tell."""

    mean: float = START
    """The estimate."""
    doubt: float = DOUBT
    """Its standard deviation."""

    @property
    def reach(self) -> float:
        """How far the true value may lie from the estimate, 19 times in 20."""
        return 1.96 * self.doubt

    @property
    def proven(self) -> float:
        """What ranks go by: lower after few games, so that a lucky one puts nobody first."""
        return self.mean - self.doubt


class RatedSeat(NamedTuple):
    """A player of a game to rate."""

    player: int
    """Who played."""
    team: str
    """The side that their role wins with."""
    won: bool
    """Whether they won."""


Handicap = tuple[int, str]
"""A side in games of a number of players."""


def rate(
    seats: Sequence[RatedSeat],
    players: Mapping[int, Rating],
    handicaps: Mapping[Handicap, Rating],
) -> tuple[dict[int, Rating], dict[Handicap, Rating]]:
    """Return the new ratings of those who played a finished game, and of the sides they played."""
    count = len(seats)
    teams: dict[tuple[str, int], list[RatedSeat]] = {}
    for number, seat in enumerate(seats):
        # Two Renegades are nobody's friends, not even each other's.
        teams.setdefault((seat.team, number if seat.team == "renegade" else 0), []).append(seat)
    largest = max(map(len, teams.values()))
    members: list[list[PlackettLuceRating]] = []
    model = _model()
    for (side, _), team in teams.items():
        # To begin with, the side makes up for the players that a smaller team lacks.
        even = Rating(START * (largest - len(team)), SIDE_DOUBT)
        handicap = handicaps.get((count, side), even)
        rated = [handicap, *(players.get(seat.player, Rating()) for seat in team)]
        members.append([model.rating(mu=each.mean, sigma=each.doubt) for each in rated])
    ranks = [1.0 if any(seat.won for seat in team) else 2.0 for team in teams.values()]
    after = model.rate(members, ranks=ranks)
    new_players: dict[int, Rating] = {}
    new_handicaps: dict[Handicap, Rating] = {}
    for ((side, _), team), (side_after, *team_after) in zip(teams.items(), after, strict=True):
        new_handicaps[count, side] = Rating(side_after.mu, side_after.sigma)
        for seat, rating in zip(team, team_after, strict=True):
            new_players[seat.player] = Rating(rating.mu, rating.sigma)
    return new_players, new_handicaps


@cache
def _model() -> "PlackettLuce":
    # Its library takes 2 MB, which a table without finished games saves.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=START, sigma=DOUBT)
