"""What one picture gave of the single thing that it shows, a face of a die or a card."""

from dataclasses import dataclass

from vision.imaging.geometry import Image

BURNT = 246
"""Level of a channel from which a pixel is burnt out."""
LEAST_CONTRAST = 25.0
"""Grey levels between the 2nd and the 98th percentile below which a picture is too faint."""
SAME_PICTURE = 0.97
"""Correlation from which two pictures of what lies in one place are the same."""


@dataclass(frozen=True, slots=True)
class Crop:
    """What one picture gave. Only a crop with a picture is of use."""

    picture: Image | None
    """The face as a profile keeps it, or the card as a deck does; None where there is no whole one,
    or not one alone."""
    flaw: str | None
    """What is wrong with it, a `vision.dice.teach.DieFlaw` or a `vision.cards.capture.CardFlaw`;
    None if nothing."""
    spot: tuple[float, float, float] | None = None
    """Where it lay in its picture: x, y and the edge of the face or width of the card, pixels. None
    where not known."""
