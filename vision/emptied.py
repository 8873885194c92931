"""What was there before the throw: the known empty tray tells printed ornaments from dice."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import Spot
from vision.views import nearest

_WIDTH = 416
_SURROUNDINGS = 0.25
_LEAST_STEP = 8.0
_LEAST_SHARE = 0.2
_CORNERS = 0.9 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)


def new_spots(
    spots: Sequence[Spot], image: Sequence[NDArray[np.uint8]], tray: Sequence[NDArray[np.uint8]]
) -> list[Spot]:
    """Return the spots that do not lie in `tray`, a picture of the same tray from the same place.

    image, tray: as `halves` gives them, of the same size. What looks like a die but has not
    changed since was there before: a printed pip, a star, a knot in the wood. Light may have
    changed as long as it changed evenly over an area wider than a die.
    """
    (height, width, _), (tall, wide, _) = image[0].shape, tray[0].shape
    if (height, width) != (tall, wide):
        raise ValueError(f"the tray's picture has {wide} x {tall} pixels, not {width} x {height}")
    scale = min(1.0, _WIDTH / width)
    change = _change(_shrink(image, scale), _shrink(tray, scale))
    return [spot for spot in spots if _share(change, spot, scale) >= _LEAST_SHARE]


def _shrink(levels: Sequence[NDArray[np.uint8]], scale: float) -> NDArray[np.float32]:
    height, width = levels[0].shape[:2]
    size = (round(width * scale), round(height * scale))
    small = cv2.resize(nearest(levels, scale), size, interpolation=cv2.INTER_LINEAR)
    return cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)


def _change(image: NDArray[np.float32], tray: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where more than light and noise has changed."""
    side = max(3, round(_SURROUNDINGS * image.shape[1]))
    # Dice are few and small: the median of the ratio is that of the light alone.
    few = np.s_[::4, ::4]
    ratio = float(np.median(image[few].mean(2) + 1) / np.median(tray[few].mean(2) + 1))
    even = tray * ratio
    local = cv2.blur(image - even, (side, side))
    local = np.clip(local, -_LEAST_STEP, _LEAST_STEP)
    change = np.abs(image - even - local).max(2)
    noise = float(np.median(change[few])) / 0.6745
    return np.asarray(change > max(_LEAST_STEP, 4 * noise))


def _share(change: NDArray[np.bool_], spot: Spot, scale: float) -> float:
    face = np.zeros(change.shape, np.uint8)
    corners = _CORNERS @ spot.axes.T + (spot.x, spot.y)
    cv2.fillConvexPoly(face, (corners * scale).round().astype(np.int32), 1)
    return float(change[face > 0].mean()) if face.any() else 1.0
