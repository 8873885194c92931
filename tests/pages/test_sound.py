"""The table page is heard once somebody turns sound on, and never while a phone mutes the table."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from browser import pace
from playwright.sync_api import Page, expect
from served import Served, open_tab
from stand_ins import reading
from tiers import later
from waiting import wait_until

from companion.table import rounds
from companion.table.changes import Press
from companion.table.scene import Phase
from web.assets import Assets

HEARD = Path(__file__).with_name("sound.js").read_text("utf-8")
"""Keeps which sounds the page starts and what is said, by `voices`, which are defined before."""

VOICES = (
    '[["fr-FR", true], ["en-US", false], ["en-GB", true]]'
    ".map(([lang, localService]) => ({ lang, localService }))"
)


def television(served: Served, voices: str = VOICES, **options: Any) -> Page:
    page = served.television(script=f"const voices = {voices}; {HEARD}", **options)
    pace(page, 8)
    expect(page.locator("#sound [data-state]")).to_have_text(re.compile("Sound|Son"))
    return page


def turn_on(page: Page, label: str = "Sound", missing: int = 0) -> None:
    page.locator("#sound summary").click()
    page.get_by_label(label, exact=True).check()
    loaded(page, missing)


def loaded(page: Page, missing: int = 0) -> None:
    count = str(len(Assets().sounds) - missing)
    expect(page.locator("[data-loaded]")).to_have_attribute("data-loaded", count)
    assert page.evaluate("contexts.every((audio) => audio.state === 'running')")


def hears(page: Page, *expected: str) -> None:
    """Wait until exactly these sounds were started, but for the dice: a page may skip a reading."""
    others = "heard.filter(([sound]) => sound !== 'dice')"
    page.wait_for_function(f"count => {others}.length >= count", arg=len(expected), polling=20)
    assert page.evaluate(f"{others}.map(([sound]) => sound)") == list(expected)


def says(page: Page, *expected: str) -> None:
    page.wait_for_function("count => said.length >= count", arg=len(expected), polling=20)
    assert page.evaluate("said.map(([, text]) => text)") == list(expected)


@pytest.fixture
def table(served: Served) -> Served:
    served.deal("soro", "lucky_duke", "el_gringo")
    return served


def test_nothing_is_loaded_or_heard_before_somebody_turns_sound_on(table):
    page = television(table)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    expect(page.locator("#sound [data-state]")).to_have_text("Sound off")
    page.locator("h1").first.click()
    table.roll("AA1BB")
    table.shown_on(page)
    assert page.evaluate("[heard.length, contexts.length, said.length]") == [0, 0, 0]
    turn_on(page)
    expect(page.locator("#sound [data-state]")).to_have_text("Sound on")
    sounds = [url for url in asked if url.endswith(".wav")]
    assert [url for url in asked[: asked.index(sounds[0])] if url.endswith("sound.js")]
    assert len(sounds) == len(set(sounds)) == len(Assets().sounds)


def test_what_happens_is_heard_and_said_once(table):
    page = television(table)
    turn_on(page)
    dice = table.dice("A11BB")
    table.table.see(reading("moving"))
    table.table.see(reading("ok", dice))
    page.wait_for_function("() => heard.length === 1 && heard[0][0] === 'dice'")
    # The same dice, seen again.
    table.table.see(reading("ok", dice))
    table.table.press_green()
    hears(page, "arrow")
    table.table.press_red()
    table.shoot(1, 3)
    # Two shots; El Gringo's attacker takes an arrow.
    hears(page, "arrow", "shot", "shot", "arrow")
    dice_at, _, first, second, _ = page.evaluate("heard.map(([, at]) => at)")
    assert dice_at < first < second
    says(page, "Ann shoots Bob and Dan.")


def test_the_heart_of_who_has_one_life_point_left_is_heard(table):
    page = television(table)
    turn_on(page)
    while (left := table.view.game.players[3].life - 1) >= 4:
        table.throw_and_stop("1111D")
        table.shoot(3, 3, 3, 3)
        while table.view.game.turn:
            table.play_on("GGDDA")
    table.shown_on(page)
    assert not page.evaluate("heard.some(([sound]) => sound === 'heart')")
    table.throw_and_stop("1111D")
    table.shoot(*[3] * left, *[1] * (4 - left))
    page.wait_for_function("() => heard.some(([sound]) => sound === 'heart')")


@pytest.mark.parametrize(
    ("aside", "title", "told"),
    [(False, "cat_balou", "Cat Balou: Ann chooses what it does."),
     (True, "missed", "Read: Missed! Still to lay on the pile: a card (Ann).")],
)  # fmt: skip
def test_a_card_that_waits_or_is_laid_aside_is_named_and_heard(card_table, aside, title, told):
    card_table.deal_cards("sroo")
    card_table.watch()
    if aside:
        card_table.table.press_green()
    page = television(card_table)
    turn_on(page)
    card_table.lay(title)
    hears(page, "card")
    expect(page.locator(".middle .guide")).to_have_text(told)
    card_table.lay("beer")
    hears(page, "card", "card")


def test_the_first_turn_of_each_game_is_heard_on_an_open_page(served):
    page = television(served)
    turn_on(page)
    served.deal("soro", "lucky_duke", "el_gringo")
    hears(page, "deal", "turn")
    says(page, "It is Ann’s turn.")
    host = Press(served.person(0), served.view.version)
    served.table.do(rounds.new_game, host)
    served.do(rounds.start_game)
    hears(page, "deal", "turn", "deal", "turn")
    says(page, "It is Ann’s turn.", "It is Ann’s turn.")
    # A game that goes on is no news.
    served.roll("AA1BB")
    hears(page, "deal", "turn", "deal", "turn", "arrow", "arrow")
    page.reload()
    page.locator("h1").first.click()
    loaded(page)
    assert page.evaluate("[heard.length, said.length]") == [0, 0]


def test_the_announcer_speaks_the_language_of_the_page_with_a_voice_of_this_machine(table):
    page = television(table, locale="fr-FR")
    turn_on(page, "Son")
    table.roll("DDDGG")
    says(page, "La dynamite explose devant Ann.", "À Bob de jouer.")
    assert page.evaluate("said.every(([lang]) => lang === 'fr-FR')")
    english = television(table)
    turn_on(english)
    table.roll("DDDGG")
    says(english, "Bob’s dynamite explodes.", "It is Cleo’s turn.")
    # The American voice would ask a server.
    assert english.evaluate("said.every(([lang]) => lang === 'en-GB')")


def test_without_a_voice_sounds_are_played_and_the_page_says_so(table):
    page = television(table, voices='[{ lang: "en-US", localService: false }]')
    turn_on(page)
    expect(page.locator("#sound [role=status]")).to_contain_text("no English voice")
    table.roll("DDDGG")
    hears(page, "dynamite", "turn")
    page.get_by_label("Announcer").uncheck()
    expect(page.locator("#sound [role=status]")).to_have_text("")
    assert page.evaluate("said.length") == 0


def test_any_phone_mutes_the_table_and_lets_it_be_heard_again(table):
    page = television(table)
    turn_on(page)
    phone = table.phone(2)
    open_tab(phone, "more")
    mute = phone.get_by_role("button", name="Mute the table")
    expect(mute).to_have_attribute("aria-pressed", "false")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#sound [data-state]")).to_have_text("Muted")
    expect(page.locator("#sound [role=status]")).to_contain_text("muted the table")
    table.roll("DDDGG")
    table.shown_on(page)
    # A television that is turned on meanwhile stays quiet, too.
    other = television(table)
    other.locator("#sound summary").click()
    other.get_by_label("Sound", exact=True).check()
    expect(other.locator("#sound [data-state]")).to_have_text("Muted")
    assert page.evaluate("[heard.length, said.length]") == [0, 0]
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#sound [data-state]")).to_have_text("Sound on")
    table.roll("DDDGG")
    hears(page, "dynamite", "turn")


def test_an_undo_ends_what_is_heard_and_so_does_muting(table):
    page = television(table)
    page.evaluate("window.speaksOn = true")
    turn_on(page)
    table.roll("DDDGG")
    says(page, "Ann’s dynamite explodes.")
    assert page.evaluate("cancelled") == 0
    table.undo()
    page.wait_for_function("() => cancelled === 1")
    page.wait_for_function("() => heard.some((sound) => sound[0] === 'undo')")
    assert page.evaluate("said.length") == 1
    table.roll("DDDGG")
    page.wait_for_function("() => said.length === 2")
    phone = table.phone(0)
    open_tab(phone, "more")
    phone.get_by_role("button", name="Mute the table").click()
    page.wait_for_function("() => cancelled === 2")
    assert page.evaluate("said.length") == 2


def test_sound_volume_and_announcer_are_remembered(table):
    page = television(table)
    turn_on(page)
    page.get_by_label("Volume").fill("30")
    page.get_by_label("Announcer").uncheck()
    hears(page, "turn")
    page.reload()
    # Browsers ask for a touch after each load; any will do.
    page.locator("h1").first.click()
    loaded(page)
    expect(page.locator("#sound [data-state]")).to_have_text("Sound on")
    page.locator("#sound summary").click()
    expect(page.get_by_label("Volume")).to_have_value("30")
    expect(page.get_by_label("Announcer")).not_to_be_checked()
    table.roll("DDDGG")
    hears(page, "dynamite", "turn")
    assert page.evaluate("said.length") == 0
    # The keyboard of a television's remote.
    page.get_by_label("Sound", exact=True).press("Space")
    expect(page.get_by_label("Volume")).to_be_disabled()
    page.reload()
    expect(page.locator("#sound [data-state]")).to_have_text("Sound off")


def test_a_browser_that_waits_for_a_touch_says_so(served):
    served.deal("soro", "lucky_duke")
    page = television(served)
    turn_on(page)
    page.context.add_init_script(
        "AudioContext.prototype.resume = () => Promise.resolve();"
        "Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'suspended' });"
    )
    page.reload()
    expect(page.locator("#sound [data-state]")).to_have_text("Tap for sound")
    served.roll("DDDGG")
    served.shown_on(page)
    assert page.evaluate("[heard.length, said.length]") == [0, 0]


@pytest.mark.parametrize("motion", ["no-preference", *later("reduce")])
def test_the_end_is_heard_as_it_is_seen(served, motion):
    served.deal("sorod", "lucky_duke")
    page = television(served, reduced_motion=motion)
    turn_on(page)
    chance = Random(3)
    while served.view.phase is Phase.PLAYING:
        served.play_on("1111D", chance)
    page.wait_for_function("() => heard.some(([sound]) => sound === 'victory')")
    page.wait_for_function("() => said.length && /win/.test(said.at(-1)[1])")
    heard = page.evaluate("heard")
    ((victory, _),) = ([at, sound] for sound, at in heard if sound == "victory")
    roles = [at for sound, at in heard if sound == "role"]
    assert victory > max(roles)


def test_a_sound_that_does_not_load_silences_no_other(table, screens):
    screens.expect("Failed to load resource|arrow.wav")
    page = television(table)
    page.route("**/arrow.wav", lambda route: route.fulfill(status=404))
    turn_on(page, missing=1)
    table.roll("A1GGD")
    table.table.press_red()
    table.shoot(3)
    hears(page, "shot", "turn")


def test_the_options_leave_the_game_free(served):
    page = television(served)
    page.clock.install()
    panel, options = page.locator("#sound"), page.locator("#sound .card")
    for leave in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.locator(".middle").first.click(position={"x": 4, "y": 4}),
        # The panel may count only once the page has heard that it is open.
        lambda: wait_until(lambda: page.clock.fast_forward(21_000) or options.is_hidden(), page),
    ):
        panel.locator("summary").click()
        expect(options).to_be_visible()
        leave()
        expect(options).not_to_be_visible()
