"""Draw a reading into its picture, and faces onto a sheet."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.profile import PICTURE
from vision.reading import Reading

_HEADING = 20  # pixels, of a name on a sheet
_SURE, _UNSURE = (80, 200, 80), (40, 140, 255)  # BGR


def draw_reading(
    image: npt.NDArray[np.uint8],
    reading: Reading,
    *,
    small: bool = False,
    names: Mapping[str, str] | None = None,
) -> npt.NDArray[np.uint8]:
    """Return a copy of a picture (BGR) with every die framed and named, in orange where not sure.

    small: whether to draw for a phone, which shows the picture smaller than it is. names: what
    faces are called, by default as in records; accents that OpenCV's font lacks are dropped.
    """
    out = image.copy()
    width = max(1, round(max(image.shape[:2]) / (320 if small else 500)))
    size = 0.4 * width if small else 0.5 * width
    for die in reading.dice:
        colour = _SURE if die.sure else _UNSURE
        box = cv2.boxPoints(((die.x, die.y), (die.size, die.size), die.angle))
        cv2.polylines(out, [box.round().astype(np.int32)], True, colour, width, cv2.LINE_AA)
        name = _ascii((names or {}).get(die.face, die.face))
        label = name if small and die.sure else f"{name} {die.confidence:.0%}"
        at = (round(die.x - die.size / 2), round(die.y - die.size * 0.75))
        for paint, thick in (((0, 0, 0), 3 * width), (colour, width)):
            cv2.putText(out, label, at, cv2.FONT_HERSHEY_SIMPLEX, size, paint, thick, cv2.LINE_AA)
    return out


def contact_sheet(
    pictures: Mapping[str, Sequence[npt.NDArray[np.uint8]]],
) -> npt.NDArray[np.uint8]:
    """Return the pictures of faces, as a profile keeps them, in a row below the name of each."""
    side = PICTURE
    wide = max(3, *(len(each) for each in pictures.values()))
    sheet = np.zeros((len(pictures) * (side + _HEADING), wide * side, 3), np.uint8)
    for number, (face, each) in enumerate(pictures.items()):
        top = number * (side + _HEADING) + _HEADING
        at = (4, top - 6)
        cv2.putText(sheet, face, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, _SURE, 1, cv2.LINE_AA)
        for column, picture in enumerate(each):
            sheet[top : top + side, column * side : (column + 1) * side] = picture
    return sheet


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
