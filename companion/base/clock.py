"""The time of day, on a machine that may have no clock of its own.

A Raspberry Pi keeps no time while it has no power, and learns it from the internet. Without that,
its clock goes on from its last hour, or from a date of long ago.
"""

import time
from calendar import timegm
from collections.abc import Callable
from pathlib import Path

from companion.base.listeners import Listeners
from companion.base.refused import Problem, Refused

SYNCHRONISER = Path("/run/systemd/timesync")
"""The folder of the service that asks the internet for the time; it holds SYNCHRONISED then."""

SYNCHRONISED = "synchronized"

EARLIEST = timegm((2026, 11, 1, 0, 0, 0))
"""Nobody had this program before."""

LATEST = timegm((2100, 1, 1, 0, 0, 0))

DOUBT = "?"
"""Behind a date that nobody has confirmed, as ISO 8601-2 writes it."""


def format_utc(seconds: float) -> str:
    """Return a time in seconds since 1970 as records write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def parse_utc(text: str) -> float | None:
    """Return the seconds since 1970 of a time or a day as records write it; None if it is none."""
    text = text.removesuffix(DOUBT)
    for form in ("%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d"):
        try:
            return timegm(time.strptime(text, form))
        except ValueError:
            continue
    return None


class Clock:
    """Tells a time that never goes back, nor before what this table has seen.

    If the internet has set the machine's clock, that one counts. Any thread may call.
    """

    def __init__(
        self,
        *,
        wall: Callable[[], float] = lambda: timegm(time.gmtime()),
        steady: Callable[[], float] = time.monotonic,
        synchroniser: Path,
    ) -> None:
        """wall: the clock of the machine; steady: seconds that nobody sets; see SYNCHRONISER."""
        self._wall, self._steady, self._synchroniser = wall, steady, synchroniser
        self._began = steady()
        # Where our own time stood then.
        self._base = max(wall(), EARLIEST)
        self._known = float(EARLIEST)
        self._told_by_host = False
        self.listeners = Listeners()
        """Told when the host has set or confirmed the time."""

    def know(self, *seen: str) -> None:
        """Take note of times, as records write them, that are past. What is none is ignored."""
        times = [at for at in map(parse_utc, seen) if at is not None]
        self._known = max([self._known, *times])
        self._base = max(self._base, self._known)

    def seconds(self) -> float:
        """Return the time in seconds since 1970."""
        wall = self._wall()
        if self._is_synchronised():
            return wall
        own = self._base + self._steady() - self._began
        # It may be set, or learn the time, while we run.
        return own if self._told_by_host else max(own, wall)

    def now(self) -> str:
        """Return the time as records write it."""
        return format_utc(self.seconds())

    def date(self) -> str:
        """Return the time as a game is dated that begins now: with DOUBT while it is doubtful."""
        return self.now() + DOUBT * self.is_doubtful

    @property
    def is_doubtful(self) -> bool:
        """Whether the host should be asked."""
        if self._told_by_host or self._is_synchronised():
            return False
        return self._synchroniser.is_dir() or self._wall() < self._known

    def confirm(self) -> None:
        """Take the time as it is for right."""
        self._set(self.seconds())

    def set(self, seconds: float) -> None:
        """Take the time of the host's phone. Raises Refused if it can't be right.

        It may be before what this table has seen: that was wrong then.
        """
        if not EARLIEST <= seconds <= LATEST:
            raise Refused(Problem.ILLEGAL, "this phone’s clock is wrong by years")
        self._set(seconds)

    def _set(self, seconds: float) -> None:
        self._base, self._began = seconds, self._steady()
        self._told_by_host = True
        self.listeners.tell()

    def _is_synchronised(self) -> bool:
        return (self._synchroniser / SYNCHRONISED).exists()
