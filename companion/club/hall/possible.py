"""Which results a game can have: those that an organiser may enter."""

from collections.abc import Mapping, Sequence

from companion.base.refused import Problem, Refused
from companion.games.common.endings import Side, result_of
from companion.games.common.roles import ROLES, Role

DEALT: Mapping[int, Sequence[Role]] = {
    3: (Role.DEPUTY, Role.OUTLAW, Role.RENEGADE),
    **ROLES,
    8: (*ROLES[7], Role.RENEGADE),
}
"""The roles that either box deals, by number of players."""


def check_result(side: str, roles: Sequence[str], living: Sequence[int]) -> None:
    """Raise Refused unless a game can end so.

    side: who won; roles: of each seat; living: the seats that survived, ascending.
    """
    known = set(map(str, Role))
    if not set(roles) <= known or sorted(roles) != sorted(map(str, DEALT[len(roles)])):
        raise Refused(
            Problem.ILLEGAL,
            "these are not the roles that are dealt to %(players)s players",
            players=len(roles),
        )
    if len(roles) == min(DEALT):
        # The duel of three ends by who eliminated whom, which nobody enters.
        if side != Side.NONE and side not in (roles[seat] for seat in living):
            raise Refused(Problem.ILLEGAL, "who won this duel has survived it")
        return
    result = result_of(tuple(map(Role, roles)), tuple(living))
    if result is None:
        raise Refused(Problem.ILLEGAL, "with these survivors, the game isn’t over")
    if result.side != side:
        raise Refused(Problem.ILLEGAL, "with these survivors, another side has won")
