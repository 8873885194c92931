"""Which results a game can have: those that an organiser may enter."""

from collections.abc import Sequence

from companion.base.refused import Problem, Refused
from companion.games.common.endings import Side, result_of
from companion.games.common.roles import IN_EITHER_BOX, Role


def check_result(side: str, roles: Sequence[str], living: Sequence[int]) -> None:
    """Raise Refused unless a game can end so.

    side: who won; roles: of each seat; living: the seats that survived, ascending.
    """
    if sorted(roles) != sorted(map(str, IN_EITHER_BOX[len(roles)])):
        raise Refused(
            Problem.ILLEGAL,
            "these are not the roles that are dealt to %(players)s players",
            players=len(roles),
        )
    if len(roles) == min(IN_EITHER_BOX):
        # The duel of three ends by who eliminated whom, which nobody enters.
        if side != Side.NONE and side not in (roles[seat] for seat in living):
            raise Refused(Problem.ILLEGAL, "the winner of a duel must have survived it")
        return
    result = result_of(tuple(map(Role, roles)), tuple(living))
    if result is None:
        raise Refused(Problem.ILLEGAL, "with these survivors, the game isn’t over")
    if result.side != side:
        raise Refused(Problem.ILLEGAL, "with these survivors, another side has won")
