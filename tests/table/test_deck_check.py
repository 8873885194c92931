"""What is known of the real deck when it is shuffled: a card that is missing, or there twice."""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from card_evening import CALM, NAMES
from card_rooms import ToldRoom
from card_scenario import card, draw, end, flip, game, let_be, play
from real_cards import CARDS, Card, RealCards

from companion.games.cards.laid import LAID_CARD_RULES as RULES
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.deck import COPIES
from companion.games.cards.rules.moves import Play
from companion.games.cards.rules.record import header_line, move_line
from companion.games.cards.rules.rulesets import RULESETS
from companion.games.cards.rules.state import CardPlayer, CardSetup, CardState
from companion.games.cards.rules.titles import Title
from companion.games.common.roles import ROLES
from companion.games.game import DeckCopy, DeckDoubts, SeenMove
from companion.games.registry import GAMES
from companion.table.history import restore, restore_sound
from companion.table.journal.saved import Line, LineKind
from companion.table.surface.cards.state import PileVerdict

pytestmark = pytest.mark.pictures

T = Title


def checked(state: CardState, *made: tuple[object, str]) -> DeckDoubts:
    """What is known after these moves, each with the signs that the camera saw."""
    played = [SeenMove(None, state)]
    for choice, signs in made:
        move = choice(state)
        state = play(state, choice)
        played.append(SeenMove(move, state, tuple(signs.split())))
    found = RULES.check_deck(played)
    assert found is not None
    return found


def unseen(check: DeckDoubts) -> dict[str, int]:
    return {copies.title: copies.unseen for copies in check.unseen}


def test_the_deck_is_checked_only_when_it_is_soon_shuffled_or_just_was():
    state = game("S O R O", deck=6, pile="bang")
    assert RULES.check_deck([SeenMove(None, state)]) is None
    near = play(state, card("stagecoach"))
    assert RULES.check_deck([SeenMove(None, near)]) is not None
    after = play(near, card("wells_fargo"), card("stagecoach"))
    assert after.deck > 5
    played = [SeenMove(None, near), SeenMove(None, after)]
    assert RULES.check_deck(played) is not None
    later = play(after, card("gatling"), let_be, let_be, let_be)
    assert RULES.check_deck([*played, *[SeenMove(None, later)] * 12]) is None


def test_copies_that_never_lay_there_together_may_be_missing():
    state = game("S O R O", deck=5, hands=5)
    found = unseen(checked(state, (card("saloon"), ""), (card("beer"), ""), (card("beer"), "")))
    assert found["beer"] == COPIES[T.BEER] - 2
    assert "saloon" not in found
    assert found["gatling"] == 1


def test_signs_tell_copies_that_never_lay_there_together():
    state = game("S O R O", deck=5, hands=5)
    check = checked(state, (card("panic", 1, "hand"), "QH"), (card("panic", 1, "hand"), "8D"))
    copies = next(each for each in check.unseen if each.title == T.PANIC)
    assert (copies.unseen, copies.signs) == (2, ("JH", "AH"))


def test_a_flipped_sign_that_one_title_has_tells_its_copy():
    state = game("S O R O", deck=5, in_play={1: "barrel"})
    found = unseen(checked(state, (card("bang", 1), ""), (flip("5H"), "")))
    assert "saloon" not in found


def test_a_shown_card_goes_into_a_hand_and_counts_as_seen():
    state = game("S:black_jack O R O", turn=3, deck=8, hands=4)
    check = checked(state, (end, ""), (draw(shown="3H"), ""), (card("wells_fargo"), "3H"))
    assert check.twice == ()
    assert "wells_fargo" not in unseen(check)


BARREL, BEER, JAIL = (card("barrel"), "KS"), (card("beer"), "7H"), (card("jail", 1), "JS")
FIVE = game("S O R O", deck=5, hands=5)
SHOT = game("S O R O", deck=5, hands=5, in_play={1: "barrel"})
SIX = game("S O R O", deck=5, hands=6)
PEDRO = game("S:pedro_ramirez O R O", turn=3, deck=5, hands=3)
VULTURE = game("S O R O:vulture_sam D", turn=3, deck=5, hands=4, life={1: 1})


