"""What was there before the throw: the known empty tray tells printed ornaments from dice."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import Spot
from vision.views import nearest

_WIDTH = 208
_SURROUNDINGS = 0.25
_LEAST_STEP = 8.0
_LEAST_SHARE = 0.2
_CORNERS = 0.9 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)


class Emptied:
    """What has changed since a tray was seen empty."""

    def __init__(
        self, image: Sequence[NDArray[np.uint8]], tray: Sequence[NDArray[np.uint8]]
    ) -> None:
        """image, tray: from the same place, as `halves` gives them; ValueError if not as large."""
        (height, width, _), (tall, wide, _) = image[0].shape, tray[0].shape
        if (height, width) != (tall, wide):
            raise ValueError(
                f"the tray's picture has {wide} x {tall} pixels, not {width} x {height}"
            )
        self._scale = min(1.0, _WIDTH / width)
        self._change = _change(_shrink(image, self._scale), _shrink(tray, self._scale))

    def new(self, spots: Sequence[Spot]) -> list[Spot]:
        """Return the spots that were not there.

        What looks like a die but has not changed since was there before: a printed pip, a star, a
        knot in the wood. Light may have changed as long as it changed evenly over an area wider
        than a die.
        """
        return [spot for spot in spots if _share(self._change, spot, self._scale) >= _LEAST_SHARE]


def _shrink(levels: Sequence[NDArray[np.uint8]], scale: float) -> NDArray[np.uint8]:
    height, width = levels[0].shape[:2]
    size = (round(width * scale), round(height * scale))
    small = cv2.resize(nearest(levels, scale), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8)


def _change(image: NDArray[np.uint8], tray: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where more than light and noise has changed."""
    side = max(3, round(_SURROUNDINGS * image.shape[1]))
    # Dice are few and small: the median of the ratio is that of the light alone.
    few = np.s_[::4, ::4]
    bright, before = (seen[few].astype(np.float32).mean(2) + 1 for seen in (image, tray))
    ratio = float(np.median(bright) / np.median(before))
    # One channel at a time, in the same memory: to be given more takes longer than the work.
    change = np.zeros(image.shape[:2], np.float32)
    apart, local = np.empty_like(change), np.empty_like(change)
    for now, then in zip(cv2.split(image), cv2.split(tray), strict=True):
        cv2.addWeighted(now, 1, then, -ratio, 0, dst=apart, dtype=cv2.CV_32F)
        cv2.blur(apart, (side, side), dst=local)
        np.clip(local, -_LEAST_STEP, _LEAST_STEP, out=local)
        cv2.absdiff(apart, local, dst=apart)
        cv2.max(change, apart, dst=change)
    noise = float(np.median(change[few])) / 0.6745
    return np.asarray(change > max(_LEAST_STEP, 4 * noise))


def _share(change: NDArray[np.bool_], spot: Spot, scale: float) -> float:
    """How much of the face at a spot has changed, in [0, 1]; 1 of one outside the picture."""
    corners = ((_CORNERS @ spot.axes.T + (spot.x, spot.y)) * scale).round().astype(np.int32)
    (left, top), (right, bottom) = np.maximum(corners.min(0), 0), np.maximum(corners.max(0) + 1, 0)
    part = change[top:bottom, left:right]
    face = np.zeros(part.shape, np.uint8)
    if face.size:
        cv2.fillConvexPoly(face, corners - (left, top), 1)
    return float(part[face > 0].mean()) if face.any() else 1.0
