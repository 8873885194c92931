"""The level `random`: any legal decision, all kinds of them equally likely."""

from math import floor
from random import Random
from typing import TypeVar

from companion.games.cards.dealt.moves import Choose, DealtMove, EndTurn, Trade, TurnUp
from companion.games.cards.minds.known import SeatKnowledge
from companion.games.cards.rules import claims
from companion.games.cards.rules.deck import KINDS
from companion.games.cards.rules.moves import Draw, Pass, Play
from companion.games.cards.rules.state import TurnPhase

_T = TypeVar("_T")

_TRADES = 0.2
"""The probability to trade two cards for a life point when that is possible."""

_ENDS = 0.15
"""The probability to end the turn although cards could be played."""


def decide_at_random(known: SeatKnowledge, chance: Random) -> DealtMove:
    """Decide for the seat of `known`, which is awaited."""
    game, seat = known.game, known.seat
    assert seat is not None
    if known.offer is not None:
        return Choose(seat, _one_of(known.offer.cards, chance))
    if claims.regainer(game) == seat and chance.random() < _TRADES:
        return Trade(seat, tuple(chance.sample(known.hand, claims.REGAIN_CARDS)))
    if game.open is not None:
        options: list[DealtMove] = [Play(seat, title) for title in known.plays]
        options += [TurnUp(seat)] * claims.may_flip(game)
        options += [Pass(seat)] * (game.open.needed > 0)
        return _one_of(options, chance)
    if game.phase is TurnPhase.DRAW:
        sources = claims.sources(game)
        return Draw(seat, _one_of(sources, chance)) if sources else TurnUp(seat)
    if not known.plays or chance.random() < _ENDS:
        return EndTurn(seat, tuple(chance.sample(known.hand, claims.excess(game))))
    return _play(known, seat, chance)


def _play(known: SeatKnowledge, seat: int, chance: Random) -> Play:
    plays = known.plays
    title = _one_of(tuple(plays), chance)
    target = take = None
    if plays[title]:
        target = _one_of(plays[title], chance)
        if KINDS[title].takes:
            take = _one_of(claims.takes(known.game, target), chance)
    return Play(seat, title, target, take)


def _one_of(options: tuple[_T, ...] | list[_T], chance: Random) -> _T:
    return options[floor(chance.random() * len(options))]
