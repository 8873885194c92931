"""Whole games on several phones: every ruleset, phones that sleep, two who press at once."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from card_hands import CardHands
from hands import Hands
from mosquitto import SlowProxy
from playwright.sync_api import Page, TimeoutError, expect
from stand_ins import reading
from tiers import later

from companion.games.cards.terms import terms as card_terms
from companion.games.dice.terms import terms

GAMES = [
    ("base", 3, "en-GB"),
    *later(("base-fr", 3, "fr-FR"), ("walking-dead", 3, "fr-FR"), ("quick", 4, "en-GB")),
]


@pytest.mark.parametrize(("ruleset", "players", "locale"), GAMES)
def test_a_whole_game_is_played_by_taps(tmp_path, screens, ruleset, players, locale):
    table = Hands(tmp_path, screens, 1, players, ruleset, locale=locale)
    table.play()
    assert table.taps_without_choice == 0
    result = table.view.game.result
    words = terms(table.view.selection.ruleset, locale[:2])
    for page in table.phones:
        expect(page.locator("header.over")).to_contain_text(words.story.ends[result.side])
        expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    table.end()


@pytest.mark.parametrize(
    ("seed", "players", "locale", "begun"),
    # The end of a short game, in which cards of every kind are played, and a whole long one.
    [(32, 4, "en-GB", 33), *later((5, 5, "fr-FR", 0))],
)
def test_a_whole_card_game_is_played_by_one_or_two_taps_a_decision(
    tmp_path, screens, seed, players, locale, begun
):
    table = CardHands(tmp_path, screens, seed, players, begun, locale=locale)
    table.play()
    assert set(table.taps) <= {1, 2}
    assert table.taps[1] > 5 * table.taps[2]
    words = card_terms(locale[:2])
    for page in table.phones:
        ended = words.story.ends[table.view.game.result.side]
        expect(page.locator("header.over")).to_contain_text(ended)
        expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    table.end()


def offline(page: Page) -> Callable[[], None]:
    """The phone leaves the network, and comes back."""
    page.context.set_offline(True)
    return lambda: page.context.set_offline(False)


def frozen(page: Page) -> Callable[[], None]:
    """The phone sleeps: nothing of the page runs."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    return lambda: session.send("Page.setWebLifecycleState", {"state": "active"})


@pytest.mark.parametrize("sleep", [offline, frozen])
def test_a_phone_that_was_away_shows_what_happened_and_presses_on(served, screens, sleep):
    screens.expect("ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_INCOMPLETE_CHUNKED_ENCODING")
    served.deal("soro")
    phone = served.phone(0)
    served.shown_on(phone)
    phone.evaluate("window.loaded = 'once'")
    wake = sleep(phone)
    served.roll("BDAGG")
    served.undo()
    served.table.see(reading("ok", served.dice("BBAGG")))
    wake()
    served.shown_on(phone)
    phone.locator("button.accept").click()
    expect(phone.locator("[data-press='/dice/stop']:not([aria-disabled])")).to_be_visible()
    assert served.view.game.rolls == 1
    assert phone.evaluate("window.loaded") == "once"


def test_a_page_whose_connection_died_silently_comes_back(served, stack):
    """Wi-Fi was away and took it along without a word: the page looks for the table."""
    way = SlowProxy(served.server.port, bytes_per_s=1e9)
    stack.callback(way.close)
    address = f"http://127.0.0.1:{way.port}"
    television = served.screens.television(f"{address}/static/icon.svg")
    television.clock.install()
    television.goto(f"{address}/table")
    expect(television.locator(".code")).to_have_text(served.table.scene.code)
    way.silent = True
    served.seat(1)
    ann = television.get_by_text("Ann").first
    expect(ann).to_be_hidden()
    way.silent = False
    # Where the machine is busy a first try may still fall into the silence.
    for _ in range(5):
        television.clock.fast_forward(41_000)
        with suppress(TimeoutError):
            ann.wait_for(timeout=20_000)
            break
    expect(ann).to_be_visible()
    expect(television.locator("#lost")).to_be_hidden()
