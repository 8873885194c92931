"""What may be wrong with how a page is laid out: too wide, too small to press."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8").strip()
"""An expression, with functions by their names."""

EXTENT = "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
"""How many pixels a page is high and wide."""


def ask(page: Page, what: str, *given: str) -> Any:
    """What a function of layout.js finds on a page, once this has its styles."""
    page.wait_for_function(f"{SCRIPT}.isStyled")
    return page.evaluate(f"{SCRIPT}.{what}", *given)


def overflow(page: Page) -> int:
    """How many pixels the page is wider than the screen."""
    return ask(page, "overflow")


def lay_all(page: Page) -> None:
    """Let a page show at once what nobody sees yet, too."""
    # As any touch does.
    page.evaluate("document.body.dispatchEvent(new Event('pointerdown'))")


def small(page: Page) -> list[str]:
    """What can be pressed but is smaller than a finger needs."""
    return ask(page, "small")


def overlaps(page: Page, selector: str) -> list[str]:
    """Which of the elements that a selector finds lie over each other."""
    return ask(page, "overlaps", selector)


def fits(page: Page, where: str = "") -> None:
    """Assert that a page is as wide as the screen, and that fingers can press it."""
    assert overflow(page) <= 0, where
    assert small(page) == [], where


def misfits(page: Page, size: str = "100%") -> list[str]:
    """What is too wide, cut off or over something else with text of this size."""
    found = ask(page, "misfits", size)
    ask(page, "misfits", "")
    return found


def broken_words(page: Page, within: str = "body") -> list[str]:
    """The words, within what a selector finds, that go on in a second line."""
    return ask(page, "broken", within)
