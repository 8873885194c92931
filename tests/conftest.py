"""What all tests share: a browser, a table with its pages, and no file that stays open."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import strategies  # noqa: F401 (its hypothesis profile is for all tests, whichever run alone)
from browser import chromium
from playwright.sync_api import Browser
from sites import Site

from companion.table import journal


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(autouse=True)
def _closed_journals(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Many tests leave a table in the middle of its game. What it writes to is closed after them,
    or Python 3.13 warns of it in whichever test runs when it is collected.
    """
    opened = []

    def remembered(path: Path | str) -> sqlite3.Connection:
        opened.append(connected(path))
        return opened[-1]

    connected = journal._connected
    monkeypatch.setattr(journal, "_connected", remembered)
    yield
    for base in opened:
        base.close()


@pytest.fixture
def site(tmp_path) -> Iterator[Site]:
    made = Site(tmp_path)
    yield made
    made.journal.close()
