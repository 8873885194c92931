"""Decide: from evidence to probabilities, and from dice to the verdict on a reading."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.imaging.geometry import Array, FaceBox
from vision.imaging.network import sigmoid
from vision.reading import DICE, Die, Reading, Verdict


def probabilities(evidence: Array, weights: Sequence[float]) -> Array:
    """Return the probability of each row of evidence (n, k), (n,), by logistic regression.

    weights: an offset, and the weight of each of the k columns, as vision/training calibrated them.
    """
    return sigmoid(weights[0] + evidence @ np.array(weights[1:], np.float32))


def decide_die(box: FaceBox, likely: tuple[str, ...], confidence: float, *, sure: bool) -> Die:
    """Return the die that has its top face in `box`; likely: faces, the likeliest first."""
    return Die(likely[0], box.x, box.y, box.edge, box.angle, confidence, sure, likely)


def decide_reading(
    dice: Sequence[Die], *, doubt: bool, cocked: bool = False, blocked: bool = False
) -> Reading:
    """Return the reading of a picture with these dice.

    doubt: whether there may be one more die, or one may be cocked. cocked: whether a die is tilted.
    blocked: whether something else covers the tray.
    """
    ordered = tuple(sorted(dice, key=lambda die: (die.y, die.x)))
    return Reading(_verdict(ordered, doubt, cocked, blocked), ordered)


def _verdict(dice: Sequence[Die], doubt: bool, cocked: bool, blocked: bool) -> Verdict:
    if blocked:
        return Verdict.BLOCKED
    if not dice:
        return Verdict.EMPTY
    if len(dice) != DICE:
        return Verdict.COUNT
    if cocked:
        return Verdict.COCKED
    return Verdict.UNSURE if doubt or not all(die.sure for die in dice) else Verdict.OK
