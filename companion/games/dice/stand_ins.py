"""The stand-ins of the dice game behind the table's interface."""

from collections.abc import Sequence
from functools import reduce
from random import Random

from companion.games.common.beliefs import Memory, no_memory
from companion.games.dice.minds.choice import Throw
from companion.games.dice.minds.known import knowledge
from companion.games.dice.minds.levels import MINDS
from companion.games.dice.minds.memory import remember
from companion.games.dice.minds.why import explain
from companion.games.dice.rules.motives import Why, WhyKind
from companion.games.dice.rules.moves import Move
from companion.games.dice.rules.state import State
from companion.games.game import Decision


def decide(level: str, states: Sequence[State], made: Sequence[Move], chance: Random) -> Decision:
    """Decide for the seat that the last state awaits, by what this seat may know."""
    now = states[-1]
    assert now.awaits is not None
    memory = _memory(states, made)
    choice = MINDS[level](knowledge(now, now.awaits.seat), memory, chance)
    if isinstance(choice, Throw):
        return Decision(None, choice.dice)
    if level == "random":
        return Decision(choice, why=(Why(WhyKind.CHANCE, {}),))
    return Decision(choice, why=explain(knowledge(now, None), memory, choice))


def _memory(states: Sequence[State], made: Sequence[Move]) -> Memory:
    """Return what everybody remembers of a game."""
    done = zip(states, made, strict=False)
    return reduce(
        lambda memory, step: remember(memory, *step), done, no_memory(len(states[0].life))
    )
