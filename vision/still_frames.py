"""Average what lies still, for a picture with less noise."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.geometry import Image


MOST_FRAMES = 257
"""So many frames of 8 bits each have a sum of 16 bits."""


class StillFrames:
    """Averages the frames in which nothing moves, so that their noise becomes less."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start over, and free their memory: a tray lies still for most of an evening."""
        self._sum = np.zeros(0, np.uint16)
        self._count = 0

    def add(self, image: Image) -> None:
        """Add a frame, of the same size as those before it; beyond MOST_FRAMES, it is left out."""
        if self._count == MOST_FRAMES:
            return
        if not self._count:
            self._sum = np.zeros(image.shape, np.uint16)
        np.add(self._sum, image, out=self._sum)
        self._count += 1

    def mean(self) -> Image:
        """Return the mean of the frames, at least one."""
        return np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self._count), np.uint8)
