"""Reads top faces: looks at each again, rectified, first to frame it better, then to read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision import pips
from vision.locate import STRIDE, Array, Image, Network, Spot, shape, sigmoid, stretch_and_turn
from vision.views import halves, window

PIPS = 6
WINDOW = 64
CELL = WINDOW // STRIDE // 2
# Turns in degrees and edges in pixels of the views of one face.
VIEWS = ((0.0, 28.0), (45.0, 36.0), (90.0, 40.0), (135.0, 32.0))
# Turns in degrees at which patterns are laid on a face: its own may be off by some degrees.
PATTERN_TURNS = (-7.0, 0.0, 7.0)
FIT = 6.0  # log-odds that a pattern which fits fully is worth
LEAST_SCORE = 0.1  # of a face worth laying patterns on


@dataclass(frozen=True, slots=True)
class Face:
    """A top face, read.

    `score`: in [0, 1], how much it looks like a top face with pips. `odds`: (6,), what the network
    gives each number of pips; they sum to one. `fit`: (6,), in [0, 1], how well each pattern fits.
    """

    spot: Spot
    score: float
    odds: Array
    fit: Array

    @property
    def likely(self) -> npt.NDArray[np.intp]:
        """(6,) numbers of pips less one, from most to least likely by both."""
        return np.argsort(-(np.log(self.odds + 1e-3) + FIT * self.fit), kind="stable")


def classify(network: Network, image: Image, spots: Sequence[Spot]) -> list[Face]:
    """The faces at `spots`, better framed."""
    if not spots:
        return []
    levels = halves(image)
    maps = _views(network, levels, spots)
    framed = [_framed(spot, seen) for spot, seen in zip(spots, maps, strict=True)]
    views = _views(network, levels, framed)[..., CELL, CELL]
    faces = (_read(levels, spot, looks) for spot, looks in zip(framed, views, strict=True))
    return [face for face in faces if face]


def view(levels: Sequence[Image], spot: Spot, turn: float, edge: float) -> Image:
    """The face at `spot` seen from straight above, `edge` pixels wide: (WINDOW, WINDOW, 3)."""
    back = _back(spot, turn, edge)
    middle = CELL * STRIDE + (STRIDE - 1) / 2
    return window(levels, spot.x, spot.y, back, (WINDOW, WINDOW), (middle, middle))


def _back(spot: Spot, turn: float, edge: float) -> Array:
    """From a view's pixels to the picture's, (2, 2)."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.asarray(spot.axes @ np.array([[c, s], [-s, c]]) * 2 / edge, np.float32)


def _views(network: Network, levels: Sequence[Image], spots: Sequence[Spot]) -> Array:
    """(n, views, 13, h, w): the network's maps of all views of all spots."""
    maps = network([view(levels, spot, turn, edge) for spot in spots for turn, edge in VIEWS])
    return maps.reshape(len(spots), len(VIEWS), *maps.shape[1:])


def _framed(spot: Spot, maps: Array) -> Spot:
    """The spot with the centre and shape that its views agree on."""
    shifts, shapes, weights = [], [], []
    for (turn, edge), seen in zip(VIEWS, maps, strict=True):
        back = _back(spot, turn, edge)
        near = sigmoid(seen[0, CELL - 2 : CELL + 3, CELL - 2 : CELL + 3])
        row, col = np.unravel_index(int(np.argmax(near)), near.shape)
        shifts.append(back @ (np.array([col, row]) - 2) * STRIDE)
        shapes.append(stretch_and_turn(back @ shape(seen[1:6, CELL - 2 + row, CELL - 2 + col])))
        weights.append(near[row, col])
    dx, dy = np.average(shifts, 0, weights)
    framed = Spot(
        float(spot.x + dx), float(spot.y + dy), shape(np.average(shapes, 0, weights)), spot.score
    )
    trusted = np.linalg.det(framed.axes) > 0 and 0.5 < framed.edge / spot.edge < 2
    return framed if trusted else spot


def _read(levels: Sequence[Image], spot: Spot, looks: Array) -> Face | None:
    logits = looks[:, 6:] - looks[:, 6:].max(1, keepdims=True)
    odds = (np.exp(logits) / np.exp(logits).sum(1, keepdims=True)).mean(0)
    with_pips = odds[:PIPS].sum()
    score = float(np.sqrt(spot.score * sigmoid(looks[:, 0]).mean()) * with_pips)
    if score < LEAST_SCORE:
        return None
    fits = [pips.fit(view(levels, spot, turn, pips.EDGE)) for turn in PATTERN_TURNS]
    return Face(spot, score, odds[:PIPS] / with_pips, np.max(fits, 0))
