"""Measure each die's tilt: what is cocked doesn't lie flat on the tray.

Upright edges of all dice that lie flat point to one place in the picture, straight below the
camera. A die is tilted as far as its own upright edges point elsewhere. Shadows are sometimes taken
for sides; but a die leans only on another one or on the wall, and its lower face then lies towards
that, or away from the wall. A die that seems to lean any other way must do so by more.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from vision.dice.find.candidate import Candidate
from vision.dice.find.detector import Detections
from vision.dice.reading import LyingDie
from vision.imaging.geometry import Array

FOCAL_LENGTHS = np.array([0.6, 0.7, 0.77, 0.85, 1.0])
"""Of cameras, in widths of the picture; the one that fits best is taken."""
_ON_DIE = 1.6
"""Edges between the centres of a die and one that it leans on, at most."""
_ON_WALL = 1.3
"""Edges between the centre of a die and the nearest place outside the tray if it leans on that."""
_ALONG = 0.77
"""Cosine of the angle between a tilt and the way to what the die leans on, at least: 40 degrees.

Of twenty dice that lean, one is off by 28 degrees, the others by less."""
LEANING, FREE = 0.15, 0.28
"""Edges of tilt from which a die is cocked: towards something that it can lean on, and at all."""


def lying_dice(dice: Sequence[Candidate], long_side: int) -> list[LyingDie]:
    """Return how dice were seen, as a `TrayModel` keeps it; long_side: of the picture, pixels."""
    places = ((c.box.x / long_side, c.box.y / long_side, c.lean) for c in dice)
    return [LyingDie(x, y, float(right), float(down)) for x, y, (right, down) in places]


def tilts(dice: Sequence[Candidate], long_side: int) -> Array:
    """Return how each die leans otherwise than the other ones, in edges, (n, 2).

    A die doesn't affect what it is measured by. long_side: of the picture, pixels. Zero where there
    are fewer than four dice, so that fewer than three others agree.
    """
    if len(dice) < 4:
        return np.zeros((len(dice), 2), np.float32)
    at = np.array([(c.box.x, c.box.y) for c in dice])
    lean = np.array([c.lean for c in dice])
    focal = FOCAL_LENGTHS[:, None, None] * long_side
    share = (1 - np.eye(len(dice))) / (len(dice) - 1)
    # [k, i]: as the kth focal length has it, for the ith die.
    below = share @ (at + focal * lean)
    off = lean - (below[:, :, None] - at) / focal[..., None]
    best = np.argmin(((off**2).sum(3) * share).sum(2), 0)
    agreed = (below[best, np.arange(len(dice))] - at) / focal[best, 0]
    return np.asarray(lean - agreed, np.float32)


def cocked_shares(dice: Sequence[Candidate], tilt: Array, detections: Detections) -> Array:
    """Return each die's tilt by that from which it is cocked, (n,).

    tilt: see `tilts`. detections: at the scale that fits the dice.
    """
    size = np.linalg.norm(tilt, axis=1)
    shares = size / FREE
    for number, die in enumerate(dice):
        for way in _supports(die, dice, detections):
            along = float(tilt[number] @ way)
            if along > _ALONG * size[number]:
                shares[number] = max(shares[number], along / LEANING)
    return np.asarray(shares, np.float32)


def _supports(die: Candidate, dice: Sequence[Candidate], detections: Detections) -> Iterator[Array]:
    """Return the ways, as unit vectors, in which a die may lean."""
    wall = detections.way_out(die.box, _ON_WALL)
    if wall is not None:
        yield wall
        yield -wall  # it may also stand on the wall's foot
    for other in dice:
        way = np.array((other.box.x - die.box.x, other.box.y - die.box.y), np.float32)
        apart = float(np.linalg.norm(way))
        if 0 < apart < _ON_DIE * (die.box.edge * other.box.edge) ** 0.5:
            yield way / np.float32(apart)
