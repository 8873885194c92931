"""What everybody saw players do to each other, and which roles follow from it.

Players show their side by whom they attack, and whom they free of a Jail or the Dynamite. Each such
deed multiplies a weight for each role that its player may have, by how likely somebody with that
role would have done it (`_LIKES`): Bayes' theorem, over all assignments of the hidden roles.
"""

from collections.abc import Mapping
from math import exp
from typing import NamedTuple

from companion.games.cards.minds.known import SeatKnowledge
from companion.games.cards.rules import claims
from companion.games.cards.rules.deck import TARGETED
from companion.games.cards.rules.moves import CardMove, Play
from companion.games.cards.rules.titles import Title
from companion.games.common.beliefs import Beliefs, Weights, believe_roles
from companion.games.common.roles import Role


class Deed(NamedTuple):
    """Something that a player did to another."""

    doer: int
    """The seat that did it."""
    hurts: bool
    """Whether it was an attack; otherwise the other was freed of a Jail or the Dynamite."""
    target: int
    """The seat that it was done to."""


class RoleMemory(NamedTuple):
    """What everybody can remember of a game; the same for all players."""

    weights: tuple[tuple[float, ...], ...]
    """By seat: how likely what it did is, for each role in the order of `Role`."""
    deeds: tuple[Deed, ...] = ()
    """What players did to each other, in order."""


_ROLES = tuple(Role)
_SHERIFF, _DEPUTY, _OUTLAW, _RENEGADE = _ROLES

BURDENS = (Title.JAIL, Title.DYNAMITE)
"""The cards in play that their player would like to be rid of."""

_LIKES: Mapping[Role, Weights] = {
    _OUTLAW: {_SHERIFF: 1.0, _DEPUTY: 0.5, _OUTLAW: -0.6, _RENEGADE: 0.1},
    _DEPUTY: {_SHERIFF: -1.5, _DEPUTY: -0.7, _OUTLAW: 0.9, _RENEGADE: 0.5},
    _RENEGADE: {_SHERIFF: -0.7, _DEPUTY: 0.3, _OUTLAW: 0.3, _RENEGADE: 0.2},
}
"""How much a player with the first role likes to attack one who may have the second."""

_CERTAINTY = 2.2
"""How reliably players act by their role."""

_WHIM = 0.12
"""How often they act at random instead."""


def no_deeds(players: int) -> RoleMemory:
    """Return a memory in which nobody has done anything yet."""
    return RoleMemory(((1.0,) * len(_ROLES),) * players)


def believe(memory: RoleMemory, known: SeatKnowledge) -> Beliefs:
    """Return how likely each seat has each role, by what a seat knows and everybody saw."""
    return believe_roles(memory.weights, known.roles, known.hidden_roles)


def remember(memory: RoleMemory, public: SeatKnowledge, move: CardMove) -> RoleMemory:
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
        weight * (_likelihood(_LIKES[role], deed, others, beliefs) if role in _LIKES else 1.0)
        for role, weight in zip(_ROLES, memory.weights[deed.doer], strict=True)
    ]
    seats = list(memory.weights)
    seats[deed.doer] = tuple([weight / max(weights) for weight in weights])
    return RoleMemory(tuple(seats), deeds)


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
    sign = _CERTAINTY if deed.hurts else -_CERTAINTY
    pulls = {
        seat: exp(sign * sum(likes[role] * share for role, share in beliefs[seat].items()))
        for seat in others
    }
    # They could also have kept the card.
    chosen = pulls[deed.target] / (1.0 + sum(pulls.values()))
    return _WHIM / (1 + len(pulls)) + (1 - _WHIM) * chosen
