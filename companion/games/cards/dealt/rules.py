"""Deal a game, and make the decisions of players who hold their hands."""

from dataclasses import replace
from typing import Any

from companion.games.cards.dealt.course import DealtCourse
from companion.games.cards.dealt.luck import RandomChoices
from companion.games.cards.dealt.moves import Choose, DealtMove, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.options import check, must_show
from companion.games.cards.dealt.state import DECK, Cards, DealtState, Offer, OfferKind, PlayingCard
from companion.games.cards.rules import claims
from companion.games.cards.rules.deck import explodes, is_heart
from companion.games.cards.rules.events import Drawn, Occasion
from companion.games.cards.rules.moves import CardMove, Draw, End, Flip, Regain
from companion.games.cards.rules.rules import TURN_CARDS, apply, start
from companion.games.cards.rules.state import CardSetup, CardState
from companion.games.cards.rules.titles import Sign, Title
from companion.games.common.frozen import with_item
from companion.games.common.refusals import IllegalMove


def deal(setup: CardSetup, luck: int) -> DealtState:
    """Return the game after the cards were shuffled and dealt.

    luck: a random number of `LUCK_BITS` bits.
    """
    deck, chance = list(DECK), RandomChoices(luck)
    chance.shuffle(deck)
    hands = tuple([tuple([deck.pop() for _ in range(count)]) for count in setup.max_life])
    game = start(setup)
    dealt = DealtState(
        public=game,
        deck=tuple(deck),
        pile=(),
        hands=hands,
        in_play=((),) * len(hands),
        luck=chance.luck,
    )
    course = DealtCourse(dealt)
    course.follow(game.log, game)
    return course.state(game, offer=course.offer())


def make(state: DealtState, move: DealtMove) -> DealtState:
    """Return the state after a decision and everything that follows from it. Raises IllegalMove."""
    refusal = check(state, move)
    if refusal:
        raise IllegalMove(refusal)
    match move:
        case Choose():
            return _choose(state, move)
        case TurnUp(seat):
            return _turn_up(state, seat)
        case Trade(seat, cards):
            return replace(_follow(state, Regain(seat), cards), offer=state.offer)
        case EndTurn(seat, cards):
            return _follow(state, End(seat), cards)
        case _:
            return _follow(state, move)


def _follow(state: DealtState, move: CardMove, discards: Cards = ()) -> DealtState:
    """Make a move of the public game, and move the cards by it."""
    game = apply(state.public, move)
    course = DealtCourse(state, discards)
    course.follow(game.log, game)
    return _give_last(course.state(game, offer=course.offer(), made=move))


# Cards that are turned up


def _turn_up(state: DealtState, seat: int) -> DealtState:
    game = state.public
    if must_show(game):
        shown = DealtCourse(state).turn_up(TURN_CARDS)[-1]
        return _follow(state, Draw(seat, shown=shown.sign))
    cards = DealtCourse(state).turn_up(claims.flips(game))
    if len({_effect(game, card.sign) for card in cards}) > 1:
        return _without_move(state, offer=Offer(OfferKind.FLIP, (seat,), cards))
    return _follow(state, Flip(seat, tuple([card.sign for card in cards])))


def _effect(game: CardState, sign: Sign) -> bool:
    assert game.open is not None
    return explodes(sign) if game.open.card is Title.DYNAMITE else is_heart(sign)


# Cards that are offered


def _choose(state: DealtState, move: Choose) -> DealtState:
    offer = state.offer
    assert offer is not None
    if offer.kind is OfferKind.FLIP:
        return _count(replace(state, offer=None), offer, move.card)
    if offer.kind is OfferKind.LOOK:
        return _put_back(state, offer, move.card)
    return _give_last(_give(_without_move(state), offer, move.card))


def _count(state: DealtState, offer: Offer, card: PlayingCard) -> DealtState:
    """Make the flip by which one of the cards counts."""
    left = list(offer.cards)
    left.remove(card)
    return _follow(state, Flip(offer.seats[0], (card.sign, *[other.sign for other in left])))


def _put_back(state: DealtState, offer: Offer, card: PlayingCard) -> DealtState:
    """Exchange the top card of the deck for the card that its player puts back."""
    seat, hand = offer.seats[0], list(state.hands[offer.seats[0]])
    hand.append(state.deck[-1])
    # From behind, so that of two equal cards the one that was just drawn goes.
    del hand[len(hand) - 1 - hand[::-1].index(card)]
    return _without_move(
        state,
        deck=(*state.deck[:-1], card),
        hands=with_item(state.hands, seat, tuple(hand)),
        offer=None,
    )


def _without_move(state: DealtState, **changed: Any) -> DealtState:
    """Return the state after a decision that makes no move of the public game."""
    return replace(state, made=None, told=True, given=(), **changed)


def _give(state: DealtState, offer: Offer, card: PlayingCard) -> DealtState:
    """Give the player who chooses now a card from the General Store."""
    seat, *waiting = offer.seats
    left = list(offer.cards)
    left.remove(card)
    return replace(
        state,
        hands=with_item(state.hands, seat, (*state.hands[seat], card)),
        offer=offer._replace(seats=tuple(waiting), cards=tuple(left)) if waiting else None,
        given=(*state.given, Drawn(seat, 1, Occasion.STORE, card.title)),
    )


def _give_last(state: DealtState) -> DealtState:
    """Give cards from the General Store to players who have nothing to choose."""
    offer = state.offer
    while offer is not None and offer.kind is OfferKind.STORE and _alike(offer.cards):
        state = _give(state, offer, offer.cards[0])
        offer = state.offer
    return state


def _alike(cards: Cards) -> bool:
    return len({card.title for card in cards}) == 1
