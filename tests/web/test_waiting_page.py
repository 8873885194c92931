"""What the table page says everybody waits for, and its free chairs."""

import re

import pytest
from sites import NAMES, Site

from companion.table import rounds
from companion.table.changes import Press

pytestmark = pytest.mark.tables


def page(site: Site) -> str:
    return site.stranger.open("/table").text


def awaited(site: Site) -> str:
    found = re.search(r'<p class="awaits"[^>]*>(.*?)</p>', page(site))
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("roles", "ruleset", "expected"),
    [
        ("s", "base", "Waiting for at least two more players."),
        ("so", "base", "Waiting for one more player."),
        ("soro", "base", "Everybody here? Then Ann starts the game."),
        ("sor", "quick", "Waiting for one more player."),
        ("soroo", "quick", "This game needs four players."),
    ],
)
def test_the_lobby_says_who_is_missing(tmp_path, roles, ruleset, expected) -> None:
    site = Site(tmp_path, roles=roles, ruleset=ruleset)
    assert awaited(site) == expected


@pytest.mark.parametrize("people", range(1, 9))
def test_the_table_has_a_chair_for_everybody_who_can_play(tmp_path, people) -> None:
    site = Site(tmp_path, roles="soroodds"[:people])
    sides = re.findall(r"<ul>(.*?)</ul>", page(site).partition("<aside>")[0], re.DOTALL)
    chairs = [re.findall(r'<li class="place (free)?', side) for side in sides]
    assert [len(side) for side in chairs] == [4, 4]
    assert sum(not free for side in chairs for free in side) == people
    # Clockwise: the far side from left to right, then the near one from right to left.
    names = [re.findall(r"<strong>(\w+)</strong>", side) for side in sides]
    assert tuple(names[0] + names[1][::-1]) == NAMES[:people]


def test_while_cards_are_entered_the_page_names_who_is_missing(tmp_path) -> None:
    site = Site(tmp_path, roles="soro")
    host = site.view.people[0].id
    for option in ("roles", "characters"):
        site.table.do(rounds.choose, Press(host, site.view.version), option, "cards")
    site.table.do(rounds.start_game, Press(host, site.view.version))
    assert awaited(site) == "Waiting for these players’ cards: Ann, Bob, Cleo and Dan."
    dealt = site.view.dealing.round
    site.table.do(rounds.enter, Press(site.view.people[1].id), 1, "outlaw", "black_jack", dealt)
    assert awaited(site) == "Waiting for these players’ cards: Ann, Cleo and Dan."
    assert page(site).count('class="ready"') == 1


def test_after_a_game_the_page_says_who_can_start_another(tmp_path) -> None:
    site = Site(tmp_path, roles="soro").start()
    assert "awaits" not in page(site)
    while site.view.standing.outcome is None:
        site.roll("dynamite", "dynamite", "dynamite", "gatling", "arrow")
    assert awaited(site) == "Ann can start another game."
