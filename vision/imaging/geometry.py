"""Describe where top faces of dice are in a picture, and how they are stretched and turned."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""A picture (H, W, 3), B, G, R, or a grey one (H, W)."""
Array = npt.NDArray[np.float32]

HALF_EDGE = 16.0
"""Pixels: the unit of the shapes that networks give, half the edge of a face."""
_CENTRE = 0.7
"""Half edges from its centre within which a face leaves no room for the centre of another."""


@dataclass(frozen=True, slots=True)
class FaceBox:
    """Where a top face may be: a parallelogram, with a score."""

    x: float
    """Centre, pixels from the left."""
    y: float
    """Centre, pixels from the top."""
    axes: Array
    """(2, 2): the half-edge vectors as columns, pixels."""
    score: float
    """How much it looks like a top face, in [0, 1]."""

    @property
    def edge(self) -> float:
        """Edge of the square with the same area, pixels."""
        return float(2 * abs(cv2.determinant(self.axes)) ** 0.5)

    @property
    def angle(self) -> float:
        """Direction of an edge, degrees in [0, 90)."""
        u = self.axes[:, 0]
        return float(np.degrees(np.arctan2(u[1], u[0]))) % 90


def suppress_overlaps(boxes: Sequence[FaceBox], octaves: float = np.inf) -> list[int]:
    """Return the numbers of the boxes that overlap none taken before (non-maximum suppression).

    They are taken in their order. Two overlap where the centre of one lies well inside the other.
    Boxes whose edges differ by `octaves` or more don't suppress each other.
    """
    if not boxes:
        return []
    axes = np.stack([box.axes for box in boxes])
    x, y = np.array([(box.x, box.y) for box in boxes], np.float32).T
    a, b, c, d = axes.reshape(-1, 4, 1).transpose(1, 0, 2)
    area = np.abs(determinants(axes))
    # [i, j]: whether the centre of box j lies in box i, by half edges of i.
    right, down = x - x[:, None], y - y[:, None]
    off = np.maximum(np.abs(d * right - b * down), np.abs(a * down - c * right))
    near = off < _CENTRE * area[:, None]
    octave = np.log2(area) / 2
    rivals = (near | near.T) & (np.abs(octave - octave[:, None]) < octaves)
    free = np.ones(len(boxes), bool)
    taken = []
    for number in range(len(boxes)):
        if free[number]:
            taken.append(number)
            free &= ~rivals[number]
    return taken


def axes_of_shapes(shapes: Array) -> Array:
    """Return the half-edge vectors (..., 2, 2), pixels, of shapes (..., 5) as networks give them.

    A shape is a polar decomposition: a symmetric stretch xx, xy, yy in units of HALF_EDGE, and the
    cosine and sine of four times the turn, which a square tells up to 90 degrees only.
    """
    xx, xy, yy, cos, sin = (shapes[..., n] for n in range(5))
    turn = np.arctan2(sin, cos) / 4
    c, s = HALF_EDGE * np.cos(turn), HALF_EDGE * np.sin(turn)
    axes = np.array([[xx * c + xy * s, xy * c - xx * s], [xy * c + yy * s, yy * c - xy * s]])
    return _matrices_last(axes)


def shapes_of_axes(axes: Array) -> Array:
    """Return the shapes (..., 5) of half-edge vectors (..., 2, 2), see `axes_of_shapes`."""
    rotation = nearest_rotations(axes)
    stretch = axes @ np.swapaxes(rotation, -1, -2) / HALF_EDGE
    turn = 4 * np.arctan2(rotation[..., 1, 0], rotation[..., 0, 0])
    numbers = [stretch[..., 0, 0], stretch[..., 0, 1], stretch[..., 1, 1], np.cos(turn)]
    return np.stack([*numbers, np.sin(turn)], -1, dtype=np.float32)


def nearest_rotations(axes: Array) -> Array:
    """Return the rotations (..., 2, 2) of the polar decomposition of half-edge vectors."""
    cos, sin = axes[..., 0, 0] + axes[..., 1, 1], axes[..., 1, 0] - axes[..., 0, 1]
    length = np.hypot(cos, sin)
    cos, sin = cos / length, sin / length
    return _matrices_last(np.array([[cos, -sin], [sin, cos]]))


def edge_lengths(axes: Array) -> Array:
    """Return the edges (...), pixels, of squares with the areas of faces (..., 2, 2)."""
    return np.asarray(2 * np.abs(determinants(axes)) ** 0.5, np.float32)


def determinants(axes: Array) -> Array:
    """Return the determinants (...) of matrices (..., 2, 2), negative for mirrored faces."""
    return axes[..., 0, 0] * axes[..., 1, 1] - axes[..., 0, 1] * axes[..., 1, 0]


def _matrices_last(matrices: npt.NDArray[np.floating]) -> Array:
    """Move the two axes of matrices (2, 2, ...) to the end."""
    return np.asarray(np.moveaxis(matrices, (0, 1), (-2, -1)), np.float32)
