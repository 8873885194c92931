"""The secret roles, and how many of each are dealt."""

from collections.abc import Mapping
from enum import StrEnum


class Role(StrEnum):
    """A player's role; the value is its name in records."""

    SHERIFF = "sheriff"
    DEPUTY = "deputy"
    OUTLAW = "outlaw"
    RENEGADE = "renegade"


_S, _D, _O, _R = Role.SHERIFF, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE

ROLES: Mapping[int, tuple[Role, ...]] = {
    3: (_D, _O, _R),
    4: (_S, _R, _O, _O),
    5: (_S, _R, _O, _O, _D),
    6: (_S, _R, _O, _O, _O, _D),
    7: (_S, _R, _O, _O, _O, _D, _D),
    8: (_S, _R, _O, _O, _O, _D, _D, _R),
}
"""The roles to deal, by number of players."""

OPEN_ROLES = 3
"""With this many players, all roles are open and each player hunts another."""

PREY: Mapping[Role, Role] = {_D: _R, _R: _O, _O: _D}
"""Who hunts whom in the game with open roles."""


def first_role(players: int) -> Role:
    """Return the role that takes the first turn."""
    return Role.DEPUTY if players == OPEN_ROLES else Role.SHERIFF
