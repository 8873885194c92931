"""The values that readers return: a reading of one picture, and the dice in it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

DICE = 5
"""Dice of a throw."""
FACES = ("arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling")
"""The faces that a die may show, in the order of the pips that stand in for them, 1 to 6."""

SAME_SIZE = 0.35
"""Octaves by which the edge of one die may seem to differ from that of another, or from before."""


class TrayVerdict(StrEnum):
    """How a reading may be used: only `OK` without a question to the players."""

    OK = "ok"
    """Five dice, all sure."""
    UNSURE = "unsure"
    """Five dice, at least one not sure."""
    COUNT = "count"
    """Dice, but not five."""
    COCKED = "cocked"
    """A die that does not lie flat."""
    BLOCKED = "blocked"
    """Something else than dice in the tray."""
    TOO_NEAR = "too_near"
    """Dice so near that five don't fit in the picture."""
    EMPTY = "empty"
    """No dice."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as seen from above."""

    face: str
    """The likeliest face, one of FACES."""
    x: float
    """Centre of the top face, pixels from the left."""
    y: float
    """Centre of the top face, pixels from the top."""
    size: float
    """Edge of the top face, pixels."""
    angle: float
    """Direction of an edge, degrees in [0, 90)."""
    confidence: float
    """Probability in [0, 1] that `face` is right."""
    sure: bool
    """Whether the confidence is high enough not to ask the players."""
    likely: tuple[str, ...]
    """All faces, from most to least likely."""
    leans: bool = field(default=False, kw_only=True)
    """Whether it may lean, for which it isn't sure."""


class LyingDie(NamedTuple):
    """How a flat die was seen. Places are shares of the picture's longer side."""

    x: float
    """Centre of its top, from the left."""
    y: float
    """Centre of its top, from the top."""
    right: float
    """Where the opposite face lies from the top face, in edges."""
    down: float
    """The same, downwards."""


@dataclass(frozen=True, slots=True)
class DiceReading:
    """All dice in one picture, and how far to trust them."""

    verdict: TrayVerdict
    """How the reading may be used."""
    dice: tuple[Die, ...]
    """The dice, from top to bottom."""
    lying: tuple[LyingDie, ...] = ()
    """How dice were seen to lie, from which a `TrayModel` learns."""
