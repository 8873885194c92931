"""What a game is worth to each player, by the side that won and who survived.

Each scheme is a table: who gets points, how many, and per what. docs/hall.md explains them with
their sources.
"""

from collections.abc import Hashable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from companion.base import codec
from companion.games.common.endings import Side
from companion.games.common.roles import Role

_Key = TypeVar("_Key", bound=Hashable)


@codec.growing
class PlayedSeat(NamedTuple):
    """A player at the end of a game."""

    name: str
    """Their name at the table."""
    role: str
    """Their role."""
    won: bool
    """Whether they won."""
    alive: bool
    """Whether they survived."""
    last: bool = False
    """Whether they were the last to be eliminated."""


class Per(StrEnum):
    """What an award is multiplied by."""

    GAME = "game"
    """Nothing."""
    OUTLAW = "outlaw"
    """The number of Outlaws in the game."""
    PLAYER = "player"
    """The number of players."""


class PointAward(NamedTuple):
    """What a player gets for a game."""

    points: int
    """How many points."""
    per: Per = Per.GAME
    """What they are multiplied by."""
    side: str | None = None
    """The side that won; None for any."""
    role: str | None = None
    """The player's role; None for any."""
    won: bool | None = None
    """Whether the player won; None for either."""
    alive: bool | None = None
    """Whether the player survived; None for either."""
    duel: bool | None = None
    """Whether the player lost a duel with the Sheriff: only the two were left; None for either."""


class ScoringScheme(NamedTuple):
    """A way to score games."""

    id: str
    """Its name in tournaments."""
    unit: str
    """What stands before points on pages."""
    awards: tuple[PointAward, ...]
    """What players get; all that fit are added up."""
    alone: tuple[PointAward, ...]
    """The same in games without a Sheriff, where everybody plays alone."""


DOLLARS = ScoringScheme(
    "dollars",
    "$",
    awards=(
        PointAward(1500, Per.OUTLAW, Side.LAW, Role.SHERIFF),
        PointAward(1000, Per.OUTLAW, Side.LAW, Role.DEPUTY, alive=True),
        PointAward(700, Per.OUTLAW, Side.LAW, Role.DEPUTY, alive=False),
        PointAward(1000, Per.OUTLAW, Side.OUTLAWS, Role.OUTLAW, alive=True),
        PointAward(800, Per.OUTLAW, Side.OUTLAWS, Role.OUTLAW, alive=False),
        PointAward(300, Per.PLAYER, Side.OUTLAWS, Role.RENEGADE, alive=True),
        PointAward(1500, Per.PLAYER, Side.RENEGADE, Role.RENEGADE, won=True),
        PointAward(400, Per.PLAYER, Side.LAW, Role.RENEGADE, duel=True),
        PointAward(100, Per.PLAYER, Side.RENEGADE, Role.SHERIFF),
    ),
    alone=(PointAward(1000, Per.PLAYER, won=True),),
)
"""The publisher's scoring for tournaments."""

_SIMPLE = (PointAward(3, won=True), PointAward(1, alive=True))

WINS = ScoringScheme("wins", "", awards=_SIMPLE, alone=_SIMPLE)
"""Three points for a win and one for survival."""

SCHEMES: Mapping[str, ScoringScheme] = {scheme.id: scheme for scheme in (DOLLARS, WINS)}
"""The schemes by name, the usual one first."""


def points(scheme: ScoringScheme, side: str, seats: Sequence[PlayedSeat]) -> tuple[int, ...]:
    """Return the points of each seat. side: the side that won."""
    roles = [seat.role for seat in seats]
    counts = {Per.GAME: 1, Per.OUTLAW: roles.count(Role.OUTLAW), Per.PLAYER: len(seats)}
    awards = scheme.awards if Role.SHERIFF in roles else scheme.alone
    alone = [seat.role for seat in seats if seat.alive] == [Role.SHERIFF]
    return tuple(
        sum(
            award.points * counts[award.per]
            for award in awards
            if _fits(award, side, seat, duel=alone and seat.last)
        )
        for seat in seats
    )


def _fits(award: PointAward, side: str, seat: PlayedSeat, *, duel: bool) -> bool:
    return (
        award.side in (None, side)
        and award.role in (None, seat.role)
        and award.won in (None, seat.won)
        and award.alive in (None, seat.alive)
        and award.duel in (None, duel)
    )


WINNERS: Mapping[str, frozenset[str]] = {
    Side.LAW: frozenset({Role.SHERIFF, Role.DEPUTY}),
    Side.OUTLAWS: frozenset({Role.OUTLAW}),
    Side.RENEGADE: frozenset({Role.RENEGADE}),
    Side.DEPUTY: frozenset({Role.DEPUTY}),
    Side.OUTLAW: frozenset({Role.OUTLAW}),
    Side.NONE: frozenset(),
}
"""The roles that win with each side; the last three are of games in which everybody plays alone."""


def side_won(side: str, role: str, alive: bool) -> bool:
    """Return whether a player wins with a side. A Renegade wins only if they survive."""
    return role in WINNERS.get(side, ()) and (role != Role.RENEGADE or alive)


class GameScore(NamedTuple):
    """What one game brought one player."""

    points: int
    """Their points."""
    seat: PlayedSeat
    """How they ended."""


class Ranked(NamedTuple, Generic[_Key]):
    """A line of the standings."""

    place: int
    """The place, from 1; players who can't be told apart share one."""
    key: _Key
    """Whose line it is."""
    games: int
    """How many games they played."""
    total: int
    """All their points."""
    average: int
    """Their points per game, rounded."""
    wins: int
    """How many games they won."""
    survived: int
    """How many games they survived."""
    counts: bool
    """Whether they played enough games to be ranked before those who didn't."""


TIE_BREAKS = (Role.SHERIFF, Role.RENEGADE, Role.DEPUTY, Role.OUTLAW)
"""Among equals, more victories as the first of these count; then games survived."""


def standings(scores: Mapping[_Key, Sequence[GameScore]], least: int = 0) -> list[Ranked[_Key]]:
    """Return the standings, the first place first.

    scores: of each player's games; least: how many games a player needs to be ranked before those
    with fewer.
    """
    found = sorted(((_merit(games, least), key) for key, games in scores.items()), key=_best_first)
    lines: list[Ranked[_Key]] = []
    for number, (merit, key) in enumerate(found):
        games = scores[key]
        place = lines[-1].place if number and merit == found[number - 1][0] else number + 1
        total = sum(game.points for game in games)
        lines.append(
            Ranked(
                place=place,
                key=key,
                games=len(games),
                total=total,
                average=_average(total, len(games)),
                wins=sum(game.seat.won for game in games),
                survived=sum(game.seat.alive for game in games),
                counts=merit[0],
            )
        )
    return lines


_Merit = tuple[bool, Fraction, tuple[int, ...], int]


def _merit(games: Sequence[GameScore], least: int) -> _Merit:
    total = sum(game.points for game in games)
    won = [game.seat.role for game in games if game.seat.won]
    return (
        len(games) >= max(1, least),
        Fraction(total, max(1, len(games))),
        tuple(won.count(role) for role in TIE_BREAKS),
        sum(game.seat.alive for game in games),
    )


def _best_first(entry: tuple[_Merit, Any]) -> tuple[Any, ...]:
    (counts, average, victories, survived), key = entry
    return not counts, -average, tuple(-each for each in victories), -survived, key


def _average(total: int, games: int) -> int:
    """Return the average, halves rounded up."""
    return (2 * total + games) // (2 * games) if games else 0
