"""Following cards at the table: what the table is told, and what is remembered of each card."""

from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from hand_tray import HandTray
from real_cards import CARDS
from tiers import later

from companion.camera import pile_reader
from companion.camera.game_follower import GameFollower
from companion.camera.pile_reader import REMEMBERED, PileFollower, PileReader
from companion.table.surface.cards.state import PileObservation, PileState
from companion.table.surface.cards.surface import NamedCard
from vision.cards.deck import PICTURE, TaughtDeck
from vision.cards.reader import CardReader
from vision.cards.reading import PileVerdict
from vision.simulate.cards.sheet import PlacedCard

pytestmark = pytest.mark.pictures


class Watched:
    """A drawn tray that is followed, and what the table knows of the pile."""

    def __init__(self, deck: TaughtDeck, seed: int = 1) -> None:
        self.tray, self.state, self.at = HandTray(CARDS, seed=seed), PileState(), 0.0
        self.reader = PileReader(deck)
        self.begin()

    def begin(self) -> None:
        self.follower = PileFollower(self.reader, lambda: self.state)
        self.seen()

    def seen(self, frames: int = 30) -> list[PileObservation]:
        """What the table is told of the tray until it was read, in so many frames at most."""
        told = []
        for _ in range(frames):
            self.at += 1 / 12
            seen = self.follower.update(self.tray.frame(), self.at)
            if seen is not None:
                told.append(seen)
                if seen.verdict is not None:
                    break
        return told

    def verdict(self) -> PileVerdict | None:
        return self.seen()[-1].verdict

    def lay(self, *titles: str) -> PileObservation:
        for title in titles:
            self.put(title)
            seen = self.seen()[-1]
        return seen

    def put(self, *titles: str) -> None:
        self.tray.stack([next(card for card in self.tray.stock if card[0] == t) for t in titles])


@pytest.fixture
def watched(deck: TaughtDeck) -> Watched:
    return Watched(deck)


def test_a_card_that_flies_in_is_told_with_a_number_for_its_picture(watched):
    title, sign = watched.tray.lay("gatling")
    moving, laid = watched.seen()
    assert moving.verdict is None
    assert laid == PileObservation(PileVerdict.OK, (title,), sign, True, number=1)
    picture = watched.reader.picture(1)
    assert picture.shape == (PICTURE[1], PICTURE[0], 3)
    for number in range(2, REMEMBERED + 3):
        watched.reader.remember(np.full_like(picture, number))
    assert watched.reader.picture(1) is None
    assert watched.reader.picture(REMEMBERED + 2) is not None


@pytest.mark.parametrize(
    ("frames", "told"), [(8, PileVerdict.NONE), (10, PileVerdict.GONE), (12, PileVerdict.OK)]
)
def test_a_card_that_lies_there_for_a_moment_is_told(watched, frames, told):
    watched.lay("beer")
    watched.tray.lay("barrel")
    seen = watched.seen(frames)
    if told is not PileVerdict.OK:
        watched.tray.take_off()
        seen = watched.seen()
    assert seen[-1] == PileObservation(
        told, *((("barrel",), seen[-1].sign, True) if told is not PileVerdict.NONE else ()),
        number=2 * (told is PileVerdict.OK),
    )  # fmt: skip
    assert watched.lay("duel").likely == ("duel",)


def test_a_pile_that_was_there_before_is_no_new_card(watched):
    watched.lay("beer", "bang")
    watched.begin()
    assert watched.lay("duel").likely == ("duel",)


@pytest.mark.parametrize("seed", [1, *later(2, 3)])
def test_an_emptied_tray_is_no_hand_over_it(deck, seed):
    watched = Watched(deck, seed)
    watched.lay("beer", "bang", "duel")
    watched.tray.clear()
    assert watched.verdict() is PileVerdict.MOVED
    assert watched.lay("gatling").likely == ("gatling",)


@pytest.mark.parametrize("seed", [1, *later(2, 3)])
def test_after_a_shuffle_cards_are_read_although_the_tray_was_never_seen_empty(deck, seed):
    watched = Watched(deck, seed)
    watched.lay("beer", "bang", "duel")
    watched.begin()
    watched.state = replace(watched.state, lifting=True)
    watched.tray.clear()
    watched.seen()
    assert watched.lay("gatling").likely == ("gatling",)
    assert watched.lay("missed").likely == ("missed",)


def test_a_hand_over_the_pile_hides_a_card_until_it_is_gone(watched):
    watched.lay("beer")
    watched.tray.reach_in()
    assert watched.verdict() is PileVerdict.BLOCKED
    watched.put("duel")
    watched.tray.reach_out()
    seen = watched.seen()[-1]
    assert (seen.verdict, seen.likely) == (PileVerdict.OK, ("duel",))


def test_two_cards_at_once_wait_until_the_table_takes_them_as_they_lie(watched):
    watched.lay("beer")
    watched.put("duel", "scope")
    assert watched.verdict() in (PileVerdict.MANY, PileVerdict.BLOCKED)
    watched.state = replace(watched.state, taken_as_is=1)
    assert watched.lay("gatling").likely == ("gatling",)


@pytest.mark.parametrize("named", ["", "barrel"])
def test_what_players_say_of_a_card_is_what_lies_there(watched, named):
    """So a Duel, once the card on it is gone, is another card."""
    duel = PlacedCard("duel", "QD", 0.3, 0.2, 12)
    told = []
    for card in (duel, replace(duel, title="bang", sign="2C", z=0.03)):
        watched.tray.place(card)
        told.append(watched.seen()[-1])
    assert [each.likely[0] for each in told] == ["duel", "bang"]
    if named:
        watched.reader.name(NamedCard(told[0].number, named))
    watched.tray.take_off()
    last = watched.seen()[-1]
    assert (last.verdict is PileVerdict.MOVED) == (not named)


def test_without_a_deck_nothing_is_told(watched, deck):
    told = mock.Mock()
    watched.reader.listeners.add(told)
    watched.reader.use(None)
    told.assert_called_once_with()
    watched.put("duel")
    assert watched.seen() == []
    watched.reader.use(deck)
    watched.seen()
    assert watched.lay("gatling").likely == ("gatling",)


def test_a_deck_is_learned_before_a_card_is_laid(deck, monkeypatch):
    learn = mock.Mock(wraps=CardReader)
    monkeypatch.setattr(pile_reader, "CardReader", learn)
    watched = Watched(deck)
    learn.assert_called_once_with(deck, None)
    watched.reader.use(deck._replace(name="another"))
    watched.seen()
    assert (learn.call_count, learn.call_args[0][0].name) == (2, "another")
    assert watched.lay("gatling").likely == ("gatling",)
    assert learn.call_count == 2


def test_what_was_learned_is_read_only_while_its_deck_is_in_use(deck):
    deck = deck._replace(cards=deck.cards[:8])
    reader, more = PileReader(deck), deck._replace(cards=(*deck.cards, deck.cards[0]))
    for known in (more, deck._replace(name="another")):
        reader.know(known)
        assert reader.deck is more


def test_dice_or_cards_are_followed_by_the_game():
    follow, played = mock.Mock(), iter([False, False, True, True, False])
    follower = GameFollower(lambda: next(played), follow.dice, follow.cards)
    for _ in range(5):
        follower.update(np.zeros((8, 8, 3), np.uint8), 0.0)
    done = [name for name, *_ in follow.mock_calls]
    dice, cards = ["dice", "dice().update"], ["cards", "cards().update"]
    assert done == [*dice, dice[1], *cards, cards[1], *dice]
