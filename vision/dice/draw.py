"""Draw a reading into its picture, and faces onto a sheet."""

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.profile import PICTURE
from vision.dice.reading import DiceReading

_HEADING = 20  # pixels, of a name on a sheet
_SURE, _UNSURE = (80, 200, 80), (40, 140, 255)  # BGR
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_ACCENTS = int(cv2.__version__.split(".")[0]) >= 5  # whether the font has letters beyond ASCII


def draw_reading(
    image: npt.NDArray[np.uint8],
    reading: DiceReading,
    *,
    small: bool = False,
    names: Mapping[str, str] | None = None,
) -> npt.NDArray[np.uint8]:
    """Return a copy of a picture (BGR) with every die framed and named, in orange where not sure.

    small: whether to draw for a phone, which shows the picture smaller than it is. names: what
    faces are called, by default as in records. Accents are dropped where OpenCV's font has none.
    """
    out = image.copy()
    width = max(1, round(max(image.shape[:2]) / (320 if small else 500)))
    size = 0.4 * width if small else 0.5 * width
    for die in reading.dice:
        colour = _SURE if die.sure else _UNSURE
        box = cv2.boxPoints(((die.x, die.y), (die.size, die.size), die.angle))
        cv2.polylines(out, [box.round().astype(np.int32)], True, colour, width, cv2.LINE_AA)
        name = (names or {}).get(die.face, die.face)
        label = _to_drawable(name if small and die.sure else f"{name} {die.confidence:.0%}")
        _write(out, label, (die.x - die.size / 2, die.y - die.size * 0.75), size, width, colour)
    return out


def contact_sheet(pictures: Mapping[str, Sequence[npt.NDArray[np.uint8]]]) -> npt.NDArray[np.uint8]:
    """Return the pictures of faces, as a profile keeps them, in a row below the name of each."""
    side = PICTURE
    wide = max(3, *(len(each) for each in pictures.values()))
    sheet = np.zeros((len(pictures) * (side + _HEADING), wide * side, 3), np.uint8)
    for number, (face, each) in enumerate(pictures.items()):
        top = number * (side + _HEADING) + _HEADING
        at = (4, top - 6)
        cv2.putText(sheet, face, at, _FONT, 0.5, _SURE, 1, cv2.LINE_AA)
        for column, picture in enumerate(each):
            sheet[top : top + side, column * side : (column + 1) * side] = picture
    return sheet


def _to_drawable(text: str) -> str:
    if _ACCENTS:
        return text
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _write(
    image: npt.NDArray[np.uint8],
    label: str,
    at: tuple[float, float],
    size: float,
    thick: int,
    colour: tuple[int, int, int],
) -> None:
    """Write a label outlined in black, as near to where it should begin as it is still inside."""
    (wide, high), below = cv2.getTextSize(label, _FONT, size, thick)
    gap = 2 * thick
    height, width = image.shape[:2]
    x = max(gap, min(round(at[0]), width - 1 - wide - gap))
    y = max(high + gap, min(round(at[1]), height - 1 - below - gap))
    # The font of OpenCV 5 has no strokes as thick as an outline, so that is made of copies.
    for right, down in product((-thick, 0, thick), repeat=2):
        cv2.putText(image, label, (x + right, y + down), _FONT, size, 0, thick, cv2.LINE_AA)
    cv2.putText(image, label, (x, y), _FONT, size, colour, thick, cv2.LINE_AA)
