"""The card game on small phones, with large text, and on a television with many cards in play."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Screens
from card_table import CardTable
from layout import lay_all, overflow, small
from playwright.sync_api import Page, expect

from companion.games.cards.players import random_move
from companion.games.cards.rules.moves import Draw, End, Flip, Pass, Play
from companion.games.cards.rules.titles import SIGNS, Title
from companion.table.scene import Phase
from companion.table.surface.cards.state import PileVerdict


@pytest.fixture
def table(tmp_path: Path, screens: Screens) -> Iterator[CardTable]:
    made = CardTable(tmp_path / "table", screens)
    yield made
    screens.close()
    made.stop()


def shown(table: CardTable, page: Page) -> Page:
    """The page, once it shows what the table is."""
    version, reading = table.view.version, table.view.reading
    now = f"[data-version='{version}'][data-reading='{reading}']"
    expect(page.locator(now)).to_be_attached()
    return page


def stages(table: CardTable) -> Iterator[str]:
    """Let everything happen that alters what a phone shows."""
    yield "turn"
    table.make(Play(0, Title.MUSTANG), Play(0, Title.VOLCANIC), Play(0, Title.JAIL, 1))
    table.make(Play(0, Title.BANG, 1))
    yield "shot"
    table.make(Flip(1, (SIGNS["10C"], SIGNS["QD"])) if table.state.open.barrels else Pass(1))
    table.make(Play(0, Title.GATLING))
    yield "early"
    table.make(Pass(1), Pass(2), Pass(3), Pass(4), End(0))
    yield "pair"
    table.watch()
    table.see(PileVerdict.UNSURE, sign="10H")
    yield "sign"
    table.put_aside()
    table.make(Flip(1, (SIGNS["2H"], SIGNS["3S"])))
    table.see(PileVerdict.UNSURE, "general_store", "rev_carabine", "cat_balou")
    yield "unsure"
    table.put_aside()
    table.lay("cat_balou")
    yield "take"
    table.put_aside()
    table.lay("missed")
    yield "illegal"


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        pytest.param("en", "100%", marks=pytest.mark.slow),
        pytest.param("fr", "100%", marks=pytest.mark.slow),
        ("fr", "200%"),
    ],
)
def test_nothing_is_too_wide_or_too_small_to_press_on_a_small_phone(
    table: CardTable, locale: str, text: str
) -> None:
    table.deal_cards("sorod", "sid_ketchum", "lucky_duke", "jourdonnais")
    options = {"viewport": {"width": 320, "height": 640}, "locale": locale}
    pages = [table.phone(seat, **options) for seat in range(3)]
    for page in pages:
        page.evaluate("(size) => document.documentElement.style.fontSize = size", text)
    for stage in stages(table):
        for page in pages:
            lay_all(shown(table, page))
            assert overflow(page) <= 0, stage
            assert small(page) == [], stage


DISTURBED = (PileVerdict.FACEDOWN, PileVerdict.MANY, PileVerdict.BLOCKED, PileVerdict.MOVED)


@pytest.mark.parametrize("question", ["signs", "titles"])
def test_what_disturbs_the_pile_is_said_above_all_choices(table: CardTable, question: str) -> None:
    table.deal_cards("soro", "black_jack" if question == "signs" else "rose_doolan")
    if question == "signs":
        table.make(Draw(0, None, SIGNS["5C"]))
    table.make(Play(0, Title.STAGECOACH), *map(End, range(4)))
    table.watch()
    page = shown(table, table.phone(0, viewport={"width": 320, "height": 568}))
    for verdict in DISTURBED:
        page.evaluate("scrollTo(0, 0)")
        table.see(verdict)
        shown(table, page)
        for part in ("#question .notice", "#question [data-press='/pile/ignore']"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-press='/pile/ignore']")).to_have_count(1)
        table.screens.shot(page, f"disturbed-{question}-{verdict}")


def test_what_a_laid_card_asks_and_the_next_step_are_seen_wherever_a_phone_was_scrolled_to(
    table: CardTable,
) -> None:
    table.deal_cards("soro", "rose_doolan", "lucky_duke")
    table.watch()
    small_phone = {"viewport": {"width": 320, "height": 568}}
    ann, bob = (shown(table, table.phone(seat, **small_phone)) for seat in range(2))
    ann.evaluate("scrollTo(0, document.body.scrollHeight)")
    table.lay("cat_balou")
    expect(ann.locator("#question .targets button").first).to_be_in_viewport(ratio=1)
    table.put_aside()
    table.make(Play(0, Title.JAIL, 1), End(0))
    steps = bob.locator("#question fieldset")
    steps.first.locator("button").last.click()
    expect(steps.last.locator("button").first).to_be_in_viewport(ratio=1)


EXTENT = "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"


@pytest.mark.parametrize("players", [4, 7])
def test_the_television_shows_every_card_in_play_without_scrolling(
    table: CardTable, players: int
) -> None:
    table.deal_cards("sroodod"[:players] if players > 5 else "sroo")
    television = table.television(locale="fr")
    chance = random.Random(11)
    most = 0
    while table.view.phase is Phase.PLAYING:
        table.make(random_move(table.state, chance))
        in_play = sum(map(len, table.state.in_play))
        if in_play > most:
            most = in_play
            expect(television.locator(f"[data-version='{table.view.version}']")).to_be_attached()
            assert television.evaluate(EXTENT) == [720, 1280], most
    assert most > players
