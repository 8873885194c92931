"""Measure by how much each die is tilted: what is cocked doesn't lie flat on the tray.

Upright edges of all dice that lie flat point to one place in the picture, straight below the
camera. A die is tilted as far as its own upright edges point elsewhere. Shadows are sometimes taken
for sides; but a die leans only on another one or on the wall, so that one which lies free of both
must seem to lean by more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import numpy as np

from vision.find.candidate import Candidate
from vision.find.detector import Detections
from vision.imaging.geometry import Array

FOCAL_LENGTHS = (0.6, 0.7, 0.77, 0.85, 1.0)
"""Of cameras, in widths of the picture; the one that fits best is taken."""
_ON_DIE = 1.1, 1.6
"""Edges between the centres of a die and one that it leans on.

Wedged at an angle t it is (1 + cos t) / 2 + sin t away, which is 1.17 at 10 degrees; two flat dice
side by side touch at 1.
"""
_ON_WALL = 1.3
"""Edges between the centre of a die and the nearest place outside the tray if it leans on that."""
_LEANING, _FREE = 0.2, 0.33
"""Edges of tilt from which a die is cocked: one that can lean on something, and one that can't."""


def tilts(dice: Sequence[Candidate], long_side: int) -> Array:
    """Return by how much each die leans otherwise than the other ones, in edges, (n,).

    A die doesn't affect what it is measured by. long_side: of the picture, pixels. Zero where there
    are fewer than four dice, so that fewer than three others agree.
    """
    if len(dice) < 4:
        return np.zeros(len(dice), np.float32)
    at = np.array([(c.box.x, c.box.y) for c in dice])
    lean = np.array([c.lean for c in dice])
    focal = np.array(FOCAL_LENGTHS)[:, None, None] * long_side
    share = (1 - np.eye(len(dice))) / (len(dice) - 1)
    # [k, i]: as the kth focal length has it, for the ith die.
    below = share @ (at + focal * lean)
    off = lean - (below[:, :, None] - at) / focal[..., None]
    best = np.argmin(((off**2).sum(3) * share).sum(2), 0)
    agreed = (below[best, np.arange(len(dice))] - at) / focal[best, 0]
    return np.asarray(np.linalg.norm(lean - agreed, axis=1), np.float32)


def cocked_from(dice: Sequence[Candidate], detections: Detections) -> Array:
    """Return the tilt from which each die is cocked, in edges, (n,).

    detections: at the scale that fits the dice.
    """
    return np.array(
        [
            _LEANING
            if detections.ends_within(die.box, _ON_WALL) or any(_near(die, one) for one in dice)
            else _FREE
            for die in dice
        ],
        np.float32,
    )


def _near(die: Candidate, other: Candidate) -> bool:
    least, most = _ON_DIE
    edges = hypot(die.box.x - other.box.x, die.box.y - other.box.y)
    return bool(least < edges / (die.box.edge * other.box.edge) ** 0.5 < most)
