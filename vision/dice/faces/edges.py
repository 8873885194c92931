"""Compare faces by where their edges run, whatever is brighter on either side of them.

A second opinion on faces that the embedder takes for two alike: glare turns ink and plastic round,
and a dim picture flattens both, but the edges stay where they are.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice.faces.crops import SIDE
from vision.imaging.geometry import Array, Image

_FINE = 1.0  # pixels of a crop over which it is smoothed
_CELLS, _REACH = SIDE // 2, 1  # of a field, and by how many it is shifted either way
_AROUND, _NOISE = 4.5, 4.0  # cells over which edges are evened out; grey levels that are noise
_RIM = 0.25  # share of the field's half at which it fades out


def edge_fields(crops: Sequence[Image]) -> Array:
    """Return the directions of the edges in crops (SIDE, SIDE, 3), (n, 2, _CELLS, _CELLS).

    Each cell has the mean direction, with its angle doubled, so that an edge from dark to bright
    counts as one from bright to dark. Strong edges hardly count more than weak ones.
    """
    return np.stack([_edge_field(crop) for crop in crops], dtype=np.float32)


def edge_vectors(crops: Sequence[Image]) -> Array:
    """Return the fields of crops as unit vectors (n, d), to compare others with."""
    return _unit(edge_fields(crops)[..., _REACH:-_REACH, _REACH:-_REACH] * _WINDOW)


def edge_similarities(crops: Sequence[Image], vectors: Array) -> Array:
    """Return the similarity of one face's edges to those of pictures (k, turns, d), (k,).

    crops: the face, framed in several ways. The best of these, a little shifted, and the best turn
    count.
    """
    fields = edge_fields(crops)
    size = _CELLS - 2 * _REACH
    steps = range(2 * _REACH + 1)
    shifted = [fields[..., y : y + size, x : x + size] * _WINDOW for y in steps for x in steps]
    alike = vectors.reshape(-1, vectors.shape[-1]) @ _unit(np.concatenate(shifted)).T
    return np.asarray(alike.max(1).reshape(vectors.shape[:2]).max(1), np.float32)


def _edge_field(crop: Image) -> Array:
    smooth = cv2.GaussianBlur(crop.astype(np.float32), (0, 0), _FINE)
    across, down = (cv2.Sobel(smooth, cv2.CV_32F, *way) / 4 for way in ((1, 0), (0, 1)))
    squares, products = across * across, across * down
    down *= down
    planes = (squares - down, 2 * products, squares + down)
    cells, colours = (_CELLS, _CELLS), np.ones(crop.shape[2], np.float32)
    # Summed over colours last: a sum over so short an axis takes as long as all of the rest.
    x, y, power = (cv2.resize(p, cells, interpolation=cv2.INTER_AREA) @ colours for p in planes)
    around = cv2.GaussianBlur(power, (0, 0), _AROUND) + np.float32(_NOISE**2)
    return np.asarray(np.stack([x, y]) / np.sqrt(np.maximum(power, 1e-6) * around), np.float32)


def _window() -> Array:
    size = _CELLS - 2 * _REACH
    off = np.abs(np.arange(size) - (size - 1) / 2) / (size / 2)
    return np.asarray(np.clip((1 - np.maximum.outer(off, off)) / _RIM, 0, 1), np.float32)


def _unit(fields: Array) -> Array:
    flat = fields.reshape(len(fields), -1)
    return np.asarray(
        flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32
    )


_WINDOW = _window()
