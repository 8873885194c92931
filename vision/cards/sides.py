"""Fit straight sides to a card's outline, and what else all that look at cards share."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.crop import BURNT
from vision.imaging.geometry import Array, Image

Outline = npt.NDArray[np.float64]
"""Corners (4, 2) of a card, x and y in pixels, clockwise from the card's own top left."""

Movement = npt.NDArray[np.float64]
"""A homography (3, 3) that takes places before to places after, in pixels."""

Mask = npt.NDArray[np.bool_]

CARD = (63, 88)
"""Width and height of a card, mm."""

HALF = 2
"""By how much pictures are reduced where half their size tells as much."""
SAMPLES = 48
"""Places along a side where it is looked for."""
SAME_PLACE = 0.06
"""Widths of a card by which what is printed on it, and its corners, are off at most where the same
is seen twice."""
APART = 0.25
"""Widths of a card from which two places aren't those of one, whatever else says so."""
_SHAPES = (0.58, 0.84)
"""The least and the most width of a card for its height, as the camera's slant shows it."""
_UNLIKE, _SKEWED = 1.28, 14.0
"""By what factor opposite sides of a card differ at most, and by how many degrees its corners are
off right angles. Cards under a camera tilted by 20 degrees have 1.14 and 8, bent ones included."""
_PAIRS = np.argwhere(np.tri(12, k=-2).T) / 11.5
"""Pairs of places, in [0, 1], through which lines are tried."""


class StraightLine(NamedTuple):
    """A straight line: a point on it, and its direction."""

    point: Outline
    """Where it begins: x and y."""
    along: Outline
    """Its direction, of any length."""


def fit_line(points: Array, weights: Array, tolerance: float) -> StraightLine | None:
    """Return the line near which most of the points (n, 2) lie; tolerance in pixels.

    By trying lines through pairs of them, as RANSAC does (Fischler and Bolles, 1981), but always
    through the same pairs, so that a picture always gives the same outline.
    """
    pairs = np.rint(_PAIRS * (len(points) - 1)).astype(int)
    start, along = points[pairs[:, 0]], points[pairs[:, 1]] - points[pairs[:, 0]]
    length = np.linalg.norm(along, axis=1)
    start, along = start[length > 5], along[length > 5] / length[length > 5, None]
    if not len(along):
        return None
    off = points - start[:, None]
    near = abs(off[..., 0] * along[:, 1:] - off[..., 1] * along[:, :1]) < tolerance
    best = near[int(np.argmax((near * weights).sum(axis=1)))]
    x, y, right, down = cv2.fitLine(points[best], cv2.DIST_L2, 0, 0.01, 0.01).ravel()[[2, 3, 0, 1]]
    return StraightLine(np.array((x, y), np.float64), np.array((right, down), np.float64))


def intersect(sides: Sequence[StraightLine], otherwise: Outline) -> Outline:
    """Return where neighbouring sides meet; `otherwise` if two hardly do."""
    corners = []
    for number, side in enumerate(sides):
        before = sides[number - 1]
        matrix = np.stack([before.along, -side.along], axis=1)
        lengths = np.linalg.norm(matrix, axis=0)
        if abs(np.linalg.det(matrix / lengths)) < 0.5:
            return otherwise
        corners.append(
            before.point + np.linalg.solve(matrix, side.point - before.point)[0] * before.along
        )
    return np.array(corners)


def sides_of(outline: Outline) -> list[tuple[Outline, Outline]]:
    """Return where each side of an outline starts and ends."""
    return [(outline[n], outline[(n + 1) % 4]) for n in range(4)]


def outward_normal(start: Outline, end: Outline) -> Outline:
    """Return the unit vector that points out of a card across a side."""
    along = (end - start) / np.linalg.norm(end - start)
    return np.array([along[1], -along[0]])


def places_across(
    start: Outline, end: Outline, reach: float, step: float = 0.5
) -> tuple[Array, Array]:
    """Return places (n, m, 2) along a side and across it, and their m offsets, outwards."""
    offsets = np.arange(-reach, reach + step / 2, step)
    along = start + np.linspace(0.06, 0.94, SAMPLES)[:, None] * (end - start)
    places = along[:, None] + offsets[:, None] * outward_normal(start, end)
    return places.astype(np.float32), offsets.astype(np.float32)


def sample(values: cv2.typing.MatLike, places: Array) -> Array:
    """Return the values (n, m) between the pixels at places (n, m, 2)."""
    return np.asarray(
        cv2.remap(values, places[..., 0], places[..., 1], cv2.INTER_LINEAR), np.float32
    )


def take_to(outline: Outline, other: Outline) -> Movement:
    """Return the movement that takes an outline to another."""
    start, end = outline.astype(np.float32), other.astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(start, end), np.float64)


def move(outline: Outline, movement: Array | Movement) -> Outline:
    """Return where an outline lies after a movement."""
    return np.asarray(cv2.perspectiveTransform(outline[None], movement)[0], np.float64)


def outline_of(size: Sequence[float]) -> Outline:
    """Return the outline of all of a picture of a size: width and height."""
    w, h = size
    return np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float64)


def card_size(scale: float) -> tuple[int, int]:
    """Return the width and height of a card in a picture of so many pixels a millimetre."""
    return round(scale * CARD[0]), round(scale * CARD[1])


def glare_mask(picture: Image) -> Image:
    """Return 255 for each pixel of a picture (H, W, 3) that is burnt out, otherwise 0."""
    return np.asarray(cv2.inRange(picture, np.full(3, BURNT), np.full(3, 255)), np.uint8)


def area_of(outline: npt.NDArray[np.floating | np.integer]) -> float:
    """Return the area of an outline, square pixels."""
    return float(cv2.contourArea(outline.astype(np.float32)))


def order_clockwise(outline: Outline) -> Outline:
    """Return an outline with its corners clockwise."""
    is_clockwise = cv2.contourArea(outline.astype(np.float32), True) > 0
    return outline if is_clockwise else np.asarray(outline[::-1])


def begin_with_short_side(outline: Outline) -> Outline:
    """Return an outline that begins with a short side: the card's top, or its bottom."""
    return outline if shape_of(outline) < 1 else np.roll(outline, -1, axis=0)


def shape_of(outline: Outline) -> float:
    """Return the width of an outline for its height."""
    lengths = np.linalg.norm(outline - np.roll(outline, -1, axis=0), axis=1)
    return float(lengths[::2].sum() / lengths[1::2].sum())


def has_card_shape(outline: Outline) -> bool:
    """Return whether an outline that begins at a card's top is as wide for its height as one."""
    return _SHAPES[0] < shape_of(outline) < _SHAPES[1]


def is_card_shaped(outline: Outline) -> bool:
    """Return whether an outline can be a card's, seen by a camera that is hardly tilted."""
    if not np.isfinite(outline).all() or not cv2.isContourConvex(outline.astype(np.float32)):
        return False
    sides = np.roll(outline, -1, axis=0) - outline
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() < 1:
        return False
    unlike = float(abs(np.log(lengths[:2] / lengths[2:])).max())
    directions = sides / lengths[:, None]
    skewed = float(abs((directions * np.roll(directions, 1, axis=0)).sum(axis=1)).max())
    return bool(unlike < np.log(_UNLIKE) and skewed < np.sin(np.radians(_SKEWED)))
