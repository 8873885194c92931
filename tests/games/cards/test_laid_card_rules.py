"""What cards laid in the tray mean in random games: moves, refusals, and where copies count."""

import random
from itertools import pairwise

import pytest
from card_scenario import Choice, answer, card, deal, draw, end, flip, game, play

from companion.games.cards.laid import LAID_CARD_RULES as RULES
from companion.games.cards.players import random_move
from companion.games.cards.rules.check import check
from companion.games.cards.rules.claims import plays
from companion.games.cards.rules.deck import COPIES, KINDS, Border
from companion.games.cards.rules.moves import CardMove, Play
from companion.games.cards.rules.rules import apply, start
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import Title
from companion.games.game import ReadAs

Moments = list[tuple[CardMove | None, CardState]]
PLAYERS = (
    "S:pedro_ramirez O:vulture_sam R:jesse_jones O:black_jack D:lucky_duke",
    "S:sid_ketchum O:calamity_janet R:slab_the_killer O:jourdonnais D:willy_the_kid O:kit_carlson",
    "S:bart_cassidy O:el_gringo R:suzy_lafayette O:rose_doolan",
)


def random_game(players: str, seed: int) -> Moments:
    chance, state = random.Random(seed), start(deal(players))
    moments: Moments = [(None, state)]
    while not state.result:
        move = random_move(state, chance)
        state = apply(state, move)
        moments.append((move, state))
    return moments


GAMES = [random_game(players, seed) for players in PLAYERS for seed in range(2)]
every_game = pytest.mark.parametrize("moments", GAMES, ids=range(len(GAMES)))


def moments_of(state: CardState, *choices: Choice) -> Moments:
    """What comes of these moves, one after the other."""
    moments: Moments = [(None, state)]
    for choice in choices:
        before = moments[-1][1]
        moments.append((choice(before), play(before, choice)))
    return moments


def lying(state: CardState, title: Title) -> int:
    """How many copies of a title lie in play or by title in the pile."""
    return state.pile.count(title) + sum(title in titles for titles in state.in_play)


@every_game
def test_each_copy_that_lies_there_was_counted_in_one_move(moments: Moments) -> None:
    for upto in range(0, len(moments), 5):
        state = moments[upto][1]
        for title in KINDS:
            found = RULES.copies(moments[: upto + 1], title)
            assert len(found) == lying(state, title) == COPIES[title] - state.unseen[title]
            for number in found:
                move = moments[number][0]
                assert isinstance(move, Play)
                assert move.card is title


@every_game
def test_a_title_means_all_legal_moves_with_it_or_has_a_reason_against_it(moments):
    for (_, state), (made, _) in pairwise(moments):
        awaited = RULES.awaits(state)
        for title in KINDS:
            found = RULES.moves(state, title)
            assert all(check(state, move) is None for move in found)
            assert len(set(found)) == len(found)
            assert bool(found) == (title in plays(state))
            if not found:
                assert str(RULES.refused(state, title))
        if isinstance(made, Play):
            assert awaited is ReadAs.TITLE
            assert made in RULES.moves(state, made.card)
        draws = state.phase is TurnPhase.DRAW and not state.ability.shows_second
        assert (awaited is None) == draws


@every_game
def test_what_is_laid_and_what_is_owed_make_the_pile_grow(moments: Moments) -> None:
    """Every card that came onto the pile was laid by the move, or is owed."""
    for (_, before), (move, after) in pairwise(moments):
        assert move is not None
        if RULES.lifts(before, move, after) and not RULES.is_taken_back(move):
            continue
        own = () if RULES.is_taken_back(move) else RULES.lays(move)
        grown = after.pile[len(before.pile) :]
        owed = [card for _, card, *_ in RULES.debts(before, move, after)]
        assert len(grown) == len(own) + len(owed)
        named = sorted(title for title in (*own, *owed) if title)
        assert sorted(laid for laid in grown if isinstance(laid, Title)) == named


def test_a_stolen_card_that_is_played_again_is_counted_where_it_was_played_last() -> None:
    own, back = card("schofield"), card("panic", 0, "schofield")
    moments = moments_of(game("S O R O", hands=4), own, back, own)
    assert RULES.copies(moments, Title.SCHOFIELD) == (3,)
    assert RULES.copies(moments[:-1], Title.SCHOFIELD) == ()


def test_a_stolen_card_counts_no_more_while_another_copy_lies_in_the_pile() -> None:
    own, back = card("schofield"), card("panic", 0, "schofield")
    moments = moments_of(game("S O R O", hands=6), own, card("winchester"), own, back)
    assert RULES.copies(moments, Title.SCHOFIELD) == (1,)


def test_a_dynamite_that_goes_round_stays_counted_where_it_was_played() -> None:
    round_trip = (card("dynamite"), end, end, end, end, flip("KH"), end)
    moments = moments_of(game("S O R O"), *round_trip)
    assert moments[-1][1].in_play[1] == (Title.DYNAMITE,)
    assert RULES.copies(moments, Title.DYNAMITE) == (1,)


def test_the_top_of_the_pile_is_counted_no_more_once_it_is_drawn() -> None:
    beers = (card("beer"), card("beer"), end, draw("discard"))
    moments = moments_of(game("S O:pedro_ramirez R O", hands=2), *beers)
    assert RULES.copies(moments, Title.BEER) == (1,)


def test_blue_cards_are_taken_back_and_brown_ones_stay() -> None:
    for title, kind in KINDS.items():
        assert RULES.is_taken_back(Play(0, title)) is (kind.border is Border.BLUE)


def test_nobody_is_asked_but_by_a_card_that_asks_several() -> None:
    state = game("S O R O")
    assert RULES.answerers(state) == {}
    assert RULES.answerers(play(state, card("bang", 1))) == {}
    assert RULES.answerers(play(state, card("duel", 1))) == {}
    gatling = play(state, card("gatling"))
    asked = RULES.answerers(gatling)
    assert list(asked) == [1, 2, 3]
    later = asked[2]
    assert (later.open.on, later.open.waiting) == (2, (3,))
    assert later.hands == gatling.hands
    assert asked[1] is gatling
    last = play(gatling, answer("missed"), answer("missed"))
    assert list(RULES.answerers(last)) == [3]
