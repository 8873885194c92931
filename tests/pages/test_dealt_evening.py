"""The card game with dealt hands in a real browser: alone against three stand-ins."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Screens
from layout import lay_all, overflow, small
from playwright.sync_api import Page, expect
from served import Served
from waiting import wait_until

from companion.games.cards.dealt.options import can_only_pass
from companion.games.cards.dealt.state import DealtState
from companion.games.cards.dealt_game import DEALT_GAME
from companion.table import rounds, stand_ins
from companion.table.changes import Press
from companion.table.scene import Phase
from companion.table.stand_ins import StandIns


class DealtEvening(Served):
    """A table at which one person plays with three stand-ins."""

    def begin(self) -> None:
        self.play(DEALT_GAME.opaque, "base")
        self.seat(1)
        for _ in range(3):
            self.press(stand_ins.add, "sensible")
        self.dealer.roles = "sroo"
        self.dealer.characters = ("lucky_duke", "kit_carlson", "sid_ketchum", "jesse_jones")
        self.press(rounds.start_game)
        self.worker = StandIns(self.table, pause=0)
        self.table.follow(lambda *_: self.worker.wake())
        self.worker.start()

    def press(self, change: object, *given: object) -> None:
        press = Press(self.person(0), self.view.version, self.view.reading)
        self.table.do(change, press, *given)  # type: ignore[arg-type]

    @property
    def state(self) -> DealtState:
        return self.table.scene.history.state  # type: ignore[union-attr, return-value]

    @property
    def over(self) -> bool:
        return self.view.phase is Phase.OVER

    def wait_for_me(self) -> bool:
        """Wait for the player's own decision; return whether the game goes on."""
        wait_until(lambda: self.over or (self.state.decider == 0 and not can_only_pass(self.state)))
        return not self.over


@pytest.fixture
def evening(tmp_path: Path, screens: Screens) -> Iterator[DealtEvening]:
    made = DealtEvening(tmp_path / "table", screens)
    made.begin()
    yield made
    made.worker.stop()
    screens.close()
    made.stop()


def current(evening: DealtEvening, page: Page) -> None:
    expect(page.locator(f"[data-version='{evening.view.version}']")).to_be_attached()


# French has the longer words.
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.slow), "fr"])
def test_one_person_plays_a_whole_game_by_taps(
    evening: DealtEvening, screens: Screens, language: str
) -> None:
    page = evening.phone(0, locale=language, viewport={"width": 320, "height": 640})
    looked = 0
    while evening.wait_for_me():
        version = evening.view.version
        current(evening, page)
        if looked < 12:
            lay_all(page)
            assert overflow(page) == 0
            assert small(page) == []
        looked += 1
        decide(page, screens, f"hand-{language}" if looked < 4 else "")
        wait_until(lambda version=version: evening.view.version != version, page)
    expect(page.locator("h1").first).to_contain_text({"en": "You", "fr": "Vous"}[language])


def decide(page: Page, screens: Screens, shot: str) -> None:
    """Tap what the hand offers first, or else end the turn or pass."""
    opens = page.locator("#question [data-reveal$='/play']")
    if opens.count():
        opens.tap()
        sheet = page.locator("dialog[open] output")
        expect(sheet.locator(".titles").first).to_be_visible()
        if shot:
            screens.shot(page, shot)
            assert overflow(page) == 0
            assert small(page) == []
        if sheet.locator("details").count():
            sheet.locator("details summary").first.tap()
            if shot:
                screens.shot(page, f"{shot}-targets")
            sheet.locator("details[open] .target").first.tap()
            return
        if sheet.locator("[data-press]").count():
            sheet.locator("[data-press]").first.tap()
            return
        page.locator("dialog[open] .close").tap()
        expect(page.locator("#question output .title")).to_have_count(0)
    discards = page.locator("#question [data-reveal$='/end']")
    if discards.count():
        discards.tap()
        form = page.locator("dialog[open] form")
        count = int(form.locator("[data-most]").get_attribute("data-most") or 0)
        for number in range(count):
            form.locator("label").nth(number).tap()
        form.locator("button.accept").tap()
        return
    page.locator("#question [data-press='/game/move']").last.tap()


def test_a_hand_is_seen_only_while_the_button_is_held(evening: DealtEvening) -> None:
    assert evening.wait_for_me()
    page = evening.phone(0, viewport={"width": 320, "height": 640})
    current(evening, page)
    button = page.locator("[data-hold='/hand/0']")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    expect(page.locator("#hand-0 .title")).to_have_count(len(evening.state.hands[0]))
    # A finger that holds can't scroll.
    expect(page.locator("#hand-0")).to_be_in_viewport(ratio=1)
    page.mouse.up()
    expect(page.locator("#hand-0 .title")).to_have_count(0)
