"""The television: all of a game fits on the screen and can be read from the sofa."""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from served import Served
from stand_ins import PLAIN, reading
from tiers import later

from companion.games.dice.rules.house import HouseRule
from companion.table import rounds

LONG = "Wilhelminamarianneso"
NAMES = {15: "Jean-Christophe", 16: "Anna Maria Luisa"}
"""Some names of more than a word, by their letters."""
ROLES = {3: "dor", 4: "soro", 5: "soord", 6: "soorod", 7: "soorodd", 8: "sooroddr"}
LINES = (720, 1080, 2160)
LOCALES = ("en-GB", "fr-FR")
GAMES = [
    (8, "base", LINES[:2], ["fr-FR"]),
    *later(*product(range(3, 9), ("base", "walking-dead"), [LINES], [LOCALES])),
]
"""How many play what, and on which screens, whose sizes grow with them; French has longer words."""
HOUSE_RULES = frozenset(HouseRule) - {HouseRule.FALLEN_KEEP_PLACES}
"""All that go together."""

FAULTS = Path(__file__).with_name("television.js").read_text("utf-8")
"""What can't be seen whole, or read from the sofa."""


def names(players: int) -> list[str]:
    """Names for so many players: over all numbers of players, of 1 to 20 letters."""
    first = sum(range(3, players))
    letters = [9 * seat % len(LONG) + 1 for seat in range(first, first + players)]
    return [NAMES.get(many, LONG[:many].title()) for many in letters]


def faults(page: Page, sizes: Sequence[int]) -> list[str]:
    found = []
    for lines in sizes:
        page.set_viewport_size({"width": lines * 16 // 9, "height": lines})
        found += [f"{lines} lines: {fault}" for fault in page.evaluate(FAULTS)]
    return found


def dice_lie(served: Served) -> Iterator[int]:
    """Let dice lie in every way that alters how many are shown, or how large; yield how many."""
    yield 5
    while not served.view.rolling:
        served.answer()
    before = served.dice("11BBD")
    served.table.see(reading("count", before[:3]))
    yield 3
    served.table.see(reading("count", [*before, *served.dice("AGAGA")[:2]]))
    yield 7
    served.table.see(reading("ok", before))
    served.table.press_green()
    served.table.see(reading("unsure", before[:3] + served.dice("AGGBD", unsure="...D.")[3:]))
    yield 5


@pytest.mark.parametrize(("players", "edition", "sizes", "locales"), GAMES)
def test_a_game_fits_on_every_television(served, players, edition, sizes, locales):
    served.names = names(players)
    served.play_by(edition, house_rules=HOUSE_RULES)
    served.seat(players)
    lobbies = [served.television(locale=locale) for locale in locales]
    served.shown_on(*lobbies)
    for lobby in lobbies:
        expect(lobby.locator(".place strong")).to_have_count(players)
        assert faults(lobby, sizes) == []
        lobby.context.close()
    served.dealer.roles, served.dealer.characters = ROLES[players], PLAIN
    served.do(rounds.start_game)
    while served.view.game.players[1].arrows < 2:
        served.play_on("AADGD" if served.view.game.turn == 1 else "11BBD")
    served.play_on("11BBD")
    pages = [served.television(locale=locale, reduced_motion="reduce") for locale in locales]
    for number in dice_lie(served):
        served.shown_on(*pages)
        for page in pages:
            expect(page.locator(".die")).to_have_count(number)
            assert faults(page, sizes) == []
            page.set_viewport_size({"width": 1280, "height": 720})
            # Read from across the room.
            cubes = [round(cube.bounding_box()["width"]) for cube in page.locator(".cube").all()]
            assert 80 < min(cubes) == max(cubes) < 140, number
    play_to_the_end(served, players)
    for page in pages:
        page.reload()
        expect(page.locator(".poster").first).to_be_visible()
        assert faults(page, sizes) == []


def play_to_the_end(served: Served, seed: int) -> None:
    """Begin anew, whatever lies in the tray, and play by chance."""
    served.do(rounds.new_game)
    served.do(rounds.start_game)
    served.play_to_the_end(seed)


def test_the_story_keeps_clear_of_the_invitation_at_four_players(served):
    served.deal("soro")
    page = served.television(locale="fr-FR", reduced_motion="reduce")
    served.roll("AA1BB")
    served.shown_on(page)
    assert faults(page, LINES[:2]) == []
    play_to_the_end(served, 4)
    moving = served.television()
    shooting = moving.locator(".shooting")
    expect(shooting).to_have_count(1)
    invitation = moving.locator(".invite img").bounding_box()
    assert sum(shooting.bounding_box()[side] for side in ("y", "height")) <= invitation["y"]


def test_the_hosts_language_reaches_every_word_of_an_open_television(served):
    served.seat(4)
    host, television = served.phone(0), served.television(locale="en-GB")
    expect(television.locator("#sound [data-state]")).to_have_text("Sound off")
    television.locator("#sound summary").click()
    expect(television.get_by_label("Volume")).to_be_visible()
    host.locator("#options > summary").click()
    host.get_by_role("group", name="Language").get_by_role("button", name="Français").click()
    expect(television.locator("#sound [data-state]")).to_have_text("Son coupé")
    television.locator("#sound summary").click()
    expect(television.get_by_text("Annonces")).to_be_visible()
    assert television.title().startswith("La table")
    expect(television.locator("footer")).to_contain_text("English")
