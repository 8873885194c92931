"""Draw the art on the dice: pips, and six symbols of our own, in a square of 100 x 100."""

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulate.shapes import Disc, Polygon, Polyline, Shape, around, box, draw_shapes, star

DiceKind = Literal["pips", "symbols"]
"""What is on the dice."""


_NOTCHES = (
    box(45.5, 0, 54.5, 13, 0),
    box(45.5, 87, 54.5, 100, 0),
    box(0, 45.5, 13, 54.5, 0),
    box(87, 45.5, 100, 54.5, 0),
)

_LOW, _MID, _HIGH = 25, 50, 75
_PIP = 10.5


def _pips(*places: tuple[float, float]) -> tuple[Disc, ...]:
    return tuple(Disc(x, y, _PIP) for x, y in places)


_TWO = _pips((_LOW, _LOW), (_HIGH, _HIGH))
_FOUR = (*_TWO, *_pips((_LOW, _HIGH), (_HIGH, _LOW)))
_MIDDLE = Disc(_MID, _MID, _PIP)

ART: dict[DiceKind, tuple[tuple[Shape, ...], ...]] = {
    "pips": (
        (_MIDDLE,),
        _TWO,
        (*_TWO, _MIDDLE),
        _FOUR,
        (*_FOUR, _MIDDLE),
        (*_FOUR, *_pips((_LOW, _MID), (_HIGH, _MID))),
    ),
    "symbols": (
        (
            Polyline(((24, 76), (70, 30)), 13),
            Polygon(((96, 4), (84, 54), (46, 16))),
            Polygon(((30, 52), (48, 70), (28, 96), (20, 80), (4, 72))),
            Polyline(((8, 92), (40, 60)), 6, 0),
        ),
        (
            box(11, 38, 31, 97),
            box(39.5, 38, 60.5, 97),
            box(69, 38, 89, 97),
            box(6, 50, 94, 85, 0),
            box(6, 58, 94, 77),
            Polyline(((50, 38), (51, 27), (58, 20), (68, 20)), 8),
            star(81, 19, 6, 19, 8),
        ),
        # Both targets and digits of one make would differ in little: so one is dark on light, the
        # other light on dark, which small and blurred pictures still show.
        (
            Disc(50, 50, 47),
            Disc(50, 50, 37.5, 0),
            *_NOTCHES,
            Polyline(((38, 40), (51.5, 29), (51.5, 72)), 14),
        ),
        (
            Disc(50, 50, 47),
            *_NOTCHES,
            Polyline(
                (
                    *((36, 41), (38.5, 34), (43.5, 30), (50, 28.5), (56.5, 30)),
                    *((61.5, 34.5), (63, 41), (60, 48), (37, 71), (65, 71)),
                ),
                13,
                0,
            ),
        ),
        (
            Disc(70, 62, 25),
            Disc(70, 62, 13.5, 0),
            Polygon(((14, 36), (68, 36), (65, 97), (17, 97))),
            Polyline(((32, 57), (33, 83)), 7.5, 0),
            Polyline(((51, 57), (50, 83)), 7.5, 0),
            Polyline(((10, 43), (72, 43)), 5.5, 0),
            Disc(18, 25, 13),
            Disc(39, 18, 16),
            Disc(62, 24, 14),
            box(12, 24, 72, 38),
        ),
        (
            *(Disc(x, y, 18.5) for x, y in around(6, 31)),
            *(Disc(x, y, 8.5, 0) for x, y in around(6, 31)),
            Disc(50, 50, 17.5),
            Disc(50, 50, 5.5, 0),
        ),
    ),
}
"""For each kind of dice the six faces in the order of FACES."""

MARGIN: dict[DiceKind, float] = {"pips": 0.04, "symbols": 0.125}
"""What stays bare at each side of a face, as a share of the die's edge."""

_FINE = 4
"""Pixels drawn for each that is returned."""


def draw_face(shapes: tuple[Shape, ...], pixels: int, margin: float = 0.0) -> NDArray[np.float32]:
    """Return the ink of a face, (pixels, pixels), 0 bare to 1 painted; margin: share of an edge."""
    fine = pixels * _FINE
    ink = np.zeros((fine, fine), np.uint8)
    edge = fine * margin
    draw_shapes(ink, shapes, fine * (1 - 2 * margin) / 100, (edge, edge), (0,), (255,))
    small = cv2.resize(ink, (pixels, pixels), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)
