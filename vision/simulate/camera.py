"""Project a world in centimetres into pictures."""

from collections.abc import Iterable
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.geometry import Image as Image
from vision.simulate.settings import RenderSettings

Floats = NDArray[np.float32]

Box = tuple[int, int, int, int]
"""A part of a picture: left, top, right and bottom, pixels."""


class PinholeCamera:
    """A pinhole above the origin; world axes: x right, y up in the picture, z towards the lens."""

    def __init__(self, settings: RenderSettings, size: tuple[int, int]) -> None:
        """Look as `settings` say, at pictures of size (width, height) in pixels."""
        tilt, turn = np.radians(settings.tilt), np.radians(settings.turn)
        self.size = size
        self.origin = np.array((0.0, -settings.height * np.tan(tilt), settings.height))
        forward = np.array((0.0, np.sin(tilt), -np.cos(tilt)))
        right, down = np.array((1.0, 0.0, 0.0)), np.cross(forward, (1.0, 0.0, 0.0))
        self.axes = np.stack(
            (
                np.cos(turn) * right + np.sin(turn) * down,
                np.cos(turn) * down - np.sin(turn) * right,
                forward,
            )
        )
        self.focal = size[0] / 2 / np.tan(np.radians(settings.field_of_view) / 2)
        self.middle = np.array(((size[0] - 1) / 2, (size[1] - 1) / 2))

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return world points (..., 3), in cm, as pixels (..., 2)."""
        seen = (points - self.origin) @ self.axes.T
        return np.asarray(seen[..., :2] / seen[..., 2:] * self.focal + self.middle)

    def rays(self, box: Box, pitch: float) -> Floats:
        """Return unit directions (3, h, w) of rays through a box, `pitch` pixels apart."""
        left, top, right, bottom = box
        columns, rows = ceil((right - left) / pitch), ceil((bottom - top) / pitch)
        across = left - 0.5 + (np.arange(columns) + 0.5) * pitch - self.middle[0]
        along = top - 0.5 + (np.arange(rows) + 0.5) * pitch - self.middle[1]
        x, y = np.meshgrid(across / self.focal, along / self.focal)
        rays = np.tensordot(self.axes.T, np.stack((x, y, np.ones_like(x))), 1)
        return np.asarray(rays / np.linalg.norm(rays, axis=0), np.float32)

    def box(self, points: NDArray[np.float64], before: int, after: int) -> Box | None:
        """Return where world points are in the picture; None if outside.

        before, after: pixels that are added at the left and the top, and at the other sides.
        """
        seen = self.project(points)
        if not np.isfinite(seen).all():
            return None
        left, top = np.maximum(np.floor(seen.min(axis=0)).astype(int) - before, 0)
        right, bottom = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + after, self.size)
        inside = right > left and bottom > top
        return (int(left), int(top), int(right), int(bottom)) if inside else None


def join_boxes(boxes: Iterable[Box | None]) -> Box | None:
    """Return the least box that holds all of these, None if there are none."""
    found = [box for box in boxes if box is not None]
    if not found:
        return None
    left, top, right, bottom = zip(*found, strict=True)
    return (min(left), min(top), max(right), max(bottom))


def composite(picture: Floats, painted: Floats, pitch: float, box: Box) -> Floats:
    """Lay what was painted over a box of a picture, in place; return it as it lies there.

    painted: (h, w, 4), B, G, R times the cover, and the cover; pitch: pixels from value to value.
    """
    left, top, right, bottom = box
    size = (round(painted.shape[1] * pitch), round(painted.shape[0] * pitch))
    how = cv2.INTER_AREA if pitch < 1 else cv2.INTER_LINEAR
    drawn = cv2.resize(painted, size, interpolation=how)[: bottom - top, : right - left]
    *colours, cover = cv2.split(drawn)
    part = picture[top:bottom, left:right]
    scale_channels(part, 1 - cover)
    part += cv2.merge(colours)
    return np.asarray(drawn, np.float32)


def scale_channels(picture: Floats, factors: cv2.typing.MatLike) -> None:
    """Multiply all channels of a picture (H, W, 3) by factors (H, W), in place.

    NumPy alone, spreading them over the channels, takes several times as long.
    """
    picture *= cv2.merge((factors, factors, factors))


def lift(points: NDArray[np.generic] | cv2.typing.MatLike, z: float) -> NDArray[np.float64]:
    """Return points (n, 2) of the floor at height `z`, (n, 3)."""
    return np.column_stack((points, np.full(len(points), z)))


def fixed_point(points: NDArray[np.generic] | cv2.typing.MatLike) -> NDArray[np.int32]:
    """Return pixels as OpenCV's fixed point numbers with 4 binary places."""
    return np.round(np.asarray(points, np.float64) * 16).astype(np.int32)
