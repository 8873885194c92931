"""Simulates the dice: draws the tray, and throws and places dice in it."""

import random
import threading
from collections.abc import Sequence
from contextlib import suppress

import cv2
import numpy as np

from companion.base.refused import Message
from companion.camera.table_reader import TableReader
from companion.table.surface.dice.state import Place
from vision.dice.reading import DICE
from vision.imaging.geometry import Image
from vision.simulate.dice.art import DiceKind
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.dice.tray import SimulatedDiceTray


class SimulatedDice:
    """A simulated tray with the dice that the table reads. Any thread may call.

    It throws dice for the table, lays single dice for lessons (`teaching.FaceLayer`), and fills and
    empties the tray for set-up (`aiming.TrayHands`).
    """

    label = Message("Place a die for me")

    def __init__(self, reader: TableReader, seed: int | None = None) -> None:
        """Draw dice that `reader` can read. seed: makes the throws repeatable."""
        self._reader, self._seed = reader, seed
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._kept: set[int] = set()
        self._kind = self._read_kind
        self.tray = SimulatedDiceTray(self._kind, seed=seed)
        """The tray; hold the lock to use it."""

    @property
    def _read_kind(self) -> DiceKind:
        return "pips" if self._reader.profile.pips else "symbols"

    def frame(self) -> Image:
        """Draw the next frame of the dice."""
        with self._lock:
            return self.tray.frame()

    def throw(self, kept: Sequence[Place]) -> None:
        """Throw all dice but those at the places given."""
        with self._lock:
            self._kept = {
                number
                for number, (x, y) in enumerate(self.tray.centres)
                if any(place.near(Place(x, y, place.size)) for place in kept)
            }
            self.tray.throw(self._kept)

    def throw_again(self) -> None:
        """Throw the same dice as the last time, because they can't be read as they lie."""
        with self._lock:
            whole = len(self.tray.dice) == DICE
            self.tray.throw(self._kept if whole else ())

    def throw_all(self) -> None:
        """Throw all five dice that the table reads."""
        self.end()
        self.throw([])

    def take_out(self) -> None:
        """Take all dice out."""
        with self._lock:
            self.tray.clear()

    def lay(self, face: str, sign: str = "") -> None:
        """Lay a single die with a symbol at a random place and angle."""
        x, y, angle = (self._random.uniform(-reach, reach) for reach in (10.0, 7.0, 180.0))
        with self._lock:
            self._bear("symbols")
            self.tray.place([PlacedDie(face, x, y, angle)])

    def end(self) -> None:
        """Put the dice back that the table reads; the tray is empty if they were others."""
        with self._lock:
            self._bear(self._read_kind)

    def restore(self, dice: Sequence[tuple[str, Place]]) -> None:
        """Lay dice, faces with places, where they lay before the table was restarted."""
        # How frames show the plane of the top faces, from four dice there.
        spots = [(-8.0, -6.0), (8.0, -6.0), (8.0, 6.0), (-8.0, 6.0)]
        with self._lock:
            self.tray.place(PlacedDie("beer", x, y, 0.0) for x, y in spots)
            floor = cv2.getPerspectiveTransform(
                np.asarray(self.tray.centres, np.float32), np.array(spots, np.float32)
            )
            pixels = np.array([[(place.x, place.y) for _, place in dice]], np.float32)
            centres = cv2.perspectiveTransform(pixels, floor)[0]
            self.tray.clear()
            # Angles are not saved, so two dice that were close together may not fit any more.
            with suppress(ValueError):
                self.tray.place(
                    PlacedDie(face, float(x), float(y), 0.0)
                    for (face, _), (x, y) in zip(dice, centres, strict=True)
                )

    def _bear(self, kind: DiceKind) -> None:
        """Choose dice with pips or symbols; a change empties the tray."""
        if kind != self._kind:
            self._kind, self.tray = kind, SimulatedDiceTray(kind, seed=self._seed)
