"""Measure how sharp faces are, to doubt those that are blurred further than what was taught."""

import cv2
import numpy as np

from vision.dice.faces.crops import SIDE
from vision.imaging.geometry import Array, Image

_FINE, _COARSE = 1.0, 2.5  # pixels of a crop over which edges are smoothed
_LIGHT = 9.0  # pixels over which light varies: a mirrored lamp has no edge
_RIM = 5  # pixels of a crop that don't count: the face's border


def sharpness(crop: Image) -> float:
    """Return how fine the edges in a crop (SIDE, SIDE, 3) are, in octaves; sharper ones have more.

    It is how much of the contrast of coarse edges the fine ones have, in the direction that has
    least, since what moves is blurred in one direction alone.
    """
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    light = cv2.GaussianBlur(grey, (0, 0), _LIGHT)
    fine, coarse = (
        _powers(cv2.GaussianBlur(grey, (0, 0), size) - light) for size in (_FINE, _COARSE)
    )
    return float(np.log2((fine + 1e-6) / (coarse + 1e-6)).min()) / 2


def _powers(grey: cv2.typing.MatLike) -> Array:
    """Return the mean squared slope in four directions, an eighth of a turn apart, (4,)."""
    inner = slice(_RIM, SIDE - _RIM)
    x, y = (cv2.Sobel(grey, cv2.CV_32F, *way)[inner, inner] / 8 for way in ((1, 0), (0, 1)))
    across, down, both = np.mean(x * x), np.mean(y * y), np.mean(x * y)
    mean = (across + down) / 2
    return np.array([across, down, mean + both, mean - both], np.float32)
