"""Why a press changed nothing."""

from enum import StrEnum

from companion.dicegame.reasons import Refusal


class Problem(StrEnum):
    """Kinds of refusals, for whoever must answer them."""

    STALE = "stale"
    """Somebody else was quicker."""
    ILLEGAL = "illegal"
    """Not now, or not so."""
    FORBIDDEN = "forbidden"
    """Not for this phone."""
    FAILED = "failed"
    """The table can't: the reason says what is broken."""


class Refused(Exception):  # noqa: N818 (a refusal is an answer)
    """A press that changes nothing; `reason` says why, in the table's words or by the rules."""

    def __init__(self, problem: Problem, reason: str | Refusal) -> None:
        super().__init__(str(reason))
        self.problem = problem
        self.reason = reason
