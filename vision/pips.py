"""Counts pips by their layout: how well each face's pattern fits a rectified top face."""

from __future__ import annotations

from functools import cache
from itertools import product

import cv2
import numpy as np

from vision.locate import Array, Image

Layout = tuple[tuple[float, float], ...]
_RISING: Layout = ((-1, -1), (1, 1))
_FALLING: Layout = ((-1, 1), (1, -1))
_MIDDLE: Layout = ((0, 0),)
# A six's rows may stand closer together than the pips of a four.
_SIXES = tuple(tuple((a * row, b) for a in (-1, 1) for b in (-1, 0, 1)) for row in (0.7, 0.85, 1))
# The number of pips less one, and their centres in units of the spread.
LAYOUTS: tuple[tuple[int, Layout], ...] = (
    (0, _MIDDLE),
    (1, _RISING),
    (1, _FALLING),
    (2, _RISING + _MIDDLE),
    (2, _FALLING + _MIDDLE),
    (3, _RISING + _FALLING),
    (4, _RISING + _FALLING + _MIDDLE),
    *((5, six) for six in _SIXES),
    *((5, tuple((b, a) for a, b in six)) for six in _SIXES),
)
# In half edges: distances of the outer pips from the middle, and radii, of the dice that are sold.
SPREADS, RADII = (0.40, 0.46, 0.52, 0.58, 0.64), (0.13, 0.17, 0.21, 0.26)
EDGE = 28  # pixels, of the faces to be compared
PATCH = 27  # pixels, of a pattern
SHIFT = 2  # pixels that a pattern may lie off the middle
# Of all patterns, so many of their principal components: no pattern is further than 0.04 from them.
COMPONENTS = 64
# Multiplications of one product of matrices, at most: for more OpenBLAS wakes other threads, which
# on a busy machine takes twenty times as long as the product itself.
AT_ONCE = 1 << 18


def fit(face: Image) -> Array:
    """How well (6,), in [0, 1], each number of pips fits a face as `classify.view` shows it.

    `face`: (WINDOW, WINDOW, 3), its edge EDGE pixels. The best normalised correlation over layouts,
    shifts, colours and polarities.
    """
    components, shares, values = _patterns()
    middle = face.shape[0] // 2 + 1.5
    low = int(middle - PATCH / 2 - SHIFT + 0.5)
    side = PATCH + 2 * SHIFT
    flat = _flattened(face.astype(np.float32))[low : low + side, low : low + side]
    windows = np.lib.stride_tricks.sliding_window_view(flat, (PATCH, PATCH), axis=(0, 1))
    rows = windows.reshape(-1, PATCH * PATCH)
    rows = rows - rows.mean(1, keepdims=True)
    rows = rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 20)
    found = np.abs(_product(_product(rows, components), shares)).max(0)
    return np.array([found[values == v].max() for v in range(6)], np.float32)


def _flattened(image: Array) -> Array:
    """Without what is larger than a pip: gradients of light, sides, the table."""
    return np.asarray(image - cv2.GaussianBlur(image, (0, 0), EDGE * 0.22), np.float32)


def _product(one: Array, other: Array) -> Array:
    """`one` times `other` transposed."""
    step = max(1, AT_ONCE // one.size)
    parts = [one @ other[n : n + step].T for n in range(0, len(other), step)]
    return np.concatenate(parts, axis=1)


@cache
def _patterns() -> tuple[Array, Array, Array]:
    """Normalised patterns: components (COMPONENTS, PATCH * PATCH), of which each has shares.

    Shares (n, COMPONENTS), and the patterns' faces (n,), 0 for one pip.
    """
    patterns, values = [], []
    grid = ((np.arange(96) - 47.5) / (EDGE / 2)).astype(np.float32)
    for spread, (value, layout) in product(SPREADS, LAYOUTS):
        away = [np.hypot(grid - a * spread, grid[:, None] - b * spread) for a, b in layout]
        nearest = np.min(away, 0)
        for radius in RADII:
            if radius > spread * 0.46:
                continue
            ink = np.clip((radius - nearest) * EDGE / 2 + 0.5, 0, 1).astype(np.float32)
            soft = np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.7), np.float32)
            cut = slice(48 - PATCH // 2 - 1, 48 + PATCH // 2)
            pattern = _flattened(soft)[cut, cut].ravel()
            pattern -= pattern.mean()
            patterns.append(pattern / np.linalg.norm(pattern))
            values.append(value)
    # Not NumPy's: that wakes other threads too.
    lengths, shares, components = cv2.SVDecomp(np.array(patterns, np.float32))
    return (
        np.asarray(components[:COMPONENTS], np.float32),
        np.asarray((shares * lengths.T)[:, :COMPONENTS], np.float32),
        np.array(values),
    )
