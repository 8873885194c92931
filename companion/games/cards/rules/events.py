"""Events: what a move caused, in the order in which it happened. All are public."""

from dataclasses import dataclass
from enum import StrEnum

from companion.games.cards.rules.moves import Take
from companion.games.cards.rules.titles import Sign, Title
from companion.games.common.events import Eliminated, GameEnded, TurnBegan


class Occasion(StrEnum):
    """Why cards are drawn or discarded."""

    TURN = "turn"
    """Drawn at the start of a turn, or beyond the limit at its end."""
    CARD = "card"
    """A card says so."""
    STORE = "store"
    """Taken from the General Store."""
    ABILITY = "ability"
    """A character can."""
    REWARD = "reward"
    """Drawn for eliminating an Outlaw."""
    PENALTY = "penalty"
    """Discarded for eliminating a Deputy."""
    OUT = "out"
    """Discarded by an eliminated player."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Cards were drawn from the deck."""

    seat: int
    """The seat that drew them."""
    count: int
    """How many."""
    occasion: Occasion
    """On what occasion."""
    card: Title | None = None
    """The title that everybody saw, if the companion knows it."""


@dataclass(frozen=True, slots=True)
class DrawnFromPile:
    """The top card of the discard pile was drawn."""

    seat: int
    """The seat that drew it."""
    card: Title | Sign | None
    """What was known of it: its title, or its sign if it had been flipped."""


@dataclass(frozen=True, slots=True)
class SecondShown:
    """The second card of a turn was shown while it was drawn."""

    seat: int
    """The seat that drew it."""
    sign: Sign
    """Its sign."""


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played on its player's turn."""

    seat: int
    """The seat that played it."""
    card: Title
    """Its title."""
    target: int | None
    """The seat that it names, if any."""


@dataclass(frozen=True, slots=True)
class CardAnswered:
    """A card was played as an answer."""

    seat: int
    """The seat that played it."""
    card: Title
    """Its title."""


@dataclass(frozen=True, slots=True)
class CardFlipped:
    """A card was flipped."""

    seat: int
    """The seat that flipped it."""
    signs: tuple[Sign, ...]
    """The flipped cards; the first one counted."""
    card: Title
    """What it was flipped for: Barrel, Jail or Dynamite."""
    success: bool
    """Whether it saved, freed or, for the Dynamite, exploded."""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A shot or an attack was answered: nobody is hit."""

    seat: int
    """The seat that would have been hit."""
    card: Title
    """The card that would have hit."""


@dataclass(frozen=True, slots=True)
class Hurt:
    """A player lost life points."""

    seat: int
    """The seat that lost them."""
    count: int
    """How many."""
    card: Title
    """The card that hit."""


@dataclass(frozen=True, slots=True)
class Regained:
    """A player may have regained a life point."""

    seat: int
    """The seat."""
    count: int
    """How many; 0 if a card had no effect."""
    card: Title | None
    """The card; None: by the ability to trade two cards for a life point."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A card moved from a player to another player's hand."""

    seat: int
    """The seat that took it."""
    source: int
    """The seat that lost it."""
    take: Take
    """Its title, if it was in play."""
    count: int
    """How many."""


@dataclass(frozen=True, slots=True)
class Removed:
    """A card was put onto the pile by somebody else's card, or a weapon by a new one."""

    seat: int
    """The seat that lost it."""
    take: Take
    """Its title, if it was in play."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """Cards in hand, or in hand and in play, were put onto the pile."""

    seat: int
    """The seat that held them."""
    count: int
    """How many."""
    occasion: Occasion
    """On what occasion."""


@dataclass(frozen=True, slots=True)
class DynamitePassed:
    """The Dynamite went on to the next player."""

    seat: int
    """The seat that had it."""
    target: int
    """The seat that has it now."""


@dataclass(frozen=True, slots=True)
class JailServed:
    """A turn was lost in jail."""

    seat: int
    """The seat that loses its turn."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A player said how many cards they really hold; the deck has as many more or fewer."""

    seat: int
    """The seat that holds them."""
    count: int
    """How many they hold."""
    before: int
    """How many had been counted."""


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The discard pile became the new deck."""

    count: int
    """How many cards it has."""


@dataclass(frozen=True, slots=True)
class Inherited:
    """A player took all cards of an eliminated one."""

    seat: int
    """The seat that took them."""
    source: int
    """The eliminated seat."""
    count: int
    """How many."""


CardEvent = (
    TurnBegan
    | Drawn
    | DrawnFromPile
    | SecondShown
    | CardPlayed
    | CardAnswered
    | CardFlipped
    | Cancelled
    | Hurt
    | Regained
    | Taken
    | Removed
    | Discarded
    | DynamitePassed
    | JailServed
    | Counted
    | Shuffled
    | Inherited
    | Eliminated
    | GameEnded
)


def is_share(event: CardEvent) -> bool:
    """Return whether it is a card that somebody takes from the General Store."""
    return isinstance(event, Drawn) and event.occasion is Occasion.STORE
