"""Limits a loop to a number of turns a second."""

import time
from collections.abc import Callable


class Pace:
    """Limits a loop to `fps` turns a second.

    Turns are due at fixed times, so that delays don't add up. A loop that is late by more than one
    turn gets a new schedule instead of catching up.
    """

    def __init__(
        self,
        fps: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._period = 1 / fps
        self._clock = clock
        self._sleep = sleep
        self._due = float("-inf")

    def wait(self) -> None:
        """Sleep until the next turn is due; the first is due immediately."""
        now = self._clock()
        self._due += self._period
        if now - self._due > self._period:
            self._due = now
        elif now < self._due:
            self._sleep(self._due - now)
