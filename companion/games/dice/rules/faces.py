"""The six faces of the dice."""

from enum import StrEnum


class Face(StrEnum):
    """A face of a die; the value is its name in records."""

    ARROW = "arrow"
    DYNAMITE = "dynamite"
    BULLSEYE1 = "bullseye1"
    BULLSEYE2 = "bullseye2"
    BEER = "beer"
    GATLING = "gatling"


# Until Python 3.12, looking up `Face.ARROW` is slower than counting the arrows among five dice.
ARROW, DYNAMITE, BULLSEYE1, BULLSEYE2, BEER, GATLING = Face

DICE = 5
"""How many dice a roll has."""

ALL_DICE = tuple(range(DICE))
"""The numbers of all dice."""

BULLSEYES = (BULLSEYE1, BULLSEYE2)
"""The faces that shoot."""

Dice = tuple[Face, ...]
"""Five faces, in the order of the dice; empty before the first roll of a turn."""
