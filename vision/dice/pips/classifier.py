"""Count the pips of faces, each seen again from straight above."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.dice.pips.templates import EDGE, fit
from vision.imaging.geometry import Array, FaceBox, Image
from vision.imaging.network import NETWORKS, OnnxNetwork, planes, sigmoid
from vision.imaging.pyramid import crop

NETWORK = NETWORKS / "pips.onnx"
# As vision/training/pips/train.py made it: pixels of the network's picture, and where in it the
# middle of the face lies.
_WINDOW, _MIDDLE = 64, 33.5
SMALL = 29.0
"""Pixels of an edge below which a die is small: docs/dev/decisions/2026-11-27-small-pips.md."""
_MORE_VIEWS = ((45.0, 36.0), (90.0, 40.0))
"""Turns in degrees of more views of faces that aren't clear, and edges in pixels if the die has so
many."""
_SMALL_TURNS = (45.0, 90.0, 135.0, 180.0, 270.0)
"""Degrees of more views of a small die. Showing its pips larger would only blur them: a four looks
like a six."""
_FIT_WEIGHT = 8.0
"""Log-odds that a perfect fit of a template adds."""
_LEAST_SCORE = 0.13
"""Score of a face with pips in the first view, below which there is none."""
CLEAR, _CLEAR_ODDS = 0.5, 0.97
"""Score of a face, from which nothing else is looked for on its die. With such a probability of a
number, the first view is enough."""


@dataclass(frozen=True, slots=True)
class PipFace:
    """A top face whose pips were counted."""

    score: float
    """How much it looks like a top face with pips, in [0, 1]."""
    odds: Array
    """(6,): the probability the network gives each number of pips, one to six; they sum to one."""
    fit: Array
    """(6,), in [0, 1]: how well the template of each number of pips fits."""
    has_pips: bool
    """Whether what fits best are pips and no other pattern, see `templates.fit`."""

    @property
    def likely(self) -> npt.NDArray[np.intp]:
        """Numbers of pips less one (6,), from most to least likely by both."""
        return np.argsort(-(np.log(self.odds + 1e-3) + _FIT_WEIGHT * self.fit), kind="stable")


class PipClassifier:
    """The network that counts pips. Not for two threads at a time."""

    def __init__(self) -> None:
        self._network = OnnxNetwork(NETWORK, 3, _WINDOW, _WINDOW)

    def classify(self, levels: Sequence[Image], box: FaceBox) -> PipFace | None:
        """Return the face in a box that frames it well, None if there is none.

        levels: the picture's pyramid.
        """
        rows = self._network([planes(_view(levels, box, 0.0, EDGE))])
        score, odds = _score(box, rows)
        if score < _LEAST_SCORE:
            return None
        if score < CLEAR or np.max(odds) < _CLEAR_ODDS:
            views = (planes(_view(levels, box, *view)) for view in _more_views(box.edge))
            score, odds = _score(box, np.concatenate([rows, self._network(views)]))
        return PipFace(score, odds, *fit(_view(levels, box, 0.0, EDGE)))


def _more_views(edge: float) -> Sequence[tuple[float, float]]:
    """Return turns and edges of more views of a face with this edge, in pixels."""
    if edge < SMALL:
        return [(turn, EDGE) for turn in _SMALL_TURNS]
    return [(turn, min(most, edge)) for turn, most in _MORE_VIEWS]


def _view(levels: Sequence[Image], box: FaceBox, turn: float, edge: float) -> Image:
    """Return a face seen from straight above, `edge` pixels wide: (_WINDOW, _WINDOW, 3)."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    back = np.asarray(box.axes @ np.array([[c, s], [-s, c]]) * 2 / edge, np.float32)
    return crop(levels, box.x, box.y, back, (_WINDOW, _WINDOW), (_MIDDLE, _MIDDLE))


def _score(box: FaceBox, rows: Array) -> tuple[float, Array]:
    """Return how much a box looks like a face with pips, and the odds of each number, (6,).

    rows: (n, 13), what the network says of n views: log-odds that it is a face; its shape, five
    numbers; and log-odds of one to six pips and of another face.
    """
    logits = rows[:, 6:] - rows[:, 6:].max(1, keepdims=True)
    odds = (np.exp(logits) / np.exp(logits).sum(1, keepdims=True)).mean(0)
    with_pips = odds[:-1].sum()
    score = float(np.sqrt(box.score * sigmoid(rows[:, 0]).mean()) * with_pips)
    return score, np.asarray(odds[:-1] / with_pips, np.float32)
