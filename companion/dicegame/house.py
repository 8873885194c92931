"""House rules: how a table may play it otherwise, as named switches.

Each turns one ruling round where the rulebooks leave room; without any, the rulings hold.
"""

from enum import StrEnum


class HouseRule(StrEnum):
    """A switch, by its name in settings and records."""

    FALLEN_KEEP_PLACES = "fallen_keep_places"
    """Players eliminated on this turn still count as places, in every ruleset."""
    FALLEN_LEAVE_PLACES = "fallen_leave_places"
    """Eliminated players never count as places, in no ruleset."""
    PLACES_EITHER_WAY = "places_either_way"
    """Places may be counted the long way round the table as well."""
    THIRST_AT_EACH_BEER = "thirst_at_each_beer"
    """Jesse Jones counts his life points anew before each beer, not once for all."""
    VULTURE_OUTLIVES = "vulture_outlives"
    """Vulture Sam also gains by those who fall together with him, and may live on by that."""
    GATLING_DISCARD_LAST = "gatling_discard_last"
    """Who fires the Gatling puts his arrows back after its hits, not before them."""
    KIT_DISCARDS_LAST = "kit_discards_last"
    """Kit Carlson takes arrows away after the Gatling's hits, not before them."""
    ONE_ARROW_A_TURN = "one_arrow_a_turn"
    """El Gringo gives his attacker one arrow a turn, also when hit twice."""


CONTRADICTORY = frozenset({HouseRule.FALLEN_KEEP_PLACES, HouseRule.FALLEN_LEAVE_PLACES})
"""Switches that can't be on together."""
