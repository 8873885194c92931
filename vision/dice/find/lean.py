"""Judge whether dice lean, and how they lie, by a network that sees each with what is around it.

A flat die's sides show as its place under the camera has it, so whether one leans depends on how a
flat one would be seen in its place. The network doesn't know that place. It says how the log-odds
depend on it, as a quadratic form, which can then be asked about several.
"""

from collections.abc import Callable, Sequence

import numpy as np

from vision.dice.find.candidate import Candidate
from vision.dice.find.pose import BEHIND, SIDES, WINDOW, WindowTurn, window_matrices, windows
from vision.imaging.geometry import Array, Image, determinants
from vision.imaging.network import NETWORKS, OnnxNetwork, planes

NETWORK = NETWORKS / "lean.onnx"
TERMS = 6
"""Numbers of a form: of 1, x, y, x², xy and y², x and y being the lean of a flat die, in edges."""
_FLAT, _LEANING = -4.0, 6.0
"""Log-odds beyond which further looks change no verdict."""
_MIRRORED = np.array([-1, 1], np.float32)
_AS_SEEN = WindowTurn(np.diag(_MIRRORED), lambda seen: seen)
_LOOKS: tuple[Sequence[WindowTurn], ...] = (_AS_SEEN,), (BEHIND,), SIDES


class LeanJudge:
    """The lean network. Not for two threads at a time."""

    def __init__(self) -> None:
        self._network = OnnxNetwork(NETWORK, 3, WINDOW, WINDOW)

    def tell(
        self, levels: Sequence[Image], dice: Sequence[Candidate], flats: Callable[[Array], Array]
    ) -> tuple[Array, Array]:
        """Return the log-odds that each die leans, (n,), and how each does, in edges, (n, 2).

        levels: a pyramid. flats: says by how all dice lean how a flat one would in the place of
        each, in edges, as each of k ways to know has it, (k, n, 2); the way by which it leans most
        counts. A die is looked at once, from behind too if that leaves a doubt, then from both
        sides; the mean counts.
        """
        boxes = [die.box for die in dice]
        odds, leans = np.zeros(len(dice), np.float32), np.zeros((len(dice), 2), np.float32)
        if not dice:
            return odds, leans
        back = window_matrices(boxes)
        shown = [planes(each) for each in windows(levels, boxes, back)]
        turns = back / determinants(back)[:, None, None] ** 0.5  # from the picture to its windows
        forms = np.zeros((len(dice), 3, 3), np.float32)
        looks = np.zeros((len(dice), 1), np.float32)
        doubt = np.arange(len(dice))
        for views in _LOOKS:
            for view in views if len(doubt) else ():
                said = self._network(view.mirror(shown[n]) for n in doubt)
                turn = turns[doubt] @ view.matrix * _MIRRORED
                whole = np.tile(np.eye(3, dtype=np.float32), (len(doubt), 1, 1))
                whole[:, 1:, 1:] = turn
                forms[doubt] += whole @ form_matrices(said[:, :TERMS]) @ whole.swapaxes(1, 2)
                leans[doubt] += (turn @ said[:, TERMS:, None])[..., 0]
            looks[doubt] += len(views)
            odds = lean_odds(forms / looks[..., None], flats(leans / looks)).max(0)
            doubt = np.flatnonzero((odds > _FLAT) & (odds < _LEANING))
        return odds, np.asarray(leans / looks, np.float32)


def form_matrices(terms: Array) -> Array:
    """Return forms (n, TERMS) as matrices (n, 3, 3): what v @ matrix @ v says, v being 1, x, y."""
    matrices = np.zeros((len(terms), 3, 3), np.float32)
    matrices[:, *np.triu_indices(3)] = terms
    return matrices


def lean_odds(forms: Array, flats: Array) -> Array:
    """Return the log-odds that dice lean, (..., n).

    forms: (n, 3, 3), see `form_matrices`; flats: (..., n, 2), how a flat die would lean in each
    place, in edges.
    """
    places = np.concatenate([np.ones_like(flats[..., :1]), flats], -1)
    return np.asarray(np.einsum("...ni,nij,...nj->...n", places, forms, places), np.float32)
