"""Place dice on the floor, and let them fly in and tumble to rest."""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.reading import FACES
from vision.simulate.dice.cube import SIDE_FRAMES, SIDE_VALUES, CubePose, rotation_about

_TOP = np.array(((-1, 1, 1), (1, 1, 1), (1, -1, 1), (-1, -1, 1)), float) / 2


class PlacedDie(NamedTuple):
    """A die that lies flat on the floor."""

    face: str
    """The face on top, one of FACES."""
    x: float
    """Centre, cm right of the middle of the floor."""
    y: float
    """Centre, cm above the middle of the floor as the picture shows it."""
    angle: float
    """Turn, degrees."""


@dataclass(slots=True)
class DieFlight:
    """How one die comes in and tumbles to rest."""

    start: NDArray[np.float64]
    """(2,), cm: where it comes from."""
    frames: int
    """How many frames it takes."""
    turns: float
    """How often it tumbles over."""
    spin: float
    """How far it spins about the upright, radians."""
    hop: float
    """How high it bounces, cm."""

    def pose(self, rest: CubePose, time: float, edge: float) -> CubePose:
        """Return where the die is `time` frames after the throw."""
        left = 1 - min(time / self.frames, 1.0)
        rolled = left**2
        way = rest.centre[:2] - self.start
        across = np.array((-way[1], way[0], 0)) / np.linalg.norm(way)
        tumble = rotation_about(across, -self.turns * 2 * np.pi * rolled) @ rotation_about(
            (0, 0, 1), self.spin * rolled
        )
        rotation = tumble @ rest.rotation
        lift = edge / 2 * np.abs(rotation[2]).sum() + self.hop * rolled * abs(np.cos(7 * left))
        return CubePose(rotation, np.append(rest.centre[:2] - way * rolled, lift))


def footprint(die: PlacedDie, edge: float) -> NDArray[np.float64]:
    """Return the corners on the floor, (4, 2), in cm; edge: of the die, cm."""
    turned = _TOP * edge @ rotation_about((0, 0, 1), np.radians(die.angle)).T
    return np.asarray(turned[:, :2] + (die.x, die.y))


def overlap(one: PlacedDie, other: PlacedDie, edge: float) -> bool:
    """Return whether two dice with this edge, in cm, stand in each other."""
    first, second = (footprint(die, edge).astype(np.float32) for die in (one, other))
    return bool(cv2.intersectConvexConvex(first, second)[0] > 1e-3)


def resting_pose(die: PlacedDie, edge: float) -> CubePose:
    """Return the pose of a die that lies flat; edge: of the die, cm."""
    side = SIDE_VALUES.index(FACES.index(die.face) + 1)
    rotation = rotation_about((0, 0, 1), np.radians(die.angle)) @ SIDE_FRAMES[side]
    return CubePose(rotation, np.array((die.x, die.y, edge / 2)))
