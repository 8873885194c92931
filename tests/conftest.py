"""What all tests share: a browser, a table with its pages, and no file that stays open."""

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import memory
import pytest
import strategies  # noqa: F401 (its hypothesis profile is for all tests, whichever run alone)
from browser import chromium
from card_evening import CALM, CardEvening
from evening import Evening
from places import TESTS
from playwright.sync_api import Browser
from sites import Site

from companion.table.journal.journal import Journal

memory.share()
# The power stays on, so what was written is read again without waiting for the disk.
os.fsync = os.fdatasync = os.fstat


WITH_PROCESSES = {"attacks", "faults", "pages"}
"""Folders whose tests run a browser, a server or programs that are killed."""


AT_LENGTH = {"attacks"}
"""Folders whose tests are only in make test-all."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark by its folder what a tier leaves out; make quick also leaves out the browser."""
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        if folder in WITH_PROCESSES or "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("processes")
        if folder in AT_LENGTH:
            item.add_marker("slow")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what the run cost: by the clock, it depends on what else the machine does."""
    used = sum(os.times()[:4])
    terminalreporter.write_line(f"{used:.0f} s of processor, workers included, browsers in part")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(autouse=True)
def _closed_journals(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Many tests leave a table in mid-game. What it writes to is closed after them."""
    opened: list[Journal] = []

    def remembered(journal: Journal, *arguments: Any, **options: Any) -> None:
        opened.append(journal)
        begin(journal, *arguments, **options)

    begin = Journal.__init__
    monkeypatch.setattr(Journal, "__init__", remembered)
    yield
    for journal in opened:
        journal.close()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What runs until the test ends."""
    with ExitStack() as made:
        yield made


@pytest.fixture
def evenings(tmp_path: Path) -> Callable[..., Evening]:
    """Make evenings with dice, each in its own folder."""
    folders = (tmp_path / f"evening-{number}" for number in itertools.count())
    return lambda **options: Evening(next(folders), **options)


@pytest.fixture
def evening(evenings: Callable[..., Evening]) -> Evening:
    """Four people, all with phones."""
    return evenings()


@pytest.fixture
def card_evenings(tmp_path: Path) -> Callable[..., CardEvening]:
    """Start card games, each in its own folder: Ann the Sheriff, then Ben, Cat, Dan and Eve."""
    folders = (tmp_path / f"cards-{number}" for number in itertools.count())

    def start(
        characters: Sequence[str] = CALM, *, phones: int = 1, watched: bool = True
    ) -> CardEvening:
        evening = CardEvening(next(folders), characters=characters, phones=phones)
        return evening.start(watched=watched)

    return start


@pytest.fixture
def site(tmp_path) -> Site:
    return Site(tmp_path)
