"""The stand-ins of the card game behind the table's interface."""

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from random import Random

from companion.games.cards.dealt.state import DealtState
from companion.games.cards.minds.known import knowledge
from companion.games.cards.minds.levels import MINDS
from companion.games.cards.minds.memory import remember
from companion.games.cards.rules.moves import Play
from companion.games.common.beliefs import Memory, no_memory
from companion.games.game import Decision


def decide(level: str, states: Sequence[DealtState], chance: Random) -> Decision:
    """Decide for the seat that decides in the last state, by what it may know."""
    now = states[-1]
    seat = now.decider
    assert seat is not None
    return Decision(MINDS[level](knowledge(now, seat), _recall(states), chance))


def _recall(states: Sequence[DealtState]) -> Memory:
    """Return what all players saw each other do in these states."""

    def step(memory: Memory, states: tuple[DealtState, DealtState]) -> Memory:
        before, after = states
        if not isinstance(after.made, Play):
            return memory
        return remember(memory, knowledge(before, None), after.made)

    return reduce(step, pairwise(states), no_memory(len(states[0].hands)))
