"""Decisions of players who hold their hands, as plain data.

`Play`, `Pass` and the `Draw` from a source are those of the public game. The others name what only
their player knows, or leave to the deck what it shows.
"""

from typing import NamedTuple

from companion.games.cards.dealt.state import Cards, PlayingCard
from companion.games.cards.rules.moves import Draw, Pass, Play


class TurnUp(NamedTuple):
    """Flip the top cards of the deck, or show the second card of a turn."""

    seat: int
    """The seat that decides."""


class Choose(NamedTuple):
    """Choose one of the cards that are offered."""

    seat: int
    """The seat that decides."""
    card: PlayingCard
    """The card that counts, that is taken, or that goes back onto the deck."""


class Trade(NamedTuple):
    """Discard two cards to regain a life point."""

    seat: int
    """The seat that decides."""
    cards: Cards
    """The cards, in the order in which they are laid on the pile."""


class EndTurn(NamedTuple):
    """End the turn."""

    seat: int
    """The seat that decides."""
    cards: Cards = ()
    """The cards beyond the limit, in the order in which they are laid on the pile."""


DealtMove = Play | Pass | Draw | TurnUp | Choose | Trade | EndTurn
"""A decision of a player who holds their hand."""
