"""Know a table by what was seen there before: its empty tray, and dice that lay flat.

A flat die's opposite face lies where the line from its top straight down goes, so how it leans in
the picture follows from where it lies: `offset - place / focal length`, three numbers. They are
fitted to many dice at once, and robustly: a shadow that is taken for a side, or a die that leaned
unnoticed, hardly counts. What all dice of a table show alike, such as shadows that
fall to one side, is in the numbers too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from math import hypot

import numpy as np

from vision.camera_shift import MOST_SHIFT
from vision.dice.find.tilt import FOCAL_LENGTHS, LEANING
from vision.dice.reading import LyingDie
from vision.imaging.geometry import Array, Image
from vision.imaging.pyramid import build_pyramid

MOST = 100
"""Dice that are remembered: the newest."""
_LEAST = 10  # dice by which the plane is known
_USUAL = 1 / np.median(FOCAL_LENGTHS)  # focal length's inverse, of most cameras: counts as one die
_ROUNDS = 8  # of the fit, each with the weights that the last one gave
_SCATTER = 0.06  # edges by which a flat die's lean is usually seen wrong
_FARTHEST = 10.0  # of all numbers of a die


@dataclass(frozen=True, eq=False)
class TrayModel:
    """What is known of one table. An immutable value; a new one follows from each."""

    tray: Image | None = None
    """The tray without dice, BGR, seen from where the throws are seen."""
    size: tuple[int, int] = (0, 0)
    """Width and height of the pictures in which `dice` lay, pixels."""
    dice: tuple[LyingDie, ...] = ()
    """Dice that lay flat, at most MOST, the newest last."""

    def __post_init__(self) -> None:
        """Raise ValueError unless these can be dice of a table."""
        seen = np.array(self.dice, np.float64).reshape(-1, 4)
        if len(seen) > MOST or not (np.abs(seen) < _FARTHEST).all():
            raise ValueError(f"not {MOST} dice or fewer that lie in a picture")

    @cached_property
    def digest(self) -> str:
        """A name for just this model, to say by which one a picture was read."""
        said = repr((self.size, self.dice)).encode()
        shown = b"" if self.tray is None else repr(self.tray.shape).encode() + self.tray.tobytes()
        return sha256(said + shown).hexdigest()[:16]

    def fitting(self, image: Image) -> "TrayModel":
        """Return what of it counts for a picture: nothing that was seen in another size."""
        height, width = image.shape[:2]
        tray = self.tray if self.tray is not None and self.tray.shape == image.shape else None
        dice = self.dice if self.size == (width, height) else ()
        return (
            self if tray is self.tray and dice is self.dice else replace(self, tray=tray, dice=dice)
        )

    def with_tray(self, tray: Image | None) -> "TrayModel":
        """Return the same table with this empty tray."""
        return self if tray is self.tray else replace(self, tray=tray)

    @cached_property
    def tray_levels(self) -> list[Image] | None:
        """The pyramid of the empty tray, None where that isn't known."""
        return None if self.tray is None else build_pyramid(self.tray)

    def tilts(self, dice: Sequence[LyingDie]) -> Array:
        """Return how dice lean otherwise than flat ones in their places, in edges, (n, 2)."""
        seen = np.array(dice, np.float32).reshape(-1, 4)
        across, down, inverse = self._numbers
        return np.asarray(seen[:, 2:] - (across, down) + inverse * seen[:, :2], np.float32)

    def explains(self, dice: Sequence[LyingDie]) -> bool:
        """Return whether the plane is known, and most of these dice lie as flat ones would on it.

        If most seem to lean, the camera may have moved.
        """
        if len(self.dice) < _LEAST:
            return False
        off = np.linalg.norm(self.tilts(dice), axis=1)
        return len(off) > 0 and float(np.median(off)) < LEANING

    def add(self, size: tuple[int, int], dice: Sequence[LyingDie]) -> "TrayModel":
        """Return the model with a throw that was accepted, from a picture of this size.

        Other pictures, or a throw that the plane doesn't explain, begin anew. One that lies as the
        last one did takes its place.
        """
        dice = sorted(dice)
        known = self.dice if self.size == size else ()
        last = known[len(known) - len(dice) :]
        if _lie_alike(last, dice):
            known = known[: len(known) - len(dice)]
        elif len(known) >= _LEAST and not self.explains(dice):
            known = ()
        return replace(self, size=size, dice=(*known, *dice)[-MOST:])

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
            normal = np.einsum("n,nij,nik->jk", weight, rows, rows) + np.outer(usual, usual)
            right = np.einsum("n,nij,ni->j", weight, rows, lean) + _USUAL * usual
            found = np.linalg.solve(normal, right)
            off = np.linalg.norm(lean - rows @ found, axis=1)
            weight = 1 / (1 + (off / _SCATTER) ** 2)
        return np.asarray(found, np.float32)


UNKNOWN = TrayModel()
"""A table of which nothing is known."""


def _lie_alike(some: Sequence[LyingDie], others: Sequence[LyingDie]) -> bool:
    """Return whether dice lie in the same places; both from the left."""
    return len(some) == len(others) and all(
        hypot(a.x - b.x, a.y - b.y) < MOST_SHIFT for a, b in zip(some, others, strict=True)
    )
