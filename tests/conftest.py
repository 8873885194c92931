"""What all tests share: a browser, a table with its pages, and no file that stays open."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import strategies  # noqa: F401 (its hypothesis profile is for all tests, whichever run alone)
from browser import chromium
from playwright.sync_api import Browser
from sites import Site


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

    def remembered(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **options))
        return opened[-1]

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", remembered)
    yield
    for base in opened:
        # What belongs to another thread is closed there.
        with suppress(sqlite3.ProgrammingError):
            base.close()


@pytest.fixture
def site(tmp_path) -> Iterator[Site]:
    made = Site(tmp_path)
    yield made
    made.journal.close()
