"""The rulesets that can be played, and how they differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.games.common.players import numbers
from companion.games.dice.rules.house import HouseRule


class Edition(StrEnum):
    """An edition of the box: its dice and cards have their own names (`terms`)."""

    BASE = "base"
    WALKING_DEAD = "walking-dead"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """How a game is played."""

    id: str
    """The name in settings and records."""
    edition: Edition
    """The edition whose dice and cards are on the table."""
    language: str
    """The language of its pages, unless a phone asks for another."""
    players: range
    """How many players it is for."""
    characters: tuple[str, ...]
    """The ids of the characters to deal from."""
    fallen_keep_places: bool
    """Whether players eliminated on the current turn still count when distances are counted."""

    @property
    def numbers(self) -> str:
        """How many can play, in words: `3 to 8 players`."""
        return numbers(self.players)


_SIXTEEN = (
    "bart_cassidy",
    "black_jack",
    "calamity_janet",
    "el_gringo",
    "jesse_jones",
    "jourdonnais",
    "kit_carlson",
    "lucky_duke",
    "paul_regret",
    "pedro_ramirez",
    "rose_doolan",
    "sid_ketchum",
    "slab_the_killer",
    "suzy_lafayette",
    "vulture_sam",
    "willy_the_kid",
)
"""The characters in the box. Changing their order changes the game that a seed deals."""

_TABLE = (
    Ruleset("base", Edition.BASE, "en", range(3, 9), _SIXTEEN, fallen_keep_places=True),
    Ruleset("base-fr", Edition.BASE, "fr", range(3, 9), _SIXTEEN, fallen_keep_places=False),
    Ruleset(
        "walking-dead", Edition.WALKING_DEAD, "en", range(3, 9), _SIXTEEN, fallen_keep_places=False
    ),
    Ruleset("quick", Edition.BASE, "en", range(4, 5), _SIXTEEN, fallen_keep_places=False),
)

RULESETS: Mapping[str, Ruleset] = {ruleset.id: ruleset for ruleset in _TABLE}
"""All rulesets by id."""


def followed(ruleset: Ruleset) -> HouseRule:
    """Return the house rule that changes nothing, since a ruleset says the same by itself."""
    if ruleset.fallen_keep_places:
        return HouseRule.FALLEN_KEEP_PLACES
    return HouseRule.FALLEN_LEAVE_PLACES
