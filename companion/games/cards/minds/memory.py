"""What everybody saw players do to each other, and which roles follow from it.

Players show their side by whom they attack, and whom they free of a Jail or the Dynamite. Each such
deed multiplies a weight for each role that its player may have, by how likely somebody with that
role would have done it (`LIKES`): Bayes' theorem, over all assignments of the hidden roles.
"""

from math import exp

from companion.games.cards.minds.known import SeatKnowledge
from companion.games.cards.rules import claims
from companion.games.cards.rules.deck import TARGETED
from companion.games.cards.rules.moves import CardMove, Play
from companion.games.cards.rules.titles import Title
from companion.games.common.beliefs import (
    CERTAINTY,
    LIKES,
    WHIM,
    Beliefs,
    Deed,
    Memory,
    Weights,
    believe,
)
from companion.games.common.roles import Role

BURDENS = (Title.JAIL, Title.DYNAMITE)
"""The cards in play that their player would like to be rid of."""


def remember(memory: Memory, public: SeatKnowledge, move: CardMove) -> Memory:
    """Return the memory after a move. public: what everybody knew before it."""
    deed = _find_deed(public, move)
    if deed is None:
        return memory
    deeds = (*memory.deeds, deed)
    if public.roles[deed.doer] is not None:
        return memory._replace(deeds=deeds)
    beliefs = believe(memory, public)
    others = _others(public, move)
    weights = [
        weight * (_likelihood(LIKES[role], deed, others, beliefs) if role in LIKES else 1.0)
        for role, weight in zip(Role, memory.weights[deed.doer], strict=True)
    ]
    seats = list(memory.weights)
    seats[deed.doer] = tuple([weight / max(weights) for weight in weights])
    return Memory(tuple(seats), deeds)


def _find_deed(public: SeatKnowledge, move: CardMove) -> Deed | None:
    """Return what a move does to another player; None if it does nothing to anybody."""
    if public.game.open is not None or not isinstance(move, Play):
        return None
    if move.card not in TARGETED or move.target is None or move.target == move.seat:
        return None
    return Deed(move.seat, move.take not in BURDENS, move.target)


def _others(public: SeatKnowledge, move: CardMove) -> list[int]:
    """Return the seats to which the same could have been done."""
    assert isinstance(move, Play)
    found = claims.targets(public.game, move.card)
    if move.take in BURDENS:
        return [seat for seat in found if move.take in public.game.in_play[seat]]
    return [seat for seat in found if seat != move.seat]


def _likelihood(likes: Weights, deed: Deed, others: list[int], beliefs: Beliefs) -> float:
    """Return how likely somebody who likes to attack as `likes` says would have done this."""
    sign = CERTAINTY if deed.hurts else -CERTAINTY
    pulls = {
        seat: exp(sign * sum(likes[role] * share for role, share in beliefs[seat].items()))
        for seat in others
    }
    # They could also have kept the card.
    chosen = pulls[deed.target] / (1.0 + sum(pulls.values()))
    return WHIM / (1 + len(pulls)) + (1 - WHIM) * chosen
