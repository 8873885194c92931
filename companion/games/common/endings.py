"""How a game ends: the sides, and which of them has won."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from companion.games.common.roles import Role


class Side(StrEnum):
    """Who won: a team or the Renegade; in a game with open roles, the winner's role or nobody."""

    LAW = "law"
    OUTLAWS = "outlaws"
    RENEGADE = "renegade"
    DEPUTY = "deputy"
    OUTLAW = "outlaw"
    NONE = "none"


TEAMS: Mapping[Role, Side] = {
    Role.SHERIFF: Side.LAW,
    Role.DEPUTY: Side.LAW,
    Role.OUTLAW: Side.OUTLAWS,
    Role.RENEGADE: Side.RENEGADE,
}
"""The side of each role in a game with secret roles."""


class Result(NamedTuple):
    """How the game ended."""

    side: Side
    """The side that won."""
    winners: tuple[int, ...]
    """The seats that won, ascending."""


def result_of(roles: tuple[Role, ...], living: tuple[int, ...]) -> Result | None:
    """Return the result of a game with secret roles; None if it goes on.

    roles: of each seat; living: the seats still in the game, ascending.
    """
    left = [roles[seat] for seat in living]
    if Role.SHERIFF not in left:
        if left == [Role.RENEGADE]:
            return Result(Side.RENEGADE, living)
        return Result(Side.OUTLAWS, _seats_of(roles, Side.OUTLAWS))
    if Role.OUTLAW in left or Role.RENEGADE in left:
        return None
    return Result(Side.LAW, _seats_of(roles, Side.LAW))


def _seats_of(roles: tuple[Role, ...], side: Side) -> tuple[int, ...]:
    return tuple(seat for seat, role in enumerate(roles) if TEAMS[role] is side)
