"""Reads top faces: looks at each again, seen from straight above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision import pips
from vision.locate import STRIDE, Array, Image, Network, Spot, sigmoid
from vision.views import window

PIPS = 6
WINDOW = 64
CELL = WINDOW // STRIDE // 2
# Turns in degrees and edges in pixels of the views of one face.
VIEWS = ((0.0, 28.0), (45.0, 36.0), (90.0, 40.0))
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


def classify(network: Network, levels: Sequence[Image], spots: Sequence[Spot]) -> list[Face | None]:
    """The faces at spots that frame them well; None where none is. `levels`: see `halves`."""
    if not spots:
        return []
    looks = network([view(levels, spot, turn, edge) for spot in spots for turn, edge in VIEWS])
    each = looks[..., CELL, CELL].reshape(len(spots), len(VIEWS), -1)
    return [_read(levels, spot, seen) for spot, seen in zip(spots, each, strict=True)]


def view(levels: Sequence[Image], spot: Spot, turn: float, edge: float) -> Image:
    """The face at `spot` seen from straight above, `edge` pixels wide: (WINDOW, WINDOW, 3)."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    back = np.asarray(spot.axes @ np.array([[c, s], [-s, c]]) * 2 / edge, np.float32)
    middle = CELL * STRIDE + (STRIDE - 1) / 2
    return window(levels, spot.x, spot.y, back, (WINDOW, WINDOW), (middle, middle))


def _read(levels: Sequence[Image], spot: Spot, looks: Array) -> Face | None:
    logits = looks[:, 6:] - looks[:, 6:].max(1, keepdims=True)
    odds = (np.exp(logits) / np.exp(logits).sum(1, keepdims=True)).mean(0)
    with_pips = odds[:PIPS].sum()
    score = float(np.sqrt(spot.score * sigmoid(looks[:, 0]).mean()) * with_pips)
    if score < LEAST_SCORE:
        return None
    fits = [pips.fit(view(levels, spot, turn, pips.EDGE)) for turn in PATTERN_TURNS]
    return Face(spot, score, odds[:PIPS] / with_pips, np.max(fits, 0))
