"""Every page in every state: read by axe-core, large enough to press, drawn for the gallery.

`make gallery` keeps the pictures.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Screens
from playwright.sync_api import Page, expect
from served import Served
from test_pages import lay_all, overflow, small

from companion.config import Settings
from companion.dicegame.house import HouseRule
from companion.dicegame.moves import Action
from companion.play import random_move
from companion.refused import Message
from companion.scene import Eyes, Phase
from companion.wiring import start_table

LOOKS = [
    {"locale": "en-GB", "color_scheme": "dark"},
    {"locale": "fr-FR", "color_scheme": "light"},
]
ROLES = "soorod"
CHARACTERS = ("calamity_janet", "kit_carlson", "bart_cassidy", "pedro_ramirez", "el_gringo",
              "sid_ketchum")  # fmt: skip
UNPLUGGED = Message("%(where)s: no picture came; has the camera been unplugged?", where="usb:0")
SLOW = 180_000
ENLARGED = """
size => {
  document.documentElement.style.fontSize = size;
  const wide = document.documentElement.scrollWidth - innerWidth;
  // Under an open sheet nothing can be pressed.
  const within = document.querySelector("dialog[open]") ?? document;
  const controls = [...within.querySelectorAll("button, a, summary, label, input, select")]
    .map(element => [element, element.getBoundingClientRect()])
    .filter(([element, { width }]) => width > 1 && element.checkVisibility());
  const name = element => element.outerHTML.slice(0, 120);
  const faults = wide > 0 ? [`${wide} pixels too wide`] : [];
  controls.forEach(([one, box], number) => {
    if (box.left < -1 || box.right > innerWidth + 1) faults.push(`beyond the edge: ${name(one)}`);
    if (one.scrollWidth > one.clientWidth + 2 && getComputedStyle(one).display !== "inline")
      faults.push(`${one.scrollWidth - one.clientWidth} pixels of it cut off: ${name(one)}`);
    for (const [other, its] of controls.slice(number + 1)) {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (across > 2 && down > 2 && !one.contains(other) && !other.contains(one))
        faults.push(`over each other: ${name(one)} and ${name(other)}`);
    }
  });
  return faults;
}
"""
"""What is wrong with a page whose text is of another size."""

Shown = tuple[str, Page]


def serious(page: Page) -> list[str]:
    """What axe-core finds serious or critical: rule, what it asks for, and where."""
    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {node['html'][:200]} {node['failureSummary'][-200:]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


class Gallery:
    """Looks at pages as they come, and notes what is wrong with them."""

    def __init__(self, screens: Screens, look: dict[str, str], begin: int = 1) -> None:
        """`begin`: the number of the first picture."""
        self._screens = screens
        self._name = f"{look['locale'][:2]}-{look['color_scheme']}"
        self._count = begin - 1
        self.wrong: list[str] = []

    def show(self, name: str, page: Page) -> None:
        """Hold a page to what all pages are held to."""
        self._count += 1
        lay_all(page)
        faults = serious(page)
        if page.viewport_size["width"] < 600:
            # What is one pixel large is for those who hear the page.
            pressed = [what for what in small(page) if not what.startswith("1 x 1:")]
            faults += [f"too small: {what}" for what in pressed]
            if (wide := overflow(page)) > 0:
                faults.append(f"{wide} pixels too wide")
            faults += [f"text of 200 %: {fault}" for fault in page.evaluate(ENLARGED, "200%")]
            page.evaluate(ENLARGED, "")
        self.wrong += [f"{name}: {fault}" for fault in faults]
        shot = f"{self._name}-{self._count:02}-{name}"
        self._screens.shot(page, shot, full_page=True)


def joining(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    stranger = served.screens.phone(served.url, **look)
    expect(stranger.locator("#join")).to_be_visible()
    yield "join-first", stranger
    television = served.television(**look)
    yield "table-empty", television
    served.seat(len(ROLES), phones=len(ROLES) - 1)
    expect(stranger.locator("#join [name=code]")).to_be_visible()
    yield "join-code", stranger
    host, guest = served.phone(0, **look), served.phone(1, **look)
    expect(host.locator("#people")).to_be_visible()
    yield "lobby-host", host
    yield "lobby-guest", guest
    yield "table-lobby", television
    served.dealer.roles, served.dealer.characters = ROLES, CHARACTERS
    served.table.start_game(served.person(0), served.view.version)
    current(served, stranger)
    yield "join-late", stranger
    for page in (stranger, television, host, guest):
        page.context.close()


def current(served: Served, *pages: Page) -> None:
    """Wait until pages show what the table is."""
    for page in pages:
        expect(page.locator(f"[data-version='{served.view.version}']").first).to_be_attached()


def playing(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    host, guest = served.phone(0, **look), served.phone(1, **look)
    television = served.television(**look)
    pages = (host, guest, television)

    def now(name: str) -> Iterator[Shown]:
        current(served, *pages)
        for whose, page in zip(("turn", "other", "table"), pages, strict=True):
            yield f"{name}-{whose}", page

    yield from now("begin")
    guest.locator("#own [data-hold]").focus()
    guest.keyboard.down("Space")
    expect(guest.locator("output .role").first).to_be_visible()
    yield "role-held", guest
    guest.keyboard.up("Space")
    served.table.see("moving")
    expect(host.locator(".die.rolling").first).to_be_visible()
    yield "rolling-turn", host
    served.table.see("unsure", served.dice("12BB1", unsure="..A.."))
    expect(host.locator("#tray.uncertain")).to_be_visible()
    yield from now("unsure")
    host.locator("[data-opens='die-2']").click()
    expect(host.locator("#die-2")).to_be_visible()
    yield "sheet", host
    host.keyboard.press("Escape")
    served.table.see("count", served.dice("12BB1")[:3])
    expect(host.locator("#tray.illegal")).to_be_visible()
    yield "count-turn", host
    served.table.press_green()
    expect(host.locator(".notice").first).to_be_visible()
    yield "refused-turn", host
    served.table.use_eyes(Eyes("simulated", throws=True))
    served.roll("12BBA")
    expect(host.locator("button.throw")).to_be_visible()
    yield "picking-turn", host
    served.table.press_red()
    assert served.view.question.action is Action.SHOOT
    yield from now("shooting")
    served.table.use_eyes(Eyes("none", UNPLUGGED))
    expect(television.locator(".fault")).to_be_visible()
    yield "fault-table", television
    served.table.use_eyes(Eyes("test"))
    answer(served)
    yield from asked(served, *pages)
    # Kit Carlson, whose turn it is, takes arrows away; then the Gatling hits those who hold some.
    served.throw_and_stop("GGDAA")
    yield from asked(served, *pages)
    served.table.undo(served.person(0), served.view.version)
    yield from now("undone")
    while served.view.game.players[1].alive and served.view.phase is Phase.PLAYING:
        throw_down(served)
    yield from now("fallen")
    assert served.view.phase is Phase.PLAYING
    while served.view.phase is Phase.PLAYING:
        throw_down(served)
    yield from now("over")
    host.goto(f"{served.url}story")
    current(served, host)
    yield "story", host


def asked(served: Served, host: Page, guest: Page, television: Page) -> Iterator[Shown]:
    """Let everybody decide who is asked, and show where."""
    while not served.view.rolling:
        asks = served.view.question
        current(served, host, guest, television)
        page = {0: host, 1: guest}.get(asks.seat, television)
        whose = "table" if page is television else "asked"
        yield f"{asks.action.replace('_', '-')}-{whose}", page
        answer(served)


def answer(served: Served) -> None:
    """Let whoever is asked decide; who shoots, shoots at the second player where he can."""
    state = served.table._scene.game.state
    moves = [random_move(state, Random(seed)) for seed in range(20)]
    move = max(moves, key=lambda move: sum(s.target == 1 for s in getattr(move, "shots", ())))
    seat = move.seat if served.view.people[move.seat].has_phone else 0
    served.table.move(served.person(seat), move, served.view.version)


def throw_down(served: Served) -> None:
    """Play on, so that players fall."""
    if served.view.rolling:
        served.roll("112GG" if served.view.game.dice is None else "GGGGG")
        if served.view.rolling and Action.STOP in served.view.game.actions:
            served.table.press_red()
    else:
        answer(served)


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: "-".join(look.values()))
def test_every_page_can_be_read_heard_and_pressed(
    served: Served, screens: Screens, look: dict[str, str]
) -> None:
    served.play_by("base", house_rules=frozenset({HouseRule.THIRST_AT_EACH_BEER}))
    gallery = Gallery(screens, look)
    for states in (joining, playing):
        for name, page in states(served, look):
            gallery.show(name, page)
    assert gallery.wrong == []


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: "-".join(look.values()))
def test_the_pages_of_the_set_up_can_be_read_heard_and_pressed(
    tmp_path: Path, screens: Screens, look: dict[str, str]
) -> None:
    gallery = Gallery(screens, look, begin=50)
    with ExitStack() as stack:
        settings = Settings(host="127.0.0.1", port=0, camera="simulated", data=tmp_path / "data")
        running = start_table(settings, stack, seed=3)
        running.drawn_dice.throw([])
        phone = screens.phone(running.server.url, **look)
        phone.locator("[name=name]").fill("Ann")
        phone.locator("[name=name]").press("Enter")
        expect(phone.locator("#people")).to_be_visible()

        def goto(path: str, ready: str) -> None:
            phone.goto(f"{running.server.url}{path}")
            expect(phone.locator(ready).first).to_be_visible(timeout=SLOW)

        goto("setup", ".well")
        gallery.show("camera", phone)
        goto("first-run", "h1")
        gallery.show("first-run", phone)
        goto("teach", "#begin")
        gallery.show("teach", phone)
        phone.locator("#begin [name=name]").fill("Mine")
        phone.locator("#begin button").click()
        expect(phone.locator("#showing")).to_be_visible()
        phone.locator("[data-press='/teach/lay']").click()
        expect(phone.locator(".cut li")).to_have_count(1, timeout=SLOW)
        gallery.show("lesson", phone)
        screens.close()
    assert gallery.wrong == []
