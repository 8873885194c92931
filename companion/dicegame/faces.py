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


DICE = 5
"""Dice in a roll."""

BULLSEYES = (Face.BULLSEYE1, Face.BULLSEYE2)
"""Faces that shoot."""

Dice = tuple[Face, ...]
"""Five faces, in the order of the dice."""
