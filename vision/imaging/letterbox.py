"""Take the bars off pictures that were fitted into another format."""

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
    rows = _content(image)
    columns = _content(image[rows].swapaxes(0, 1))
    part = image[rows, columns]
    if part.shape == image.shape:
        return image
    sides = rows.start, height - rows.stop, columns.start, width - columns.stop
    return np.asarray(cv2.copyMakeBorder(part, *sides, cv2.BORDER_REPLICATE), np.uint8)


def _content(lines: Image) -> slice:
    """Return from the first to the last of lines (n, pixels, 3) that is not of one colour.

    That is all of them if none is, or neither end is of one colour.
    """
    whole = slice(0, len(lines))
    if _colourful_lines(lines[[0, -1]]).all():
        return whole
    others = np.flatnonzero(_colourful_lines(lines))
    return slice(int(others[0]), int(others[-1]) + 1) if len(others) else whole


def _colourful_lines(lines: Image) -> npt.NDArray[np.bool_]:
    """Return which lines (n, pixels, 3) are not of one colour, (n,)."""
    return np.asarray((lines.max(1) - lines.min(1)).max(1) > _ONE_COLOUR)
