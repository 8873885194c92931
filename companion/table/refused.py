"""Why a press changed nothing."""

from enum import StrEnum
from typing import Self

from companion.dicegame.reasons import Refusal


class Message(str):
    """What the table says: in English, and whatever a page needs to say it in another language.

    text: the English sentence with places (`%(name)s`), as catalogues know it; particulars: what
    stands there.
    """

    text: str
    particulars: dict[str, object]

    def __new__(cls, text: str, **particulars: object) -> Self:
        """Fill the places of `text`."""
        message = super().__new__(cls, text % particulars if particulars else text)
        message.text, message.particulars = text, particulars
        return message


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
    """A press that changes nothing; `reason` says why, in the table's words or by the rules.

    A text given as the reason, with its particulars, is a `Message`.
    """

    def __init__(self, problem: Problem, reason: str | Refusal, **particulars: object) -> None:
        if not isinstance(reason, Refusal | Message):
            reason = Message(reason, **particulars)
        super().__init__(str(reason))
        self.problem = problem
        self.reason: Message | Refusal = reason
