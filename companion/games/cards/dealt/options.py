"""What players who hold their hands can decide, and whether a decision is legal."""

from collections.abc import Mapping
from enum import StrEnum

from companion.games.cards.dealt.moves import Choose, DealtMove, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.state import Cards, DealtState, OfferKind
from companion.games.cards.rules import check as public
from companion.games.cards.rules import claims
from companion.games.cards.rules.choices import only_move
from companion.games.cards.rules.moves import Draw, End, Play, Regain
from companion.games.cards.rules.reasons import CardReason, CardRefusal
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import Title
from companion.games.common.refusals import Refusal, refuse


class DealtReason(StrEnum):
    """The sentence of a refusal that only its player may see: it tells of their hand."""

    CHOOSE_FIRST = "seat {seat} chooses a card first"
    NOT_OFFERED = "{card} is not offered to seat {seat}"
    NOT_IN_HAND = "seat {seat} has no {card} in hand"
    DISCARDS = "{needed} cards are discarded, not {count}"
    NOT_SHOWN = "what the deck shows is nobody's decision"


DealtRefusal = Refusal[DealtReason] | CardRefusal


def check(state: DealtState, move: DealtMove) -> DealtRefusal | None:
    """Return why a decision is illegal; None if it is legal."""
    offer = state.offer
    if isinstance(move, Choose):
        if offer is None or move.seat != offer.seats[0] or move.card not in offer.cards:
            return refuse(DealtReason.NOT_OFFERED, seat=move.seat, card=move.card.title)
        return None
    if offer is not None and not (isinstance(move, Trade) and may_trade(state)):
        return refuse(DealtReason.CHOOSE_FIRST, seat=offer.seats[0])
    match move:
        case TurnUp(seat):
            return _check_turn_up(state.public, seat)
        case Trade(seat, cards):
            refusal = public.check(state.public, Regain(seat))
            return refusal or _check_discards(state, seat, cards, claims.REGAIN_CARDS)
        case EndTurn(seat, cards):
            refusal = public.check(state.public, End(seat))
            return refusal or _check_discards(state, seat, cards, claims.excess(state.public))
        case Draw(shown=shown) if shown is not None:
            return refuse(DealtReason.NOT_SHOWN)
    refusal = public.check(state.public, move)
    if (
        refusal is None
        and isinstance(move, Play)
        and move.card not in titles(state.hands[move.seat])
    ):
        return refuse(DealtReason.NOT_IN_HAND, seat=move.seat, card=move.card)
    return refusal


def _check_turn_up(state: CardState, seat: int) -> CardRefusal | None:
    if state.awaited is None:
        return refuse(CardReason.OVER)
    if seat != state.awaited:
        return refuse(CardReason.NOT_YOURS, seat=state.awaited, other=seat)
    if claims.may_flip(state) or must_show(state):
        return None
    waiting = claims.awaiting(state)
    assert waiting is not None
    return refuse(CardReason.NOT_AWAITED, awaited=" or ".join(waiting.actions), other="flip")


def _check_discards(state: DealtState, seat: int, cards: Cards, needed: int) -> DealtRefusal | None:
    if len(cards) != needed:
        return refuse(DealtReason.DISCARDS, needed=needed, count=len(cards))
    hand = list(state.hands[seat])
    for card in cards:
        if card not in hand:
            return refuse(DealtReason.NOT_IN_HAND, seat=seat, card=card.title)
        hand.remove(card)
    return None


def may_trade(state: DealtState) -> bool:
    """Return whether some seat may trade two cards for a life point now.

    Cards that somebody chooses from a General Store are in nobody's hand yet. Two flipped cards lie
    on the deck until one counts; if it has to be shuffled for them, the pile must stay as it is.
    """
    offer, seat = state.offer, claims.regainer(state.public)
    if seat is None or len(state.hands[seat]) < claims.REGAIN_CARDS:
        return False
    if offer is None or offer.kind is not OfferKind.FLIP:
        return True
    return len(state.deck) > len(offer.cards)


def must_show(state: CardState) -> bool:
    """Return whether the player whose turn it is shows a card now."""
    drawing = not state.open and state.phase is TurnPhase.DRAW
    return drawing and not state.result and claims.shows_second(state)


def titles(hand: Cards) -> frozenset[Title]:
    """Return the titles of the cards in a hand."""
    return frozenset([card.title for card in hand])


def plays(game: CardState, hand: Cards) -> Mapping[Title, tuple[int, ...]]:
    """Return the titles that the awaited seat can play from its hand, each with its targets."""
    held = titles(hand)
    return {title: on for title, on in claims.plays(game).items() if title in held}


def forced_move(state: DealtState) -> TurnUp | EndTurn | None:
    """Return the decision that is made unasked; None if none is.

    The deck alone decides, or a Barrel costs nothing, or nothing else is left. All of that
    everybody sees.
    """
    game = state.public
    if state.offer is not None or game.awaited is None:
        return None
    if must_show(game) or (claims.may_flip(game) and not _gains_by_hits(game)):
        return TurnUp(game.awaited)
    return EndTurn(game.turn) if only_move(game) else None


def _gains_by_hits(game: CardState) -> bool:
    """Return whether the awaited player may prefer a hit to a Barrel."""
    assert game.open is not None
    ability = game.setup.abilities[game.open.on]
    return game.open.needed > 0 and (ability.draws_when_hurt or ability.takes_when_hurt)


def can_only_pass(state: DealtState) -> bool:
    """Return whether the awaited seat must answer, and its hand and the deck leave no answer.

    Only that seat may ever learn it.
    """
    game = state.public
    if state.offer is not None or game.open is None or not game.open.needed:
        return False
    trades = game.open.points > 0 and claims.regainer(game) == game.open.on
    return not (claims.may_flip(game) or trades or plays(game, state.hands[game.open.on]))
