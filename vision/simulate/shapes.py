"""Draw flat shapes: what is printed on dice and cards is made of them."""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Place = tuple[float, float]
"""From the left, from the top."""


class Polygon(NamedTuple):
    """A filled polygon."""

    points: tuple[Place, ...]
    """Its corners."""
    ink: int = 1
    """1 paints, 0 takes paint away."""


class Polyline(NamedTuple):
    """A line with round ends through points."""

    points: tuple[Place, ...]
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
"""One shape; the unit of its lengths is that of the drawing, y runs down."""


def box(left: float, top: float, right: float, bottom: float, ink: int = 1) -> Polygon:
    """Return a rectangle."""
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), ink)


def star(x: float, y: float, rays: int, outer: float, inner: float, ink: int = 1) -> Polygon:
    """Return a star around a place, its first ray upwards."""
    turns = ((pi * k / rays, (outer, inner)[k % 2]) for k in range(2 * rays))
    return Polygon(tuple((x + r * sin(a), y - r * cos(a)) for a, r in turns), ink)


def around(count: int, radius: float) -> list[Place]:
    """Return so many places around (50, 50), evenly spread, the first at the top."""
    turns = (2 * pi * k / count for k in range(count))
    return [(50 + radius * sin(a), 50 - radius * cos(a)) for a in turns]


_SHIFT = 4
"""Binary places of OpenCV's fixed point numbers."""


def draw_shapes(
    picture: NDArray[np.uint8],
    shapes: Iterable[Shape],
    scale: float,
    offset: tuple[float, float],
    bare: Sequence[int],
    paint: Sequence[int],
) -> None:
    """Draw shapes into a picture (H, W) or (H, W, 3), in place.

    scale: pixels of a unit. offset: the pixel where their x and y are 0. bare, paint: the colours
    of ink 0 and 1.
    """

    def to_pixels(*points: Place) -> NDArray[np.int32]:
        return np.asarray(np.round((np.array(points) * scale + offset) * 2**_SHIFT), np.int32)

    for shape in shapes:
        colour = paint if shape.ink else bare
        match shape:
            case Polygon(points):
                cv2.fillPoly(picture, [to_pixels(*points)], colour, cv2.LINE_AA, _SHIFT)
            case Polyline(points, width):
                line, thick = to_pixels(*points), max(1, round(width * scale))
                cv2.polylines(picture, [line], False, colour, thick, cv2.LINE_AA, _SHIFT)
            case Disc(x, y, radius):
                ((cx, cy),) = to_pixels((x, y)).tolist()
                r = round(radius * scale * 2**_SHIFT)
                cv2.circle(picture, (cx, cy), r, colour, cv2.FILLED, cv2.LINE_AA, _SHIFT)
