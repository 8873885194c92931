"""Pictures at several scales, and faces seen from straight above."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import cv2
import numpy as np

from vision.locate import Array, Image, Spot

SMALLEST = 96


def halves(image: Image) -> list[Image]:
    """The picture, and it halved again and again: [0] is `image`."""
    levels = [image]
    while min(levels[-1].shape[:2]) >= 2 * SMALLEST:
        smaller = cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(smaller, np.uint8))
    return levels


def nearest(levels: Sequence[Image], scale: float) -> Image:
    """That level of `halves` from which the picture can be had at `scale` by interpolation."""
    return levels[int(np.clip(round(-np.log2(scale)), 0, len(levels) - 1))]


def window(
    levels: Sequence[Image],
    x: float,
    y: float,
    back: Array,
    size: tuple[int, int],
    middle: tuple[float, float] | None = None,
) -> Image:
    """The surroundings of a place (x, y), pixels: (h, w, 3) for `size` (w, h).

    levels: see `halves`; it is taken from that level which is just finer, so that nothing is
    skipped. back: (2, 2), from the window's pixels to the picture's. middle: where in the window
    the place lies, in its pixels; None: in the middle.
    """
    (a, b), (c, d) = back.tolist()
    finer = log2(abs(a * d - b * c) ** 0.5 / 1.1)
    level = min(max(int(finer), 0), len(levels) - 1)
    part = 2.0**level
    u, v = middle or ((size[0] - 1) / 2, (size[1] - 1) / 2)
    matrix = np.array(
        [
            [a / part, b / part, (x + 0.5 - a * u - b * v) / part - 0.5],
            [c / part, d / part, (y + 0.5 - c * u - d * v) / part - 0.5],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(levels[level], matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def rectified(levels: Sequence[Image], spot: Spot, edge: float, side: int) -> Image:
    """The face at `spot` seen from straight above: (side, side, 3), `edge` pixels wide."""
    return window(levels, spot.x, spot.y, spot.axes * 2 / edge, (side, side))
