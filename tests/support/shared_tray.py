"""A simulated tray for two threads."""

import threading
from collections.abc import Collection, Sequence

import numpy as np

from vision.dice.reading import DiceReading, Die, TrayVerdict
from vision.simulate.dice.tray import SimulatedDiceTray


class SharedTray(SimulatedDiceTray):
    """A simulated tray in which one thread throws dice while another takes frames and reads."""

    def __init__(self, seed: int) -> None:
        self._lock = threading.Lock()
        super().__init__(seed=seed)

    def throw(self, keep: Collection[int] = (), faces: Sequence[str] | None = None) -> None:
        with self._lock:
            super().throw(keep, faces)

    def frame(self) -> np.ndarray:
        with self._lock:
            return super().frame()

    def read(self) -> DiceReading:
        """Return what lies in the tray, for tests that are not about reading."""
        with self._lock:
            # Where thrown dice will lie is known before a frame shows it.
            if len(self.faces) != 5 or not self.at_rest:
                return DiceReading(TrayVerdict.EMPTY, ())
            places = zip(self.faces, self.centres, self.sizes, strict=True)
            dice = tuple(
                Die(face, float(x), float(y), float(size), 0.0, 0.99, True, (face,))
                for face, (x, y), size in places
            )
            return DiceReading(TrayVerdict.OK, dice)
