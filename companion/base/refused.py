"""Why a press changed nothing."""

from enum import StrEnum
from typing import Self


class Message(str):
    """A message of the table in English, with what a page needs to translate it."""

    text: str
    """The English sentence with placeholders (`%(name)s`), as the catalogues know it."""
    particulars: dict[str, object]
    """The values of the placeholders."""

    def __new__(cls, text: str, /, **particulars: object) -> Self:
        """Fill in the placeholders of `text`."""
        message = super().__new__(cls, text % particulars if particulars else text)
        message.text, message.particulars = text, particulars
        return message


class Problem(StrEnum):
    """Kinds of refusals."""

    STALE = "stale"
    """The page that was pressed is out of date."""
    ILLEGAL = "illegal"
    """Not now, or not like this."""
    FORBIDDEN = "forbidden"
    """Not from this phone."""
    FAILED = "failed"
    """Something is broken; see the reason."""


class Refused(Exception):  # noqa: N818 (a refusal is an answer)
    """A press that changes nothing."""

    def __init__(self, problem: Problem, reason: object, **particulars: object) -> None:
        """Refuse for a reason: a game's (`games.game.Reason`), or a text for a `Message`."""
        if isinstance(reason, str) and not isinstance(reason, Message):
            reason = Message(reason, **particulars)
        super().__init__(str(reason))
        self.problem = problem
        self.reason = reason
