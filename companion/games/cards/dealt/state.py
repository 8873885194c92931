"""The state of a game with dealt hands: the public game, and where each card is."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from companion.games.cards.rules.deck import KINDS
from companion.games.cards.rules.events import CardEvent, is_share
from companion.games.cards.rules.moves import CardMove
from companion.games.cards.rules.state import CardState
from companion.games.cards.rules.titles import Sign, Title


class PlayingCard(NamedTuple):
    """One of the 80 cards. The two Stagecoaches are equal."""

    title: Title
    """Its title."""
    sign: Sign
    """Its sign."""


DECK = tuple(PlayingCard(kind.title, sign) for kind in KINDS.values() for sign in kind.signs)
"""All cards."""

Cards = tuple[PlayingCard, ...]
"""Some cards, in an order that matters."""


class OfferKind(StrEnum):
    """What cards are offered for."""

    FLIP = "flip"
    """Two cards were flipped, and one of them counts. Everybody sees them."""
    LOOK = "look"
    """The player looked at a card too many: one of them goes back onto the deck, unseen."""
    STORE = "store"
    """Each of the players takes one. Everybody sees them."""


class Offer(NamedTuple):
    """Cards from which a player must choose one, before anything else happens."""

    kind: OfferKind
    """What for."""
    seats: tuple[int, ...]
    """The seat that chooses now, and those that choose afterwards."""
    cards: Cards
    """The cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtState:
    """A moment of a game with dealt hands.

    Counts fit the public game, but while cards are offered from a General Store: those belong to
    the hands of the players who choose.
    """

    public: CardState
    """The game as everybody sees it, but for the roles."""
    deck: Cards
    """The deck; the top card is the last one."""
    pile: Cards
    """The discard pile; the top card is the last one."""
    hands: tuple[Cards, ...]
    """The hand of each seat, in the order in which the cards came."""
    in_play: tuple[Cards, ...]
    """The cards in front of each seat, in the order in which they came to lie there."""
    luck: int = field(repr=False)
    """The chance that is left for the rest of the game, see `luck`."""
    offer: Offer | None = None
    """The cards from which somebody must choose, if any."""
    made: CardMove | None = None
    """The public move that the last decision made; None if it made none, and at the start."""
    told: bool = False
    """Whether the events of the public game were told before, because no move was made since."""
    given: tuple[CardEvent, ...] = ()
    """Which cards the last decision gave from the General Store."""

    @property
    def events(self) -> tuple[CardEvent, ...]:
        """What the last decision caused, in order. All is public."""
        made = () if self.told else self.public.events
        return (*[event for event in made if not is_share(event)], *self.given)

    @property
    def decider(self) -> int | None:
        """The seat that decides or chooses; None once the game is over."""
        return self.offer.seats[0] if self.offer else self.public.awaited
