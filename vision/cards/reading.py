"""The values that the card reader returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The table needs a verdict alone, and no OpenCV.
    from vision.cards.sides import Movement, Outline
    from vision.cards.signs import PrintedSign, SignChances


class PileVerdict(StrEnum):
    """What happened on the pile: only `OK` may be used without a question to the players."""

    OK = "ok"
    """A new card, and its title is sure."""
    UNSURE = "unsure"
    """A new card, face up, whose title isn't sure."""
    NONE = "none"
    """No new card."""
    FACEDOWN = "facedown"
    """A new card that shows its back."""
    MANY = "many"
    """More than one new card."""
    BLOCKED = "blocked"
    """A hand over the pile, or a thing that is no card."""
    MOVED = "moved"
    """No new card: the pile was pushed, or a card taken off."""
    GONE = "gone"
    """No new card: one that lay there for a moment was taken away again."""


UNREAD = (PileVerdict.FACEDOWN, PileVerdict.MANY, PileVerdict.BLOCKED)
"""What has to be put right first: the pile as it lay before is what the next picture is compared
with."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """What a picture of the pile shows that the one before did not."""

    verdict: PileVerdict
    """What happened."""
    likely: tuple[str, ...] = ()
    """Titles of the new card, the likeliest first; none where there is no new card face up."""
    sign: PrintedSign | None = None
    """Its likeliest sign; None if it can't be seen."""
    sign_sure: bool = False
    """Whether the sign is sure."""
    outline: Outline | None = None
    """Where the new card lies: corners (4, 2), pixels, clockwise from its own top left."""
    unless_uncovered: CardReading | None = None
    """What was laid, if none was taken off: a card that lies exactly on another looks as if it had
    been uncovered. None where that doesn't matter."""
    movement: Movement | None = None
    """How the pile was pushed, (3, 3), from pixels before to pixels after; None if it wasn't."""
    twin: bool = False
    """Whether another card of the deck has the same title and sign, as both Stagecoaches do."""
    number: int = 0
    """Which card it is of those that a `CardFollower` has told of; 0 if none has."""
    chances: SignChances = field(default_factory=dict)
    """How likely each sign is."""

    @property
    def as_new(self) -> CardReading:
        """What was laid, if none was taken off."""
        return self.unless_uncovered or self

    @property
    def title(self) -> str | None:
        """Its likeliest title."""
        return self.likely[0] if self.likely else None

    @property
    def sure(self) -> bool:
        """Whether the title is sure."""
        return self.verdict is PileVerdict.OK
