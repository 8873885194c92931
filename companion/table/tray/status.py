"""The dice as everybody sees them, and whether they can be accepted."""

from dataclasses import dataclass
from enum import StrEnum

from companion.table.tray.observation import TrayDie


class Status(StrEnum):
    """Whether the dice can be accepted and, if not, what is missing."""

    EMPTY = "empty"
    """No dice, or none thrown yet."""
    MOVING = "moving"
    LYING = "lying"
    """The dice lie as they were accepted."""
    PICKED_UP = "picked_up"
    """Some dice are in a player's hand; the others lie as they were accepted."""
    BESIDE = "beside"
    """Dice were thrown while others lie beside the tray, and players must say which."""
    READY = "ready"
    UNSURE = "unsure"
    INCOMPLETE = "incomplete"
    """Dice entered by hand, but not all of them."""
    COUNT = "count"
    TOO_NEAR = "too_near"
    """The camera is so near that five dice don't fit in its picture."""
    COCKED = "cocked"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Tray:
    """The dice as everybody sees them."""

    status: Status
    """Whether the dice can be accepted and, if not, what is missing."""
    dice: tuple[TrayDie, ...] = ()
    """By number; empty while unknown."""
    seen: int = 0
    """How many dice the camera counts."""
    choices: tuple[tuple[int, ...], ...] = ()
    """The dice that may lie beside the tray, by number, once for each set of faces; empty unless
    that is open."""
    counted: tuple[TrayDie, ...] = ()
    """The dice that the camera sees when it doesn't see five."""
