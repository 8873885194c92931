"""The art on the dice: pips, and six symbols of our own, as shapes in a square of 100 x 100."""

from math import cos, pi, sin
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

DiceKind = Literal["pips", "symbols"]

FACES = ("arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling")
"""The faces in the order of the pips that stand in for them, 1 to 6."""


class Polygon(NamedTuple):
    """A filled polygon; ink 1 paints, ink 0 takes paint away."""

    points: tuple[tuple[float, float], ...]
    ink: int = 1


class Line(NamedTuple):
    """A stroke with round ends through the points."""

    points: tuple[tuple[float, float], ...]
    width: float
    ink: int = 1


class Disc(NamedTuple):
    """A filled circle."""

    x: float
    y: float
    radius: float
    ink: int = 1


Shape = Polygon | Line | Disc


def _box(left: float, top: float, right: float, bottom: float, ink: int = 1) -> Polygon:
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), ink)


def _ring(count: int, radius: float, size: float, ink: int = 1) -> tuple[Disc, ...]:
    turns = (2 * pi * k / count for k in range(count))
    return tuple(Disc(50 + radius * sin(a), 50 - radius * cos(a), size, ink) for a in turns)


_TARGET = (Disc(50, 50, 46), Disc(50, 50, 39, 0), Disc(50, 50, 33))

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
            Line(((26, 74), (70, 30)), 9),
            Polygon(((90, 10), (80, 50), (50, 20))),
            Polygon(((30, 58), (42, 70), (26, 92), (20, 80), (8, 74))),
            Line(((12, 88), (34, 66)), 4, 0),
        ),
        (
            _box(16, 36, 35, 96),
            _box(40.5, 36, 59.5, 96),
            _box(65, 36, 84, 96),
            _box(12, 57, 88, 75, 0),
            _box(12, 62, 88, 70),
            Line(((50, 36), (51, 27), (58, 21), (67, 22)), 6),
            Polygon(
                tuple(
                    (78 + r * sin(pi * k / 6), 18 - r * cos(pi * k / 6))
                    for k, r in enumerate((17, 6) * 6)
                )
            ),
        ),
        (
            *_TARGET,
            Line(((41, 40), (51, 31), (51, 69)), 9, 0),
            Line(((41, 69), (61, 69)), 9, 0),
        ),
        (
            *_TARGET,
            Line(
                ((38, 42), (41, 34), (50, 30), (59, 34), (61, 43), (55, 53), (38, 69), (63, 69)),
                9,
                0,
            ),
        ),
        (
            Disc(70, 60, 22),
            Disc(70, 60, 13, 0),
            Polygon(((16, 34), (68, 34), (65, 94), (19, 94))),
            Line(((32, 54), (33, 80)), 6, 0),
            Line(((51, 54), (50, 80)), 6, 0),
            Line(((17, 41), (67, 41)), 4, 0),
            Disc(20, 26, 12),
            Disc(40, 20, 15),
            Disc(61, 25, 13),
            _box(12, 25, 72, 36),
        ),
        (
            *_ring(6, 29, 17.5),
            *_ring(6, 29, 8.5, 0),
            Disc(50, 50, 15),
            Disc(50, 50, 5, 0),
        ),
    ),
}
"""For each kind of dice the six faces in the order of FACES."""

_SHIFT = 4
_FINE = 4


def draw(shapes: tuple[Shape, ...], pixels: int, margin: float = 0.0) -> NDArray[np.float32]:
    """The ink of a face, (pixels, pixels) of 0 bare to 1 painted; `margin` as share of the edge."""
    scale = pixels * _FINE * (1 - 2 * margin) / 100
    edge = pixels * _FINE * margin
    ink = np.zeros((pixels * _FINE, pixels * _FINE), np.uint8)

    def fixed(points: tuple[tuple[float, float], ...]) -> NDArray[np.int32]:
        return np.asarray(np.round((np.array(points) * scale + edge) * 2**_SHIFT), np.int32)

    for shape in shapes:
        value = 255 * shape.ink
        match shape:
            case Polygon(points):
                cv2.fillPoly(ink, [fixed(points)], value, cv2.LINE_AA, _SHIFT)
            case Line(points, width):
                thickness = max(1, round(width * scale))
                cv2.polylines(ink, [fixed(points)], False, value, thickness, cv2.LINE_AA, _SHIFT)
            case Disc(x, y, radius):
                ((cx, cy),) = fixed(((x, y),)).tolist()
                r = round(radius * scale * 2**_SHIFT)
                cv2.circle(ink, (cx, cy), r, value, cv2.FILLED, cv2.LINE_AA, _SHIFT)
    small = cv2.resize(ink, (pixels, pixels), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)
