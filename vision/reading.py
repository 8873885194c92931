"""What the camera thinks lies in the tray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

DICE = 5
"""Dice of a throw."""


class Verdict(StrEnum):
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
    EMPTY = "empty"
    """No dice."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as seen from above.

    `x`, `y`: centre of the top face, pixels from the top left. `size`: its edge in pixels.
    `angle`: degrees in [0, 90). `confidence`: probability in [0, 1] that `face` is right;
    `sure`: that it is high enough not to ask. `likely`: faces from most to least likely.
    """

    face: str
    x: float
    y: float
    size: float
    angle: float
    confidence: float
    sure: bool
    likely: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """All dice in one picture, from top to bottom, and how far to trust them."""

    verdict: Verdict
    dice: tuple[Die, ...]


def verdict(
    dice: Sequence[Die], *, doubt: bool, cocked: bool = False, blocked: bool = False
) -> Verdict:
    """How a reading with these dice may be used; `doubt`: whether there may be one more."""
    if blocked:
        return Verdict.BLOCKED
    if not dice:
        return Verdict.EMPTY
    if len(dice) != DICE:
        return Verdict.COUNT
    if cocked:
        return Verdict.COCKED
    return Verdict.UNSURE if doubt or not all(die.sure for die in dice) else Verdict.OK
