"""Events of both games: what a move caused. All are public."""

from dataclasses import dataclass

from companion.games.common.endings import Result
from companion.games.common.roles import Role


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A turn began."""

    seat: int
    """The seat whose turn it is now."""


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A player was eliminated and shows their role."""

    seat: int
    """The seat that is out."""
    role: Role
    """Its role."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over."""

    result: Result
    """Who won."""