@pytest.mark.parametrize(
    ("state", "made", "twice"),
    [
        (FIVE, [BEER, (card("beer"), "8H"), BEER], "7H beer"),
        # The deck holds this copy twice.
        (FIVE, [(card("stagecoach"), "9S")] * 2, ""),
        # A flipped card that lies there by its title, too.
        (SHOT, [(card("saloon"), "5H"), (card("bang", 1), ""), (flip("5H"), "")], "5H"),
        # Cards that went into a hand, or from one.
        (SIX, [BARREL, (card("panic", 0, "barrel"), ""), BARREL], ""),
        (SIX, [BARREL, (card("cat_balou", 0, "barrel"), ""), BARREL], "KS barrel"),
        (PEDRO, [BEER, (end, ""), (draw("discard"), ""), BEER], ""),
        (PEDRO, [BEER, (end, ""), (draw("deck"), ""), BEER], "7H beer"),
        # Vulture Sam takes the Jail from the player who falls.
        (VULTURE, [JAIL, (card("gatling"), ""), *[(let_be, "")] * 5, (card("jail", 2), "JS")], ""),
        # A shuffle comes between.
        (game("S O R O", deck=2, hands=5), [BEER, (card("stagecoach"), ""), BEER], ""),
    ],
)
def test_a_copy_that_is_seen_again_while_it_lies_there_is_there_twice(state, made, twice):
    assert checked(state, *made).twice == ((DeckCopy(*twice.split()),) if twice else ())


def test_signs_of_another_edition_are_no_evidence():
    state = game("S O R O", deck=5, hands=5)
    check = checked(state, (card("beer"), "KS"), (card("beer"), "KS"))
    assert check.twice == ()
    assert unseen(check)["beer"] == COPIES[T.BEER] - 2


def answers_of(cards: list[Card], folder: Path, seed: int) -> Iterator[tuple[int, DeckDoubts]]:
    """Play a game with these cards; yield what is known each time the deck is checked."""
    room = ToldRoom(folder, seed, 4)
    people = RealCards(room, random.Random(seed), cards)
    while room.state.result is None:
        people.play(1)
        if found := room.view.deck_check:
            yield room.state.deck, found
    room.close()


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_deck_never_holds_a_card_twice(tmp_path, seed):
    checks = list(answers_of(list(CARDS), tmp_path, seed))
    assert [found for _, found in checks if found.twice] == []
    for (_, before), (left, after) in pairwise(checks):
        assert after.left == left
        earlier = unseen(before)
        assert all(earlier.get(title, 0) >= number for title, number in unseen(after).items())


def test_a_card_that_is_missing_is_among_those_unseen_and_its_double_is_found(tmp_path):
    """A Saloon was replaced by a second Beer 7H: the count agrees, the cards don't."""
    cards = [(T.BEER, "7H") if title == T.SALOON else (title, sign) for title, sign in CARDS]
    found = []
    for seed in range(4):
        checks = [check for _, check in answers_of(cards, tmp_path / str(seed), seed)]
        found += [check.twice for check in checks]
        assert all(unseen(check)["saloon"] == 1 for check in checks)
    assert {one for twice in found for one in twice} <= {DeckCopy("7H", T.BEER), DeckCopy("7H")}
    assert any(found)


def test_the_copies_that_were_seen_are_still_known_after_a_restart(tmp_path):
    """With a second Beer 7H, seen as such before the power cut."""
    cards = [(T.BEER, "7H") if title == T.SALOON else (title, sign) for title, sign in CARDS]
    found: list[DeckDoubts] = []
    for seed in range(8):
        for before, after in restarted(cards, tmp_path / str(seed), seed):
            assert after == before
            found.append(after)
        if any(doubts.twice for doubts in found):
            return
    pytest.fail("the second Beer was never seen")


def restarted(cards: list[Card], folder: Path, seed: int) -> Iterator[tuple[object, ...]]:
    """Play a game; yield what is known of the deck before and after each of many restarts."""
    room = ToldRoom(folder, seed, 4)
    people = RealCards(room, random.Random(seed), cards)
    while room.state.result is None:
        people.play(4)
        if before := room.view.deck_check:
            room.reopen()
            room.see(PileVerdict.NONE)
            yield before, room.view.deck_check
    room.close()


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
