"""What holds in every game with dealt hands, with all players and all hands."""

import io
import random
from collections import Counter
from dataclasses import replace
from itertools import chain

import pytest
from card_strategies import SEATS, deal
from dealt_hands import DealtGame, games, legal_moves, moments, opening, play_on
from hypothesis import given
from strategies import chances

from companion.games.cards.dealt.moves import Choose, DealtMove, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.options import check, forced_move
from companion.games.cards.dealt.rules import make
from companion.games.cards.dealt.state import DECK, DealtState, OfferKind
from companion.games.cards.minds.known import knowledge
from companion.games.cards.rules.check import check as check_publicly
from companion.games.cards.rules.moves import Draw, End, Pass, Play, Regain
from companion.games.cards.rules.record import header_line, move_line, replay
from companion.games.cards.rules.titles import Sign, Title
from companion.games.common.refusals import IllegalMove
from tests.tools.reference import cards as reference

pytestmark = pytest.mark.tables


@given(games)
def test_all_80_cards_are_somewhere_and_fit_the_public_game(game):
    for state in game.states:
        held = [*state.deck, *state.pile]
        for cards in (*state.hands, *state.in_play):
            held += cards
        if state.offer and state.offer.kind is OfferKind.STORE:
            held += state.offer.cards
        assert Counter(held) == Counter(DECK)
        public, offer = state.public, state.offer
        choosing = offer.seats if offer and offer.kind is OfferKind.STORE else ()
        assert (len(state.deck), len(state.pile)) == (public.deck, len(public.pile))
        sizes = [len(hand) + choosing.count(seat) for seat, hand in enumerate(state.hands)]
        assert sizes == list(public.hands)
        for cards, titles in zip(state.in_play, public.in_play, strict=True):
            assert tuple(card.title for card in cards) == titles
        for card, laid in zip(state.pile, public.pile, strict=True):
            assert laid is None or laid in (card.title, card.sign)


@given(moments())
def test_each_legal_decision_is_legal_in_the_public_game(state):
    moves = list(legal_moves(state))
    assert moves
    for move in moves[:300]:
        assert check(state, move) is None, move
        match move:
            case Play() | Pass() | Draw():
                assert check_publicly(state.public, move) is None
            case EndTurn(seat):
                assert check_publicly(state.public, End(seat)) is None
            case Trade(seat):
                assert check_publicly(state.public, Regain(seat)) is None
            case TurnUp():
                after = make(state, move)
                assert after.made or after.offer


@given(moments(), chances)
def test_what_is_legal_is_made_and_all_else_is_refused(state, chance):
    legal = set(map(in_any_order, legal_moves(state)))
    for _ in range(60):
        move = any_decision(chance)
        if check(state, move) is None:
            assert in_any_order(move) in legal
            make(state, move)
        else:
            assert in_any_order(move) not in legal
            with pytest.raises(IllegalMove):
                make(state, move)


def in_any_order(move: DealtMove) -> object:
    """The move with its cards in an order of their own: players choose that, too."""
    if isinstance(move, EndTurn | Trade):
        return move._replace(cards=tuple(sorted(move.cards))), type(move)
    return move, type(move)


def any_decision(chance: random.Random) -> DealtMove:
    seat, target = chance.choice(SEATS), chance.choice((None, *SEATS))
    cards = tuple(chance.sample(DECK, chance.randint(0, 3)))
    take = chance.choice((None, None, "hand", *Title))
    return chance.choice(
        (
            Play(seat, chance.choice(list(Title)), target, take),
            Pass(seat),
            Draw(seat, target),
            Draw(seat, shown=cards[0].sign if cards else Sign("2", DECK[0].sign.suit)),
            TurnUp(seat),
            Choose(seat, chance.choice(DECK)),
            Trade(seat, cards),
            EndTurn(seat, cards),
        )
    )


@given(games)
def test_what_is_made_unasked_follows_from_what_all_see_and_leaves_no_choice(game):
    """But for a Barrel, which costs nothing."""
    for number, state in enumerate(game.states):
        move = forced_move(state)
        twin = shuffle_hidden(state, None, random.Random(number))
        assert forced_move(replace(twin, luck=state.luck // 3)) == move
        if move is not None:
            others = [one for one in legal_moves(state) if not isinstance(one, Trade)]
            flips = state.public.open is not None and state.public.open.barrels > 0
            assert others == [move] or (flips and move in others)


@given(moments(), chances)
def test_nobody_knows_what_others_hold_or_what_comes(state, chance):
    """A twin in which all hidden cards but one hand lie elsewhere looks the same to that hand."""
    seat = chance.choice(state.public.living)
    twin = shuffle_hidden(state, seat, chance)
    assert knowledge(twin, seat) == knowledge(state, seat)
    assert knowledge(twin, None) == knowledge(state, None)


def shuffle_hidden(state: DealtState, seat: int | None, chance: random.Random) -> DealtState:
    """The state with all cards shuffled that a seat, or None who only looks on, can't see."""
    offer, kept = state.offer, 0
    if offer and seat == offer.seats[0]:
        # Those that were flipped, or looked at, lie on top of the deck.
        kept = {OfferKind.FLIP: len(offer.cards), OfferKind.LOOK: 1}.get(offer.kind, 0)
    elif offer and offer.kind is OfferKind.FLIP:
        kept = len(offer.cards)
    deck, top = list(state.deck), []
    for _ in range(min(kept, len(deck))):
        top.insert(0, deck.pop())
    others = [hand for other, hand in enumerate(state.hands) if other != seat]
    hidden = [*deck, *chain(*others)]
    chance.shuffle(hidden)
    hands = [
        hand if other == seat else tuple(hidden.pop() for _ in hand)
        for other, hand in enumerate(state.hands)
    ]
    return replace(state, deck=(*hidden, *top), hands=tuple(hands))


def record(game: DealtGame) -> bytes:
    moves = [state.made for state in game.states[1:] if state.made is not None]
    lines = [header_line(game.states[0].public.setup), *map(move_line, moves)]
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.mark.parametrize(
    "numbers", [range(60), pytest.param(range(60, 3000), marks=pytest.mark.slow)]
)
def test_records_are_legal_to_the_last_line_for_the_reference(numbers):
    seen: Counter[object] = Counter()
    for number in numbers:
        chance = random.Random(f"hands {number}")
        game = play_on(opening(deal(4 + number % 4, chance), "fresh", chance), chance, most=3000)
        lines = record(game)
        *_, last = replay(io.BytesIO(lines))
        assert last == game.states[-1].public
        states = list(reference.replay(io.BytesIO(lines)))
        assert states[-1]["result"] is not None
        seen.update(type(move) for move in game.moves)
        seen.update(state.offer.kind for state in game.states if state.offer)
        seen.update(type(event) for state in game.states for event in state.public.events)
    assert {*OfferKind, Play, Pass, Draw, TurnUp, Choose, Trade, EndTurn} <= seen.keys()
