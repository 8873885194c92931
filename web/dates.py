"""Say when something was, in the time of this place and the language of the page."""

from datetime import date, datetime

from companion.base.clock import DOUBT
from web.i18n import gettext, written_day

DAY = "2026-11-23"
"""A date without a time of day, as records write it."""


def day(moment: str) -> str:
    """Return the day of a record's date; as it stands there if it is none."""
    if moment.endswith(DOUBT):
        return gettext("%(day)s (date uncertain)", day=day(moment.removesuffix(DOUBT)))
    try:
        if len(moment) <= len(DAY):
            return written_day(date.fromisoformat(moment))
        return written_day(datetime.fromisoformat(moment).astimezone().date())
    except (ValueError, OverflowError):
        return moment[: len(DAY)]


def time_of_day(moment: str) -> str:
    """Return hours and minutes of a record's date; empty if it has none."""
    if len(moment) <= len(DAY):
        return ""
    return datetime.fromisoformat(moment.removesuffix(DOUBT)).astimezone().strftime("%H:%M")
