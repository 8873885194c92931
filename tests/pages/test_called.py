"""What a phone does for its player: it calls them, asks one thing at a time, keeps their role."""

from playwright.sync_api import Page, expect
from served import Served, open_tab
from stand_ins import reading
from test_pages import role_in

LISTEN = """
const count = (what) => {
  const { dataset } = document.documentElement;
  dataset[what] = Number(dataset[what] ?? 0) + 1;
};
navigator.vibrate = () => count("shakes");
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  count("tones");
  return begin.apply(this, when);
};
"""


def phone(served: Served, seat: int) -> Page:
    """The phone of a seat, which counts its tones and shakes."""
    return served.phone(seat, script=LISTEN)


def called(page: Page, shakes: str | None, tones: str | None = None) -> None:
    """Expect that a phone shook and sounded so often."""
    html = page.locator("html")
    if shakes:
        expect(html).to_have_attribute("data-shakes", shakes)
    else:
        assert html.get_attribute("data-shakes") is None
    if tones:
        expect(html).to_have_attribute("data-tones", tones)


def test_a_phone_calls_its_player_once_he_asked_for_it_and_remembers(served: Served) -> None:
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


def test_a_phone_that_keeps_nothing_still_plays(served: Served) -> None:
    served.deal("soro")
    nothing = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    page = served.phone(0, script=nothing)
    open_tab(page, "more")
    page.get_by_role("button", name="Alert me when I’m needed").tap()
    open_tab(page, "now")
    served.table.see(reading("moving"))
    expect(page.get_by_text("The dice are rolling.")).to_be_visible()


def test_who_hears_the_page_is_told_the_role_after_asking(served: Served) -> None:
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
