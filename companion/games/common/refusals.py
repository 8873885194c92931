"""The form of a refusal: a kind of reason with what its sentence names."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Generic, NamedTuple, TypeVar

_Reason = TypeVar("_Reason", bound=StrEnum)


class Refusal(NamedTuple, Generic[_Reason]):
    """Why a move is illegal.

    `str` returns it in the words of records; players read the sentence in the game's terms.
    """

    reason: _Reason
    """The kind of refusal; its value is a sentence with placeholders."""
    particulars: Mapping[str, object]
    """What the sentence names: seats by number, everything else by its name in records."""

    def __str__(self) -> str:
        return self.reason.format(**self.particulars)


def refuse(reason: _Reason, **particulars: object) -> Refusal[_Reason]:
    """Return a refusal for `reason`."""
    return Refusal(reason, particulars)


class IllegalMove(ValueError):  # noqa: N818 (a move is illegal; the program has no error)
    """The rules forbid the move now; `refusal` says why. The state stays as it was."""

    def __init__(self, refusal: Refusal[Any]) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
