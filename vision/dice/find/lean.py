"""Judge whether dice lean, by a network that sees each with what is around it.

A flat die's sides show as its place under the camera has it, so whether one leans depends on how a
flat one would be seen in its place. The network doesn't know that place. It says how the log-odds
depend on it, as a quadratic form, which can then be asked about several.
"""

from collections.abc import Sequence

import numpy as np

from vision.dice.find.candidate import Candidate
from vision.dice.find.pose import BEHIND, WINDOW, window_matrices, windows
from vision.imaging.geometry import Array, Image, determinants
from vision.imaging.network import NETWORKS, OnnxNetwork, planes

NETWORK = NETWORKS / "lean.onnx"
TERMS = 6
"""Numbers of a form: of 1, x, y, x², xy and y², x and y being the lean of a flat die, in edges."""
_CLEARLY_FLAT = -4.0  # log-odds of a first look
_MIRRORED = np.array([1, -1, 1, 1, -1, 1], np.float32)


class LeanJudge:
    """The lean network. Not for two threads at a time."""

    def __init__(self) -> None:
        self._network = OnnxNetwork(NETWORK, 3, WINDOW, WINDOW)

    def forms(
        self, levels: Sequence[Image], dice: Sequence[Candidate], flat: Array | None = None
    ) -> Array:
        """Return the form of each die's log-odds to lean, (n, TERMS); levels: a pyramid.

        It is the mean of two looks, the second from behind and mirrored. flat: (n, 2), how flat
        dice lean in their places, where the table is known: what lies flat by that in the first
        look is looked at once.
        """
        if not dice:
            return np.zeros((0, TERMS), np.float32)
        boxes = [die.box for die in dice]
        back = window_matrices(boxes)
        seen = [planes(each) for each in windows(levels, boxes, back)]
        forms = _in_picture(back, self._network(seen))
        doubt = np.arange(len(dice))
        if flat is not None:
            doubt = np.flatnonzero(lean_odds(forms, flat) > _CLEARLY_FLAT)
        if len(doubt):
            behind = self._network(BEHIND.mirror(seen[n]) for n in doubt) * _MIRRORED
            forms[doubt] += _in_picture(back[doubt] @ BEHIND.matrix, behind)
            forms[doubt] /= np.float32(2)
        return forms


def lean_odds(forms: Array, flat: Array) -> Array:
    """Return the log-odds that dice lean, (n,).

    forms: (n, TERMS); flat: (n, 2), how a flat die would lean in each one's place, in edges.
    """
    x, y = flat.T
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], 1)
    return np.asarray((forms * terms).sum(1), np.float32)


def _in_picture(back: Array, forms: Array) -> Array:
    """Return forms (n, TERMS) of leans in windows as those of leans in the picture."""
    turn = back / determinants(back)[:, None, None] ** 0.5
    constant, x, y, xx, xy, yy = forms.T
    line = (turn @ np.stack([x, y], 1)[..., None])[..., 0]
    square = np.stack([np.stack([xx, xy / 2], 1), np.stack([xy / 2, yy], 1)], 1)
    bent = turn @ square @ turn.swapaxes(1, 2)
    columns = (constant, *line.T, bent[:, 0, 0], 2 * bent[:, 0, 1], bent[:, 1, 1])
    return np.stack(columns, 1, dtype=np.float32)
