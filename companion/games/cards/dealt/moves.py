"""Decisions of players who hold their hands, as plain data.

`Play`, `Pass` and the `Draw` from a source are those of the public game. The others name what only
their player knows, or leave to the deck what it shows.
"""

from enum import StrEnum
from typing import Literal, NamedTuple

from companion.games.cards.dealt.state import Cards, PlayingCard
from companion.games.cards.rules.moves import Draw, Pass, Play


class DealtAction(StrEnum):
    """A kind of decision that the public game doesn't have, or not so; the value is its name."""

    TURN_UP = "turn_up"
    CHOOSE = "choose"
    TRADE = "trade"
    END_TURN = "end_turn"


class TurnUp(NamedTuple):
    """Flip the top cards of the deck, or show the second card of a turn."""

    seat: int
    """The seat that decides."""
    action: Literal[DealtAction.TURN_UP] = DealtAction.TURN_UP
    """Tells the kinds of moves apart."""


class Choose(NamedTuple):
    """Choose one of the cards that are offered."""

    seat: int
    """The seat that decides."""
    card: PlayingCard
    """The card that counts, that is taken, or that goes back onto the deck."""
    action: Literal[DealtAction.CHOOSE] = DealtAction.CHOOSE
    """Tells the kinds of moves apart."""


class Trade(NamedTuple):
    """Discard two cards to regain a life point."""

    seat: int
    """The seat that decides."""
    cards: Cards
    """The cards, in the order in which they are laid on the pile."""
    action: Literal[DealtAction.TRADE] = DealtAction.TRADE
    """Tells the kinds of moves apart."""


class EndTurn(NamedTuple):
    """End the turn."""

    seat: int
    """The seat that decides."""
    cards: Cards = ()
    """The cards beyond the limit, in the order in which they are laid on the pile."""
    action: Literal[DealtAction.END_TURN] = DealtAction.END_TURN
    """Tells the kinds of moves apart."""


DealtMove = Play | Pass | Draw | TurnUp | Choose | Trade | EndTurn
"""A decision of a player who holds their hand."""
