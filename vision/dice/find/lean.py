"""Judge whether dice lean, by a network that sees each with what is around it.

A flat die's sides show as its place under the camera has it, so whether one leans depends on how a
flat one would be seen in its place. The network doesn't know that place. It says how the log-odds
depend on it, as a quadratic form, which can then be asked about several.
"""

from collections.abc import Sequence

import numpy as np

from vision.dice.find.candidate import Candidate
from vision.dice.find.pose import BEHIND, SIDES, WINDOW, window_matrices, windows
from vision.imaging.geometry import Array, Image, determinants
from vision.imaging.network import NETWORKS, OnnxNetwork, planes

NETWORK = NETWORKS / "lean.onnx"
TERMS = 6
"""Numbers of a form: of 1, x, y, x², xy and y², x and y being the lean of a flat die, in edges."""
_FLAT, _LEANING = -4.0, 6.0
"""Log-odds beyond which further looks change no verdict."""
_MIRRORED = np.array([-1, 1], np.float32)


class LeanJudge:
    """The lean network. Not for two threads at a time."""

    def __init__(self) -> None:
        self._network = OnnxNetwork(NETWORK, 3, WINDOW, WINDOW)

    def log_odds(self, levels: Sequence[Image], dice: Sequence[Candidate], flats: Array) -> Array:
        """Return the log-odds that each die leans, (n,); levels: a pyramid.

        flats: (k, n, 2), how a flat die would lean in the place of each, in edges, as each of k
        ways to know has it; the way by which it leans most counts. A die is looked at once, from
        behind too if that leaves a doubt, then from both sides; the mean counts.
        """
        if not dice:
            return np.zeros(0, np.float32)
        boxes = [die.box for die in dice]
        back = window_matrices(boxes)
        seen = [planes(each) for each in windows(levels, boxes, back)]
        turn = back / determinants(back)[:, None, None] ** 0.5
        flats = (flats[..., None, :] @ turn)[..., 0, :]  # as the windows are turned
        odds, looks = lean_odds(self._network(seen), flats), np.ones(len(dice), np.float32)
        for views in (BEHIND,), SIDES:
            told = (odds / looks).max(0)
            doubt = np.flatnonzero((told > _FLAT) & (told < _LEANING))
            for view in views if len(doubt) else ():
                forms = self._network(view.mirror(seen[n]) for n in doubt)
                odds[:, doubt] += lean_odds(forms, flats[:, doubt] @ view.matrix * _MIRRORED)
            looks[doubt] += len(views)
        return np.asarray((odds / looks).max(0), np.float32)


def lean_odds(forms: Array, flats: Array) -> Array:
    """Return the log-odds that dice lean, (..., n).

    forms: (n, TERMS); flats: (..., n, 2), how a flat die would lean in each place, in edges.
    """
    x, y = flats[..., 0], flats[..., 1]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)
    return np.asarray((forms * terms).sum(-1), np.float32)
