"""The card game with dealt hands in a real browser: alone against three stand-ins."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from browser import Screens
from card_evening import CALM
from card_scenes import game
from dealt_hands import decide as decide_all
from dealt_hands import hold, names
from layout import broken_words, fits, lay_all
from playwright.sync_api import Page, expect
from served import Served
from tiers import later
from waiting import wait_until

from companion.games.cards.dealt.options import can_only_pass
from companion.games.cards.dealt.state import DealtState
from companion.games.cards.dealt_game import DEALT_GAME
from companion.games.cards.rules.moves import Pass, Play
from companion.games.cards.rules.titles import Title
from companion.table import moves, rounds, stand_ins
from companion.table.changes import Press
from companion.table.scene import Phase, Scene
from companion.table.stand_ins import StandIns


class DealtEvening(Served):
    """A table at which one person plays with three stand-ins."""

    def begin(self) -> None:
        self.play(DEALT_GAME.opaque, "base")
        self.seat(1)
        for _ in range(3):
            self.do(stand_ins.add, "sensible")
        self.dealer.roles = "sroo"
        self.dealer.characters = ("lucky_duke", "kit_carlson", "sid_ketchum", "jesse_jones")
        self.do(rounds.start_game)
        self.worker = StandIns(self.table, pause=0)
        self.table.follow(lambda *_: self.worker.wake())
        self.worker.start()

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
    made.end()


def test_one_person_plays_a_whole_game_by_taps(evening, screens):
    # French has the longer words.
    page = evening.phone(0, locale="fr", viewport={"width": 320, "height": 640})
    looked = 0
    while evening.wait_for_me():
        version = evening.view.version
        evening.shown_on(page)
        if looked < 12:
            lay_all(page)
            fits(page)
        looked += 1
        decide(page, screens, "hand" if looked < 4 else "")
        wait_until(lambda version=version: evening.view.version != version, page)
    expect(page.locator("h1").first).to_contain_text("Vous")


def decide(page: Page, screens: Screens, shot: str) -> None:
    """Tap what the hand offers first, or else end the turn or pass."""
    opens = page.locator("#question [data-reveal$='/play']").first
    if not opens.count():
        page.locator("#question [data-press='/game/move']").last.tap()
        return
    # After a card, it opens by itself.
    opens.evaluate("button => document.querySelector('dialog[open]') || button.click()")
    sheet = page.locator("dialog[open] output")
    expect(sheet).not_to_be_empty()
    if shot:
        screens.shot(page, shot)
        fits(page)
    if sheet.locator(".titles [data-press]").count():
        sheet.locator(".titles [data-press]").first.tap()
    elif sheet.locator("form").count():
        group = sheet.locator("[data-most]")
        for number in range(int(group.get_attribute("data-most") or 0)):
            group.locator("label").nth(number).tap()
    else:
        sheet.locator("> [data-press]").tap()


def test_a_hand_is_seen_only_while_the_button_is_held(evening):
    assert evening.wait_for_me()
    page = evening.phone(0, viewport={"width": 320, "height": 640})
    evening.shown_on(page)
    button = page.locator("[data-hold='/hand/0']")
    button.hover()
    page.mouse.down()
    expect(page.locator("#hand-0 .title")).to_have_count(len(evening.state.hands[0]))
    # A finger that holds can't scroll.
    expect(page.locator("#hand-0")).to_be_in_viewport(ratio=1)
    page.mouse.up()
    expect(page.locator("#hand-0 .title")).to_have_count(0)


@pytest.fixture
def four(tmp_path: Path, screens: Screens) -> Iterator[Served]:
    """A table of four whose hands were dealt."""
    table = Served(tmp_path / "table", screens)
    table.play(DEALT_GAME.opaque, "base")
    table.seat(4)
    table.dealer.roles, table.dealer.characters = "sroo", CALM
    table.do(rounds.start_game)
    yield table
    table.end()


def test_an_early_answer_is_given_by_taps_while_others_answer(four, screens):
    """The sheet stays open meanwhile: nobody has to hurry."""
    hands = holding({0: "gatling", 3: "missed beer bang", 2: "missed jail bang"})
    show(four, decide_all(hands, Play(0, Title.GATLING)))
    page = four.phone(3, viewport={"width": 320, "height": 568})
    page.locator("#early-3 [data-reveal]").tap()
    sheet = page.locator("dialog[open] output")
    card = sheet.locator("[data-press='/game/early']")
    expect(card).to_have_count(1)
    four.table.do(moves.move, Press(four.person(1), four.view.version), Pass(1))
    four.shown_on(page)
    screens.shot(page, "early-sheet")
    fits(page)
    card.tap()
    expect(page.locator(".early [data-press='/game/early-back']")).to_be_visible()
    screens.shot(page, "early-given")
    four.table.do(moves.move, Press(four.person(2), four.view.version), Pass(2))
    four.shown_on(page)
    assert names(four.table.scene.history.state.hands[3]) == ["beer", "bang"]  # type: ignore[union-attr]


def test_the_hand_opens_again_after_a_card_until_the_turn_ends(four, screens):
    show(
        four, holding({0: "mustang scope barrel panic bang jail volcanic", 3: "beer"}, {0: 8, 3: 1})
    )
    page = four.phone(0, viewport={"width": 320, "height": 568})
    page.locator("#question [data-reveal]").first.tap()
    for card in ("mustang", "barrel"):
        button = page.locator(f"dialog[open] [data-with$='card={card}']")
        button.tap()
        expect(page.locator(f"dialog[open] [data-with$='card={card}']")).to_have_count(0)
        expect(page.locator("dialog[open] .title").first).to_be_visible()
    screens.shot(page, "hand-goes-on")
    fits(page)
    # One card beyond the limit: the sheet shows each once, and after this tap lets it be discarded.
    expect(page.locator("dialog[open] .title")).to_have_count(6)
    page.locator("dialog[open] .accept").tap()
    page.locator("dialog[open] label", has_text="Jail").tap()
    expect(page.locator("#question")).to_have_count(0)
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert four.view.standing.turn == 1


def test_the_button_that_ends_a_turn_shows_what_to_discard_and_plays_nothing(four):
    show(four, holding({0: "mustang scope barrel panic bang jail"}, {0: 7}))
    page = four.phone(0, viewport={"width": 320, "height": 568})
    page.locator("#question .accept").tap()
    cards = page.locator("dialog[open] label")
    expect(cards).to_have_count(7)
    assert page.locator("dialog[open] output button").count() == 0
    for card in ("Jail", "Panic!"):
        cards.filter(has_text=card).tap()
    wait_until(lambda: four.view.standing.turn == 1, page)


@pytest.mark.parametrize("width", [320, *later(390)])
def test_no_name_breaks_among_the_targets_of_a_hand(four, width):
    in_play = {1: "winchester dynamite", 2: "rev_carabine mustang", 3: "schofield barrel"}
    state = holding({0: "bang cat_balou panic jail"}, 4, in_play=in_play)
    setup = state.public.setup
    first, second, *others = setup.players
    setup = replace(setup, players=(first, second._replace(name="Clementine"), *others))
    show(four, replace(state, public=replace(state.public, setup=setup)))
    page = four.phone(0, viewport={"width": width, "height": 640})
    page.locator("#question .main").tap()
    expect(page.locator("dialog[open] .aimed").first).to_be_visible()
    fits(page)
    assert broken_words(page, "dialog[open]") == []


def test_a_hand_opens_by_itself_on_a_phone_that_was_touched_until_it_is_closed(four, screens):
    show(four, holding({0: "bang beer stagecoach", 1: "missed beer gatling"}))
    first, second = four.phone(0), four.phone(1)
    stop_time(first)
    # Nobody has touched these phones yet: they may lie on the table.
    pass_time(first)
    assert first.locator("dialog[open]").count() == 0
    play(four, first, "card=bang&target=1")
    # An answer needs no open hand.
    second.locator("#question [data-with$='card=missed']").tap()
    expect(second.locator("#question")).to_have_count(0)
    card = first.locator("dialog[open] [data-with$='card=stagecoach']")
    four.shown_on(first)
    pass_time(first)
    expect(card).to_be_visible()
    first.locator("dialog[open] .close").tap()
    pass_time(first)
    expect(first.locator("dialog[open]")).to_have_count(0)
    expect(first.locator("output .title")).to_have_count(0)
    # A hand that nobody touches is covered.
    first.locator("#question .main").tap()
    expect(card).to_be_visible()
    pass_time(first, 31)
    expect(first.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize("why", ["late", "chosen"])
def test_a_hand_stays_covered_on_a_phone_that_lies_there_or_whose_player_chose_so(four, why):
    show(four, holding({0: "bang beer stagecoach", 1: "missed beer gatling"}))
    first = four.phone(0)
    stop_time(first)
    first.locator("#question .main").tap()
    if why == "chosen":
        expect(first.locator("[data-opens-itself]")).to_be_visible()
        pass_time(first)
        first.locator("[data-opens-itself]").uncheck()
        first.locator("dialog[open] .close").tap()
    play(four, first, "card=bang&target=1")
    expect(first.locator("#question")).to_have_count(0)
    pass_time(first, 121 if why == "late" else 1)
    four.table.do(moves.move, Press(four.person(1), four.view.version), Pass(1))
    four.shown_on(first)
    pass_time(first)
    assert first.locator("dialog[open]").count() == 0


def test_a_turn_ends_by_itself_once_its_player_saw_that_nothing_is_left(four, screens):
    show(four, holding({0: "missed missed mustang"}))
    page = four.phone(0, viewport={"width": 320, "height": 568})
    stop_time(page)
    pass_time(page, 60)
    play(four, page, "card=mustang")
    pass_time(page)
    end = page.locator("dialog[open] [data-presses-itself]")
    expect(end).to_be_visible()
    screens.shot(page, "hand-nothing-left")
    # A player who wants to think closes the hand.
    page.locator("dialog[open] .close").tap()
    pass_time(page, 20)
    assert four.view.standing.turn == 0
    page.locator("#question .main").tap()
    expect(end).to_be_visible()
    pass_time(page, 4)
    assert four.view.standing.turn == 0
    pass_time(page, 6)
    wait_until(lambda: four.view.standing.turn == 1, page)


def play(table: Served, page: Page, fields: str) -> None:
    """Open the hand, unless it is, play a card of it, and wait until the phone shows that."""
    before = table.view.version
    page.locator("#question .main").evaluate(
        "button => document.querySelector('dialog[open]') || button.click()"
    )
    card = page.locator(f"dialog[open] [data-with$='{fields}']")
    expect(card).to_be_visible()
    page.dispatch_event("body", "pointerdown")
    pass_time(page)
    card.tap()
    wait_until(lambda: table.view.version > before, page)
    table.shown_on(page)
    expect(card).to_have_count(0)


def stop_time(page: Page) -> None:
    """Let a phone's time go on only when it is told to."""
    page.clock.install()
    page.reload()
    page.clock.pause_at(time.time() + 60)


def pass_time(page: Page, seconds: int = 1) -> None:
    """Let a phone's time go on."""
    page.clock.run_for(1000 * seconds)


def holding(
    hands: Mapping[int, str],
    counts: Mapping[int, int] | int = 3,
    in_play: Mapping[int, str] | None = None,
) -> DealtState:
    """The first turn of four, who hold so many cards each, these among them."""
    players = "S:jesse_jones R:rose_doolan O:paul_regret O:willy_the_kid"
    return hold(game(players, hands=counts, in_play=in_play), hands)


def show(table: Served, state: DealtState) -> None:
    """Let the game stand as in a scene."""

    def moved(scene: Scene) -> Scene:
        history = scene.history
        assert history is not None
        last = replace(history.moments[-1], state=state)  # type: ignore[arg-type]
        return replace(scene, history=replace(history, moments=(*history.moments[:-1], last)))

    table.table.amend(moved)
