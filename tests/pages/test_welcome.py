"""The page that a phone sees first in the Pi's own Wi-Fi, in the small window of its system."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Screens
from home import Home
from playwright.sync_api import expect

from companion.settings import Hotspot


@pytest.fixture
def home(tmp_path: Path, screens: Screens) -> Iterator[Home]:
    made = Home(tmp_path, screens)
    made.start("none", hotspot=Hotspot("BANG", "abcdefgh2345"))
    yield made
    made.stop()


@pytest.mark.parametrize(
    ("language", "size"), [("fr-FR", (320, 568)), ("en-GB", (390, 844))], ids=["fr", "en"]
)
def test_one_tap_lets_a_phone_stay_and_the_address_is_read_at_once(
    home: Home, language: str, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = home.screens.phone(f"{home.url}welcome", locale=language, viewport=viewport)
    home.screens.shot(page, f"welcome-{language}")
    expect(page.locator(".code")).to_contain_text("10.42.0.1")
    page.locator("a.button").click()
    expect(page.locator("a.button")).to_have_count(0)
    expect(page.locator(".code")).to_contain_text("10.42.0.1")
    # Both are on the first screen: nobody scrolls in that window.
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    home.screens.shot(page, f"welcome-{language}-stays")
