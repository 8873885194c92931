"""How far long work has come, on a terminal."""

import sys
import time
from types import TracebackType
from typing import Self

INTERVAL_S = 0.1
"""Seconds between two updates of the counter."""


class Progress:
    """A counter on standard error, such as `12 of 100`, and messages that don't run into it.

    It is shown on a terminal only, and not where the results appear on the same one.
    """

    def __init__(self, total: int) -> None:
        """total: how many steps there are; 0 where that is not known: nothing is counted then."""
        self._total, self._done = total, 0
        self._shown_at = -INTERVAL_S
        self._shows = bool(total) and sys.stderr.isatty() and not sys.stdout.isatty()
        self._line_open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end_line()

    def step(self) -> None:
        """Count one more as done."""
        self._done += 1
        now = time.monotonic()
        if self._shows and (self._done == self._total or now - self._shown_at >= INTERVAL_S):
            self._shown_at, self._line_open = now, True
            print(f"\r{self._done} of {self._total}", end="", file=sys.stderr, flush=True)

    def message(self, text: str) -> None:
        """Print a message on a line of its own."""
        self._end_line()
        print(text, file=sys.stderr, flush=True)

    def _end_line(self) -> None:
        if self._line_open:
            self._line_open = False
            print(file=sys.stderr, flush=True)
