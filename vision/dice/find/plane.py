"""Know the level on which dice of one table lie, by those that lay flat before.

A flat die's opposite face lies where the line from its top straight down goes, so how it leans in
the picture follows from where it lies: `offset - place / focal length`, three numbers. They are
fitted to many dice at once, and robustly: a shadow that is taken for a side, or a die that leaned
unnoticed, hardly counts. What all dice of a table show alike, such as shadows that
fall to one side, is in the numbers too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot

import numpy as np

from vision.dice.reading import LyingDie
from vision.imaging.geometry import Array

MOST = 100
"""Dice that are remembered: the newest."""
_LEAST = 10  # dice by which the plane is known
_USUAL, _WEIGHT = 1 / 0.77, 0.15  # of the focal length's inverse: what most cameras have, in dice
_ROUNDS = 8  # of the fit, each with the weights that the last one gave
_SCATTER = 0.06  # edges by which a flat die's lean is usually seen wrong
_SAME_PLACE = 0.005  # in longer sides
_DISAGREES = 0.14  # median of a throw, edges, from which the camera stands elsewhere


@dataclass(frozen=True)
class TablePlane:
    """What is known of the plane of one table. An immutable value; a new one follows from each."""

    size: tuple[int, int] = (0, 0)
    """Width and height of the table's pictures, pixels."""
    dice: tuple[LyingDie, ...] = ()
    """Dice that surely lay flat, at most MOST, the newest last."""

    def fits(self, size: tuple[int, int]) -> bool:
        """Return whether it is known well enough to judge dice in pictures of this size."""
        return self.size == size and len(self.dice) >= _LEAST

    def tilts(self, dice: Sequence[LyingDie]) -> Array:
        """Return how dice lean otherwise than flat ones in their places, in edges, (n, 2)."""
        seen = np.array(dice, np.float32).reshape(-1, 4)
        across, down, inverse = self._numbers
        return np.asarray(seen[:, 2:] - (across, down) + inverse * seen[:, :2], np.float32)

    def explains(self, dice: Sequence[LyingDie]) -> bool:
        """Return whether most of these dice lie as flat ones would: the camera hasn't moved."""
        off = np.linalg.norm(self.tilts(dice), axis=1)
        return len(off) > 0 and float(np.median(off)) < _DISAGREES

    def add(self, size: tuple[int, int], dice: Sequence[LyingDie]) -> "TablePlane":
        """Return the plane with a throw that was surely read in a picture of this size.

        Other pictures, or a throw that the plane doesn't explain, begin anew. One that lies as the
        last one did takes its place.
        """
        dice = sorted(dice)
        known = self.dice if self.size == size else ()
        last = known[len(known) - len(dice) :]
        if _lie_alike(last, dice):
            known = known[: len(known) - len(dice)]
        elif self.fits(size) and not self.explains(dice):
            known = ()
        return TablePlane(size, (*known, *dice)[-MOST:])

    @cached_property
    def _numbers(self) -> Array:
        """The offset across and down, in edges, and the inverse of the focal length, (3,)."""
        seen = np.array(self.dice, np.float64)
        place, lean = seen[:, :2], seen[:, 2:]
        rows = np.zeros((len(seen), 2, 3))
        rows[:, 0, 0] = rows[:, 1, 1] = 1
        rows[:, :, 2] = -place
        usual = np.array([0, 0, 1.0])
        weight = np.ones(len(seen))
        for _ in range(_ROUNDS):
            normal = np.einsum("n,nij,nik->jk", weight, rows, rows) + _WEIGHT * np.outer(
                usual, usual
            )
            right = np.einsum("n,nij,ni->j", weight, rows, lean) + _WEIGHT * _USUAL * usual
            found = np.linalg.solve(normal, right)
            off = np.linalg.norm(lean - rows @ found, axis=1)
            weight = 1 / (1 + (off / _SCATTER) ** 2)
        return np.asarray(found, np.float32)


def _lie_alike(some: Sequence[LyingDie], others: Sequence[LyingDie]) -> bool:
    """Return whether dice lie in the same places; both from the left."""
    return len(some) == len(others) and all(
        hypot(a.x - b.x, a.y - b.y) < _SAME_PLACE for a, b in zip(some, others, strict=True)
    )
