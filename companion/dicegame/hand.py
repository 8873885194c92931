"""Five dice as they lie, and what they come to: worked out once for each of the 7,776 throws."""

from dataclasses import dataclass
from functools import cache

from companion.dicegame.faces import (
    ALL_DICE,
    ARROW,
    BEER,
    BULLSEYE1,
    BULLSEYE2,
    DICE,
    DYNAMITE,
    GATLING,
    Dice,
    Face,
)

DYNAMITES = 3
"""Dice that end the rolling and cost a life point."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The dice of a turn; none before the first roll.

    free: dice that anybody may throw, those without dynamite; explodes: the dynamite ends the
    rolling; shooting: dice that show a bull's eye; beers, arrows: dice that show one; gatlings:
    how many dice show a Gatling.
    """

    dice: Dice
    free: tuple[int, ...]
    explodes: bool
    shooting: tuple[int, ...]
    beers: tuple[int, ...]
    arrows: tuple[int, ...]
    gatlings: int


_ALL = (1 << DICE) - 1
_SETS = tuple(tuple(die for die in ALL_DICE if 1 << die & bits) for bits in range(_ALL + 1))
"""Sets of dice, by their bits: one object each, however many hands hold it."""


@cache
def hand(dice: Dice) -> Hand:
    """Return what `dice` come to."""
    bits = dict.fromkeys(Face, 0)
    for die, face in enumerate(dice):
        bits[face] |= 1 << die
    return Hand(
        dice=dice,
        free=_SETS[_ALL & ~bits[DYNAMITE]],
        explodes=dice.count(DYNAMITE) >= DYNAMITES,
        shooting=_SETS[bits[BULLSEYE1] | bits[BULLSEYE2]],
        beers=_SETS[bits[BEER]],
        arrows=_SETS[bits[ARROW]],
        gatlings=dice.count(GATLING),
    )


NO_DICE = hand(())
"""Before the first roll of a turn."""
