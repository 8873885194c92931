"""What may be wrong with how a page is laid out: too wide, too small to press."""

from playwright.sync_api import Page

# A function: our pages forbid a text to be evaluated again until it holds.
STYLED = """
() => [...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.sheet)
"""
"""Whether a page that was opened by a link has its styles."""


def overflow(page: Page) -> int:
    """How many pixels the page is wider than the screen."""
    page.wait_for_function(STYLED)
    # innerWidth grows with what is too wide for a phone.
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )


EXTENT = "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
"""How many pixels a page is high and wide."""


SMALL = """
[...document.querySelectorAll("button, a, summary, label, select, .grip, input:not([type])")]
  // The field counts, not the words above it.
  .filter((element) => !element.querySelector("input:not([type])"))
  // Nobody taps what is there for who hears the page, or walks it by keys.
  .filter((element) => !element.matches(".aloud"))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([, { width, height }]) => width && (height < 44 || width < 44))
  .map(([element, { width, height }]) => `${width} x ${height}: ${element.outerHTML}`)
"""


def lay_all(page: Page) -> None:
    """Let a page show at once what nobody sees yet, too."""
    # As any touch does.
    page.evaluate("document.body.dispatchEvent(new Event('pointerdown'))")


def small(page: Page) -> list[str]:
    """What can be pressed but is smaller than a finger needs."""
    page.wait_for_function(STYLED)
    return page.evaluate(SMALL)


def fits(page: Page, where: str = "") -> None:
    """Assert that a page is as wide as the screen, and that fingers can press it."""
    assert overflow(page) <= 0, where
    assert small(page) == [], where
