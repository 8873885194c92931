"""Estimate how each die lies: is it one, where exactly is its top face, and which way is down?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

import numpy as np

from vision.dice.find.candidate import COVERED, LEAST_POSE_LOGIT, Candidate
from vision.dice.find.detector import Detections, fitting_look
from vision.dice.find.tilt import tilts
from vision.imaging.geometry import (
    HALF_EDGE,
    Array,
    FaceBox,
    Image,
    axes_of_shapes,
    determinants,
    edge_lengths,
    nearest_rotations,
    shapes_of_axes,
)
from vision.imaging.network import NETWORKS, OnnxNetwork, planes
from vision.imaging.pyramid import crop

NETWORK = NETWORKS / "pose.onnx"
WINDOW, EDGE = 64, 26.0
"""Pixels of the network's picture, and of the edge of the face in it."""
# What the network says of a mirrored window, by what it says of the window.
_MIRRORED = np.array([1, -1, 1, 1, -1, 1, 1, -1, -1, 1], np.float32)
_TRAY_REACH, _COVER_REACH = 0.8, 0.35
"""Edges around its centre in which a die is looked for in the tray, or under a hand."""


class WindowTurn(NamedTuple):
    """A turn of a window that is then mirrored."""

    matrix: Array
    """(2, 2): the turn."""
    mirror: Callable[[Array], Array]
    """The window's planes (3, h, w), turned so and then mirrored from left to right."""


def _turn(quarters: int) -> WindowTurn:
    quarter = np.array([[0, -1], [1, 0]])
    matrix = np.linalg.matrix_power(quarter, quarters % 4).astype(np.float32)
    return WindowTurn(matrix, lambda seen: np.rot90(seen, quarters, (1, 2))[..., ::-1])


BEHIND, SIDES = _turn(2), (_turn(1), _turn(-1))


class PoseEstimator:
    """The pose network: it sees each box in a window of its own. Not for two threads at a time."""

    def __init__(self) -> None:
        self._network = OnnxNetwork(NETWORK, 3, WINDOW, WINDOW)

    def estimate(
        self, levels: Sequence[Image], boxes: Sequence[FaceBox], looks: Sequence[Detections]
    ) -> list[Candidate]:
        """Return what lies at each box, in their order.

        levels: the picture's pyramid. looks: what the detector saw in it, the finest first.
        """
        if not boxes:
            return []
        back = window_matrices(boxes)
        rows = self._network(map(planes, windows(levels, boxes, back)))
        found = [_box_candidate(box, float(row[0])) for box, row in zip(boxes, rows, strict=True)]
        posed = _set_poses(found, _poses(back, rows))
        return [
            _add_surroundings(now, looks) if was.pose_logit > LEAST_POSE_LOGIT else was
            for was, now in zip(found, posed, strict=True)
        ]

    def refine(
        self, levels: Sequence[Image], dice: Sequence[Candidate], unclear: float = inf
    ) -> list[Candidate]:
        """Return the dice with poses averaged over mirrored and turned views of each.

        The first more view is from behind. Two from the sides follow where a die then seems to tilt
        by `unclear` edges or more.
        """
        if not dice:
            return []
        boxes = [c.box for c in dice]
        back = window_matrices(boxes)
        seen = [planes(each) for each in windows(levels, boxes, back)]
        shapes = shapes_of_axes(np.stack([box.axes for box in boxes]))
        leans = np.stack([c.lean for c in dice])
        first = np.concatenate([np.zeros_like(leans), shapes, leans], 1, dtype=np.float32)
        poses = first + self._turned_poses(seen, back, BEHIND)
        refined = _set_poses(dice, poses / np.float32(2))
        if _largest_tilt(refined, max(levels[0].shape[:2])) < unclear:
            return refined
        for side in SIDES:
            poses += self._turned_poses(seen, back, side)
        return _set_poses(dice, poses / np.float32(2 + len(SIDES)))

    def _turned_poses(self, seen: Sequence[Array], back: Array, turn: WindowTurn) -> Array:
        """Return the poses (n, 9) of dice by their windows (3, h, w), turned and mirrored."""
        rows = self._network(map(turn.mirror, seen)) * _MIRRORED
        return _poses(back @ turn.matrix, rows)


def _largest_tilt(dice: Sequence[Candidate], long_side: int) -> float:
    """Return the largest tilt among dice, in edges; 0 without any."""
    bare = [c for c in dice if c.logit > 0 and c.covered < COVERED]
    return float(np.max(np.linalg.norm(tilts(bare, long_side), axis=1), initial=0.0))


def window_matrices(boxes: Sequence[FaceBox]) -> Array:
    """Return (n, 2, 2), from pixels of each box's window to the picture's, turned as it lies."""
    axes = np.stack([box.axes for box in boxes])
    return nearest_rotations(axes) * (edge_lengths(axes) / np.float32(EDGE))[:, None, None]


def windows(levels: Sequence[Image], boxes: Sequence[FaceBox], back: Array) -> Iterator[Image]:
    """Yield what surrounds each box, (WINDOW, WINDOW, 3); back: see `window_matrices`."""
    for box, matrix in zip(boxes, back, strict=True):
        yield crop(levels, box.x, box.y, matrix, (WINDOW, WINDOW))


def _poses(back: Array, rows: Array) -> Array:
    """Return what the network says of windows (..., 10) as poses (..., 9) in the picture.

    A pose is a shift x, y in pixels, a shape as `shapes_of_axes` gives it, and a lean. For `rows`
    see vision/training/train_pose.py.
    """
    shift = (back @ rows[..., 1:3, None])[..., 0] * EDGE
    axes = back @ axes_of_shapes(rows[..., 3:8]) * np.float32(EDGE / 2 / HALF_EDGE)
    lean = (back @ rows[..., 8:10, None])[..., 0] / determinants(back)[..., None] ** 0.5
    return np.concatenate([shift, shapes_of_axes(axes), lean], -1, dtype=np.float32)


def _box_candidate(box: FaceBox, pose_logit: float) -> Candidate:
    """Return what a box shows if it isn't a die."""
    detector_logit = float(np.log(box.score / (1 - box.score + 1e-6)))
    return Candidate(box, np.zeros(2, np.float32), detector_logit, pose_logit, 0.0, 0.0)


def _set_poses(dice: Sequence[Candidate], poses: Array) -> list[Candidate]:
    """Return the dice as these poses (n, 9) have them, or as they were where no face can be."""
    axes = axes_of_shapes(poses[:, 2:7])
    return [
        replace(
            die,
            box=FaceBox(
                die.box.x + float(pose[0]), die.box.y + float(pose[1]), face, die.box.score
            ),
            lean=pose[7:],
        )
        if upright
        else die
        for die, pose, face, upright in zip(dice, poses, axes, determinants(axes) > 0, strict=True)
    ]


def _add_surroundings(die: Candidate, looks: Sequence[Detections]) -> Candidate:
    look = fitting_look(looks, die.box.edge)
    return replace(
        die,
        in_tray=look.mean_around(look.tray, die.box, _TRAY_REACH),
        covered=look.mean_around(look.obstacle, die.box, _COVER_REACH),
    )
