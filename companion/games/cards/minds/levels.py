"""The levels at which stand-ins play."""

from collections.abc import Mapping
from random import Random
from typing import Protocol

from companion.games.cards.dealt.moves import DealtMove
from companion.games.cards.minds.answers import answer, choose, draw
from companion.games.cards.minds.enmity import Enmities, enmities_by_beliefs, enmities_by_deeds
from companion.games.cards.minds.known import SeatKnowledge
from companion.games.cards.minds.random_player import decide_at_random
from companion.games.cards.minds.sensible import take_simple_turn
from companion.games.cards.minds.tactics import take_turn
from companion.games.cards.rules.state import TurnPhase
from companion.games.common.beliefs import Memory


class Strategy(Protocol):
    """A way to play. It decides by what its seat knows and everybody remembers, and by chance."""

    def __call__(self, known: SeatKnowledge, memory: Memory, chance: Random) -> DealtMove:
        """Return the decision of the seat that knows `known`, which is awaited."""


def at_random(known: SeatKnowledge, memory: Memory, chance: Random) -> DealtMove:
    """Decide at random among all kinds of legal decisions."""
    return decide_at_random(known, chance)


def sensible(known: SeatKnowledge, memory: Memory, chance: Random) -> DealtMove:
    """Decide by rules of thumb."""
    enmities = enmities_by_deeds(known, memory)
    return _react(known, enmities) or take_simple_turn(known, enmities, chance)


def strong(known: SeatKnowledge, memory: Memory, chance: Random) -> DealtMove:
    """Decide by what each card gains, with roles inferred from everything that was seen."""
    enmities = enmities_by_beliefs(known, memory)
    return _react(known, enmities) or take_turn(known, enmities)


def _react(known: SeatKnowledge, enmities: Enmities) -> DealtMove | None:
    """Return what both levels do alike; None where cards of one's own turn are played."""
    if known.offer is not None:
        return choose(known, known.offer)
    if known.game.open is not None:
        return answer(known)
    return draw(known, enmities) if known.game.phase is TurnPhase.DRAW else None


MINDS: Mapping[str, Strategy] = {"random": at_random, "sensible": sensible, "strong": strong}
"""The levels by name, weakest first."""
