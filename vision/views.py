"""Pictures at several scales, and faces seen from straight above."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.locate import Image, Spot

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


def rectified(levels: Sequence[Image], spot: Spot, edge: float, window: int) -> Image:
    """The face at `spot` seen from straight above: (window, window, 3), `edge` pixels wide.

    Taken from that level of `halves` which is just finer, so that nothing is skipped.
    """
    level = int(np.clip(np.log2(spot.edge / edge / 1.1), 0, len(levels) - 1))
    back = spot.axes * 2 / edge / 2**level
    centre = (np.array([spot.x, spot.y]) + 0.5) / 2**level - 0.5
    matrix = np.column_stack([back, centre - back.sum(1) * (window - 1) / 2])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (window, window)
    border = cv2.BORDER_REPLICATE
    return np.asarray(
        cv2.warpAffine(levels[level], matrix, size, flags=flags, borderMode=border), np.uint8
    )
