"""What five dice add up to, worked out once for each of the 7,776 throws that comes up."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.dice.rules import faces

DYNAMITES = 3
"""How many dynamites end the rolling and cost a life point."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The dice of a turn and what they add up to."""

    dice: faces.Dice
    """The faces; empty before the first roll."""
    free: tuple[int, ...]
    """The dice that any character may throw again: those without dynamite."""
    explodes: bool
    """Whether there is enough dynamite to end the rolling."""
    shooting: tuple[int, ...]
    """The dice that show a bull's eye."""
    beers: tuple[int, ...]
    """The dice that show a beer."""
    arrows: tuple[int, ...]
    """The dice that show an arrow."""
    gatlings: int
    """How many dice show a Gatling."""


_ALL = (1 << faces.DICE) - 1
_SETS = tuple(tuple(die for die in faces.ALL_DICE if 1 << die & bits) for bits in range(_ALL + 1))
"""Sets of dice by their bits, so that hands share one object for each set."""


def _hand(dice: faces.Dice) -> Hand:
    bits = dict.fromkeys(faces.Face, 0)
    for die, face in enumerate(dice):
        bits[face] |= 1 << die
    return Hand(
        dice=dice,
        free=_SETS[_ALL & ~bits[faces.DYNAMITE]],
        explodes=dice.count(faces.DYNAMITE) >= DYNAMITES,
        shooting=_SETS[bits[faces.BULLSEYE1] | bits[faces.BULLSEYE2]],
        beers=_SETS[bits[faces.BEER]],
        arrows=_SETS[bits[faces.ARROW]],
        gatlings=dice.count(faces.GATLING),
    )


class _Hands(dict[faces.Dice, Hand]):
    def __missing__(self, dice: faces.Dice) -> Hand:
        found = self[dice] = _hand(dice)
        return found


HANDS: Mapping[faces.Dice, Hand] = _Hands()
"""What any dice add up to."""

NO_DICE = HANDS[()]
"""The hand before the first roll of a turn."""
