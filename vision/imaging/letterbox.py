"""Take the bars off pictures that were fitted into another format."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.geometry import Image

_ONE_COLOUR = 6
"""Grey levels within which a row or column of pixels counts as one colour."""


def fill_letterbox(image: Image) -> Image:
    """Return a picture (H, W, 3) with its content's border drawn out over bars of one colour.

    Beside a tray a bar looks like its wall, and a die between them as if it lay in the tray. The
    size stays; a picture without bars is returned itself.
    """
    height, width = image.shape[:2]
    rows, columns = slice(0, height), slice(0, width)
    if any(_of_one_colour(image[edge][None])[0] for edge in (0, -1)):
        rows = _content(_of_one_colour(image))
    turned = image[rows].swapaxes(0, 1)
    if any(_of_one_colour(turned[edge][None])[0] for edge in (0, -1)):
        columns = _content(_of_one_colour(turned))
    part = image[rows, columns]
    if part.shape == image.shape:
        return image
    sides = rows.start, height - rows.stop, columns.start, width - columns.stop
    return np.asarray(cv2.copyMakeBorder(part, *sides, cv2.BORDER_REPLICATE), np.uint8)


def _of_one_colour(lines: Image) -> npt.NDArray[np.bool_]:
    """Return which lines (n, pixels, 3) are of one colour, (n,)."""
    return np.asarray((lines.max(1) - lines.min(1)).max(1) <= _ONE_COLOUR)


def _content(of_one_colour: npt.NDArray[np.bool_]) -> slice:
    """Return from the first to the last line that is not of one colour; all, if there is none."""
    (others,) = np.nonzero(~of_one_colour)
    if not len(others):
        return slice(0, len(of_one_colour))
    return slice(int(others[0]), int(others[-1]) + 1)
