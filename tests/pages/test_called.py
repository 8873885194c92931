"""What a phone does for its player: it calls them, keeps their role, and keeps its screen on."""

from pathlib import Path

from playwright.sync_api import Page, expect
from served import Served, open_tab
from stand_ins import reading
from test_pages import role_in
from waiting import wait_until

from companion.table import rounds

HERE = Path(__file__).parent
LISTEN = (HERE / "listen.js").read_text("utf-8")
LOCKS = (HERE / "locks.js").read_text("utf-8")


def phone(served: Served, seat: int) -> Page:
    """The phone of a seat, which counts its tones and shakes."""
    page = served.phone(seat, script=LISTEN)
    # It comes after all else, and before it no tap is heard.
    expect(page.locator("html[data-loaded]")).to_be_attached()
    return page


def called(page: Page, shakes: str | None, tones: str | None = None) -> None:
    """Expect that a phone shook and sounded so often."""
    html = page.locator("html")
    if shakes:
        expect(html).to_have_attribute("data-shakes", shakes)
    else:
        assert html.get_attribute("data-shakes") is None
    if tones:
        expect(html).to_have_attribute("data-tones", tones)


def test_a_phone_calls_its_player_once_he_asked_for_it_and_remembers(served):
    served.deal("soro")
    player = phone(served, 1)
    served.throw_and_stop("DDGAA")
    expect(player.get_by_role("heading", level=1)).to_have_text("Your turn")
    called(player, None)
    button = player.locator("[data-alert]")
    open_tab(player, "more")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.tap()
    expect(button).to_have_attribute("aria-pressed", "true")
    called(player, "1", tones="2")
    player.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    called(player, None)
    served.throw_and_stop("1DDGA")
    called(player, "1")
    served.table.press_green()
    expect(player.get_by_text("No dice are needed now.")).to_be_visible()
    called(player, "1")
    open_tab(player, "more")
    button.tap()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_phone_that_keeps_nothing_still_plays(served):
    served.deal("soro")
    nothing = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    page = served.phone(0, script=nothing)
    open_tab(page, "more")
    page.get_by_role("button", name="Alert me when I’m needed").tap()
    open_tab(page, "now")
    served.table.see(reading("moving"))
    expect(page.get_by_text("The dice are rolling.")).to_be_visible()


def test_who_hears_the_page_is_told_the_role_after_asking(served):
    served.deal("soro")
    player = served.phone(1)
    button = player.get_by_role("button", name="Hear your role")
    button.focus()
    player.keyboard.press("Enter")
    sheet = player.get_by_role("dialog", name="Hear your role")
    expect(sheet).to_contain_text("Check that nobody else can hear.")
    assert role_in(player) == []
    sheet.get_by_role("button", name="Read aloud").click()
    expect(sheet.get_by_role("status")).to_contain_text("Outlaw")
    served.table.see(reading("moving"))
    expect(player.get_by_text("The dice are rolling.")).to_be_visible()
    expect(sheet.get_by_role("status")).to_contain_text("Outlaw")
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()
    expect(player.locator("#told-1")).to_be_empty()
    assert role_in(player) == []


WITHOUT = "delete Navigator.prototype.wakeLock"  # as over HTTP


def kept_awake(served: Served, script: str) -> Page:
    """The phone of the first seat, in the lobby, with a script before those of the page."""
    return served.phone(0, script=script, permissions=["screen-wake-lock"])


def test_the_screen_stays_on_while_a_game_is_played(served):
    served.deal("soro")
    page = kept_awake(served, LOCKS)
    expect(page.locator("html")).to_have_attribute("data-locked", "screen")
    served.do(rounds.new_game)
    expect(page.locator(".seat.lobby")).to_be_visible()
    expect(page.locator("html")).not_to_have_attribute("data-locked", "screen")


def test_without_the_api_a_film_keeps_the_screen_on(served):
    served.deal("soro")
    page = kept_awake(served, WITHOUT)
    film = page.locator("video.awake")
    wait_until(lambda: film.evaluate("film => film.currentTime") > 0.5, page)
    # Chromium asks for a picture, and that the element is shown.
    assert film.evaluate("film => film.videoWidth")
    assert film.evaluate("film => film.checkVisibility({ visibilityProperty: true })")
    served.do(rounds.new_game)
    expect(page.locator(".seat.lobby")).to_be_visible()
    expect(film).to_have_js_property("paused", True)
