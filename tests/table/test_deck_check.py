"""What is known of the real deck when it is shuffled: a card that is missing, or there twice."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from card_evening import CALM, NAMES
from card_rooms import ToldRoom
from real_cards import CARDS, Card, RealCards

from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.moves import Play
from companion.games.cards.rules.record import header_line, move_line
from companion.games.cards.rules.rulesets import RULESETS
from companion.games.cards.rules.state import CardPlayer, CardSetup
from companion.games.cards.rules.titles import Title
from companion.games.common.roles import ROLES
from companion.games.game import DeckCopy, DeckDoubts
from companion.games.registry import GAMES
from companion.table.history import restore, restore_sound
from companion.table.journal.saved import Line, LineKind
from companion.table.surface.cards.state import PileVerdict

pytestmark = pytest.mark.pictures

T = Title


def unseen(check: DeckDoubts) -> dict[str, int]:
    return {copies.title: copies.unseen for copies in check.unseen}


def doubts_of(
    cards: Sequence[Card], folder: Path, seed: int, *, restarts: bool = False
) -> Iterator[DeckDoubts]:
    """Play a game with these cards; yield what is known each time the deck is checked."""
    room = ToldRoom(folder, seed, 4)
    people = RealCards(room, random.Random(seed), cards)
    while room.state.result is None:
        people.play(4 if restarts else 1)
        if found := room.view.deck_check:
            assert found.left == room.state.deck
            yield found
            if restarts:
                room.reopen()
                room.see(PileVerdict.NONE)
                assert room.view.deck_check == found
    room.close()


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_deck_never_holds_a_card_twice(tmp_path, seed):
    found = list(doubts_of(CARDS, tmp_path, seed))
    assert [doubts for doubts in found if doubts.twice] == []
    for before, after in pairwise(map(unseen, found)):
        assert all(before.get(title, 0) >= number for title, number in after.items())


def test_a_card_that_is_missing_and_its_double_are_found_also_after_restarts(tmp_path):
    """A Saloon was replaced by a second Beer 7H: the count agrees, the cards don't."""
    cards = [(T.BEER, "7H") if title == T.SALOON else (title, sign) for title, sign in CARDS]
    found: set[DeckCopy] = set()
    for seed in range(6):
        for doubts in doubts_of(cards, tmp_path / str(seed), seed, restarts=True):
            assert unseen(doubts)["saloon"] == 1
            found.update(doubts.twice)
    assert found
    assert found <= {DeckCopy("7H", T.BEER), DeckCopy("7H")}


PLAYERS = map(CardPlayer, NAMES, ROLES[4], map(CHARACTERS.get, CALM))
HEADER = header_line(CardSetup(RULESETS["base"], tuple(PLAYERS)))


@pytest.mark.parametrize("signs", ['["XX"]', "[7]", "7", "{"])
def test_a_journal_whose_signs_make_no_sense_counts_up_to_there(signs):
    beer = Line(LineKind.MOVE, move_line(Play(0, T.BEER)), '["7H"]')
    begun = [Line(LineKind.HEADER, HEADER), beer]
    (seen,) = restore(1, begun, GAMES).moments[-1].cards
    assert (seen.sign, seen.sign_sure) == ("7H", True)
    senseless = Line(LineKind.MOVE, move_line(Play(0, T.SALOON)), signs)
    history, sound = restore_sound(1, [*begun, senseless], GAMES)
    assert history is not None
    assert (len(history.moments), sound) == (2, 2)
