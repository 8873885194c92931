"""The card game on small phones, with large text, and on a television with many cards in play."""

import random

import pytest
from layout import EXTENT, overlaps
from playwright.sync_api import expect
from served import NAMES
from tiers import later

from companion.games.cards.players import random_move
from companion.games.cards.rules.moves import Draw, End, Play
from companion.games.cards.rules.titles import SIGNS, Title
from companion.table.scene import Phase
from companion.table.surface.cards.state import PileVerdict

PIECES = ".middle > :not(.heard), #told > :first-child, .place, .television > .invite"
DISTURBED = (PileVerdict.FACEDOWN, PileVerdict.MANY, PileVerdict.BLOCKED, PileVerdict.MOVED)


@pytest.mark.parametrize("question", ["signs", "titles"])
def test_what_disturbs_the_pile_is_said_above_all_choices(card_table, question):
    card_table.deal_cards("soro", "black_jack" if question == "signs" else "rose_doolan")
    if question == "signs":
        card_table.make(Draw(0, None, SIGNS["5C"]))
    card_table.make(Play(0, Title.STAGECOACH), *map(End, range(4)))
    card_table.watch()
    page = card_table.phone(0, viewport={"width": 320, "height": 568})
    card_table.shown_on(page)
    for verdict in DISTURBED:
        page.evaluate("scrollTo(0, 0)")
        card_table.see(verdict)
        card_table.shown_on(page)
        for part in ("#question .notice", "#question [data-press='/pile/ignore']"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-press='/pile/ignore']")).to_have_count(1)


def test_what_a_laid_card_asks_and_the_next_step_are_seen_wherever_a_phone_was_scrolled_to(
    card_table,
):
    card_table.deal_cards("soro", "rose_doolan", "lucky_duke")
    card_table.watch()
    small_phone = {"viewport": {"width": 320, "height": 568}}
    ann, bob = (card_table.phone(seat, **small_phone) for seat in range(2))
    card_table.shown_on(ann, bob)
    ann.evaluate("scrollTo(0, document.body.scrollHeight)")
    card_table.lay("cat_balou")
    expect(ann.locator("#question .targets button").first).to_be_in_viewport(ratio=1)
    card_table.put_aside()
    card_table.shown_on(ann)
    ann.evaluate("scrollTo(0, document.body.scrollHeight)")
    card_table.see(PileVerdict.GONE, "barrel", "jail")
    expect(ann.locator("#question .notice")).to_be_in_viewport(ratio=1)
    card_table.put_aside()
    card_table.tap("jail 1, end")
    steps = bob.locator("#question fieldset")
    steps.first.locator("button").last.click()
    expect(steps.last.locator("button")).to_have_count(4)
    for suit in steps.last.locator("button").all():
        expect(suit).to_be_in_viewport(ratio=1)


def test_what_to_do_with_the_real_cards_is_seen_above_a_question_that_fills_the_screen(card_table):
    card_table.deal_cards("soro", "rose_doolan")
    ann, bob = (card_table.phone(seat, viewport={"width": 320, "height": 568}) for seat in range(2))
    card_table.shown_on(ann, bob)
    card_table.tap("panic 1 hand")
    card_table.undo()
    for page, told in (
        (ann, "Put the cards back as they were: you hold 7"),
        (bob, "Ann lays two cards"),
    ):
        if page is bob:
            card_table.tap("end")
        expect(page.locator("#to-do li", has_text=told)).to_be_in_viewport(ratio=1)


def test_the_number_of_cards_that_a_player_may_correct_is_the_one_counted_now(card_table):
    card_table.deal_cards("soro", "rose_doolan")
    page = card_table.phone(0)
    card_table.shown_on(page)
    card_table.tap("saloon")
    card_table.shown_on(page)
    held = card_table.view.game.players[0].hand
    expect(page.locator("#real-hand select")).to_have_value(str(held))


def test_what_ends_the_turn_stays_in_sight_below_all_titles(card_table):
    card_table.deal_cards("soro", "rose_doolan")
    page = card_table.phone(0, viewport={"width": 320, "height": 568})
    card_table.shown_on(page)
    end, titles = page.locator("#question > .accept"), page.locator("#question .titles button")
    for title in (titles.nth(4), titles.last):
        title.evaluate("each => each.scrollIntoView({block: 'center'})")
        expect(end).to_be_in_viewport(ratio=1)
        title.click(trial=True)
    end.click()
    expect(page.locator("#question > .accept")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en", *later("fr")])
def test_the_tables_of_a_game_of_seven_fit_on_a_small_phone(card_table, locale):
    card_table.deal_cards("sroodod")
    chance = random.Random(3)
    while card_table.view.phase is Phase.PLAYING:
        card_table.make(random_move(card_table.state, chance))
    page = card_table.phone(1, viewport={"width": 320, "height": 568}, locale=locale)
    page.goto(f"{card_table.url}story/1")
    page.locator("summary").evaluate_all("(all) => all.forEach((each) => each.click())")
    tables = page.locator(".wide")
    expect(tables).to_have_count(2)
    for table in tables.all():
        expect(table.get_by_role("columnheader", name=NAMES[6])).to_be_visible()
        assert table.evaluate("(each) => each.scrollWidth - each.clientWidth") <= 0


@pytest.mark.parametrize("players", [7, *later(4)])
def test_the_television_shows_every_card_in_play_without_scrolling(card_table, players):
    card_table.deal_cards("sroodod"[:players] if players > 5 else "sroo")
    television = card_table.television(locale="fr", reduced_motion="reduce")
    chance = random.Random(11)
    most = 0
    while card_table.view.phase is Phase.PLAYING:
        card_table.make(random_move(card_table.state, chance))
        in_play = sum(map(len, card_table.state.in_play))
        if in_play > most:
            most = in_play
            card_table.shown_on(television)
            assert television.evaluate(EXTENT) == [720, 1280], most
    assert most > players


@pytest.mark.parametrize("players", [7, *later(4, 5)])
def test_a_card_waits_on_the_portrait_of_whom_it_is_for_until_it_is_answered(card_table, players):
    card_table.deal_cards("sroodod"[:players], "slab_the_killer")
    card_table.watch()
    television = card_table.television(locale="fr", reduced_motion="reduce")
    card = television.locator(".open-card")
    card_table.tap("stagecoach")
    for seat in range(1, players):
        card_table.tap("gatling" if seat == 1 else "pass")
        card_table.shown_on(television)
        expect(card).to_have_count(1)
        for lines in (720, 1080):
            width = lines * 16 // 9
            television.set_viewport_size({"width": width, "height": lines})
            assert television.evaluate(EXTENT) == [lines, width]
            assert overlaps(television, PIECES) == []
            there = television.locator(f"[data-seat='{seat}'] .portrait").bounding_box()
            assert middle(card.bounding_box()) == pytest.approx(middle(there), abs=lines / 100)
    card_table.tap("pass")
    card_table.shown_on(television)
    expect(card).to_have_count(0)


def middle(box: dict[str, float]) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
