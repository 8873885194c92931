"""Detect motion, and tell when what the camera sees has come to rest."""

from enum import StrEnum
from math import log

import cv2
import numpy as np
from numpy.typing import NDArray

REST_S = 0.24
"""Seconds without motion after which dice lie still.

A die of 16 mm that rocks on an edge stands still for an instant at each turn, and is flat again
within 0.1 s even from 20 degrees: a cube of edge a falls back by 3 g / (4 a) = 460 rad/s^2. On a
corner it stays for longer, but spins.
"""
REST_PICTURES = 3
"""Frames that must agree, however seldom they come: two alike may be one given twice."""

_LONGEST = 160  # pixels of the longer side of the small picture
_SURROUNDINGS = 11  # pixels: narrower than the soft edge of a shadow; a near die fills half of it
_LEAST_STEP, _MOST_STEP = 5.0, 12.0  # grey levels that count as a change, by the noise
_FOLLOW = 0.25  # share of the newest frame in what counts as still
_RELIT = 0.2  # change of the brightness, as a logarithm, after which dice are read again
_STEADY = 0.01  # change from frame to frame below which the light is steady
_LEAST_LIGHT = 20.0  # grey level that something in a tray reaches under the dimmest lamp


class Motion(StrEnum):
    """What one more frame tells."""

    MOVING = "moving"
    """Something has moved since the last frames."""
    PAUSED = "paused"
    """No motion, but not yet for long enough."""
    SETTLED = "settled"
    """Still for long enough, then `STILL`; said again once the light has changed."""
    STILL = "still"
    """Still, as already told."""


class MotionDetector:
    """Compares each frame with the one that began the stillness, both small and grey.

    Not for two threads at a time.
    """

    def __init__(self, rest: float = REST_S, least_area: float = 0.0003) -> None:
        """Tell `SETTLED` after `rest` seconds without motion.

        least_area: share of the picture that must change to count as motion.
        """
        self._rest = rest
        self._least_area = least_area
        self._size: tuple[int, ...] = ()
        self._anchor = np.zeros((0, 0), np.float32)
        self._since = 0.0
        self._agreeing = 0
        # How bright it was when it settled, None before, and in the last picture.
        self._level: float | None = None
        self._latest = 0.0
        self._doubted = False

    def update(self, image: NDArray[np.uint8], at: float) -> Motion:
        """Take the next frame and return whether anything moves.

        image: BGR (H, W, 3), of any size. at: when it was taken, in seconds, no earlier than the
        frame before.
        """
        small = _shrink(image)
        if not self._agreeing:
            self._begin(image, small, at)
            return Motion.PAUSED
        if image.shape != self._size or self._has_changed(small):
            # One frame alone is a flash, a fly, or out of its order.
            if self._level is not None and not self._doubted:
                self._doubted = True
                return Motion.STILL
            self._begin(image, small, at)
            return Motion.MOVING
        self._doubted = False
        # Daylight fades while dice lie: what counts as still follows slowly.
        cv2.accumulateWeighted(small, self._anchor, _FOLLOW)
        self._agreeing += 1
        if self._level is not None:
            return self._check_light(small)
        if self._agreeing < REST_PICTURES or at - self._since < self._rest:
            return Motion.PAUSED
        self._level = self._latest = _brightness(small)
        return Motion.SETTLED

    def _begin(self, image: NDArray[np.uint8], small: NDArray[np.float32], at: float) -> None:
        self._size, self._anchor, self._since = image.shape, small, at
        self._agreeing, self._level, self._doubted = 1, None, False

    def _check_light(self, small: NDArray[np.float32]) -> Motion:
        assert self._level is not None
        before, self._latest = self._latest, _brightness(small)
        steady = abs(self._latest / before - 1) < _STEADY
        if steady and abs(log(self._latest / self._level)) > _RELIT:
            self._level = self._latest
            return Motion.SETTLED
        return Motion.STILL

    def _has_changed(self, small: NDArray[np.float32]) -> bool:
        # Clouds, people's shadows, lamps and exposure change wider areas than a die, by a factor.
        box = (_SURROUNDINGS, _SURROUNDINGS)
        brighter = cv2.blur(small, box) / np.maximum(cv2.blur(self._anchor, box), 1)
        change = small - np.minimum(self._anchor * brighter, 255)
        change = np.abs(cv2.blur(change, (2, 2)))
        noise = float(np.median(change)) / 0.6745
        step = min(max(6 * noise, _LEAST_STEP), _MOST_STEP)
        return bool(np.count_nonzero(change > step) > self._least_area * change.size)


MOST_FRAMES = np.iinfo(np.uint16).max // np.iinfo(np.uint8).max
"""So many frames of 8 bits each have a sum of 16 bits."""


class StillFrames:
    """Averages the frames in which nothing moves, so that their noise becomes less."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start over, and free their memory: a tray lies still for most of an evening."""
        self._sum = np.zeros(0, np.uint16)
        self._count = 0

    @property
    def count(self) -> int:
        """How many frames were added."""
        return self._count

    def add(self, image: NDArray[np.uint8]) -> None:
        """Add a frame, of the same size as those before it; beyond MOST_FRAMES, it is left out."""
        if self._count == MOST_FRAMES:
            return
        if not self._count:
            self._sum = np.zeros(image.shape, np.uint16)
        np.add(self._sum, image, out=self._sum)
        self._count += 1

    def mean(self) -> NDArray[np.uint8]:
        """Return the mean of the frames, at least one."""
        return np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self._count), np.uint8)


def is_dark(image: NDArray[np.uint8]) -> bool:
    """Return whether a picture, BGR (H, W, 3), is black: no light, or a covered lens."""
    return float(np.max(_shrink(image))) < _LEAST_LIGHT


def _brightness(small: NDArray[np.float32]) -> float:
    return float(small.mean()) + 1


def _shrink(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return a grey picture 160 pixels long, each the mean of 16 pixels: cheap for any size."""
    height, width = image.shape[:2]
    scale = _LONGEST / max(height, width)
    small = max(1, round(width * scale)), max(1, round(height * scale))
    picked = cv2.resize(image, (4 * small[0], 4 * small[1]), interpolation=cv2.INTER_NEAREST)
    grey = cv2.cvtColor(picked, cv2.COLOR_BGR2GRAY)
    return cv2.resize(grey, small, interpolation=cv2.INTER_AREA).astype(np.float32)
