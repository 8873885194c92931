"""Tells when what the camera sees has come to rest."""

from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

_WIDTH = 160
_SURROUNDINGS = 25
_LEAST_STEP, _MOST_STEP = 5.0, 12.0
_FOLLOW = 0.25


class Motion(StrEnum):
    """What one more frame says."""

    MOVING = "moving"
    SETTLED = "settled"
    """Still for long enough: said once, then `STILL`."""
    STILL = "still"


class Settler:
    """Compares each frame with the one that began the stillness, as small grey pictures.

    `still_frames`: how many frames must show no motion, 4 being 0.3 to 0.4 s at 10 to 13 frames
    a second. `least_area`: how much of the picture must change to count as motion.
    """

    def __init__(self, still_frames: int = 4, least_area: float = 0.0003) -> None:
        if still_frames < 1:
            raise ValueError(f"still_frames is {still_frames}: at least 1 is needed")
        self._still_frames = still_frames
        self._least_area = least_area
        self._anchor: NDArray[np.float32] | None = None
        self._still = 0

    def update(self, image: NDArray[np.uint8]) -> Motion:
        """Takes the next frame, BGR (H, W, 3), of any but always the same size."""
        small = _shrink(image)
        anchor = self._anchor
        if anchor is None or anchor.shape != small.shape or self._moved(anchor, small):
            self._anchor = small
            self._still = 0
            return Motion.MOVING
        # Daylight fades while dice lie: what counts as still follows slowly.
        cv2.accumulateWeighted(small, anchor, _FOLLOW)
        self._still += 1
        if self._still < self._still_frames:
            return Motion.MOVING
        return Motion.SETTLED if self._still == self._still_frames else Motion.STILL

    def _moved(self, anchor: NDArray[np.float32], small: NDArray[np.float32]) -> bool:
        # Clouds, people's shadows and flickering lamps change wider areas than a die, by a factor.
        box = (_SURROUNDINGS, _SURROUNDINGS)
        brighter = cv2.blur(small, box) / np.maximum(cv2.blur(anchor, box), 1)
        change = small - np.minimum(anchor * brighter, 255)
        change = np.abs(cv2.blur(change, (2, 2)))
        noise = float(np.median(change)) / 0.6745
        step = min(max(6 * noise, _LEAST_STEP), _MOST_STEP)
        return bool(np.count_nonzero(change > step) > self._least_area * change.size)


def _shrink(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A grey picture 160 pixels wide, each the mean of 16 pixels: cheap for any size."""
    height, width = image.shape[:2]
    small = _WIDTH, max(1, round(height * _WIDTH / width))
    picked = cv2.resize(image, (4 * small[0], 4 * small[1]), interpolation=cv2.INTER_NEAREST)
    grey = cv2.cvtColor(picked, cv2.COLOR_BGR2GRAY)
    return cv2.resize(grey, small, interpolation=cv2.INTER_AREA).astype(np.float32)
