"""The sixteen characters: a table of life points and abilities.

An ability is data: it changes some of the numbers and permissions that apply to everybody, and the
rules look them up at the step where they matter. No rule names a character.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """What a character does differently; the defaults apply to everybody else."""

    # At the start of their turn
    heals_at_start: bool = False
    """They choose a living player, who gains a life point."""

    # While they roll
    max_rolls: int = 3
    """How many rolls they have in a turn."""
    rerolls_dynamite: bool = False
    """They may roll dynamite again while fewer than three dice show it."""

    # While they shoot
    reach: tuple[tuple[int, ...], tuple[int, ...]] = ((1,), (2,))
    """The distances in places at which a `bullseye1` hits, then those of a `bullseye2`."""
    swaps_bullseyes: bool = False
    """They may use each bull's eye as the other one."""
    doubles_with_beer: bool = False
    """They may spend one beer a turn to double a shot instead of healing."""

    # When their beers and Gatlings count
    thirsty_at: int = 0
    """With this many life points or fewer before their beers, a beer gives them two."""
    gatlings_needed: int = 3
    """How many Gatling dice they need to fire."""
    discards_by_gatling: bool = False
    """For each Gatling die, they may make a living player discard an arrow."""

    # At the end of their turn
    gain_without_bullseye: int = 0
    """Life points that they gain if their final dice show no bull's eye."""

    # When something happens to them or others
    takes_arrows_for_hits: bool = False
    """When hit, they may take arrows instead of losing life points, but never the last arrow."""
    discards_when_hurt: bool = False
    """They may discard an arrow for each life point that they lost."""
    arrow_for_attacker: bool = False
    """A player who makes them lose life points takes an arrow."""
    immune_to_gatling: bool = False
    """The Gatling never hits them."""
    max_indian_loss: int | None = None
    """The most life points that an Indian attack costs them; None: there is no limit."""
    gain_per_elimination: int = 0
    """Life points that they gain for each other player who is eliminated."""


@dataclass(frozen=True, slots=True)
class Character:
    """A character; `terms` has the name that players read."""

    id: str
    """The name in records."""
    life: int
    """The life points, without the Sheriff's bonus."""
    ability: Ability
    """What the character does differently."""


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
