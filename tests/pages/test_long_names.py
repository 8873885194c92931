"""Names of every length on phones: nothing is cut, covered, or broken within a word."""

from collections.abc import Iterator

import pytest
from browser import Screens
from card_table import CALM, CardTable
from layout import broken_words, lay_all, misfits
from playwright.sync_api import Page
from served import Served, open_tab
from stand_ins import PLAIN
from tiers import later

from companion.table import rounds

LONG = "Wolfeschlegelsteinha"
NAMES = [
    [LONG[:letters].title() for letters in range(1, 9)],
    [LONG[:letters].title() for letters in range(9, 17)],
    ["Jean-Christophe", "Anna Maria Luisa", "Abilene", "Bartholomew",
     *(LONG[:letters].title() for letters in range(17, 21))],
]  # fmt: skip
WIDTHS = (320, 360, 390, 430)
TABS = ("table", "story", "more")
BELOW = """[...document.querySelectorAll(".players li:has(.away)")].filter((line) =>
  line.querySelector(".away").getBoundingClientRect().right < innerWidth / 2
  && line.checkVisibility()).length"""
"""How many distances stand below their players instead of beside them."""


@pytest.fixture(params=["dice", "cards"])
def table(request: pytest.FixtureRequest) -> Served:
    return request.getfixturevalue("served" if request.param == "dice" else "card_table")


def look(page: Page, state: str, screens: Screens) -> list[str]:
    """What is wrong with a page at any width of a phone."""
    wrong = []
    lay_all(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 568 if width == 320 else 844})
        faults = [*misfits(page), *(f"broken: {word}" for word in broken_words(page))]
        wrong += [f"{state}, {width}: {fault}" for fault in faults]
        screens.shot(page, f"names-{state}-{width}")
    return wrong


def dice_states(served: Served) -> Iterator[str]:
    """Let a game with dice ask whom: once for one shot, for several, for beers."""
    served.dealer.roles, served.dealer.characters = "soroodrd", ("calamity_janet", *PLAIN)
    served.do(rounds.start_game)
    yield "roll"
    served.throw_and_stop("1ADDB")
    yield "shot"
    served.undo()
    served.undo()
    served.throw_and_stop("12BBA")
    yield "shots"
    served.answer()
    yield "beers"


def card_states(table: CardTable) -> Iterator[str]:
    table.dealer.roles, table.dealer.characters = "sorodod", CALM[1:] + CALM[:1]
    table.do(rounds.start_game)
    yield "turn"
    table.tap("jail 1, mustang, bang 2")
    table.tap("pass, duel 1")
    table.tap("pass, duel 6")
    yield "duel"


@pytest.mark.parametrize("language", ["en", *later("fr")])
@pytest.mark.parametrize("names", [0, 2, *later(1)])
def test_names_of_every_length_fit_on_phones(table, names, language):
    cards = isinstance(table, CardTable)
    table.names = NAMES[names][: 7 if cards else 8]
    table.seat(len(table.names))
    host = table.phone(0, locale=language)
    wrong = look(host, f"lobby-{names}-{language}", table.screens)
    for state in card_states(table) if cards else dice_states(table):
        table.shown_on(host)
        name = f"{'cards' if cards else 'dice'}-{state}-{names}-{language}"
        wrong += look(host, name, table.screens)
        sheets = host.locator("#question [data-opens^=play-]")
        if sheets.count():
            sheets.nth(1).tap()
            wrong += look(host, f"{name}-sheet", table.screens)
            host.keyboard.press("Escape")
    for tab in TABS:
        open_tab(host, tab)
        assert host.evaluate(BELOW) == 0
        wrong += look(host, f"{tab}-{names}-{language}", table.screens)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", ["en", *later("fr")])
def test_names_of_every_length_fit_where_cards_are_entered(served, language):
    """The host enters for two players without a phone, too."""
    served.names = [NAMES[2][-1], *NAMES[2][:4], *NAMES[2][-3:-1]]
    served.dealer.characters = PLAIN
    served.seat(len(served.names), phones=5)
    served.do(rounds.choose, "roles", "cards")
    served.do(rounds.start_game)
    host = served.phone(0, locale=language)
    wrong = look(host, f"entering-{language}", served.screens)
    for opener in host.locator("[data-opens^=enter-]").all():
        opener.tap()
        wrong += look(host, f"entering-{language}-sheet", served.screens)
        host.keyboard.press("Escape")
    assert not wrong, "\n".join(wrong)
