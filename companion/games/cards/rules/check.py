"""Decide whether a move is legal now and, if not, say why."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.cards.rules import claims, moves
from companion.games.cards.rules.deck import KINDS, TARGETED, Targeting, needs_rank
from companion.games.cards.rules.distance import distance
from companion.games.cards.rules.reasons import CardReason, CardRefusal
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import Title
from companion.games.common.refusals import refuse


def check(state: CardState, move: moves.CardMove) -> CardRefusal | None:
    """Return why the rules of the card game refuse `move`; None if it is legal."""
    awaited, action = state.awaited, move.action
    if awaited is None:
        return refuse(CardReason.OVER)
    if action not in moves.AT_ANY_TIME and move.seat != awaited:
        return refuse(CardReason.NOT_YOURS, seat=awaited, other=move.seat)
    return _CHECKS[action](state, move)


def _unless(awaited: bool, state: CardState, action: moves.CardAction) -> CardRefusal | None:
    """Return nothing if an action is awaited, otherwise which ones are."""
    if awaited:
        return None
    waiting = claims.awaiting(state)
    assert waiting is not None
    return refuse(CardReason.NOT_AWAITED, awaited=" or ".join(waiting.actions), other=action)


def _check_flip(state: CardState, move: moves.Flip) -> CardRefusal | None:
    if refusal := _unless(claims.may_flip(state), state, move.action):
        return refusal
    needed, count = claims.flips(state), len(move.signs)
    if count != needed:
        reason = CardReason.FLIPS_ONE if needed == 1 else CardReason.FLIPS
        return refuse(reason, needed=needed, count=count)
    assert state.open is not None
    if any(needs_rank(sign, state.open.card) for sign in move.signs):
        return refuse(CardReason.NEEDS_RANK)
    sign = claims.flipped_too_often(state, move.signs)
    return refuse(CardReason.SHOWN_TOO_OFTEN, sign=sign) if sign else None


def _check_draw(state: CardState, move: moves.Draw) -> CardRefusal | None:
    choosing = not state.open and state.phase is TurnPhase.DRAW
    if refusal := _unless(choosing, state, move.action):
        return refusal
    if claims.shows_second(state):
        if move.source is not None:
            return refuse(CardReason.NO_SOURCE)
        if move.shown is None:
            return refuse(CardReason.NEEDS_SHOWN)
        if not claims.may_be_shown(state, move.shown):
            return refuse(CardReason.SHOWN_TOO_OFTEN, sign=move.shown)
        return None
    if move.shown is not None:
        return refuse(CardReason.NOT_SHOWN)
    if move.source is None:
        return refuse(CardReason.NEEDS_SOURCE)
    if move.source in claims.sources(state):
        return None
    if isinstance(move.source, int) and (gone := _unless_living(state, move.source)):
        return gone
    return refuse(CardReason.NOTHING_TO_DRAW, seat=move.source)


def _unless_living(state: CardState, seat: int) -> CardRefusal | None:
    if seat in state.living:
        return None
    known = 0 <= seat < len(state.life)
    return refuse(CardReason.ELIMINATED if known else CardReason.NO_SEAT, seat=seat)


def _check_play(state: CardState, move: moves.Play) -> CardRefusal | None:
    if state.open:
        return _check_answer(state, move)
    if refusal := _unless(state.phase is TurnPhase.PLAY, state, move.action):
        return refusal
    return _check_claim(state, move.card) or _check_target(state, move) or _check_take(state, move)


def claim_refusal(state: CardState, card: Title) -> CardRefusal | None:
    """Return why the player whose turn it is can't play a card on anybody; None if they can."""
    if refusal := _check_claim(state, card):
        return refusal
    if card in TARGETED and not claims.targets(state, card):
        return refuse(CardReason.NOBODY, card=card)
    return None


