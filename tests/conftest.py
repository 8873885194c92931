"""What tests of the pages and of printed sheets share: one browser for all of them."""

from collections.abc import Iterator

import pytest
import strategies  # noqa: F401 (its hypothesis profile is for all tests, whichever run alone)
from browser import chromium
from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running
