"""The rulesets that can be played: one engine, few differences."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Edition(StrEnum):
    """Whose dice and cards lie on the table: they have their own names (`terms`)."""

    BASE = "base"
    WALKING_DEAD = "walking-dead"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """How a game is played: its name in records, who may play, and the one rule that differs.

    language: the one in which it is shown unless another one is asked for.
    """

    id: str
    edition: Edition
    language: str
    players: range
    characters: tuple[str, ...]
    """The characters to deal from, by their ids in records."""
    fallen_keep_places: bool
    """Players eliminated on this turn still count as places when distances are counted."""

    @property
    def numbers(self) -> str:
        """How many may play, in words: `3 to 8 players`."""
        low, high = self.players[0], self.players[-1]
        return f"{low} players" if low == high else f"{low} to {high} players"


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
"""The characters in the box. The same seed deals the same game only while their order stays."""

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