def _check_claim(state: CardState, card: Title) -> CardRefusal | None:
    if not state.hands[state.turn]:
        return refuse(CardReason.NO_CARDS, seat=state.turn)
    if claims.may_claim(state, card):
        return None
    as_card = claims.used_as(state, card)
    if KINDS[as_card].targeting is None:
        return refuse(CardReason.ONLY_AN_ANSWER, card=card)
    if not state.unseen[card]:
        return refuse(CardReason.USED_UP, card=card)
    if as_card is Title.BANG and claims.bangs_spent(state):
        return refuse(CardReason.ONE_BANG)
    assert claims.is_second_copy(state, card)
    return refuse(CardReason.SECOND_COPY, seat=state.turn, card=card)


def _check_target(state: CardState, move: moves.Play) -> CardRefusal | None:
    card, target = move.card, move.target
    if card not in TARGETED:
        return None if target is None else refuse(CardReason.NO_TARGET, card=card)
    if target is None:
        return refuse(CardReason.NEEDS_TARGET, card=card)
    if target in claims.targets(state, card):
        return None
    if gone := _unless_living(state, target):
        return gone
    kind = KINDS[claims.used_as(state, card)]
    if target == state.turn:
        reason = CardReason.NO_CARD_THERE if kind.takes else CardReason.ONESELF
        return refuse(reason, seat=target, card=card)
    if kind.targeting is Targeting.PRISONER:
        jailed = Title.JAIL in state.in_play[target]
        return refuse(CardReason.JAILED if jailed else CardReason.SHERIFF, seat=target)
    if kind.takes and not claims.takes(state, target):
        return refuse(CardReason.NO_CARD_THERE, seat=target)
    away = distance(state, state.turn, target)
    return refuse(CardReason.OUT_OF_REACH, card=card, seat=target, distance=away)


def _check_take(state: CardState, move: moves.Play) -> CardRefusal | None:
    if not KINDS[move.card].takes:
        return None if move.take is None else refuse(CardReason.NO_TAKE, card=move.card)
    assert move.target is not None
    if move.take is None:
        return refuse(CardReason.NEEDS_TAKE, card=move.card)
    if move.take in claims.takes(state, move.target):
        return None
    return refuse(CardReason.NOT_THERE, seat=move.target, take=move.take)


def _check_answer(state: CardState, move: moves.Play) -> CardRefusal | None:
    card = move.card
    if card not in claims.answers(state):
        return refuse(CardReason.NO_ANSWER, card=card)
    if move.target is not None:
        return refuse(CardReason.NO_TARGET, card=card)
    return None if move.take is None else refuse(CardReason.NO_TAKE, card=card)


def _check_pass(state: CardState, move: moves.Pass) -> CardRefusal | None:
    answering = state.open is not None and state.open.needed > 0
    return _unless(answering, state, move.action)


def _check_regain(state: CardState, move: moves.Regain) -> CardRefusal | None:
    if move.seat == claims.regainer(state):
        return None
    return refuse(CardReason.CANT_REGAIN, seat=move.seat)


def _check_count(state: CardState, move: moves.Count) -> CardRefusal | None:
    seat, hand = move.seat, move.hand
    if gone := _unless_living(state, seat):
        return gone
    most = state.hands[seat] + state.deck + len(state.pile)
    if 0 <= hand <= most and hand != state.hands[seat]:
        return None
    return refuse(CardReason.CANT_COUNT, seat=seat, count=hand)


def _check_end(state: CardState, move: moves.End) -> CardRefusal | None:
    return _unless(not state.open and state.phase is TurnPhase.PLAY, state, move.action)


_CHECKS: Mapping[moves.CardAction, Callable[[CardState, Any], CardRefusal | None]] = {
    moves.CardAction.FLIP: _check_flip,
    moves.CardAction.DRAW: _check_draw,
    moves.CardAction.PLAY: _check_play,
    moves.CardAction.PASS: _check_pass,
    moves.CardAction.REGAIN: _check_regain,
    moves.CardAction.COUNT: _check_count,
    moves.CardAction.END: _check_end,
}
