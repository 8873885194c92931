"""What a viewer may see of a game with dealt hands: an allow-list, built field by field."""

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.cards.dealt.options import may_trade, plays
from companion.games.cards.dealt.state import Cards, DealtState, Offer, OfferKind
from companion.games.cards.rules import claims
from companion.games.cards.rules.choices import CardQuestion
from companion.games.cards.rules.choices import question as public_question
from companion.games.cards.rules.titles import Title
from companion.games.cards.rules.views import CardView
from companion.games.cards.rules.views import view as public_view
from companion.games.common.audience import Audience, Viewer


class OfferQuestion(NamedTuple):
    """A card that must be chosen before the game asks anything else. All is public."""

    seat: int
    """The seat that chooses."""
    offer: OfferKind
    """What for."""
    offered: Cards
    """The cards to choose from, if everybody sees them."""
    regain: int | None
    """The seat that may trade two cards for a life point; None if nobody may."""


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


def view(state: DealtState, viewer: Viewer) -> CardView:
    """Return what a viewer may see of a state. Raises ValueError for a seat that isn't there.

    No viewer sees a hand here, not even their own. The pile lies face up.
    """
    seen = public_view(state.public, viewer)
    players = zip(seen.players, state.hands, strict=True)
    top = state.pile[-1].title if state.pile and seen.top is None else seen.top
    return seen._replace(
        top=top, players=tuple([player._replace(hand=len(hand)) for player, hand in players])
    )


def open_offer(offer: Offer | None, viewer: Viewer) -> Offer | None:
    """Return the offered cards as a viewer may see them; None if they may not."""
    if offer is None or offer.kind is not OfferKind.LOOK:
        return offer
    return offer if viewer is Audience.RECORD or viewer == offer.seats[0] else None


def question(state: DealtState) -> CardQuestion | OfferQuestion | None:
    """Return what is to be decided now, as everybody may know it; None after the game.

    It is the same whatever hands hold.
    """
    offer = state.offer
    if offer is None:
        return public_question(state.public)
    seen = open_offer(offer, Audience.TABLE)
    return OfferQuestion(offer.seats[0], offer.kind, seen.cards if seen else (), trading(state))


def trading(state: DealtState) -> int | None:
    """Return the seat that may trade two cards for a life point now; everybody may know it."""
    return claims.regainer(state.public) if may_trade(state) else None


def hand(state: DealtState, seat: int) -> HeldHand:
    """Return a seat's hand and what it can do with it now, for its player alone."""
    cards, offer = state.hands[seat], state.offer
    decides = offer is None and state.public.awaited == seat
    looks = offer is not None and offer.kind is OfferKind.LOOK and offer.seats[0] == seat
    return HeldHand(
        cards=cards,
        plays=plays(state.public, cards) if decides else {},
        looked_at=offer.cards if offer is not None and looks else (),
        trades=trading(state) == seat,
    )
