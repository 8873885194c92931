"""Learning cards while playing: what players name is read from then on, until it is undone."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from card_evening import CardEvening
from waiting import wait_until

from companion.camera.correction_worker import CorrectionWorker
from companion.camera.deck_learner import DeckLearner
from companion.camera.pile_reader import PileReader
from companion.games.cards.rules.titles import Title
from companion.setup.decks import open_deck
from companion.table.surface.cards.state import PILE_MOVING, PileObservation, PileVerdict
from companion.table.surface.cards.surface import CardSurface, NamedCard
from vision.cards.deck import (
    MOST_LEARNED,
    LearnedCard,
    TaughtDeck,
    add_learned_card,
    encode_picture,
    load_deck,
)
from vision.cards.reader import CardReader
from vision.cards.signs import parse_sign
from vision.profile_files import SHIPPED

pytestmark = pytest.mark.pictures


TITLES = ("bang", "missed", "beer", "saloon", "stagecoach", "gatling", "duel", "jail", "barrel")


@pytest.fixture(scope="module")
def whole() -> TaughtDeck:
    """A deck of few titles: each picture that is learned costs as much as all of them."""
    deck = load_deck(SHIPPED / "print.cards")
    return deck._replace(cards=tuple(card for card in deck.cards if card.title in TITLES))


@pytest.fixture
def deck(whole: TaughtDeck) -> TaughtDeck:
    """A deck that was never shown a Beer."""
    return whole._replace(cards=tuple(card for card in whole.cards if card.title != "beer"))


@pytest.fixture
def beer(whole: TaughtDeck) -> np.ndarray:
    return next(card.picture for card in whole.cards if card.title == "beer")


def titles_read(deck: TaughtDeck, picture: np.ndarray) -> str:
    return CardReader(deck).identify(picture, -1)


def test_a_named_title_and_a_named_sign_are_learned_saved_and_taken_back(tmp_path, deck, beer):
    reader = PileReader(deck)
    learner = DeckLearner(reader, tmp_path)
    assert titles_read(deck, beer) != "beer"
    learner.learn({7: beer}, [NamedCard(7, "beer"), NamedCard(7, sign="6H")], "ABCD-1-3")
    learned = load_deck(tmp_path / "print.cards")
    assert reader.deck is not None
    assert [card[:2] for card in learned.learned] == [card[:2] for card in reader.deck.learned]
    assert {(card.title, str(card.sign), card.source) for card in learned.learned} == {
        ("beer", "None", "ABCD-1-3"),
        ("", "6H", "ABCD-1-3"),
    }
    assert titles_read(learned, beer) == "beer"
    assert learner.counts == {"beer": 1}
    assert open_deck("print", tmp_path).learned[0].source == "ABCD-1-3"
    learner.take_back(lambda source: source == "another")
    assert learner.counts == {"beer": 1}
    learner.take_back(lambda source: source == "ABCD-1-3")
    assert learner.counts == {}
    assert load_deck(tmp_path / "print.cards").learned == ()


def test_a_card_upside_down_is_turned_and_a_card_without_a_sign_is_not_learned(
    tmp_path, deck, beer
):
    reader = PileReader(deck)
    learner = DeckLearner(reader, tmp_path)
    blank = np.full_like(beer, 200)
    learner.learn(
        {1: blank, 2: np.ascontiguousarray(beer[::-1, ::-1])}, [NamedCard(1, "beer")], "a"
    )
    assert learner.counts == {}
    assert not (tmp_path / "print.cards").exists()
    learner.learn({2: np.ascontiguousarray(beer[::-1, ::-1])}, [NamedCard(2, "beer")], "b")
    assert reader.deck is not None
    assert np.array_equal(reader.deck.learned[0].picture, beer)


def test_a_lesson_that_is_given_again_replaces_what_it_taught(tmp_path, deck, beer):
    reader = PileReader(deck)
    learner = DeckLearner(reader, tmp_path)
    learner.learn({1: beer}, [NamedCard(1, "bang")], "G-5")
    learner.learn({1: beer}, [NamedCard(1, "beer")], "G-5")
    assert learner.counts == {"beer": 1}


def test_of_each_title_and_sign_the_newest_pictures_stay(deck, beer):
    for number in range(MOST_LEARNED + 2):
        deck = add_learned_card(
            deck, LearnedCard("beer", None, encode_picture(beer), f"G-{number}")
        )
    deck = add_learned_card(deck, LearnedCard("", parse_sign("6H"), encode_picture(beer), "G-9"))
    assert [card.source for card in deck.learned if card.title] == ["G-2", "G-3"]
    assert len(deck.learned) == MOST_LEARNED + 1


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[CardEvening]:
    made = CardEvening(tmp_path / "table").start()
    yield made
    made.close()


def test_naming_a_card_at_the_table_teaches_it_and_an_undo_forgets_it(
    tmp_path, evening, deck, beer
):
    reader = PileReader(deck)
    number = reader.remember(beer)
    learner = CorrectionWorker(
        DeckLearner(reader, tmp_path), reader.pictures, lambda counts, fault: None
    )
    evening.table.lessons.teach(CardSurface, learner)
    learner.start()
    evening.table.see(PILE_MOVING)
    evening.table.see(PileObservation(PileVerdict.UNSURE, ("saloon", "stagecoach"), number=number))
    evening.name(Title.STAGECOACH)
    assert '"stagecoach"' in evening.lines[-1]
    wait_until(lambda: reader.deck is not None and reader.deck.learned)
    assert reader.deck is not None
    assert reader.deck.learned[0].title == "stagecoach"
    evening.undo()
    wait_until(lambda: reader.deck is not None and not reader.deck.learned)
    learner.stop()
