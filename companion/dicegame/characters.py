"""The sixteen characters: a table of life points and abilities.

An ability is data: a character changes some of the numbers and permissions by which everybody
plays, and the rules ask for them at the step where they count. No rule names a character.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """What a character does otherwise; the defaults are what everybody does."""

    # Start of his turn
    heals_at_start: bool = False
    """Chooses a living player, who gains a life point."""

    # Rolling
    max_rolls: int = 3
    """Rolls allowed in a turn."""
    rerolls_dynamite: bool = False
    """Dynamite may be rolled again while fewer than three show."""

    # Shooting
    reach: tuple[tuple[int, ...], tuple[int, ...]] = ((1,), (2,))
    """Distances, in places, that a `bullseye1` hits, and those that a `bullseye2` hits."""
    swaps_bullseyes: bool = False
    """Each bull's eye may be used as the other."""
    doubles_with_beer: bool = False
    """One beer a turn may double one shot instead of healing."""

    # Beers and Gatling
    thirsty_at: int = 0
    """At so many life points or fewer, before his beers, his own beers give him two."""
    gatlings_needed: int = 3
    """Dice that set off the Gatling."""
    discards_by_gatling: bool = False
    """Each Gatling die makes a living player discard an arrow."""

    # End of his turn
    gain_without_bullseye: int = 0
    """Life points gained when none of his final dice is a bull's eye."""

    # When something happens to him or others
    takes_arrows_for_hits: bool = False
    """Hit, he may take arrows instead of losing life points, but never the last arrow."""
    discards_when_hurt: bool = False
    """May discard an arrow for each life point that he lost."""
    arrow_for_attacker: bool = False
    """Whoever made him lose life points takes an arrow."""
    immune_to_gatling: bool = False
    """The Gatling never hits him."""
    max_indian_loss: int | None = None
    """Most life points that an Indian attack takes from him."""
    gain_per_elimination: int = 0
    """Life points gained for each other player eliminated."""


@dataclass(frozen=True, slots=True)
class Character:
    """A character: its id in records, its life points and what it can do; `terms` names it."""

    id: str
    life: int
    ability: Ability


_TABLE = (
    Character("bart_cassidy", 8, Ability(takes_arrows_for_hits=True)),
    Character("black_jack", 8, Ability(rerolls_dynamite=True)),
    Character("calamity_janet", 8, Ability(swaps_bullseyes=True)),
    Character("el_gringo", 7, Ability(arrow_for_attacker=True)),
    Character("jesse_jones", 9, Ability(thirsty_at=4)),
    Character("jourdonnais", 7, Ability(max_indian_loss=1)),
    Character("kit_carlson", 7, Ability(discards_by_gatling=True)),
    Character("lucky_duke", 8, Ability(max_rolls=4)),
    Character("paul_regret", 9, Ability(immune_to_gatling=True)),
    Character("pedro_ramirez", 8, Ability(discards_when_hurt=True)),
    Character("rose_doolan", 9, Ability(reach=((1, 2), (2, 3)))),
    Character("sid_ketchum", 8, Ability(heals_at_start=True)),
    Character("slab_the_killer", 8, Ability(doubles_with_beer=True)),
    Character("suzy_lafayette", 8, Ability(gain_without_bullseye=2)),
    Character("vulture_sam", 9, Ability(gain_per_elimination=2)),
    Character("willy_the_kid", 8, Ability(gatlings_needed=2)),
)

CHARACTERS: Mapping[str, Character] = {character.id: character for character in _TABLE}
"""All characters by id."""
