"""Draw flat shapes: what is printed on dice and cards is made of them."""

import tomllib
from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from pathlib import Path
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

Drawing = tuple[Shape, ...]
"""Shapes in a square of 100 x 100, each drawn over those before."""


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


def arc(
    x: float, y: float, radius: float, first: float, last: float, width: float, ink: int = 1
) -> Polyline:
    """Return a part of a circle between two directions in degrees, clockwise from the right."""
    turns = [(first + (last - first) * k / 16) * pi / 180 for k in range(17)]
    return Polyline(tuple((x + radius * cos(a), y + radius * sin(a)) for a in turns), width, ink)


def rays(count: int, inner: float, outer: float, width: float, ink: int = 1) -> Drawing:
    """Return so many lines around (50, 50), from an inner to an outer radius."""
    ends = zip(around(count, inner), around(count, outer), strict=True)
    return tuple(Polyline((low, high), width, ink) for low, high in ends)


def mirrored(drawing: Iterable[Shape]) -> Drawing:
    """Return shapes mirrored in x = 50."""
    return tuple(
        shape._replace(x=100 - shape.x)
        if isinstance(shape, Disc)
        else shape._replace(points=tuple((100 - x, y) for x, y in shape.points))
        for shape in drawing
    )


def read_drawings(path: Path) -> dict[str, dict[str, Drawing]]:
    """Return the drawings of a TOML file by group and name; each line of one is a shape.

    A line names the shape, then its numbers as the function or class here takes them, and last its
    points as `x,y`; `bare` before it takes paint away, and `mirror` adds all so far once more,
    mirrored. Raises ValueError where a line is no shape.
    """
    groups: dict[str, dict[str, str]] = tomllib.loads(path.read_text("utf-8"))
    return {
        group: {name: _parse_drawing(text) for name, text in drawings.items()}
        for group, drawings in groups.items()
    }


def _parse_drawing(text: str) -> Drawing:
    drawing: Drawing = ()
    for line in text.splitlines():
        drawing += mirrored(drawing) if line == "mirror" else _parse_shapes(line)
    return drawing


def _parse_shapes(line: str) -> Drawing:
    ink = 0 if line.startswith("bare ") else 1
    kind, *words = line.removeprefix("bare ").split()
    numbers = [parse_number(word) for word in words if "," not in word]
    pairs = (word.split(",") for word in words if "," in word)
    points = tuple((parse_number(x), parse_number(y)) for x, y in pairs)
    match kind, numbers:
        case "poly", []:
            return (Polygon(points, ink),)
        case "line", [width]:
            return (Polyline(points, width, ink),)
        case "disc", [x, y, radius]:
            return (Disc(x, y, radius, ink),)
        case "discs", [count, away, radius]:
            return tuple(Disc(x, y, radius, ink) for x, y in around(int(count), away))
        case "box", [left, top, right, bottom]:
            return (box(left, top, right, bottom, ink),)
        case "star", [x, y, count, outer, inner]:
            return (star(x, y, int(count), outer, inner, ink),)
        case "rays", [count, inner, outer, width]:
            return rays(int(count), inner, outer, width, ink)
        case "arc", [x, y, radius, first, last, width]:
            return (arc(x, y, radius, first, last, width, ink),)
    raise ValueError(f"{line!r} is no shape")


def parse_number(word: str) -> float:
    """Return a number, whole where it is written so: drawings are printed as they stand."""
    return float(word) if "." in word else int(word)


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
