"""The roles that the boxes deal: secret ones to four to seven players by both."""

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
    4: (_S, _R, _O, _O),
    5: (_S, _R, _O, _O, _D),
    6: (_S, _R, _O, _O, _O, _D),
    7: (_S, _R, _O, _O, _O, _D, _D),
}
"""The roles to deal, by number of players."""

IN_EITHER_BOX: Mapping[int, tuple[Role, ...]] = {3: (_D, _O, _R), **ROLES, 8: (*ROLES[7], _R)}
"""The same with those that one box alone deals: three open ones, and those of eight players."""
