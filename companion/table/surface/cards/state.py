"""What is known of the cards laid in the tray, as values."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from companion.base import codec
from companion.games.game import AnyMove, Owed, ReadAs, Reason
from vision.cards.reading import PileVerdict as PileVerdict


@dataclass(frozen=True, slots=True)
class PileObservation:
    """What the camera saw on the pile. Each with a new card means one more card."""

    verdict: PileVerdict | None
    """What happened since the pile lay still before; None while something moves."""
    likely: tuple[str, ...] = ()
    """Titles of the new card, the likeliest first."""
    sign: str | None = None
    """The likeliest sign of the new card, `10S`; None if it can't be seen."""
    sign_sure: bool = False
    """Whether the sign is sure."""
    number: int = 0
    """The watcher's number for the picture, by which a correction finds it; 0 if there is none."""


PILE_MOVING = PileObservation(None)


@codec.row
@dataclass(frozen=True, slots=True)
class LaidCard:
    """A new card in the tray that hasn't become a move yet."""

    likely: tuple[str, ...] = ()
    """Its title if it is sure; otherwise its likeliest titles."""
    sure: bool = False
    """Whether the title is sure: read without doubt, or named by a player."""
    sign: str | None = None
    """Its sign, or its likeliest."""
    sign_sure: bool = False
    """Whether the sign is sure: read without doubt, or named by a player."""
    new: bool = True
    """Whether it may still be one of the cards that are owed, or somebody else's answer."""
    named: bool = False
    """Whether a player named its title."""
    number: int = field(default=0, metadata=codec.json_name(None))
    """The watcher's number for its picture; 0 if there is none."""
    early: bool = False
    """Whether it was laid before what is asked now was asked."""

    @property
    def title(self) -> str | None:
        """Its title; None while it isn't sure."""
        return self.likely[0] if self.sure and self.likely else None


@codec.row
class GivenCard(NamedTuple):
    """A card that a seat laid as its early answer."""

    seat: int
    """The seat."""
    card: LaidCard
    """The card."""


class GoneCard(NamedTuple):
    """A card that lay there for a moment alone, and was taken away."""

    seat: int
    """Who could have played it."""
    likely: tuple[str, ...]
    """Its likeliest titles among those that could be played, the likeliest first."""


@dataclass(frozen=True, slots=True)
class PileState:
    """What is known about the pile from the camera and from players."""

    now: PileObservation | None = field(default=None, metadata=codec.json_name(None))
    """The camera's latest observation; None while no camera watches the cards."""
    laid: tuple[LaidCard, ...] = ()
    """The new cards that haven't become moves yet, in order; only the first can become one."""
    owed: tuple[Owed, ...] = ()
    """The cards still to be laid that count as no move."""
    given: tuple[GivenCard, ...] = ()
    """The cards that lie there for early answers."""
    discarding: bool = False
    """Whether the player whose turn it is said that the next cards are discarded."""
    may_be_shown: tuple[str, ...] = field(default=(), metadata=codec.json_name("shown"))
    """Titles of cards in play that were tapped, and may still be shown in the tray; that counts as
    no move."""
    drawing: bool = False
    """Whether the awaited player said that they flip a card."""
    last: bool = False
    """Whether the player whose turn it is said that they play no other card: the turn then ends."""
    held: bool = False
    """Whether the cards that wait became no move because one was undone: a tap plays them."""
    lifting: bool = False
    """Whether a card is taken off the pile again, of which the camera has not heard yet."""
    gone: GoneCard | None = field(default=None, metadata=codec.json_name(None))
    """A card that was seen for a moment, and that a seat could have played."""
    taken_as_is: int = field(default=0, metadata=codec.json_name(None))
    """Counts how often the pile was taken as it lies although it wasn't read: the follower must
    compare with that picture from now on."""


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
    GONE = "gone"
    """A card that can be played was seen for a moment and is gone: a tap plays it."""
    DISCARDING = "discarding"
    """The cards laid now are discarded, once the turn is ended."""
    OWED = "owed"
    """Cards must be laid that count as no move, such as those beyond the limit."""


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
    """The title of the card that waits; None if unknown."""
    likely: tuple[str, ...] = ()
    """Its likeliest titles, while its title isn't sure."""
    sign: str | None = None
    """The likeliest sign, while the sign isn't sure; None if it can't be seen."""
    signs: tuple[str, ...] = ()
    """The signs of the cards flipped so far, of which more are wanted or one must be chosen."""
    reason: Reason | None = None
    """Why the card can't be played now."""
    moves: tuple[AnyMove, ...] = ()
    """The legal moves that the card can mean."""
    others: tuple[AnyMove, ...] = ()
    """The early answers of other seats that the card can mean."""
    may_be_owed: Owed | None = None
    """What the card would be if it was owed: a tap says which; None if it can't be."""
    may_be_flipped: bool = False
    """Whether the card may have been flipped: a tap says which."""
    copies: tuple[int, ...] = ()
    """The moves that may have counted a wrong title, if that is why the card can't be played."""
    owed: tuple[Owed, ...] = ()
    """The cards still to be laid that count as no move."""
    discarded: int = 0
    """How many cards wait to be discarded when the turn ends."""
    read: int = 0
    """The number of the picture in which a card was read that hasn't become a move; 0: none."""
    read_title: str | None = None
    """Its title; None if that isn't sure."""
    last: bool = False
    """Whether the turn ends once the card that is being settled is."""
