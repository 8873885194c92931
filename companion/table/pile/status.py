"""The pile as everybody sees it, and what the card on it waits for."""

from dataclasses import dataclass
from enum import StrEnum

from companion.table.game import Move, ReadAs, Reason


class PileStatus(StrEnum):
    """What the pile waits for, or what is wrong with it."""

    UNWATCHED = "unwatched"
    """No camera watches the cards: players tap what they play."""
    WAITING = "waiting"
    """The next card that is laid counts."""
    MOVING = "moving"
    CHOOSE = "choose"
    """A card was laid that can mean several moves: a tap chooses one."""
    UNSURE = "unsure"
    """A card was laid whose title isn't sure: a tap names it."""
    SIGN_UNSURE = "sign_unsure"
    """A card was flipped or shown whose sign isn't sure: a tap names it."""
    ILLEGAL = "illegal"
    """A card was laid that can't be played now: it is taken back, or an earlier title is wrong."""
    FACEDOWN = "facedown"
    MANY = "many"
    """Several cards were laid at once."""
    BLOCKED = "blocked"
    """A hand or a thing covers the pile."""
    MOVED = "moved"
    """The pile was pushed or a card taken off it: undo is offered."""
    DUE = "due"
    """Cards must be laid that count as no move, such as those beyond the limit."""
    COUNTED = "counted"
    """The last card was counted as one of those; `moves` says what else it could mean."""


@dataclass(frozen=True, slots=True)
class Pile:
    """The pile as everybody sees it."""

    status: PileStatus
    """What it waits for, or what is wrong."""
    awaits: ReadAs | None = None
    """How the next card is read; None if a question must be answered first."""
    drawing: bool = False
    """Whether the awaited player said that the next card is flipped ("Draw!")."""
    title: str | None = None
    """The title of the card that waits, or of the last one that was counted; None if unknown."""
    likely: tuple[str, ...] = ()
    """Its likeliest titles, while its title isn't sure."""
    sign: str | None = None
    """The likeliest sign, while the sign isn't sure; None if it can't be seen."""
    signs: tuple[str, ...] = ()
    """The signs of the cards flipped so far, of which more are wanted or one must be chosen."""
    reason: Reason | None = None
    """Why the card can't be played now."""
    moves: tuple[Move, ...] = ()
    """The legal moves that the card can mean."""
    may_be_flipped: bool = False
    """Whether the card, which would be an answer, may also have been flipped: a tap says which."""
    copies: tuple[int, ...] = ()
    """The moves that may have counted a wrong title, if that is why the card can't be played."""
    due: tuple[str | None, ...] = ()
    """The cards still to be laid that count as no move: a title, or None for one from a hand."""
