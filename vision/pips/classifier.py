"""Count the pips of faces, each seen again from straight above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.imaging.geometry import Array, FaceBox, Image
from vision.imaging.network import STRIDE, sigmoid
from vision.imaging.pyramid import crop
from vision.pips import templates
from vision.pips.detector import PipNetwork

_PIPS = 6
_WINDOW = 64
_CELL = _WINDOW // STRIDE // 2
_VIEWS = ((0.0, 28.0), (45.0, 36.0), (90.0, 40.0))
"""Turns in degrees and edges in pixels of the views of one face."""
_TEMPLATE_TURNS = (-7.0, 0.0, 7.0)
"""Turns in degrees at which templates are laid on a face: its own may be off by some degrees."""
_FIT_WEIGHT = 6.0
"""Log-odds that a perfect fit of a template adds."""
_LEAST_SCORE = 0.1
"""Score from which templates are laid on a face."""


@dataclass(frozen=True, slots=True)
class PipFace:
    """A top face whose pips were counted."""

    box: FaceBox
    """Where it is."""
    score: float
    """How much it looks like a top face with pips, in [0, 1]."""
    odds: Array
    """(6,): the probability the network gives each number of pips, one to six; they sum to one."""
    fit: Array
    """(6,), in [0, 1]: how well the template of each number of pips fits."""

    @property
    def likely(self) -> npt.NDArray[np.intp]:
        """Numbers of pips less one (6,), from most to least likely by both."""
        return np.argsort(-(np.log(self.odds + 1e-3) + _FIT_WEIGHT * self.fit), kind="stable")


def classify_pips(
    network: PipNetwork, levels: Sequence[Image], boxes: Sequence[FaceBox]
) -> list[PipFace | None]:
    """Return the faces in boxes that frame them well, None where there is none.

    levels: the picture's pyramid.
    """
    if not boxes:
        return []
    maps = network([_view(levels, box, turn, edge) for box in boxes for turn, edge in _VIEWS])
    each = maps[..., _CELL, _CELL].reshape(len(boxes), len(_VIEWS), -1)
    return [_classify(levels, box, rows) for box, rows in zip(boxes, each, strict=True)]


def _view(levels: Sequence[Image], box: FaceBox, turn: float, edge: float) -> Image:
    """Return a face seen from straight above, `edge` pixels wide: (_WINDOW, _WINDOW, 3)."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    back = np.asarray(box.axes @ np.array([[c, s], [-s, c]]) * 2 / edge, np.float32)
    middle = _CELL * STRIDE + (STRIDE - 1) / 2
    return crop(levels, box.x, box.y, back, (_WINDOW, _WINDOW), (middle, middle))


def _classify(levels: Sequence[Image], box: FaceBox, rows: Array) -> PipFace | None:
    logits = rows[:, 6:] - rows[:, 6:].max(1, keepdims=True)
    odds = (np.exp(logits) / np.exp(logits).sum(1, keepdims=True)).mean(0)
    with_pips = odds[:_PIPS].sum()
    score = float(np.sqrt(box.score * sigmoid(rows[:, 0]).mean()) * with_pips)
    if score < _LEAST_SCORE:
        return None
    fits = [templates.fit(_view(levels, box, turn, templates.EDGE)) for turn in _TEMPLATE_TURNS]
    shares = np.asarray(odds[:_PIPS] / with_pips, np.float32)
    return PipFace(box, score, shares, np.max(fits, 0))
