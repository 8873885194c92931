"""Fixtures of the tests in a real browser."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from browser import Screens
from card_table import CardTable
from home import Home
from playwright.sync_api import Browser, expect
from served import Served

# A busy machine is no failure.
expect.set_options(timeout=30_000)


@pytest.fixture
def screens(browser: Browser) -> Iterator[Screens]:
    opened = Screens(browser)
    yield opened
    opened.close()
    assert opened.problems == []


@pytest.fixture
def stack(screens: Screens) -> Iterator[ExitStack]:
    """What runs until the test ends."""
    with ExitStack() as running:
        yield running
        # Before their servers go: pages would say that they are gone.
        screens.close()


@pytest.fixture
def home(tmp_path: Path, screens: Screens) -> Iterator[Home]:
    made = Home(tmp_path / "data", screens)
    yield made
    made.stop()


@pytest.fixture
def card_table(tmp_path: Path, screens: Screens) -> Iterator[CardTable]:
    made = CardTable(tmp_path / "table", screens)
    yield made
    made.end()


@pytest.fixture
def served(tmp_path: Path, screens: Screens) -> Iterator[Served]:
    made = Served(tmp_path / "table", screens)
    yield made
    made.end()
