"""The real cards against the count: a hand, or a deck that lacks a card or holds one twice."""

from companion.games.cards.rules.deck import COPIES
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.cards.terms import CardTerms
from companion.games.cards.terms.telling import card_name
from companion.games.game import DeckCopy, DeckDoubts, UnseenCopies
from companion.table.views import TableView
from web.games.cards.board import terms_of
from web.i18n import gettext

FEW = 3
"""The signs of so many copies are named."""


def cards_left(view: TableView, check: DeckDoubts) -> str:
    """Return how many cards the deck has by the count."""
    words = terms_of(view)
    cards = words.quantity(check.left, words.card)
    return gettext("By the count, the deck has %(cards)s left.", cards=cards)


def hand(view: TableView) -> str:
    """Return what a player does who holds another number of cards than the count says."""
    assert view.seat is not None
    words = terms_of(view)
    cards = words.quantity(view.game.players[view.seat].hand, words.card)
    return gettext(
        "By the count, you hold %(cards)s. If you hold fewer, draw; if you hold more, put cards"
        " back.",
        cards=cards,
    )


def missing(view: TableView, check: DeckDoubts) -> tuple[str, ...]:
    """Return the cards that may be missing, those of which only a few may be first."""
    words = terms_of(view)
    unseen = sorted(check.unseen, key=lambda copies: copies.unseen)
    return tuple(_unseen_copies(copies, words) for copies in unseen)


def _unseen_copies(copies: UnseenCopies, words: CardTerms) -> str:
    told = gettext(
        "%(card)s: %(unseen)s of %(copies)s",
        card=words.cards[Title(copies.title)].name,
        unseen=copies.unseen,
        copies=COPIES[Title(copies.title)],
    )
    if len(copies.signs) > FEW:
        return told
    return f"{told} ({', '.join(card_name(SIGNS[sign], words) for sign in copies.signs)})"


def twice(view: TableView, check: DeckDoubts) -> str:
    """Return which cards the camera saw once too often; empty if it saw none."""
    words = terms_of(view)
    cards = [_copy_name(card, words) for card in check.twice]
    if not cards:
        return ""
    return gettext("The camera saw one too many of: %(cards)s.", cards=words.join(cards))


def _copy_name(card: DeckCopy, words: CardTerms) -> str:
    sign = card_name(SIGNS[card.sign], words)
    return f"{words.cards[Title(card.title)].name} ({sign})" if card.title else sign
