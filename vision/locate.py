"""Finds the top faces of dice: one small network looks at the picture at several scales."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import hypot, log2
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.net import Net, planes

Image = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float32]

NETWORK = Path(__file__).with_name("profiles") / "pips.onnx"
# The network, as tests/training/train.py made it: a cell for every 4 x 4 pixels, shapes in units of
# a half edge of 16 pixels, trained on edges of 17 to 54 pixels.
STRIDE, HALF_EDGE = 4, 16.0
# Long sides, in pixels, at which a picture is searched. Each doubling overlaps the next, so dice
# from 1/24 to 1/2 of the picture are found without knowing their size.
LONG_SIDES = (416, 208, 104)
# Where fewer than DICE spots are above a score of STRONG, or these are SMALL, edges of the picture,
# it is searched from nearer, for dice from 1/45 of it, in windows that have SHARED of it in common:
# in those in which other eyes see a spot that was missed, or either sees SMALL ones.
DICE, STRONG, SMALL, SHARED = 5, 0.5, 0.065, 0.08
LEAST_SCORE = 0.2
WITHIN = 0.7  # half edges from its centre that a spot takes for itself


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a top face may be.

    `x`, `y`: centre, pixels. `axes`: (2, 2), its half-edge vectors as columns, pixels.
    `score`: in [0, 1], how much it looks like a top face.
    """

    x: float
    y: float
    axes: Array
    score: float

    @property
    def edge(self) -> float:
        """Edge of the square with the same area, pixels."""
        return float(2 * abs(cv2.determinant(self.axes)) ** 0.5)


class Network:
    """The network: pictures in, maps of faces out."""

    def __init__(self, path: Path = NETWORK) -> None:
        self._path, self._nets = path, dict[tuple[int, ...], Net]()  # by the shape of pictures

    def __call__(self, images: Sequence[Image]) -> Array:
        """(n, 13, h / 4, w / 4) of images (h, w, 3), all of one size, sides multiples of 16.

        Channels: score before the sigmoid; shape xx, xy, yy; cos and sin of four times the turn;
        log-odds of one to six pips and of another face.
        """
        size = images[0].shape
        if size not in self._nets:
            self._nets[size] = Net(self._path)
        return self._nets[size](map(planes, images))


def locate(network: Network, levels: Sequence[Image], others: Sequence[Spot]) -> list[Spot]:
    """Where top faces may be in a picture, best first; one within another only if far smaller.

    levels: see `halves`. others: where another network sees dice of any kind.
    """
    long_side = max(levels[0].shape[:2])
    scales = [side / long_side for side in LONG_SIDES]
    spots = [
        spot
        for scale in scales
        for spot in peaks(network([_padded(_resized(levels, scale))])[0], scale, LEAST_SCORE)
    ]
    best = _best(spots)
    strong = [spot for spot in best if spot.score > STRONG]
    edge = float(np.median([spot.edge for spot in strong])) if strong else 0.0
    if len(strong) < DICE or edge < SMALL * long_side:
        others = [spot for spot in others if spot.score > LEAST_SCORE]
        missed = [spot for spot in others if not any(_within(spot, known) for known in best)]
        either = [*strong, *(spot for spot in others if spot.score > STRONG)]
        small = [spot for spot in either if spot.edge < SMALL * long_side]
        best = _best([*spots, *_closer(network, levels, [*missed, *small])])
    return best


def _within(one: Spot, other: Spot) -> bool:
    return hypot(one.x - other.x, one.y - other.y) < max(one.edge, other.edge) / 2


def _best(spots: Sequence[Spot]) -> list[Spot]:
    return apart(sorted(spots, key=lambda spot: -spot.score), octaves=1)


def _closer(network: Network, levels: Sequence[Image], wanted: Sequence[Spot]) -> Iterator[Spot]:
    """Spots seen nearly twice as large as at first, where spots are `wanted`.

    Through up to four windows, each as large as the picture was at first, for which the network is
    ready.
    """
    if not wanted:
        return
    at = np.array([(spot.x, spot.y) for spot in wanted])
    end = np.array(levels[0].shape[1::-1], np.float64)
    first = LONG_SIDES[0] / float(np.max(end))
    size = np.ceil(np.maximum(16, np.round(end * first)) / 16) * 16
    scale = float(np.min(2 * size / (end * (1 + SHARED))))
    big = _resized(levels, scale)
    for place in product((0, 1), repeat=2):
        corner = np.maximum(0, place * (end * scale - size)).astype(int)
        if not ((at * scale >= corner) & (at * scale <= corner + size)).all(1).any():
            continue
        x, y = corner.tolist()
        part = big[y : y + int(size[1]), x : x + int(size[0])]
        for spot in peaks(network([_padded(part)])[0], scale, LEAST_SCORE):
            yield replace(spot, x=spot.x + x / scale, y=spot.y + y / scale)


def _resized(levels: Sequence[Image], scale: float) -> Image:
    size = [max(16, round(n * scale)) for n in levels[0].shape[1::-1]]
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    finer = min(max(int(-log2(scale)), 0), len(levels) - 1)
    return np.asarray(cv2.resize(levels[finer], size, interpolation=way), np.uint8)


