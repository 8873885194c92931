"""What a stand-in decides: a move, or which dice to throw."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple, Protocol

from companion.games.common.beliefs import Memory
from companion.games.dice.minds.known import Known
from companion.games.dice.rules.faces import ALL_DICE, Dice
from companion.games.dice.rules.moves import Move, Roll


class Throw(NamedTuple):
    """Throw dice; how they fall is not the stand-in's to decide."""

    seat: int
    """The seat that throws."""
    dice: tuple[int, ...]
    """The dice to throw, ascending."""


Choice = Move | Throw
"""A decision of a stand-in."""


class Mind(Protocol):
    """A way to play. It decides by what its seat knows and remembers, and by chance."""

    def __call__(self, known: Known, memory: Memory, chance: Random) -> Choice:
        """Return what the seat of `known`, which is to decide, does."""


def build_roll(throw: Throw, before: Dice, dice: Dice) -> Roll:
    """Return the move of a throw: `dice` are all five faces afterwards."""
    return Roll(throw.seat, dice, throw.dice if before else None)


def simulate_roll(throw: Throw, before: Dice, toss: Callable[[], Dice]) -> Roll:
    """Return the move of a throw of simulated dice; `toss` returns five faces."""
    new = toss()
    dice = new
    if before:
        dice = tuple([new[die] if die in throw.dice else before[die] for die in ALL_DICE])
    return build_roll(throw, before, dice)
