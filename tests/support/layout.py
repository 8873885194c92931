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


_OVERLAPS = """
(selector) => {
  const shown = [...document.querySelectorAll(selector)]
    .map((element) => [element, element.getBoundingClientRect()])
    .filter(([element, { width }]) => width && element.checkVisibility());
  return shown.flatMap(([one, box], number) =>
    shown.slice(number + 1)
      .filter(([, its]) =>
        Math.min(box.right, its.right) - Math.max(box.left, its.left) > 1
        && Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 1)
      .map(([other]) => `${one.className || one.textContent} and ${other.className}`));
}
"""


def overlaps(page: Page, selector: str) -> list[str]:
    """Which of the elements that a selector finds lie over each other."""
    return page.evaluate(_OVERLAPS, selector)


def fits(page: Page, where: str = "") -> None:
    """Assert that a page is as wide as the screen, and that fingers can press it."""
    assert overflow(page) <= 0, where
    assert small(page) == [], where


_MISFITS = """
size => {
  document.documentElement.style.fontSize = size;
  const { scrollWidth, clientWidth } = document.documentElement;
  const wide = scrollWidth - clientWidth;
  // Under an open sheet nothing can be pressed.
  const within = document.querySelector("dialog[open]") ?? document;
  const pieces = [...within.querySelectorAll("button, a, summary, label, input, select, img")]
    .map(element => [element, element.getBoundingClientRect()])
    .filter(([element, { width }]) => width > 1 && element.checkVisibility());
  // From under what stays at the edge of the screen, the rest scrolls away.
  const stays = element => getComputedStyle(element).position === "sticky"
    || element.closest(".head, .bar, .tabs");
  const name = element => element.outerHTML.slice(0, 120);
  const faults = wide > 0 ? [`${wide} pixels too wide`] : [];
  pieces.forEach(([one, box], number) => {
    if (box.left < -1 || box.right > clientWidth + 1) faults.push(`beyond the edge: ${name(one)}`);
    if (one.scrollWidth > one.clientWidth + 2 && getComputedStyle(one).display !== "inline")
      faults.push(`${one.scrollWidth - one.clientWidth} pixels of it cut off: ${name(one)}`);
    for (const [other, its] of pieces.slice(number + 1)) {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (across > 2 && down > 2 && !one.contains(other) && !other.contains(one)
          && !stays(one) && !stays(other))
        faults.push(`over each other: ${name(one)} and ${name(other)}`);
    }
  });
  return faults;
}
"""
"""What is wrong with a page whose text is of another size."""

_BROKEN = r"""
(within) => {
  const faults = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walk.nextNode()) {
    const { currentNode: text } = walk;
    if (!text.parentElement.checkVisibility() || !text.parentElement.closest(within)) continue;
    for (const { 0: word, index } of text.data.matchAll(/[^\s\u00ad-]+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
      if (new Set(tops).size > 1) faults.push(word);
    }
  }
  return faults;
}
"""
"""The words that go on in a second line."""


def misfits(page: Page, size: str = "100%") -> list[str]:
    """What is too wide, cut off or over something else with text of this size."""
    found = page.evaluate(_MISFITS, size)
    page.evaluate(_MISFITS, "")
    return found


def broken_words(page: Page, within: str = "body") -> list[str]:
    """The words, within what a selector finds, that go on in a second line."""
    return page.evaluate(_BROKEN, within)
