"""Finds where dice of any kind may lie, and what else is over the tray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import STRIDE, Array, Image, Spot, apart, peaks, sigmoid
from vision.net import Net, planes
from vision.views import nearest, window

NETWORK = Path(__file__).with_name("profiles") / "finder.onnx"
# As tests/training/train_finder.py made it: a cell for every 8 x 8 pixels, in quarters, shapes in
# units of a half edge of 16 pixels, trained on edges of 10 to 46 pixels; sides are multiples of 32.
GRID = 32
COMMON = (320, 416)  # height and width, as most cameras' pictures are surveyed
LEAST_SCORE = 0.15
MOST = 48  # spots worth a second look, of which a plaid has many
LEAST_ZOOM, MOST_ZOOM = 1.15, 2.0  # between which a closer look shows more


@dataclass(frozen=True, slots=True)
class Survey:
    """A first look at a picture.

    `spots`: where top faces may be, likeliest first, none within another. `inside`, `other`:
    (h, w), in [0, 1]: for cells of the picture, `cell` pixels wide, how likely they are in the
    tray, and covered by a hand or another thing. A tray is in one piece: what seems to be one
    elsewhere is 0 in `inside`.
    """

    spots: tuple[Spot, ...]
    inside: Array
    other: Array
    cell: float

    def share(self, mask: Array, spot: Spot, reach: float) -> float:
        """How much of the disc `reach` edges around a spot lies in a mask (h, w), in [0, 1]."""
        col, row = int(spot.x / self.cell), int(spot.y / self.cell)
        radius = max(1, round(reach * spot.edge / self.cell))
        top, left = row - radius, col - radius
        part = mask[max(0, top) : max(0, row + radius + 1), max(0, left) : max(0, col + radius + 1)]
        tall, wide = part.shape
        disc = _disc(radius)[max(0, -top) :, max(0, -left) :][:tall, :wide]
        return cv2.mean(part, disc)[0] if part.size else 0.0


@cache
def _disc(radius: int) -> NDArray[np.uint8]:
    """1 within a circle, (2 * radius + 1, 2 * radius + 1)."""
    disc = np.zeros((2 * radius + 1, 2 * radius + 1), np.uint8)
    return np.asarray(cv2.circle(disc, (radius, radius), radius, 1, cv2.FILLED), np.uint8)


class Finder:
    """The network of first looks."""

    def __init__(self, path: Path = NETWORK) -> None:
        self._net = Net(path, 3, *COMMON)
        self._planes = np.empty((3, 0, 0), np.float32)

    def survey(self, levels: Sequence[Image], long_side: int) -> Survey:
        """What there is in a picture, looked at `long_side` pixels long; `levels`: see `halves`."""
        image = levels[0]
        scale = long_side / max(image.shape[:2])
        size = [max(GRID, round(n * scale)) for n in image.shape[1::-1]]
        small = cv2.resize(nearest(levels, scale), size, interpolation=cv2.INTER_LINEAR)
        h, w = small.shape[:2]
        padded = cv2.copyMakeBorder(small, 0, -h % GRID, 0, -w % GRID, cv2.BORDER_REPLICATE)
        maps = self._maps(padded)
        inside, other = sigmoid(maps[8:10, : -(-h // STRIDE), : -(-w // STRIDE)])
        return Survey(_spots(maps, scale), largest(inside), other, STRIDE / scale)

    def closer(
        self, levels: Sequence[Image], long_side: int, low: Array, high: Array
    ) -> tuple[Spot, ...]:
        """Spots in a part of the picture: what `survey` would find if that were all of it.

        low, high: (2,), its corners, pixels. It is seen as large as fits, up to MOST_ZOOM times as
        large as in a survey `long_side` pixels long; nothing is found where LEAST_ZOOM doesn't fit.
        """
        shape = np.array(levels[0].shape[1::-1])
        whole = long_side / max(shape)
        size = np.ceil(shape * whole / GRID).astype(int) * GRID
        scale = float(min(MOST_ZOOM * whole, float(np.min(size / (high - low)))))
        if scale < LEAST_ZOOM * whole:
            return ()
        part = size / scale
        corner = np.clip((low + high - part) / 2, 0, np.maximum(0, shape - part))
        x, y = (corner + part / 2 - 0.5).tolist()
        back = np.array([[1 / scale, 0], [0, 1 / scale]], np.float32)
        maps = self._maps(window(levels, x, y, back, (int(size[0]), int(size[1]))))
        return tuple(
            replace(spot, x=spot.x + float(corner[0]), y=spot.y + float(corner[1]))
            for spot in _spots(maps, scale)
        )

    def _maps(self, picture: cv2.typing.MatLike) -> Array:
        if self._planes.shape[1:] != picture.shape[:2]:
            self._planes = np.empty((3, *picture.shape[:2]), np.float32)
        maps = self._net([planes(np.asarray(picture, np.uint8), self._planes)])[0]
        return _whole(maps)


def _whole(quarters: Array) -> Array:
    """(c, 2 * h, 2 * w) of (4 * c, h, w): four numbers a channel, for the quarters of a cell.

    Here and not in the network, since OpenCV 4.10 can't.
    """
    _, h, w = quarters.shape
    apart = quarters.reshape(-1, 2, 2, h, w).transpose(0, 3, 1, 4, 2)
    return np.ascontiguousarray(apart.reshape(-1, 2 * h, 2 * w))


def largest(inside: Array) -> Array:
    """(h, w): the same, with 0 in all pieces above a half but the largest."""
    count, piece, stats, _ = cv2.connectedComponentsWithStats((inside > 0.5).astype(np.uint8))
    if count < 3:
        return inside
    main = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    return np.where((piece == main) | (inside <= 0.5), inside, np.float32(0))


def _spots(maps: Array, scale: float) -> tuple[Spot, ...]:
    """The likeliest first, none within another."""
    spots = sorted(peaks(maps, scale, LEAST_SCORE), key=lambda spot: -spot.score)
    return tuple(apart(spots[: 3 * MOST])[:MOST])
