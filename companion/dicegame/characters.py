"""The sixteen characters: a table of life points and abilities.

An ability is data: a character changes some of the numbers and permissions by which everybody
plays, and the rules ask for them at the step where they count. No rule names a character.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.dicegame.faces import Face

_REACH: Mapping[Face, tuple[int, ...]] = {Face.BULLSEYE1: (1,), Face.BULLSEYE2: (2,)}


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
    reach: Mapping[Face, tuple[int, ...]] = field(default_factory=lambda: _REACH)
    """Distances, in places, that each bull's eye hits."""
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
    """A character card: its id in records, its name, its life points and what it can do."""

    id: str
    name: str
    life: int
    text: str
    ability: Ability


_LONG_REACH = {Face.BULLSEYE1: (1, 2), Face.BULLSEYE2: (2, 3)}

_TABLE = (
    Character(
        "bart_cassidy", "Bart Cassidy", 8,
        "Hit by a bull's eye or the Gatling? You may take arrows in place of losing life points, "
        "one for one, as long as the last arrow stays in the pile.",
        Ability(takes_arrows_for_hits=True),
    ),
    Character(
        "black_jack", "Black Jack", 8,
        "You may roll dynamite again while fewer than three dice show it.",
        Ability(rerolls_dynamite=True),
    ),
    Character(
        "calamity_janet", "Calamity Janet", 8,
        "Each of your 1s may count as a 2 and each of your 2s as a 1.",
        Ability(swaps_bullseyes=True),
    ),
    Character(
        "el_gringo", "El Gringo", 7,
        "Whoever takes life points from you with a bull's eye or the Gatling takes an arrow.",
        Ability(arrow_for_attacker=True),
    ),
    Character(
        "jesse_jones", "Jesse Jones", 9,
        "With four life points or fewer before you drink, every beer you take yourself gives two.",
        Ability(thirsty_at=4),
    ),
    Character(
        "jourdonnais", "Jourdonnais", 7,
        "An Indian attack never takes more than one life point from you.",
        Ability(max_indian_loss=1),
    ),
    Character(
        "kit_carlson", "Kit Carlson", 7,
        "Each of your Gatling dice lets you take an arrow away from any player, even with fewer "
        "than three of them.",
        Ability(discards_by_gatling=True),
    ),
    Character(
        "lucky_duke", "Lucky Duke", 8,
        "You may roll one time more: four rolls a turn.",
        Ability(max_rolls=4),
    ),
    Character(
        "paul_regret", "Paul Regret", 9,
        "The Gatling never hits you.",
        Ability(immune_to_gatling=True),
    ),
    Character(
        "pedro_ramirez", "Pedro Ramirez", 8,
        "For each life point you lose to a bull's eye, the Gatling or dynamite you may put back "
        "one of your arrows.",
        Ability(discards_when_hurt=True),
    ),
    Character(
        "rose_doolan", "Rose Doolan", 9,
        "Your bull's eyes reach one place further as well: a 1 hits at one or two places, a 2 at "
        "two or three.",
        Ability(reach=_LONG_REACH),
    ),
    Character(
        "sid_ketchum", "Sid Ketchum", 8,
        "As your turn begins, choose a player, yourself too: he gains a life point.",
        Ability(heals_at_start=True),
    ),
    Character(
        "slab_the_killer", "Slab the Killer", 8,
        "Once a turn you may spend a beer to make one bull's eye count twice on its target.",
        Ability(doubles_with_beer=True),
    ),
    Character(
        "suzy_lafayette", "Suzy Lafayette", 8,
        "If your final dice show no bull's eye, you gain two life points at the end of your turn.",
        Ability(gain_without_bullseye=2),
    ),
    Character(
        "vulture_sam", "Vulture Sam", 9,
        "Each time another player is eliminated you gain two life points.",
        Ability(gain_per_elimination=2),
    ),
    Character(
        "willy_the_kid", "Willy the Kid", 8,
        "Two Gatling dice are enough for you, once a turn.",
        Ability(gatlings_needed=2),
    ),
)  # fmt: skip

CHARACTERS: Mapping[str, Character] = {character.id: character for character in _TABLE}
"""All characters by id."""
