"""Show the progress of long work on a terminal."""

import sys
import time
from typing import Self

INTERVAL_S = 0.1
"""Seconds between two updates of the counter."""


class Progress:
    """A counter on standard error, such as `12 of 100`, and messages that don't run into it.

    It appears only on a terminal, and not if the results appear on the same terminal.
    """

    def __init__(self, total: int) -> None:
        """Start at 0. total: the number of steps; 0 if unknown, which hides the counter."""
        self._total, self._done = total, 0
        self._shown_at = -INTERVAL_S
        self._shows = bool(total) and sys.stderr.isatty() and not sys.stdout.isatty()
        self._line_open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._end_line()

    def step(self) -> None:
        """Count one more step as done."""
        self.reach(self._done + 1)

    def reach(self, done: int) -> None:
        """Count so many steps as done."""
        self._done = done
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
