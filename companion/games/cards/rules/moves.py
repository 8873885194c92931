"""Moves: what a seat decides, as plain data. `check` says whether one is legal in a state.

Each kind ends with the name of its action, so that moves of two kinds are never equal.
"""

from enum import StrEnum
from typing import Literal, NamedTuple

from companion.games.cards.rules.titles import Sign, Title


class CardAction(StrEnum):
    """A kind of move; the value is its name in records."""

    FLIP = "flip"
    DRAW = "draw"
    PLAY = "play"
    PASS = "pass"
    REGAIN = "regain"
    COUNT = "count"
    END = "end"


class DrawSource(StrEnum):
    """Where the first card of a turn may come from, besides a player's hand."""

    DECK = "deck"
    DISCARD = "discard"


AT_ANY_TIME = (CardAction.REGAIN, CardAction.COUNT)
"""The moves that a seat may make although another one is awaited."""

HAND: Literal["hand"] = "hand"
"""What is taken: a random card from a hand."""

Take = Title | Literal["hand"]
"""What is taken from a player: the card in play with this title, or a card from the hand."""


class Flip(NamedTuple):
    """Flip the top card of the deck: for a Barrel, a Jail or the Dynamite."""

    seat: int
    """The seat that decides."""
    signs: tuple[Sign, ...]
    """The flipped cards; the first one counts."""
    action: Literal[CardAction.FLIP] = CardAction.FLIP
    """Tells the kinds of moves apart."""


class Draw(NamedTuple):
    """Draw the cards of a turn where there is a choice, or a card to show."""

    seat: int
    """The seat that decides."""
    source: DrawSource | int | None = None
    """Where the first card comes from, an integer being a seat; None if there is no choice."""
    shown: Sign | None = None
    """The second card, if it must be shown."""
    action: Literal[CardAction.DRAW] = CardAction.DRAW
    """Tells the kinds of moves apart."""


class Play(NamedTuple):
    """Play a card, on one's own turn or as an answer."""

    seat: int
    """The seat that decides."""
    card: Title
    """The title of the card."""
    target: int | None = None
    """The seat that the card is played on, if it names one."""
    take: Take | None = None
    """What Panic! and Cat Balou take from there."""
    action: Literal[CardAction.PLAY] = CardAction.PLAY
    """Tells the kinds of moves apart."""


class Pass(NamedTuple):
    """Play no more cards as an answer."""

    seat: int
    """The seat that decides."""
    action: Literal[CardAction.PASS] = CardAction.PASS
    """Tells the kinds of moves apart."""


class Regain(NamedTuple):
    """Discard two cards to regain a life point."""

    seat: int
    """The seat that decides."""
    action: Literal[CardAction.REGAIN] = CardAction.REGAIN
    """Tells the kinds of moves apart."""


class Count(NamedTuple):
    """Say how many cards one really holds, where that isn't what was counted."""

    seat: int
    """The seat that decides."""
    hand: int
    """How many cards it holds."""
    action: Literal[CardAction.COUNT] = CardAction.COUNT
    """Tells the kinds of moves apart."""


class End(NamedTuple):
    """End the turn."""

    seat: int
    """The seat that decides."""
    action: Literal[CardAction.END] = CardAction.END
    """Tells the kinds of moves apart."""


CardMove = Flip | Draw | Play | Pass | Regain | Count | End
