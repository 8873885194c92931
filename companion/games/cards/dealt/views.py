"""What a viewer may see of a game with dealt hands: an allow-list, built field by field."""

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.cards.dealt.options import excess, plays
from companion.games.cards.dealt.state import Cards, DealtState, Offer, OfferKind, PlayingCard
from companion.games.cards.rules import claims
from companion.games.cards.rules.choices import CardQuestion
from companion.games.cards.rules.choices import question as public_question
from companion.games.cards.rules.titles import Title
from companion.games.cards.rules.views import CardView
from companion.games.cards.rules.views import view as public_view
from companion.games.common.audience import Audience, Viewer


class DealtView(NamedTuple):
    """A state, as the viewer may see it. No viewer sees a hand here, not even their own."""

    public: CardView
    """The public game."""
    top: PlayingCard | None
    """The top card of the discard pile, which lies face up."""
    in_play: tuple[Cards, ...]
    """The cards in front of each seat."""
    hands: tuple[int, ...]
    """How many cards each seat has in hand now, without those that it has still to choose."""
    offer: Offer | None
    """The cards that lie open to choose from; without those that only one player may see."""


class DealtQuestion(NamedTuple):
    """A decision that the game waits for. All is public: it is the same whatever hands hold."""

    seat: int
    """The seat that decides."""
    offer: OfferKind | None
    """What it chooses a card for; None if it doesn't."""
    public: CardQuestion | None
    """What can be answered by what everybody sees; None while a card is chosen."""
    excess: int
    """How many cards it discards if it ends the turn."""


class HeldHand(NamedTuple):
    """A hand, for its player alone."""

    cards: Cards
    """The cards, in the order in which they came."""
    plays: Mapping[Title, tuple[int, ...]]
    """What can be played now, each title with its targets; empty for seats that don't decide."""
    looked_at: Cards
    """The cards of which one goes back onto the deck, if the seat must choose one."""
    trades: bool
    """Whether two cards may be traded for a life point now."""


def view(state: DealtState, viewer: Viewer) -> DealtView:
    """Return what a viewer may see of a state. Raises ValueError for a seat that isn't there."""
    return DealtView(
        public=public_view(state.public, viewer),
        top=state.pile[-1] if state.pile else None,
        in_play=state.in_play,
        hands=tuple(map(len, state.hands)),
        offer=open_offer(state.offer, viewer),
    )


def open_offer(offer: Offer | None, viewer: Viewer) -> Offer | None:
    """Return the offered cards as a viewer may see them; None if they may not."""
    if offer is None or offer.kind is not OfferKind.LOOK:
        return offer
    return offer if viewer is Audience.RECORD or viewer == offer.seats[0] else None


def question(state: DealtState) -> DealtQuestion | None:
    """Return what is to be decided now, as everybody may know it; None after the game."""
    seat, game = state.decider, state.public
    if seat is None:
        return None
    if state.offer is not None:
        return DealtQuestion(seat, state.offer.kind, None, 0)
    ends = not game.open and seat == game.turn
    return DealtQuestion(seat, None, public_question(game), excess(game) if ends else 0)


def hand(state: DealtState, seat: int) -> HeldHand:
    """Return a seat's hand and what it can do with it now, for its player alone."""
    cards, offer = state.hands[seat], state.offer
    decides = offer is None and state.public.awaited == seat
    looks = offer is not None and offer.kind is OfferKind.LOOK and offer.seats[0] == seat
    return HeldHand(
        cards=cards,
        plays=plays(state.public, cards) if decides else {},
        looked_at=offer.cards if offer is not None and looks else (),
        trades=offer is None and claims.regainer(state.public) == seat,
    )
