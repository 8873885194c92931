"""Why somebody decided as they did, as plain data that is safe to show to everybody."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class WhyKind(StrEnum):
    """A reason; placeholders such as `{target}` take its particulars."""

    FIRST_THROW = "a turn begins with all five dice"
    THROWS_AGAIN = "dice {dice} can show something better"
    DYNAMITE = "with two dynamites on the table, one more would explode"
    GOOD_ENOUGH = "these dice are better than what another throw promises"
    NOBODY = "nobody is in reach"
    ONLY_ONE = "seat {target} is the only one in reach"
    SHERIFF = "seat {target} wears the star"
    SHOT_SHERIFF = "seat {target} has shot the Sheriff {times} times"
    HELPED_SHERIFF = "seat {target} has helped the Sheriff {times} times"
    WEAKEST = "seat {target} has the fewest life points in reach"
    SOMEBODY = "somebody had to be hit, and seat {target} it is"
    OWN_LIFE = "they have {life} of {most} life points"
    THEIR_LIFE = "seat {target} has {life} of {most} life points"
    FULL = "nobody needs it more"
    ARROWS = "arrows bring Indians"
    CHANCE = "they decide at random"


class Why(NamedTuple):
    """A reason for a decision. All of it is public."""

    kind: WhyKind
    """The kind of reason."""
    particulars: Mapping[str, object]
    """What its sentence names: seats and dice by number."""

    def __str__(self) -> str:
        return self.kind.format(**self.particulars)
