"""The deal on phones: each role full screen, once, and only while it is held."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Screens
from card_table import CardTable
from playwright.sync_api import Locator, Page, expect
from served import Served
from tiers import later

from companion.table import rounds

SHOWN = "dialog.dealt[open]"
GLANCE = Path(__file__).with_name("glance.js").read_text("utf-8")


@pytest.fixture
def screens(screens: Screens) -> Screens:
    screens.roles_are_known = False
    return screens


@pytest.fixture(params=[Served, *later(CardTable)], ids=["dice", "cards"])
def table(request: pytest.FixtureRequest, tmp_path: Path, screens: Screens) -> Iterator[Served]:
    made: Served = request.param(tmp_path / "table", screens)
    yield made
    made.end()


def deal(table: Served, phones: int) -> None:
    if isinstance(table, CardTable):
        table.deal_cards("soro", phones=phones)
    else:
        table.deal("soro", phones=phones)


def press(page: Page) -> Locator:
    """Put a finger on the button; return what it shows."""
    shown = page.locator(f"{SHOWN} output")
    expect(shown).to_be_empty()
    page.locator(f"{SHOWN} [data-hold]").hover()
    page.mouse.down()
    expect(shown).not_to_be_empty()
    return shown


def glance(page: Page) -> None:
    """Let go of the button at once, in the page itself: it could take longer from here."""
    page.locator(f"{SHOWN} [data-hold]").evaluate(GLANCE)


def look(page: Page, role: str) -> None:
    """Hold the button for as long as one reads."""
    expect(press(page)).to_contain_text(role)
    page.wait_for_timeout(800)
    page.mouse.up()


def put_away(page: Page) -> None:
    expect(page.locator("dialog.dealt").first).to_be_attached()
    expect(page.locator("body")).to_have_js_property("inert", False)
    expect(page.locator(SHOWN)).to_have_count(0)


def test_a_secret_role_is_shown_once_and_only_while_it_is_held(table):
    deal(table, phones=4)
    phone = table.phone(1)
    expect(phone.locator(f"{SHOWN} h2")).to_have_text("Bob")
    # A glance isn't enough, nor is the page loaded again in the middle.
    glance(phone)
    phone.reload()
    look(phone, "Outlaw")
    put_away(phone)
    assert "Outlaw</strong>" not in phone.content()
    phone.reload()
    put_away(phone)
    # Another phone for the seat has shown nothing yet, and may leave it at that.
    other = table.phone(1)
    other.locator(f"{SHOWN} .close").click()
    put_away(other)
    port = table.server.port
    table.screens.expect("ERR_|Failed to load")
    table.stop()
    table.start(port)
    phone.reload()
    put_away(phone)
    table.do(rounds.new_game)
    expect(phone.locator("#order")).to_be_visible()
    table.do(rounds.start_game)
    look(phone, "Outlaw")
    put_away(phone)


def test_one_phone_shows_its_own_role_then_those_it_is_passed_for(served):
    served.deal("soro", phones=3)
    host = served.phone(0, viewport={"width": 320, "height": 568})
    shown = host.locator(SHOWN)
    # Everybody knows who the Sheriff is; they are dealt their role as the others are.
    expect(shown.locator("h2")).to_have_text("Ann")
    look(host, "Sheriff")
    expect(shown.locator("h2")).to_have_text("Pass the phone to Dan.")
    look(host, "Outlaw")
    put_away(host)
