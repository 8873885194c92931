"""Counts pips by their layout: how well each face's pattern fits a rectified top face."""

from __future__ import annotations

from functools import cache
from itertools import product

import cv2
import numpy as np

from vision.locate import Array, Image

# Centres of the pips in units of `spread`, as on every die since antiquity.
LAYOUTS: tuple[tuple[tuple[float, float], ...], ...] = (
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
)
# In half edges: distances of the outer pips from the middle, and radii, of the dice that are sold.
SPREADS, RADII = (0.40, 0.46, 0.52, 0.58, 0.64), (0.13, 0.17, 0.21, 0.26)
EDGE = 28  # pixels, of the faces to be compared
PATCH = 27  # pixels, of a pattern
SHIFT = 4  # pixels that a pattern may lie off the middle


def fit(face: Image) -> Array:
    """How well (6,), in [0, 1], each number of pips fits a face as `classify.view` shows it.

    `face`: (WINDOW, WINDOW, 3), its edge EDGE pixels. The best normalised correlation over layouts,
    shifts, colours and polarities.
    """
    patterns, values = _patterns()
    middle = face.shape[0] // 2 + 1.5
    low = int(middle - PATCH / 2 - SHIFT + 0.5)
    side = PATCH + 2 * SHIFT
    flat = _flattened(face.astype(np.float32))[low : low + side, low : low + side]
    windows = np.lib.stride_tricks.sliding_window_view(flat, (PATCH, PATCH), axis=(0, 1))
    rows = windows.reshape(-1, PATCH * PATCH)
    rows = rows - rows.mean(1, keepdims=True)
    rows = rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 20)
    found = np.abs(rows @ patterns.T).max(0)
    return np.array([found[values == v].max() for v in range(6)], np.float32)


def _flattened(image: Array) -> Array:
    """Without what is larger than a pip: gradients of light, sides, the table."""
    return np.asarray(image - cv2.GaussianBlur(image, (0, 0), EDGE * 0.22), np.float32)


@cache
def _patterns() -> tuple[Array, Array]:
    """Normalised patterns (n, PATCH * PATCH) and their faces (n,), 0 for one pip."""
    patterns, values = [], []
    grid = (np.arange(96) - 47.5) / (EDGE / 2)
    for spread, radius in product(SPREADS, RADII):
        if radius > spread * 0.46:
            continue
        for value, layout in enumerate(LAYOUTS):
            for mirror in (False, True) if value in (1, 2, 5) else (False,):
                ink = np.zeros((96, 96), np.float32)
                for a, b in layout:
                    a, b = ((b, a) if value == 5 else (a, -b)) if mirror else (a, b)
                    d = np.hypot(grid[None] - a * spread, grid[:, None] - b * spread)
                    ink = np.maximum(ink, np.clip((radius - d) * EDGE / 2 + 0.5, 0, 1))
                soft = np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.7), np.float32)
                cut = slice(48 - PATCH // 2 - 1, 48 + PATCH // 2)
                pattern = _flattened(soft)[cut, cut].ravel()
                pattern -= pattern.mean()
                patterns.append(pattern / np.linalg.norm(pattern))
                values.append(value)
    return np.array(patterns, np.float32), np.array(values)
