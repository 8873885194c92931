"""The reader: a picture in, a reading out."""

from __future__ import annotations

import cv2
import numpy as np

from vision.counted import PipReader
from vision.locate import Image
from vision.profile import Profile
from vision.reading import Reading
from vision.taught import TaughtReader

BAR = 6  # grey levels within which a row or column of pixels is of one colour


class Reader:
    """Reads dice of one profile in single pictures."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._how = PipReader(profile) if profile.pips else TaughtReader(profile)

    def read(self, image: Image, tray: Image | None = None) -> Reading:
        """The dice in `image` (BGR, uint8, (H, W, 3), any size), from top to bottom.

        `tray`: the same tray without dice, seen from the same place; what lies there already is
        no die. ValueError if it is not of the same size.
        """
        return self._how.read(without_bars(image), tray)

    def know(self, profile: Profile) -> None:
        """Tell faces by `profile` from the next picture on; both it and the one before are taught.

        Another thread may read meanwhile, and does not wait. TypeError where pips are counted.
        """
        if profile.pips or isinstance(self._how, PipReader):
            raise TypeError("pips are counted, not known")
        self._how.know(profile)
        self.profile = profile


def without_bars(image: Image) -> Image:
    """The picture, with what is beside bars of one colour drawn out over them.

    Cameras fit pictures to another format with them. A bar beside the tray looks like its wall, and
    a die between them as if it lay in it.
    """
    height, width = image.shape[:2]
    rows, columns = slice(0, height), slice(0, width)
    if any(_even(image[edge][None])[0] for edge in (0, -1)):
        rows = _uneven(_even(image))
    turned = image[rows].swapaxes(0, 1)
    if any(_even(turned[edge][None])[0] for edge in (0, -1)):
        columns = _uneven(_even(turned))
    part = image[rows, columns]
    if part.shape == image.shape:
        return image
    sides = rows.start, height - rows.stop, columns.start, width - columns.stop
    return np.asarray(cv2.copyMakeBorder(part, *sides, cv2.BORDER_REPLICATE), np.uint8)


def _even(lines: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which lines (n, pixels, 3) are of one colour, (n,)."""
    return np.asarray((lines.max(1) - lines.min(1)).max(1) <= BAR)


def _uneven(even: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> slice:
    """From the first to the last that isn't; all, if there is none."""
    (others,) = np.nonzero(~even)
    return slice(int(others[0]), int(others[-1]) + 1) if len(others) else slice(0, len(even))
