"""Pages of the card game, asked over HTTP: what they say of the real cards."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from card_scenes import CARD_WORDS
from scenes import each_scene
from sites import Site, first_load

from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.events import CardAnswered, Hurt, Shuffled
from companion.games.cards.rules.moves import End, Play
from companion.games.cards.rules.state import CardState
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.cards.terms import LANGUAGES, terms
from companion.games.game import DeckCopy, DeckDoubts
from companion.table.history import EntryStatus
from web.games.cards import helping, recount
from web.games.cards.board import SIGNS_BY_SUIT
from web.games.cards.helping import Helper
from web.games.cards.story import just_happened, last_move

pytestmark = pytest.mark.tables

CHARACTERS = ("kit_carlson", "rose_doolan", "bart_cassidy", "el_gringo")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, "sroo", CHARACTERS, selection=CARD_GAME.select("base")).start()


def play_until(site: Site, reached: Callable[[], object]) -> None:
    """Draw cards and end turns until something is so."""
    while not reached():
        seat = site.view.game.turn
        drawing = Play(seat, Title.STAGECOACH)
        legal = CARD_GAME.check(site.table.scene.history.state, drawing) is None
        site.move(drawing if legal else End(seat))


# The real deck


def test_phones_say_what_to_do_about_a_deck_that_doesnt_agree_when_it_is_shuffled(site):
    offered = "The deck doesn’t agree"
    assert offered not in site.host.open("/seat").text
    play_until(site, lambda: site.view.deck_check)
    words, left = terms("en"), site.view.deck_check.left
    page = site.host.open("/seat").text
    assert offered in page
    assert f"By the count, the deck has {words.quantity(left, words.card)} left." in page
    told = re.findall(r"<li>(.*?)</li>", page.partition("It is empty already")[2])
    assert [re.match(r"\w", line) is not None for line in told] == [True] * len(told) != []
    unseen = {copies.title for copies in site.view.deck_check.unseen}
    assert len(told) == len(unseen)
    assert offered not in site.stranger.open("/table").text


def test_a_card_that_is_there_twice_is_named_when_the_pile_is_shuffled(site):
    play_until(site, lambda: site.view.deck_check)
    double = DeckDoubts(3, (), (DeckCopy("7H", Title.BEER), DeckCopy("5H")))
    told = "The camera saw one too many of: Beer (7 of hearts) and 5 of hearts."
    assert recount.twice(site.view, double) == told
    assert told not in recount.twice(site.view, double._replace(twice=()))

    def shuffled() -> bool:
        return any(isinstance(event, Shuffled) for event in last_move(site.view).events)

    play_until(site, shuffled)
    assert told in helping.lines(replace(site.view, deck_check=double))
    assert told not in helping.lines(site.view)


@pytest.mark.parametrize("path", ["/seat", "/table", "/story", "/watch/1", "/chances", "/"])
def test_a_page_of_a_card_game_first_loads_less_than_100_kilobytes(site, path):
    assert first_load(site, site.host.client, path) < 100_000


def test_all_that_the_gatling_did_is_told_before_who_escaped_it(site):
    events = [
        CardAnswered(1, Title.MISSED),
        CardAnswered(2, Title.MISSED),
        *(Hurt(seat, 1, Title.GATLING) for seat in (3, 0, 1)),
    ]
    statuses = (EntryStatus(moves=site.view.latest),) * len(events)
    told = just_happened(replace(site.view, story=tuple(events), statuses=statuses))
    losers = ("Dan", "Ann", "Bob")
    assert [line.text for line in told] == [f"{name} loses a life point." for name in losers]


def helps(state: CardState, words: list[str]) -> bool:
    """Whether a reader is told this of the last move; in each language, it is whole."""
    reader, *wanted = words
    seat = None if reader == "-" else int(reader)
    players = [(player.name, player.character.id) for player in state.setup.players]
    names, characters = zip(*players, strict=True)
    told = [
        " ".join(Helper(seat, state.turn, names, terms(each), characters).tell(state.events))
        for each in LANGUAGES
    ]
    assert all(told)
    assert "{" not in "".join(told)
    return told[LANGUAGES.index("en")] == " ".join(wanted)


@each_scene(__file__, "help.txt")
def test_players_are_told_what_to_do_with_the_real_cards(ruling):
    ruling.check(CARD_WORDS._replace(facts={"helps": helps}))


def test_signs_of_all_cards_are_offered_once_each():
    assert sorted(str(sign) for suit in SIGNS_BY_SUIT.values() for sign in suit) == sorted(SIGNS)
