"""A game that chance or stand-ins played to its end."""

from typing import Generic, NamedTuple, TypeVar

_State = TypeVar("_State")
_Move = TypeVar("_Move")


class Played(NamedTuple, Generic[_State, _Move]):
    """A game that was played to its end."""

    end: _State
    """The last state."""
    moves: list[_Move]
    """All moves."""
    turns: int
    """How many turns began."""
