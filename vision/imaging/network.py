"""Run small neural networks and decode their heat maps."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from vision.imaging.geometry import Array, FaceBox, Image, axes_of_shapes, determinants

NETWORKS = Path(__file__).parents[1] / "profiles"
"""The folder with the networks that ship."""
STRIDE = 4
"""Pixels of a cell of the heat maps."""
_SIZES = 6
"""Sizes of pictures for which a network is kept ready."""


class OnnxNetwork:
    """A network that OpenCV runs. Not for two threads at a time.

    For each other size, and each other number of pictures at once, OpenCV would plan its memory
    and pack the weights anew, which takes longer than the network itself: a copy is kept for each
    of the last _SIZES sizes. A batch takes no less time than its pictures one by one, but more
    memory. Copies for pictures of less than half the first size do without Winograd's algorithm,
    which would take 1 to 2 MB of each to save less than 1 ms.
    """

    def __init__(self, path: Path, *shape: int) -> None:
        """Load the network; with `shape`, an input's (channels, h, w), also run it once.

        The first run plans memory and takes longer than later ones.
        """
        self._path = path
        self._by_shape: dict[tuple[int, ...], cv2.dnn.Net] = {}
        if shape:
            self([np.zeros(shape, np.float32)])

    def __call__(self, inputs: Iterable[Array]) -> Array:
        """Return the outputs (n, ...) for n inputs (channels, h, w), at least one, of one shape."""
        outputs = []
        for each in inputs:
            network = self._for_shape(each.shape)
            try:
                network.setInput(np.ascontiguousarray(each[None]))
                outputs.append(np.asarray(network.forward(), np.float32))
            except Exception:
                # Once memory was lacking for it, it fails for ever.
                del self._by_shape[each.shape]
                raise
        return np.concatenate(outputs)

    def _for_shape(self, shape: tuple[int, ...]) -> cv2.dnn.Net:
        if shape not in self._by_shape:
            # OpenCV 5's new engine takes twice as long for so small a network.
            classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
            engine = {} if classic is None else {"engine": classic}
            network = cv2.dnn.readNetFromONNX(str(self._path), **engine)
            first = next(iter(self._by_shape), shape)
            network.enableWinograd(2 * math.prod(shape) > math.prod(first))
            last = list(self._by_shape.items())[1 - _SIZES :]
            self._by_shape = {**dict(last), shape: network}
        return self._by_shape[shape]


def planes(image: Image) -> Array:
    """Return a picture (h, w, 3) as planes (3, h, w) in [0, 1].

    cv2.dnn.blobFromImage takes 1.6 times as long.
    """
    return np.multiply(cv2.split(image), np.float32(1 / 255), dtype=np.float32)


def sigmoid(log_odds: Array) -> Array:
    """Return the probabilities of these log-odds."""
    return np.asarray(1 / (1 + np.exp(-log_odds)), np.float32)


def decode_boxes(maps: Array, scale: float, least: float) -> list[FaceBox]:
    """Return a box for each local maximum of a heat map whose score is above `least`.

    maps: (6 or more, h, w), cells of STRIDE pixels: score before the sigmoid, then the shape as
    `axes_of_shapes` takes it. scale: of the picture that the network saw; boxes are in pixels of
    the whole picture. Centres are refined by the scores of the cells around them.
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
    axes = axes_of_shapes(maps[1:6, rows, cols].T) / np.float32(scale)
    scores = score[rows, cols].tolist()
    return [FaceBox(x[i], y[i], axes[i], scores[i]) for i in np.flatnonzero(determinants(axes) > 0)]
