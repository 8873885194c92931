"""What a viewer may see of a game with dealt hands: an allow-list, built field by field."""

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.cards.dealt.options import excess, may_trade, plays
from companion.games.cards.dealt.state import Cards, DealtState, Offer, OfferKind
from companion.games.cards.rules import claims
from companion.games.cards.rules.choices import question as public_question
from companion.games.cards.rules.moves import CardAction, DrawSource, Take
from companion.games.cards.rules.reasons import CardRefusal
from companion.games.cards.rules.titles import Sign, Title
from companion.games.cards.rules.views import CardView
from companion.games.cards.rules.views import view as public_view
from companion.games.common.audience import Audience, Viewer


class DealtQuestion(NamedTuple):
    """A decision that the game waits for, as `CardQuestion` and with what hands add to it.

    All is public: it is the same whatever hands hold.
    """

    seat: int
    """The seat that decides."""
    actions: tuple[CardAction, ...]
    """The kinds of moves that it can choose from by what everybody sees."""
    plays: Mapping[Title, tuple[int, ...]]
    """The titles that it could play if it held them, each with its targets."""
    refused: Mapping[Title, CardRefusal]
    """On its own turn, why it couldn't play each of the other titles."""
    takes: Mapping[int, tuple[Take, ...]]
    """On its own turn, what Panic! and Cat Balou may take from each seat."""
    distances: Mapping[int, int]
    """On its own turn, the distance at which it sees each other living player."""
    flips: int
    """How many cards it may flip; 0 if none."""
    sources: tuple[DrawSource | int, ...]
    """Where the first card of a turn may come from; empty if there is nothing to choose."""
    shows_second: bool
    """Whether the second card of a turn is shown now."""
    spent: tuple[Sign, ...]
    """The signs that a card flipped or shown now can't have."""
    regain: int | None
    """The seat that may trade two cards for a life point, whatever is asked; None if nobody may."""
    offer: OfferKind | None = None
    """What it chooses a card for; None if it doesn't."""
    offered: Cards = ()
    """The cards to choose from, if everybody sees them."""
    excess: int = 0
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


def question(state: DealtState) -> DealtQuestion | None:
    """Return what is to be decided now, as everybody may know it; None after the game."""
    game, offer = state.public, state.offer
    if offer is not None:
        nothing = DealtQuestion(offer.seats[0], (), {}, {}, {}, {}, 0, (), False, (), None)
        seen, trader = open_offer(offer, Audience.TABLE), trading(state)
        return nothing._replace(offer=offer.kind, offered=seen.cards if seen else (), regain=trader)
    asked = public_question(game)
    if asked is None:
        return None
    ends = CardAction.END in asked.actions
    return DealtQuestion(*asked, excess=excess(game) if ends else 0)


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
