"""The sixteen characters: a table of life points and abilities.

An ability is data: it changes some of the numbers and permissions that apply to everybody, and the
rules look them up at the step where they matter. No rule names a character.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAbility:
    """What a character does differently; the defaults apply to everybody else."""

    # When they draw
    draws_from_hands: bool = False
    """The first card of a turn may come from another player's hand."""
    draws_from_pile: bool = False
    """The first card of a turn may be the top card of the discard pile."""
    shows_second: bool = False
    """They show the second card of a turn; a heart or diamond brings a third."""
    draws_when_empty: bool = False
    """With no card in hand, they draw one."""
    looks_further: bool = False
    """They look at one card more than they draw on a turn, and choose which goes back."""

    # When they flip a card
    flips: int = 1
    """How many cards they flip, to choose the one that counts."""

    # When they shoot and are shot at
    any_number_of_bangs: bool = False
    """They may play any number of BANG! cards."""
    swaps_bang_and_missed: bool = False
    """They may use BANG! as Missed! and Missed! as BANG!."""
    missed_needed: int = 1
    """How many Missed! cancel a BANG! card of theirs."""
    barrels: int = 0
    """How many Barrels they count as having, beside a real one."""
    farther: int = 0
    """How much farther away others see them."""
    nearer: int = 0
    """How much nearer they see others."""

    # When somebody loses life points
    draws_when_hurt: bool = False
    """For each life point lost, they draw a card."""
    takes_when_hurt: bool = False
    """For each life point lost to another player, they take a card from that player's hand."""
    trades_cards: bool = False
    """At any time, they may discard two cards to regain a life point."""
    inherits: bool = False
    """They take the cards of eliminated players."""


@dataclass(frozen=True, slots=True)
class CardCharacter:
    """A character; `terms` has the name that players read."""

    id: str
    """The name in records."""
    life: int
    """The life points, without the Sheriff's extra one."""
    ability: CardAbility
    """What the character does differently."""


_TABLE = (
    CardCharacter("bart_cassidy", 4, CardAbility(draws_when_hurt=True)),
    CardCharacter("black_jack", 4, CardAbility(shows_second=True)),
    CardCharacter("calamity_janet", 4, CardAbility(swaps_bang_and_missed=True)),
    CardCharacter("el_gringo", 3, CardAbility(takes_when_hurt=True)),
    CardCharacter("jesse_jones", 4, CardAbility(draws_from_hands=True)),
    CardCharacter("jourdonnais", 4, CardAbility(barrels=1)),
    # By number, looking at three cards and keeping two is a draw like any other.
    CardCharacter("kit_carlson", 4, CardAbility(looks_further=True)),
    CardCharacter("lucky_duke", 4, CardAbility(flips=2)),
    CardCharacter("paul_regret", 3, CardAbility(farther=1)),
    CardCharacter("pedro_ramirez", 4, CardAbility(draws_from_pile=True)),
    CardCharacter("rose_doolan", 4, CardAbility(nearer=1)),
    CardCharacter("sid_ketchum", 4, CardAbility(trades_cards=True)),
    CardCharacter("slab_the_killer", 4, CardAbility(missed_needed=2)),
    CardCharacter("suzy_lafayette", 4, CardAbility(draws_when_empty=True)),
    CardCharacter("vulture_sam", 4, CardAbility(inherits=True)),
    CardCharacter("willy_the_kid", 4, CardAbility(any_number_of_bangs=True)),
)

CHARACTERS: Mapping[str, CardCharacter] = {character.id: character for character in _TABLE}
"""All characters by id."""
