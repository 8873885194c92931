"""The values of advice on camera and lamp. Nothing here needs a picture."""

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """What keeps dice from being read well, the worst first."""

    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    NO_TRAY = "no_tray"
    NO_DICE = "no_dice"
    TOO_FAR = "too_far"
    TOO_NEAR = "too_near"
    CUT_OFF = "cut_off"
    """The tray goes on beyond the picture."""
    BLURRED = "blurred"
    GLARE = "glare"
    """A lamp is mirrored in the tray or in a die."""
    UNEVEN = "uneven"
    """A part of the tray is far darker than another."""


class Region(StrEnum):
    """Where in the picture."""

    LEFT = "left"
    RIGHT = "right"
    TOP = "top"
    BOTTOM = "bottom"
    MIDDLE = "middle"


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to change."""

    fault: Fault
    """What is wrong."""
    region: Region | None = None
    """Where; None if everywhere. Of `UNEVEN` the darkest part."""
    seen: int = 0
    """Of dice that are too small, the pixels of an edge."""
    needed: int = 0
    """Of dice that are too small, the pixels that an edge should have."""
