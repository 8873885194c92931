"""Observations of the cards laid in the tray."""

from dataclasses import dataclass

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
    """Whether it may still be one of the cards that are due."""
    named: bool = False
    """Whether a player named its title."""
    number: int = 0
    """The watcher's number for its picture; 0 if there is none."""
    early: bool = False
    """Whether it was laid before what is asked now was asked."""

    @property
    def title(self) -> str | None:
        """Its title; None while it isn't sure."""
        return self.likely[0] if self.sure and self.likely else None
