"""The sides that can win: who wins together, and which sides a game has."""

from collections.abc import Mapping, Sequence

from companion.games.common.endings import TEAMS, Side
from companion.games.dice.rules.roles import OPEN_ROLES, Role

ALONE: Mapping[Role, Side] = {
    Role.DEPUTY: Side.DEPUTY,
    Role.OUTLAW: Side.OUTLAW,
    Role.RENEGADE: Side.RENEGADE,
}
"""The side of each role in the game with open roles, where everybody plays alone."""


def sides(roles: Sequence[Role]) -> tuple[Side, ...]:
    """Return the sides that can win a game with these roles, in the order of `Side`."""
    of = ALONE if len(roles) == OPEN_ROLES else TEAMS
    able = {of[role] for role in roles} | ({Side.NONE} if len(roles) == OPEN_ROLES else set())
    return tuple(side for side in Side if side in able)