def apart(spots: Sequence[Spot], octaves: float = np.inf) -> list[Spot]:
    """The spots, taken in order, that lie in no spot taken before nor around its centre.

    Spots whose edges differ by more than `octaves` don't get in each other's way.
    """
    if not spots:
        return []
    axes = np.stack([spot.axes for spot in spots])
    x, y = np.array([(spot.x, spot.y) for spot in spots], np.float32).T
    a, b, c, d = axes.reshape(-1, 4, 1).transpose(1, 0, 2)
    area = np.abs(areas(axes))
    # [i, j]: whether the centre of spot j lies in spot i, by half edges of i.
    right, down = x - x[:, None], y - y[:, None]
    off = np.maximum(np.abs(d * right - b * down), np.abs(a * down - c * right))
    near = off < WITHIN * area[:, None]
    octave = np.log2(area) / 2
    rivals = (near | near.T) & (np.abs(octave - octave[:, None]) < octaves)
    free = np.ones(len(spots), bool)
    taken = []
    for number, spot in enumerate(spots):
        if free[number]:
            taken.append(spot)
            free &= ~rivals[number]
    return taken


def _padded(image: cv2.typing.MatLike) -> Image:
    h, w = image.shape[:2]
    return np.asarray(
        cv2.copyMakeBorder(image, 0, -h % 16, 0, -w % 16, cv2.BORDER_REPLICATE), np.uint8
    )


def peaks(maps: Array, scale: float, least: float) -> list[Spot]:
    """Where scores are highest, and `least` at least, in a picture seen at `scale`.

    maps: (c, h, w), of cells STRIDE pixels wide: score before the sigmoid, and `shape`.
    """
    score = sigmoid(maps[0])
    top = cv2.dilate(score, np.ones((3, 3), np.uint8))
    rows, cols = np.nonzero((score == top) & (score > least))
    around = cv2.copyMakeBorder(score, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    near = np.arange(3)
    patches = around[rows[:, None, None] + near[:, None], cols[:, None, None] + near]
    steps = (near - 1) / patches.sum((1, 2))[:, None]
    u, v = cols + (patches.sum(1) * steps).sum(1), rows + (patches.sum(2) * steps).sum(1)
    x, y = (((n + 0.5) * STRIDE / scale - 0.5).tolist() for n in (u, v))
    axes = shape(maps[1:6, rows, cols].T) / np.float32(scale)
    scores = score[rows, cols].tolist()
    return [Spot(x[i], y[i], axes[i], scores[i]) for i in np.flatnonzero(areas(axes) > 0)]


def shape(values: Array) -> Array:
    """Half-edge vectors (..., 2, 2), pixels, of the five numbers (..., 5) that tell a shape.

    They are the polar decomposition: a symmetric stretch, and a turn known up to 90 degrees.
    """
    xx, xy, yy, cos, sin = (values[..., n] for n in range(5))
    turn = np.arctan2(sin, cos) / 4
    c, s = HALF_EDGE * np.cos(turn), HALF_EDGE * np.sin(turn)
    axes = np.array([[xx * c + xy * s, xy * c - xx * s], [xy * c + yy * s, yy * c - xy * s]])
    return _last(axes)


def stretch_and_turn(axes: Array) -> Array:
    """The five numbers (..., 5), xx, xy, yy, cos, sin, of half-edge vectors: `shape` undone."""
    rotation = turned(axes)
    stretch = axes @ np.swapaxes(rotation, -1, -2) / HALF_EDGE
    turn = 4 * np.arctan2(rotation[..., 1, 0], rotation[..., 0, 0])
    numbers = [stretch[..., 0, 0], stretch[..., 0, 1], stretch[..., 1, 1], np.cos(turn)]
    return np.stack([*numbers, np.sin(turn)], -1, dtype=np.float32)


def turned(axes: Array) -> Array:
    """The rotations (..., 2, 2) nearest to half-edge vectors, of their polar decomposition."""
    cos, sin = axes[..., 0, 0] + axes[..., 1, 1], axes[..., 1, 0] - axes[..., 0, 1]
    length = np.hypot(cos, sin)
    cos, sin = cos / length, sin / length
    return _last(np.array([[cos, -sin], [sin, cos]]))


def edges(axes: Array) -> Array:
    """Edges (...) of the squares with the areas of faces (..., 2, 2), pixels; see `Spot.edge`."""
    return np.asarray(2 * np.abs(areas(axes)) ** 0.5, np.float32)


def areas(axes: Array) -> Array:
    """Areas (...) of a quarter of each face (..., 2, 2); negative of those that are mirrored."""
    return axes[..., 0, 0] * axes[..., 1, 1] - axes[..., 0, 1] * axes[..., 1, 0]


def _last(matrices: npt.NDArray[np.floating]) -> Array:
    """(..., 2, 2) of (2, 2, ...)."""
    return np.asarray(np.moveaxis(matrices, (0, 1), (-2, -1)), np.float32)


def sigmoid(x: Array) -> Array:
    """From log-odds to probabilities."""
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)
