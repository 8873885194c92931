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
