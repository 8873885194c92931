"""The values that the card reader returns."""

from __future__ import annotations

from dataclasses import dataclass

from vision.cards.sides import Outline
from vision.cards.signs import PrintedSign
from vision.cards.verdict import PileVerdict as PileVerdict


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

    @property
    def title(self) -> str | None:
        """Its likeliest title."""
        return self.likely[0] if self.likely else None

    @property
    def sure(self) -> bool:
        """Whether the title is sure."""
        return self.verdict is PileVerdict.OK
