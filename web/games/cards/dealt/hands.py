"""What a phone shows of a hand, to its player alone."""

from typing import NamedTuple

from companion.games.cards.dealt.state import Cards, OfferKind, PlayingCard
from companion.games.cards.dealt.views import DealtQuestion, HeldHand
from companion.games.cards.terms.telling import card_name
from companion.table.views import TableView
from web.games.cards import board
from web.games.cards.board import TitleChoice, terms_of
from web.games.cards.dealt.forms import name_of
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
    """How it can be played now; None if it can't be."""

    @property
    def kind(self) -> str:
        """The classes of its small picture."""
        return "title blue" if board.is_blue(self.card.title) else "title"


def in_hand(view: TableView, hand: HeldHand, seat: int) -> tuple[CardInHand, ...]:
    """Return the cards of a hand, each with how it can be played now."""
    choices: dict[str, TitleChoice] = {}
    if view.question is not None and view.question.seat == seat and hand.plays:
        choices = {choice.title: choice for choice in board.choices(view)}
    return tuple([_card_in_hand(view, card, choices.get(card.title)) for card in hand.cards])


def cards(view: TableView, shown: Cards) -> tuple[CardInHand, ...]:
    """Return cards to choose from."""
    return tuple([_card_in_hand(view, card, None) for card in shown])


def _card_in_hand(view: TableView, card: PlayingCard, choice: TitleChoice | None) -> CardInHand:
    words = terms_of(view)
    name = words.cards[card.title].name
    return CardInHand(card, name, card_name(card.sign, words), name_of(card), choice)


def decides(view: TableView) -> str:
    """Return what everybody waits for, or which card is to be chosen."""
    question: DealtQuestion | None = view.question
    if question is None or question.offer is None:
        return board.doing(view)
    return _CHOOSES[question.offer]()


_CHOOSES = {
    OfferKind.FLIP: lambda: gettext("chooses which card counts."),
    OfferKind.LOOK: lambda: gettext("chooses which of three cards goes back."),
    OfferKind.STORE: lambda: gettext("takes a card from the General Store."),
}
