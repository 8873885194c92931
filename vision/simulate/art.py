"""Draw the art on the dice: pips, and six symbols of our own, in a square of 100 x 100."""

from math import cos, pi, sin
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

DiceKind = Literal["pips", "symbols"]
"""What is on the dice."""


class Polygon(NamedTuple):
    """A filled polygon."""

    points: tuple[tuple[float, float], ...]
    """Its corners."""
    ink: int = 1
    """1 paints, 0 takes paint away."""


class Polyline(NamedTuple):
    """A line with round ends through points."""

    points: tuple[tuple[float, float], ...]
    """The points."""
    width: float
    """Of the line."""
    ink: int = 1
    """1 paints, 0 takes paint away."""


class Disc(NamedTuple):
    """A filled circle."""

    x: float
    """Centre, from the left."""
    y: float
    """Centre, from the top."""
    radius: float
    """Of the circle."""
    ink: int = 1
    """1 paints, 0 takes paint away."""


Shape = Polygon | Polyline | Disc
"""One shape of a face, in hundredths of its edge."""


def _box(left: float, top: float, right: float, bottom: float, ink: int = 1) -> Polygon:
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), ink)


def _ring(count: int, radius: float, size: float, ink: int = 1) -> tuple[Disc, ...]:
    turns = (2 * pi * k / count for k in range(count))
    return tuple(Disc(50 + radius * sin(a), 50 - radius * cos(a), size, ink) for a in turns)


def _star(x: float, y: float, rays: int, outer: float, inner: float) -> Polygon:
    turns = ((pi * k / rays, (outer, inner)[k % 2]) for k in range(2 * rays))
    return Polygon(tuple((x + r * sin(a), y - r * cos(a)) for a, r in turns))


_NOTCHES = (
    _box(45.5, 0, 54.5, 13, 0),
    _box(45.5, 87, 54.5, 100, 0),
    _box(0, 45.5, 13, 54.5, 0),
    _box(87, 45.5, 100, 54.5, 0),
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
            _box(11, 38, 31, 97),
            _box(39.5, 38, 60.5, 97),
            _box(69, 38, 89, 97),
            _box(6, 50, 94, 85, 0),
            _box(6, 58, 94, 77),
            Polyline(((50, 38), (51, 27), (58, 20), (68, 20)), 8),
            _star(81, 19, 6, 19, 8),
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
            _box(12, 24, 72, 38),
        ),
        (
            *_ring(6, 31, 18.5),
            *_ring(6, 31, 8.5, 0),
            Disc(50, 50, 17.5),
            Disc(50, 50, 5.5, 0),
        ),
    ),
}
"""For each kind of dice the six faces in the order of FACES."""

MARGIN: dict[DiceKind, float] = {"pips": 0.04, "symbols": 0.125}
"""What stays bare at each side of a face, as a share of the die's edge."""

_SHIFT = 4
_FINE = 4


def draw_face(shapes: tuple[Shape, ...], pixels: int, margin: float = 0.0) -> NDArray[np.float32]:
    """Return the ink of a face, (pixels, pixels), 0 bare to 1 painted; margin: share of an edge."""
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
            case Polyline(points, width):
                thickness = max(1, round(width * scale))
                cv2.polylines(ink, [fixed(points)], False, value, thickness, cv2.LINE_AA, _SHIFT)
            case Disc(x, y, radius):
                ((cx, cy),) = fixed(((x, y),)).tolist()
                r = round(radius * scale * 2**_SHIFT)
                cv2.circle(ink, (cx, cy), r, value, cv2.FILLED, cv2.LINE_AA, _SHIFT)
    small = cv2.resize(ink, (pixels, pixels), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)
