"""The editions that can be played: one engine, few differences."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruleset:
    """An edition: its name in records, who may play, and the one rule in which editions differ."""

    id: str
    language: str
    players: range
    fallen_keep_places: bool
    """Players eliminated on this turn still count as places when distances are counted."""


_TABLE = (
    Ruleset("base", "en", range(3, 9), fallen_keep_places=True),
    Ruleset("base-fr", "fr", range(3, 9), fallen_keep_places=False),
    Ruleset("walking-dead", "en", range(3, 9), fallen_keep_places=False),
    Ruleset("quick", "en", range(4, 5), fallen_keep_places=False),
)

RULESETS: Mapping[str, Ruleset] = {ruleset.id: ruleset for ruleset in _TABLE}
"""All rulesets by id."""
