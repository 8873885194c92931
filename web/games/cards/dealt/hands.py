"""What a phone shows of a hand, to its player alone."""

from typing import NamedTuple

from companion.games.cards.dealt.state import Cards, OfferKind, PlayingCard
from companion.games.cards.dealt.views import HeldHand, OfferQuestion
from companion.games.cards.rules import events
from companion.games.cards.rules.moves import HAND
from companion.games.cards.terms.telling import card_name
from companion.table.views import TableView
from web.games.cards import board
from web.games.cards.board import TitleChoice, terms_of
from web.games.cards.dealt.forms import name_of
from web.games.game import Entry
from web.i18n import gettext


class CardInHand(NamedTuple):
    """A card as its player sees it."""

    card: PlayingCard
    """The card."""
    name: str
    """Its title, as players call it."""
    sign: str
    """Its sign, in words."""
    form_name: str
    """Its name in forms."""
    choice: TitleChoice | None = None
    """How it can be played now; None if it can't be, or if a card before it says so."""

    @property
    def kind(self) -> str:
        """The classes of its small picture."""
        return "title blue" if board.is_blue(self.card.title) else "title"


def in_hand(view: TableView, hand: HeldHand, seat: int) -> tuple[CardInHand, ...]:
    """Return the cards of a hand, each with how it can be played now."""
    choices: dict[str, TitleChoice] = {}
    if view.question is not None and view.question.seat == seat and hand.plays:
        choices = {choice.title: choice for choice in board.choices(view)}
    found = []
    for card in hand.cards:
        found.append(_card_in_hand(view, card, choices.get(card.title)))
        if choices.get(card.title) and choices[card.title].players:
            del choices[card.title]
    return tuple(found)


def cards(view: TableView, shown: Cards) -> tuple[CardInHand, ...]:
    """Return cards to choose from."""
    return tuple([_card_in_hand(view, card, None) for card in shown])


def _card_in_hand(view: TableView, card: PlayingCard, choice: TitleChoice | None) -> CardInHand:
    words = terms_of(view)
    name = words.cards[card.title].name
    return CardInHand(card, name, card_name(card.sign, words), name_of(card), choice)


def decides(view: TableView) -> str:
    """Return what everybody waits for, or which card is to be chosen."""
    question = view.question
    return _CHOOSES[question.offer]() if isinstance(question, OfferQuestion) else board.doing(view)


_CHOOSES = {
    OfferKind.FLIP: lambda: gettext("chooses which card counts"),
    OfferKind.LOOK: lambda: gettext("chooses which of three cards goes back"),
    OfferKind.STORE: lambda: gettext("takes a card from the General Store"),
}


def chooses(view: TableView) -> str:
    """Return what the player is told who chooses a card; empty if nobody does."""
    question = view.question
    return _YOU_CHOOSE[question.offer]() if isinstance(question, OfferQuestion) else ""


_YOU_CHOOSE = {
    OfferKind.FLIP: lambda: gettext("Which card counts?"),
    OfferKind.LOOK: lambda: gettext("Which card goes back onto the deck?"),
    OfferKind.STORE: lambda: gettext("Which card do you take?"),
}


def undo_caveat(view: TableView) -> str:
    """Return that cards stay known, if the last move showed any to somebody."""
    left = max(view.back_to, default=0)
    undone = [
        entry
        for entry, status in zip(view.story, view.statuses, strict=True)
        if status.moves > left and not status.undone
    ]
    if not any(_shows_cards(entry) for entry in undone):
        return ""
    return gettext("Cards that were seen stay known, and the same move brings the same cards.")


def _shows_cards(entry: Entry) -> bool:
    if isinstance(entry, events.Taken | events.Removed):
        return entry.take == HAND
    # Everybody saw what lay in the General Store.
    return isinstance(entry, _SHOW_CARDS) and not events.is_share(entry)


_SHOW_CARDS = (
    events.Drawn,
    events.SecondShown,
    events.CardPlayed,
    events.CardAnswered,
    events.CardFlipped,
    events.Discarded,
    events.Inherited,
)
"""What shows somebody a card that they did not know."""
