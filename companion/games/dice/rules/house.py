"""House rules: named switches, each of which reverses one of our rulings.

They exist only where the rulebooks leave room. Without any of them, the rulings apply.
"""

from enum import StrEnum


class HouseRule(StrEnum):
    """A house rule; the value is its name in settings and records."""

    FALLEN_KEEP_PLACES = "fallen_keep_places"
    """Players eliminated on the current turn still count as places, in every ruleset."""
    FALLEN_LEAVE_PLACES = "fallen_leave_places"
    """Eliminated players never count as places, in any ruleset."""
    PLACES_EITHER_WAY = "places_either_way"
    """Distances may also be counted the long way round the table."""
    THIRST_AT_EACH_BEER = "thirst_at_each_beer"
    """Jesse Jones's life points are checked before each beer, not once before the first."""
    VULTURE_OUTLIVES = "vulture_outlives"
    """Vulture Sam also gains from players who fall together with them, and so survives."""
    GATLING_DISCARD_LAST = "gatling_discard_last"
    """The player who fires the Gatling puts their arrows back after its hits, not before."""
    KIT_DISCARDS_LAST = "kit_discards_last"
    """Kit Carlson's ability comes after the Gatling's hits, not before."""
    ONE_ARROW_A_TURN = "one_arrow_a_turn"
    """El Gringo's attacker takes at most one arrow a turn, even after hitting twice."""


CONTRADICTORY = frozenset({HouseRule.FALLEN_KEEP_PLACES, HouseRule.FALLEN_LEAVE_PLACES})
"""House rules that can't be combined."""
