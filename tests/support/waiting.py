"""Waiting for something that another thread or process does."""

import time
from collections.abc import Callable

PATIENCE_S = 30
"""Far longer than anything takes: only a test that fails waits for so long."""


def wait_until(condition: Callable[[], bool]) -> None:
    """Return as soon as a condition holds; fail if it doesn't in half a minute."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "did not happen"
        time.sleep(0.01)
