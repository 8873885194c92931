"""The levels at which stand-ins play."""

from collections.abc import Mapping
from random import Random

from companion.games.common.beliefs import Memory, believe
from companion.games.dice.minds.choice import Choice, Mind, Throw
from companion.games.dice.minds.known import Known, world
from companion.games.dice.minds.sensible import sensible
from companion.games.dice.minds.tactics import decide
from companion.games.dice.minds.worth import worth
from companion.games.dice.players import random_move
from companion.games.dice.rules.faces import ALL_DICE
from companion.games.dice.rules.moves import Roll


def at_random(known: Known, memory: Memory, chance: Random) -> Choice:
    """Decide at random among all that is legal."""
    move = random_move(world(known), chance)
    if isinstance(move, Roll):
        return Throw(move.seat, ALL_DICE if move.rerolled is None else move.rerolled)
    return move


def strong(known: Known, memory: Memory, chance: Random) -> Choice:
    """Decide by expected values, with roles inferred from everything that was seen."""
    state = world(known)
    assert state.awaits is not None
    seat = state.awaits.seat
    role = known.roles[seat]
    assert role is not None
    return decide(state, worth(state, seat, role, believe(memory, known)))


MINDS: Mapping[str, Mind] = {"random": at_random, "sensible": sensible, "strong": strong}
"""The levels by name, weakest first."""
