"""The levels at which stand-ins play."""

from collections.abc import Mapping
from random import Random
from typing import Protocol

from companion.games.cards.dealt.moves import DealtMove
from companion.games.cards.minds.known import SeatKnowledge
from companion.games.cards.minds.random_player import decide_at_random


class Strategy(Protocol):
    """A way to play. It decides by what its seat knows, and by chance."""

    def __call__(self, known: SeatKnowledge, chance: Random) -> DealtMove:
        """Return the decision of the seat that knows `known`, which is awaited."""


MINDS: Mapping[str, Strategy] = {"random": decide_at_random}
"""The levels by name, weakest first."""
