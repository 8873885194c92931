"""Crop pictures at any scale, and rectify faces, without skipping pixels."""

from collections.abc import Sequence
from math import log2

import cv2
import numpy as np

from vision.imaging.geometry import Array, FaceBox, Image

_SMALLEST = 96
"""Pixels of the shorter side of the smallest level, at least."""


def build_pyramid(image: Image) -> list[Image]:
    """Return the picture, and it halved again and again: [0] is `image` itself."""
    levels = [image]
    while min(levels[-1].shape[:2]) >= 2 * _SMALLEST:
        smaller = cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(smaller, np.uint8))
    return levels


def nearest_level(levels: Sequence[Image], scale: float) -> Image:
    """Return the level of a pyramid nearest to `scale`, from which to interpolate."""
    return levels[int(np.clip(round(-np.log2(scale)), 0, len(levels) - 1))]


def pad(image: cv2.typing.MatLike, multiple: int) -> Image:
    """Return the picture, with its right and lower border repeated up to a multiple of pixels."""
    h, w = image.shape[:2]
    return np.asarray(
        cv2.copyMakeBorder(image, 0, -h % multiple, 0, -w % multiple, cv2.BORDER_REPLICATE),
        np.uint8,
    )


def crop(
    levels: Sequence[Image],
    x: float,
    y: float,
    back: Array,
    size: tuple[int, int],
    middle: tuple[float, float] | None = None,
) -> Image:
    """Return what surrounds a place (x, y), in pixels, as a picture (h, w, 3).

    levels: a pyramid; the level that is just finer is taken, so that no pixel is skipped. back:
    (2, 2), from pixels of the crop to pixels of the picture. size: (w, h) of the crop. middle:
    where in the crop the place lies, in its pixels, by default in its middle.
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


def rectify_face(levels: Sequence[Image], box: FaceBox, edge: float, side: int) -> Image:
    """Return a face as seen from straight above: (side, side, 3), the face `edge` pixels wide."""
    return crop(levels, box.x, box.y, box.axes * 2 / edge, (side, side))
