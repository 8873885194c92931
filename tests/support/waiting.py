"""Waiting for something that another thread or process does."""

import threading
import time
from collections.abc import Callable

from playwright.sync_api import Page

from companion.table.table import Table
from companion.table.views import TableView

PATIENCE_S = 60
"""Far longer than anything takes: only a test that fails waits for so long."""

LOOK_S = 0.01
"""Seconds from one look at a condition to the next."""


def wait_until(
    condition: Callable[[], object], page: Page | None = None, *, patience_s: float = PATIENCE_S
) -> None:
    """Return as soon as a condition holds; fail if it doesn't in a minute, or in `patience_s`.

    page: any page of a browser that must go on meanwhile. It asks this thread what it may load.
    """
    end = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end, "did not happen"
        if page is None:
            time.sleep(LOOK_S)
        else:
            page.wait_for_timeout(LOOK_S * 1000)


def view_when(table: Table, condition: Callable[[TableView], object]) -> TableView:
    """Return the first view of a table that fulfils a condition, however soon another follows."""
    found: list[TableView] = []
    came = threading.Event()

    def look() -> None:
        view = table.view()
        if not found and condition(view):
            found.append(view)
            came.set()

    table.follow(lambda *_: look())
    look()
    assert came.wait(PATIENCE_S), f"never came: {table.view()}"
    return found[0]
