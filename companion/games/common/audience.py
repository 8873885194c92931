"""Who looks at a game: a player, everybody in the room, or the record."""

from enum import Enum


class Audience(Enum):
    """A viewer without a seat."""

    TABLE = "table"
    """Everybody in the room; they see only what is open."""
    RECORD = "record"
    """A record, which holds all roles."""


Viewer = int | Audience
"""A seat, or one of the audiences."""


def check_viewer(viewer: Viewer, seats: int) -> None:
    """Raise ValueError if the viewer is a seat that a game with this many seats doesn't have."""
    if isinstance(viewer, int) and not 0 <= viewer < seats:
        raise ValueError(f"there is no seat {viewer}")
