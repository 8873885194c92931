"""Tell a die that leans from one that lies flat by how its face is foreshortened.

How a die leans is told by its sides, and a shadow may look like one. But no shadow moves what is on
the face: the face of a die that leans is compressed along its lean. So a picture of that face is
laid on what is seen twice, compressed as a flat die's would be and as that of one that leans so.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.dice.faces.crops import SIDE, WHOLE, embedder_crop, turned_crop
from vision.imaging.geometry import Array, FaceBox, Image, nearest_rotations

_LARGER, _SMALLER = (1.025, 1.05, 1.08), (0.975, 0.95, 0.92)  # sizes of a face, by its frame's
_MOST_LEAN = 0.9  # edges
_SMOOTH = 0.8  # pixels over which a crop is smoothed
_COMPARED = np.pad(np.full((SIDE - 2, SIDE - 2), 255, np.uint8), 1)
"""Pixels of a crop that are compared."""
_UNTIL = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)
_COARSE, _FINE = 5, 3  # pixels over which the alignment smooths
_NOISE = 0.02  # what even a perfect fit lacks
_MOST_ODDS, _FITS, _MOST_MISFIT = 0.4, 0.85, 0.35  # see `lean_row`
_TOO_ALIKE = 0.042  # difference between shapes below which nothing tells them apart


def lean_row(
    levels: Sequence[Image], box: FaceBox, leans: Sequence[Array], pictures: Sequence[Image]
) -> tuple[float, float]:
    """Return what a face says about whether its die leans: log-odds by its shape, and its misfit.

    The log-odds are 0 where a flat die's face would be foreshortened nearly so, and at most
    _MOST_ODDS either way. The misfit, at least -_MOST_MISFIT, is 0 where a picture fits by _FITS;
    how a die lies is seen wrong more often where none does, as if it is burnt out.

    levels: the picture's pyramid. box: the face. leans: (2,) each, in edges: of a flat die that
    lies there, and as this one seems to lean. pictures: of the same face, as profiles keep them.
    """
    crop = _grey(embedder_crop(levels, box))
    fit, template, warp = max(
        (_align_turned(picture, crop) for picture in pictures), key=lambda a: a[0]
    )
    fine = _align(template, crop, warp, cv2.MOTION_AFFINE, _FINE)
    _, warp = max((fit, warp), fine, key=lambda a: a[0])
    moved = _warp_box(box, warp)
    shapes = [_shape(lean) for lean in leans]
    flat, leaning = (_fit(levels, _foreshorten(moved, shape), template) for shape in shapes)
    alike = np.linalg.norm(shapes[0] @ shapes[0] - shapes[1] @ shapes[1]) < _TOO_ALIKE
    odds = 0.0 if alike else np.log((1 - flat + _NOISE) / (1 - leaning + _NOISE))
    misfit = max(flat, leaning) - _FITS
    return float(np.clip(odds, -_MOST_ODDS, _MOST_ODDS)), float(np.clip(misfit, -_MOST_MISFIT, 0))


def _align_turned(picture: Image, crop: Array) -> tuple[float, Array, Array]:
    """Return how well a picture fits a crop, its turn that does best, and roughly the warp to it.

    The warp is (2, 3).
    """
    turns = [_grey(turned_crop(picture, degrees)) for degrees in (0, 90, 180, 270)]
    template = max(turns, key=lambda turn: cv2.computeECC(turn, crop, _COMPARED))
    still = np.eye(2, 3, dtype=np.float32)
    fit, warp = _align(template, crop, still, cv2.MOTION_AFFINE, _COARSE)
    return fit, template, warp


def _align(
    template: Array, crop: Array, warp: Array, motion: int, smooth: int
) -> tuple[float, Array]:
    """Return the correlation of a template with a crop and the warp (2, 3), from `warp` on.

    After Evangelidis and Psarakis, Parametric Image Alignment Using Enhanced Correlation
    Coefficient Maximization (2008).
    """
    try:
        fit, found = cv2.findTransformECC(
            template, crop, warp.copy(), motion, _UNTIL, _COMPARED, smooth
        )
    except cv2.error:  # it doesn't converge
        return -1.0, warp
    return fit, np.asarray(found, np.float32)


def _warp_box(box: FaceBox, warp: Array) -> FaceBox:
    """Return a box moved and reshaped by a warp (2, 3) of its crop; its area stays."""
    middle = (SIDE - 1) / 2
    off = warp[:, :2] @ (middle, middle) + warp[:, 2] - middle
    x, y = box.axes @ off * (2 * WHOLE / SIDE)
    return replace(box, x=box.x + float(x), y=box.y + float(y), axes=box.axes @ warp[:, :2])


def _shape(lean: Array) -> Array:
    """Return how a face is foreshortened if its die leans so, (2, 2), its area 1."""
    length = min(float(np.linalg.norm(lean)), _MOST_LEAN)
    short = np.sqrt(1 - length**2)
    way = lean / max(length, 1e-6)
    return np.asarray((np.eye(2) - (1 - short) * np.outer(way, way)) / np.sqrt(short), np.float32)


def _foreshorten(box: FaceBox, shape: Array) -> FaceBox:
    """Return the box of a square face as large, turned as it is, and foreshortened so."""
    turn = nearest_rotations(np.asarray(np.linalg.inv(shape) @ box.axes, np.float32))
    return replace(box, axes=np.asarray(box.edge / 2 * shape @ turn, np.float32))


def _fit(levels: Sequence[Image], box: FaceBox, template: Array) -> float:
    """Return the best correlation of a template with a box, turned, moved and resized a little."""
    still = np.eye(2, 3, dtype=np.float32)

    def fit_resized(size: float) -> float:
        crop = _grey(embedder_crop(levels, replace(box, axes=box.axes * np.float32(size))))
        return _align(template, crop, still, cv2.MOTION_EUCLIDEAN, _FINE)[0]

    best = fit_resized(1.0)
    for sizes in (_LARGER, _SMALLER):
        for fit in map(fit_resized, sizes):
            if fit <= best:
                break
            best = fit
    return best


def _grey(crop: Image) -> Array:
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), _SMOOTH), np.float32)
