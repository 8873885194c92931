"""Five dice as they lie, and what they come to: worked out once for each of the 7,776 throws."""

from dataclasses import dataclass
from functools import cache

from companion.dicegame.faces import ARROW, BEER, BULLSEYES, DYNAMITE, GATLING, Dice

DYNAMITES = 3
"""Dice that end the rolling and cost a life point."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The dice of a turn; none before the first roll.

    free: dice without dynamite; explodes: the dynamite ends the rolling; shooting: dice that show
    a bull's eye; beers, arrows: dice that show one; gatlings: how many dice show a Gatling.
    """

    dice: Dice
    free: tuple[int, ...]
    explodes: bool
    shooting: tuple[int, ...]
    beers: tuple[int, ...]
    arrows: tuple[int, ...]
    gatlings: int


@cache
def hand(dice: Dice) -> Hand:
    """Return what `dice` come to."""
    numbered = tuple(enumerate(dice))
    return Hand(
        dice=dice,
        free=tuple(die for die, face in numbered if face is not DYNAMITE),
        explodes=dice.count(DYNAMITE) >= DYNAMITES,
        shooting=tuple(die for die, face in numbered if face in BULLSEYES),
        beers=tuple(die for die, face in numbered if face is BEER),
        arrows=tuple(die for die, face in numbered if face is ARROW),
        gatlings=dice.count(GATLING),
    )


NO_DICE = hand(())
"""Before the first roll of a turn."""
