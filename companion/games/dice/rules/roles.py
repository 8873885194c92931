"""The secret roles, how many of each are dealt, and who hunts whom if they are open."""

from collections.abc import Mapping

from companion.games.common.roles import IN_EITHER_BOX, Role

__all__ = ["OPEN_ROLES", "PREY", "ROLES", "Role", "first_role"]

_D, _O, _R = Role.DEPUTY, Role.OUTLAW, Role.RENEGADE

ROLES = IN_EITHER_BOX
"""The roles to deal, by number of players."""

OPEN_ROLES = 3
"""With this many players, all roles are open and each player hunts another."""

PREY: Mapping[Role, Role] = {_D: _R, _R: _O, _O: _D}
"""Who hunts whom in the game with open roles."""


def first_role(players: int) -> Role:
    """Return the role that takes the first turn."""
    return Role.DEPUTY if players == OPEN_ROLES else Role.SHERIFF
