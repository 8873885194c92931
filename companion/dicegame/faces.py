"""The six faces of the dice."""

from enum import StrEnum


class Face(StrEnum):
    """What a die shows, by its name in records."""

    ARROW = "arrow"
    DYNAMITE = "dynamite"
    BULLSEYE1 = "bullseye1"
    BULLSEYE2 = "bullseye2"
    BEER = "beer"
    GATLING = "gatling"


# Until Python 3.12, `Face.ARROW` takes longer than counting the arrows among five dice.
ARROW, DYNAMITE, BULLSEYE1, BULLSEYE2, BEER, GATLING = Face

DICE = 5
"""Dice in a roll."""

ALL_DICE = tuple(range(DICE))
"""Dice by number."""

BULLSEYES = (BULLSEYE1, BULLSEYE2)
"""Faces that shoot."""

Dice = tuple[Face, ...]
"""Five faces, in the order of the dice; none before the first roll of a turn."""
