"""Detect top faces with pips: one small network looks at a picture at several scales."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import hypot
from pathlib import Path

import numpy as np

from vision.imaging.geometry import Array, FaceBox, Image, suppress_overlaps
from vision.imaging.network import NETWORKS, OnnxNetwork, decode_boxes, planes
from vision.imaging.pyramid import pad, resize
from vision.reading import DICE

NETWORK = NETWORKS / "pips.onnx"
# As vision/training/train_pips.py made the network: a cell for every 4 x 4 pixels, trained on edges
# of 17 to 54 pixels. Sides are multiples of _GRID.
_GRID = 16
# Long sides, in pixels, at which a picture is searched. Each doubling overlaps the next, so dice
# from 1/24 to 1/2 of the picture are found without knowing their size.
_LONG_SIDES = (416, 208, 104)
# Where fewer than DICE boxes have a score above _STRONG, or these are _SMALL, in edges of the
# longer side, the picture is searched from nearer, for dice from 1/45 of it, in windows that have
# _SHARED of it in common: in those in which the dice detector sees a box that was missed, or either
# sees _SMALL ones.
_STRONG, _SMALL, _SHARED = 0.5, 0.065, 0.08
_LEAST_SCORE = 0.2


class PipNetwork:
    """The network for faces with pips: pictures in, maps out. Not for two threads at a time."""

    def __init__(self, path: Path = NETWORK) -> None:
        self._network = OnnxNetwork(path)

    def __call__(self, images: Sequence[Image]) -> Array:
        """Return maps (n, 13, h / 4, w / 4) of pictures (h, w, 3), all of one size.

        Sides are multiples of _GRID. Channels: score before the sigmoid; shape, five numbers, as
        `axes_of_shapes` takes it; log-odds of one to six pips and of another face.
        """
        return self._network(map(planes, images))


def detect_pip_faces(
    network: PipNetwork, levels: Sequence[Image], others: Sequence[FaceBox]
) -> list[FaceBox]:
    """Return where top faces may be, best first; overlapping ones only where far smaller.

    levels: the picture's pyramid. others: where the dice detector sees dice of any kind.
    """
    long_side = max(levels[0].shape[:2])
    scales = [side / long_side for side in _LONG_SIDES]
    boxes = [
        box
        for scale in scales
        for box in decode_boxes(
            network([pad(resize(levels, scale), _GRID)])[0], scale, _LEAST_SCORE
        )
    ]
    best = _best(boxes)
    strong = [box for box in best if box.score > _STRONG]
    edge = float(np.median([box.edge for box in strong])) if strong else 0.0
    if len(strong) < DICE or edge < _SMALL * long_side:
        others = [box for box in others if box.score > _LEAST_SCORE]
        missed = [box for box in others if not any(_overlap(box, known) for known in best)]
        either = [*strong, *(box for box in others if box.score > _STRONG)]
        small = [box for box in either if box.edge < _SMALL * long_side]
        best = _best([*boxes, *_closer(network, levels, [*missed, *small])])
    return best


def _overlap(one: FaceBox, other: FaceBox) -> bool:
    return hypot(one.x - other.x, one.y - other.y) < max(one.edge, other.edge) / 2


def _best(boxes: Sequence[FaceBox]) -> list[FaceBox]:
    return suppress_overlaps(sorted(boxes, key=lambda box: -box.score), octaves=1)


def _closer(
    network: PipNetwork, levels: Sequence[Image], wanted: Sequence[FaceBox]
) -> Iterator[FaceBox]:
    """Yield boxes seen nearly twice as large as at first, in windows that hold `wanted` ones.

    There are up to four windows, each as large as the picture was at first, for which the network
    is ready.
    """
    if not wanted:
        return
    at = np.array([(box.x, box.y) for box in wanted])
    end = np.array(levels[0].shape[1::-1], np.float64)
    first = _LONG_SIDES[0] / float(np.max(end))
    size = np.ceil(np.maximum(_GRID, np.round(end * first)) / _GRID) * _GRID
    scale = float(np.min(2 * size / (end * (1 + _SHARED))))
    big = resize(levels, scale)
    for place in product((0, 1), repeat=2):
        corner = np.maximum(0, place * (end * scale - size)).astype(int)
        if not ((at * scale >= corner) & (at * scale <= corner + size)).all(1).any():
            continue
        x, y = corner.tolist()
        part = big[y : y + int(size[1]), x : x + int(size[0])]
        for box in decode_boxes(network([pad(part, _GRID)])[0], scale, _LEAST_SCORE):
            yield replace(box, x=box.x + x / scale, y=box.y + y / scale)
