"""Which games belong to one evening."""

from datetime import UTC, datetime, timedelta

from companion.base.clock import DOUBT

EVENING = timedelta(hours=6)
"""Games that begin within this time of the one before belong to the same evening."""


def same_evening(date: str, later: str) -> bool:
    """Return whether a game belongs to the evening of one that began later."""
    if not date or not later:
        return date == later
    return _utc(later) - _utc(date) <= EVENING


def _utc(date: str) -> datetime:
    """Return the moment of a date: of a day alone, its begin."""
    return datetime.fromisoformat(date.removesuffix(DOUBT)).replace(tzinfo=UTC)
