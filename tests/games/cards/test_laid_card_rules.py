"""What cards mean that lie there, in scenes of laid_cards.txt and in random games."""

import random
from itertools import chain, pairwise

import pytest
from card_scenes import CARD_WORDS, deal, move_of, play
from scenes import Words, each_scene, numbers

from companion.games.cards.laid import LAID_CARD_RULES as RULES
from companion.games.cards.players import random_move
from companion.games.cards.rules.check import check
from companion.games.cards.rules.claims import plays
from companion.games.cards.rules.deck import COPIES, KINDS, Border
from companion.games.cards.rules.distance import distance, weapon_reach
from companion.games.cards.rules.moves import CardMove, Play
from companion.games.cards.rules.rules import apply, start
from companion.games.cards.rules.sight import distances_from, reach_of
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import Title
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience
from companion.games.game import DeckDoubts, ReadAs, SeenMove

Moments = list[tuple[CardMove | None, CardState]]
PLAYERS = (
    "S:pedro_ramirez O:vulture_sam R:jesse_jones O:black_jack D:lucky_duke",
    "S:sid_ketchum O:calamity_janet R:slab_the_killer O:jourdonnais D:willy_the_kid O:kit_carlson",
    "S:bart_cassidy O:el_gringo R:suzy_lafayette O:rose_doolan D:paul_regret",
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


def lay(played: list[SeenMove], text: str) -> list[SeenMove]:
    """Make a move; what the camera saw of its card comes after `as`."""
    made, _, signs = text.partition(" as ")
    state = played[-1].state
    return [*played, SeenMove(move_of(state, made), play(state, made), tuple(signs.split()))]


def doubts(played: list[SeenMove]) -> DeckDoubts:
    found = RULES.check_deck(played)
    assert found is not None
    return found


def missing(played: list[SeenMove], words: list[str]) -> bool:
    """How many copies of a title may be missing, and the signs of those that are known."""
    title, *told = words
    found = {each.title: [str(each.unseen), *each.signs] for each in doubts(played).unseen}
    return found.get(title, ["0"])[: len(told)] == told


LAID_WORDS = Words(
    lambda text: [[SeenMove(None, state)] for state in CARD_WORDS.scene(text)],
    lay,
    lambda played, text: CARD_WORDS.refused(played[-1].state, text),
    {
        "copies": lambda played, words: (
            RULES.copies([(one.move, one.state) for one in played], words[0]) == numbers(words[1:])
        ),
        "answerers": lambda played, words: (
            [*RULES.answerers(played[-1].state)] == [*numbers(words)]
        ),
        "in-play": lambda played, words: CARD_WORDS.facts["in-play"](played[-1].state, words),
        "unchecked": lambda played, words: RULES.check_deck(played) is None,
        "missing": missing,
        "twice": lambda played, words: [*filter(None, chain(*doubts(played).twice))] == words,
    },
)


@each_scene(__file__, "laid_cards.txt")
def test_a_scene_of_laid_cards_goes_as_it_is_told(ruling):
    ruling.check(LAID_WORDS)


every_game = pytest.mark.parametrize("moments", GAMES, ids=range(len(GAMES)))


def lying(state: CardState, title: Title) -> int:
    """How many copies of a title lie in play or by title in the pile."""
    return state.pile.count(title) + sum(title in titles for titles in state.in_play)


@every_game
def test_each_copy_that_lies_there_was_counted_in_one_move(moments):
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
def test_everybody_sees_the_distances_of_the_rules(moments):
    seen = set()
    for _, state in moments:
        shown = view(state, Audience.TABLE)
        for seat, player in enumerate(shown.players):
            others = {*state.living} - {seat} if seat in state.living else set()
            ruled = {other: distance(state, seat, other) for other in others}
            assert distances_from(shown, seat) == ruled
            assert reach_of(player) == weapon_reach(state, seat)
            seen |= {*ruled.values()}
    assert seen >= {1, 2}


@every_game
def test_what_is_laid_and_what_is_owed_make_the_pile_grow(moments):
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


def test_blue_cards_are_taken_back_and_brown_ones_stay():
    for title, kind in KINDS.items():
        assert RULES.is_taken_back(Play(0, title)) is (kind.border is Border.BLUE)
