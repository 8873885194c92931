"""Match templates of one to six pips against a rectified top face."""

from functools import cache
from itertools import product
from math import dist
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.geometry import Array, Image

Layout = tuple[tuple[float, float], ...]
_RISING: Layout = ((-1, -1), (1, 1))
_FALLING: Layout = ((-1, 1), (1, -1))
_MIDDLE: Layout = ((0, 0),)
# A six's rows may stand closer together than the pips of a four.
_SIXES = tuple(tuple((a * row, b) for a in (-1, 1) for b in (-1, 0, 1)) for row in (0.75, 1))
# The centres of pips, in units of the spread.
_LAYOUTS: tuple[Layout, ...] = (
    _MIDDLE,
    _RISING,
    _FALLING,
    _RISING + _MIDDLE,
    _FALLING + _MIDDLE,
    _RISING + _FALLING,
    _RISING + _FALLING + _MIDDLE,
    *_SIXES,
    *(tuple((b, a) for a, b in six) for six in _SIXES),
)
# Where pips of a die may lie, and how far from one no other lies, in units of the spread.
_PLACES: Layout = tuple((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1))
_APART = 0.6
# Of what may be pips, see `_margin` and `_contrast`. Drawn tiles with two to nine rings have a
# margin below 0.1 where they would be sure, as has one of 366 sure dice in photographs. Drawn
# bricks with studs have less contrast than this, as have two of 354 dice.
_LEAST_MARGIN = _LEAST_CONTRAST = 0.13
# In half edges: distances of the outer pips from the middle, and radii, of the dice that are sold.
_SPREADS, _RADII = np.linspace(0.40, 0.64, 5).tolist(), np.geomspace(0.13, 0.26, 4).tolist()
EDGE = 28
"""Pixels of a face's edge in the views to match, and in most of those to count."""
_PATCH = EDGE - 1  # pixels, of a template
_SHIFT = 2  # pixels that a template may lie off the middle
# Multiplications of one product of matrices, at most: for more OpenBLAS wakes other threads, which
# on a busy machine takes twenty times as long as the product itself.
_AT_ONCE = 1 << 18


class _Template(NamedTuple):
    layout: Layout
    spread: float
    radius: float


def fit(face: Image) -> tuple[Array, bool]:
    """Return how well each number of pips fits a face, (6,), in [0, 1], and whether it has pips.

    face: seen from straight above, (side, side, 3), its edge EDGE pixels, its centre 2 pixels right
    of and below the middle, as the network's cells have it. The fit is the best normalised
    correlation over layouts, shifts, colours and polarities. It has pips if those of the best
    template stand out from all other places for pips, and are of another colour than the face.
    """
    drawn, templates = _templates()
    middle = face.shape[0] // 2 + 1.5
    low = int(middle - _PATCH / 2 - _SHIFT + 0.5)
    part = np.s_[low : low + _PATCH + 2 * _SHIFT, low : low + _PATCH + 2 * _SHIFT]
    flat = _flatten(face.astype(np.float32))[part]
    windows = np.lib.stride_tricks.sliding_window_view(flat, (_PATCH, _PATCH), axis=(0, 1))
    rows = windows.reshape(-1, _PATCH * _PATCH)
    rows = rows - rows.mean(1, keepdims=True)
    rows = rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 20)
    found = _product(rows, drawn)
    counts, fits = np.array([len(each.layout) for each in templates]), np.abs(found).max(0)
    best = int(np.argmax(fits))
    window = int(np.argmax(np.abs(found[:, best])))
    y, x, channel = np.unravel_index(window, windows.shape[:3])
    plane = np.asarray(flat[..., channel] * np.sign(found[window, best]), np.float32)
    centre = np.array((x, y)) + _PATCH // 2
    has_pips = (
        _margin(plane, centre, templates[best]) > _LEAST_MARGIN
        and _contrast(face[part], centre, templates[best]) > _LEAST_CONTRAST
    )
    return np.array([fits[counts == n + 1].max() for n in range(6)], np.float32), has_pips


def _margin(plane: Array, centre: npt.NDArray[np.integer], template: _Template) -> float:
    """Return the margin of the weakest pip over the strongest other place for pips.

    That is told in the mean difference of both, so it is 1 at most, and below 0 where another
    pattern than pips fits better. plane: (h, w), in which pips are bright.
    """
    even = cv2.GaussianBlur(plane, (0, 0), template.radius * EDGE / 4)
    step, layout = template.spread * EDGE / 2, template.layout
    free = [place for place in _PLACES if min(dist(place, pip) for pip in layout) > _APART]
    pips, others = (
        even[tuple(np.rint(centre + step * np.array(places)).astype(int).T[::-1])]
        for places in (layout, free)
    )
    return float((pips.min() - others.max()) / max(pips.mean() - others.mean(), 1e-6))


def _contrast(face: Image, centre: npt.NDArray[np.integer], template: _Template) -> float:
    """Return the contrast of the middles of most pips with the face, all over.

    That is told in logarithms of light. Studs have the face's colour: only their shades look like
    pips.
    """
    y, x = (np.indices(face.shape[:2]) - centre[::-1, None, None]) * (2 / EDGE)
    pips = np.multiply(template.layout, template.spread)
    away = np.hypot(x - pips[:, :1, None], y - pips[:, 1:, None])
    between = (away.min(0) > template.radius + 0.1) & (np.maximum(abs(x), abs(y)) < 0.8)
    light = np.log(face + np.float32(8))
    differ = light - np.median(light[between], 0)
    least = []
    for middle in away < max(0.6 * template.radius, 2 / EDGE):
        means = differ[middle].mean(0)
        channel = np.argmax(abs(means))
        least.append(np.min(differ[middle, channel] * np.sign(means[channel])))
    return float(np.median(least))


def _flatten(image: Array) -> Array:
    """Remove what is larger than a pip: gradients of light, sides, the table."""
    return np.asarray(image - cv2.GaussianBlur(image, (0, 0), EDGE * 0.22), np.float32)


def _product(one: Array, other: Array) -> Array:
    """Multiply `one` by `other` transposed."""
    step = max(1, _AT_ONCE // one.size)
    parts = [one @ other[n : n + step].T for n in range(0, len(other), step)]
    return np.concatenate(parts, axis=1)


@cache
def _templates() -> tuple[Array, list[_Template]]:
    """Return the normalised templates (n, _PATCH * _PATCH), and what they show."""
    drawn, templates = [], []
    grid = ((np.arange(96) - 47.5) / (EDGE / 2)).astype(np.float32)
    for spread, layout in product(_SPREADS, _LAYOUTS):
        away = [np.hypot(grid - a * spread, grid[:, None] - b * spread) for a, b in layout]
        nearest = np.min(away, 0)
        for radius in _RADII:
            if radius > spread * 0.46:
                continue
            ink = np.clip((radius - nearest) * EDGE / 2 + 0.5, 0, 1).astype(np.float32)
            soft = np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.7), np.float32)
            cut = slice(48 - _PATCH // 2 - 1, 48 + _PATCH // 2)
            template = _flatten(soft)[cut, cut].ravel()
            template -= template.mean()
            drawn.append(template / np.linalg.norm(template))
            templates.append(_Template(layout, spread, radius))
    return np.array(drawn, np.float32), templates
