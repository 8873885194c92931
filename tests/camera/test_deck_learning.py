"""Learning cards while playing: what players name is read from then on, until it is undone."""

from pathlib import Path

import numpy as np
import pytest
from waiting import wait_until

from companion.camera.correction_worker import CorrectionWorker
from companion.camera.deck_learner import DeckLearner
from companion.camera.pile_reader import PileReader
from companion.games.cards.rules.titles import Title
from companion.setup.decks import open_deck
from companion.table.surface.cards.state import PILE_MOVING, PileObservation, PileVerdict
from companion.table.surface.cards.surface import CardSurface, NamedCard
from vision.cards import deck as decks
from vision.cards.deck import TaughtDeck, load_deck
from vision.cards.reader import CardReader
from vision.cards.signs import parse_sign

pytestmark = pytest.mark.pictures


TITLES = ("bang", "missed", "saloon", "stagecoach", "gatling", "duel", "jail", "barrel")


@pytest.fixture
def few(deck: TaughtDeck) -> TaughtDeck:
    """A deck of few titles, since each picture that is learned costs as much as all; no Beer."""
    return deck._replace(cards=tuple(card for card in deck.cards if card.title in TITLES))


@pytest.fixture
def beer(deck: TaughtDeck) -> np.ndarray:
    return next(card.picture for card in deck.cards if card.title == "beer")


@pytest.fixture
def reader(few: TaughtDeck) -> PileReader:
    return PileReader(few)


@pytest.fixture
def learner(reader: PileReader, tmp_path: Path) -> DeckLearner:
    return DeckLearner(reader, tmp_path)


def titles_read(deck: TaughtDeck, picture: np.ndarray) -> str:
    return CardReader(deck).read(picture).title or ""


def test_a_named_title_and_a_named_sign_are_learned_saved_and_taken_back(
    tmp_path, few, beer, reader, learner
):
    assert titles_read(few, beer) != "beer"
    learner.learn({7: beer}, [NamedCard(7, "beer"), NamedCard(7, sign="6H")], "ABCD-1-3")
    saved = load_deck(tmp_path / "print.cards")
    learned = [(card.title, str(card.sign), card.source) for card in saved.learned]
    assert sorted(learned) == [("", "6H", "ABCD-1-3"), ("beer", "None", "ABCD-1-3")]
    assert [card[:2] for card in reader.deck.learned] == [card[:2] for card in saved.learned]
    assert titles_read(saved, beer) == "beer"
    told = [(NamedCard(7, "beer"), None), (NamedCard(7, sign="6H"), parse_sign("6H"))]
    assert reader.take_named() == told
    assert open_deck("print", tmp_path).learned[0].source == "ABCD-1-3"
    learner.take_back("another".__eq__)
    assert learner.counts == {"beer": 1}
    learner.take_back("ABCD-1-3".__eq__)
    assert learner.counts == {}
    assert load_deck(tmp_path / "print.cards").learned == ()


def test_a_card_upside_down_is_turned_and_a_card_without_a_sign_is_not_learned(
    tmp_path, beer, reader, learner
):
    pictures = {1: np.full_like(beer, 200), 2: np.ascontiguousarray(beer[::-1, ::-1])}
    learner.learn(pictures, [NamedCard(1, "beer")], "a")
    assert learner.counts == {}
    assert not (tmp_path / "print.cards").exists()
    learner.learn(pictures, [NamedCard(2, "beer")], "b")
    assert np.array_equal(reader.deck.learned[0].picture, beer)


def test_a_lesson_that_is_given_again_replaces_what_it_taught(beer, learner):
    for title in ("bang", "beer"):
        learner.learn({1: beer}, [NamedCard(1, title)], "G-5")
    assert learner.counts == {"beer": 1}


def test_of_each_title_and_sign_the_newest_pictures_stay(deck, beer):
    lessons = [("beer", None, f"G-{number}") for number in range(decks.MOST_LEARNED + 2)]
    for title, sign, source in (*lessons, ("", parse_sign("6H"), "G-9")):
        card = decks.LearnedCard(title, sign, decks.encode_picture(beer), source)
        deck = decks.add_learned_card(deck, card)
    assert [card.source for card in deck.learned] == ["G-2", "G-3", "G-9"]


def test_naming_a_card_at_the_table_teaches_it_and_an_undo_forgets_it(
    card_evenings, beer, reader, learner
):
    evening, number = card_evenings(), reader.remember(beer)
    worker = CorrectionWorker(learner, reader.pictures, lambda counts, fault: None)
    evening.table.lessons.teach(CardSurface, worker)
    worker.start()
    evening.table.see(PILE_MOVING)
    evening.table.see(PileObservation(PileVerdict.UNSURE, ("saloon", "stagecoach"), number=number))
    evening.name(Title.STAGECOACH)
    assert '"stagecoach"' in evening.lines[-1]
    wait_until(lambda: reader.deck.learned)
    assert reader.deck.learned[0].title == "stagecoach"
    evening.undo()
    wait_until(lambda: not reader.deck.learned)
    worker.stop()
