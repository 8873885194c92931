"""Looks at single dice again: is it one, how does it lie exactly, and which way is down?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.emptied import new_spots
from vision.finder import Finder, Survey
from vision.locate import HALF_EDGE, Array, Image, Spot, apart, shape, stretch_and_turn, turned
from vision.net import Net
from vision.views import halves, window

NETWORK = Path(__file__).with_name("profiles") / "look.onnx"
# As tests/training/train_look.py made it: pixels of the network's picture, and of the face in it.
WINDOW, EDGE = 64, 26.0
# The long side, in pixels, at which a picture is surveyed. Where dice are SMALL, edges of that
# side, what is up to BESIDE edges beside them is looked at more closely.
LONG_SIDE, SMALL, BESIDE = 416, 0.042, 3.0
MOST, FRESH = 36, 18  # spots worth looking at: of the first survey, and new ones of a closer one
LEANING = 6  # of the likeliest dice it matters how exactly they lean
# What the network says of a mirrored window, by what it says of the window.
MIRRORED = np.array([1, -1, 1, 1, -1, 1, 1, -1, -1, 1], np.float32)
# Turns by one, two and three quarters.
QUARTERS = np.array([[[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]], np.float32)
AROUND, WITHIN = 0.8, 0.35  # edges around its middle in which a die is in the tray, or covered
LEAST = -4.0  # log-odds of a die below which there is none


@dataclass(frozen=True, slots=True)
class Found:
    """What may be a die.

    `spot`: its top face. `lean`: where the opposite face lies from it in the picture, in edges.
    `first`, `second`: log-odds of both looks that this is a die. `inside`: how much of what is
    around it is in the tray, in [0, 1]. `hidden`: how much of it a hand or another thing covers.
    """

    spot: Spot
    lean: Array
    first: float
    second: float
    inside: float
    hidden: float


@dataclass(frozen=True, slots=True)
class Sight:
    """All that may be dice in a picture, likeliest first, and the first look at it."""

    found: tuple[Found, ...]
    survey: Survey


class Eye:
    """Both networks."""

    def __init__(self, path: Path = NETWORK) -> None:
        self._finder = Finder()
        self._net = Net(path)

    def find(
        self, levels: Sequence[Image], tray: Image | None = None, *, closer: bool = False
    ) -> Sight:
        """What may be dice in a picture; `levels`: see `halves`; `tray`: the same without dice.

        closer: whether to look again, from nearer, where dice are small.
        """
        survey = self._finder.survey(levels, LONG_SIDE)

        def new(spots: Sequence[Spot]) -> Sequence[Spot]:
            return spots if tray is None else new_spots(spots, levels, halves(tray))

        spots = new(survey.spots)[:MOST]
        found = self._look(levels, spots, survey)
        if closer:
            seen = {id(spot): f for spot, f in zip(spots, found, strict=True)}
            more = new(self._nearer(levels, found))
            every = apart(sorted([*spots, *more], key=lambda spot: -spot.score), octaves=0.7)[:MOST]
            rest = [spot for spot in every if id(spot) not in seen][:FRESH]
            seen |= zip(map(id, rest), self._look(levels, rest, survey), strict=True)
            found = [seen[id(spot)] for spot in every if id(spot) in seen]
        best = _best(found)
        return Sight((*self.steadied(levels, best[:LEANING]), *best[LEANING:]), survey)

    def _nearer(self, levels: Sequence[Image], found: Sequence[Found]) -> Sequence[Spot]:
        """Where dice may be, looked at from nearer if those found are small."""
        dice = [f.spot for f in _best(found) if f.first + f.second > 0]
        edge = float(np.median([spot.edge for spot in dice])) if dice else np.inf
        if edge >= SMALL * max(levels[0].shape[:2]):
            return ()
        at = np.array([(spot.x, spot.y) for spot in dice], np.float32)
        end = np.array(levels[0].shape[1::-1], np.float32)
        low, high = at.min(0) - BESIDE * edge, at.max(0) + BESIDE * edge
        return self._finder.closer(levels, LONG_SIDE, np.maximum(low, 0), np.minimum(high, end))

    def at(self, levels: Sequence[Image], spots: Sequence[Spot]) -> tuple[list[Found], Survey]:
        """What lies at spots that were found otherwise, in their order, and a first look."""
        survey = self._finder.survey(levels, LONG_SIDE)
        return self._look(levels, spots, survey), survey

    def _look(self, levels: Sequence[Image], spots: Sequence[Spot], survey: Survey) -> list[Found]:
        """What lies at the spots, in their order."""
        if not spots:
            return []
        cuts = [_window(levels, spot) for spot in spots]
        rows = self._net(cv2.dnn.blobFromImages([window for window, _ in cuts], 1 / 255))
        return [
            _found(spot, back, row, survey)
            for spot, (_, back), row in zip(spots, cuts, rows, strict=True)
        ]

    def steadied(self, levels: Sequence[Image], dice: Sequence[Found]) -> list[Found]:
        """The dice as three more looks at each, mirrored and from its other sides, agree."""
        if not dice:
            return []
        turned = [replace(f.spot, axes=f.spot.axes @ turn) for f in dice for turn in QUARTERS]
        cuts = [_window(levels, spot) for spot in turned]
        mirrored = [window[:, ::-1] for window, _ in cuts]
        rows = self._net(cv2.dnn.blobFromImages(mirrored, 1 / 255)) * MIRRORED
        poses = [_pose(back, row) for (_, back), row in zip(cuts, rows, strict=True)]
        more = np.reshape(poses, (len(dice), len(QUARTERS), -1)).sum(1)
        first = [np.concatenate([(0, 0), stretch_and_turn(f.spot.axes), f.lean]) for f in dice]
        means = np.asarray((first + more) / (1 + len(QUARTERS)), np.float32)
        return [_moved(f, mean) for f, mean in zip(dice, means, strict=True)]


def _best(found: Sequence[Found]) -> list[Found]:
    """Those that may be dice, likeliest first, none within another."""
    dice = sorted((f for f in found if f.second > LEAST), key=lambda f: -f.second)
    kept = {id(spot) for spot in apart([f.spot for f in dice])}
    return [f for f in dice if id(f.spot) in kept]


def _window(levels: Sequence[Image], spot: Spot) -> tuple[Image, Array]:
    """The surroundings of a spot, turned as it lies; (2, 2) from its pixels to the picture's."""
    back = np.asarray(turned(spot.axes) * (spot.edge / EDGE), np.float32)
    return window(levels, spot.x, spot.y, back, (WINDOW, WINDOW)), back


def _found(spot: Spot, back: Array, row: Array, survey: Survey) -> Found:
    """The spot as the network saw it: (10,), see tests/training/train_look.py."""
    first = float(np.log(spot.score / (1 - spot.score + 1e-6)))
    found = Found(spot, np.zeros(2, np.float32), first, float(row[0]), 0.0, 0.0)
    if row[0] <= LEAST:
        return found
    found = _moved(found, _pose(back, row))
    inside = survey.share(survey.inside, found.spot, AROUND)
    return replace(found, inside=inside, hidden=survey.share(survey.other, found.spot, WITHIN))


def _pose(back: Array, row: Array) -> Array:
    """(9,), in the picture: shift x, y in pixels; the shape as `stretch_and_turn` has it; lean."""
    shift = back @ row[1:3] * EDGE
    axes = np.asarray(back @ shape(row[3:8]) * EDGE / 2 / HALF_EDGE, np.float32)
    lean = back @ row[8:10] / cv2.determinant(back) ** 0.5
    return np.concatenate([shift, stretch_and_turn(axes), lean], dtype=np.float32)


def _moved(found: Found, pose: Array) -> Found:
    x, y = found.spot.x + float(pose[0]), found.spot.y + float(pose[1])
    axes = shape(pose[2:7])
    if cv2.determinant(axes) <= 0:
        return found
    return replace(found, spot=Spot(x, y, axes, found.spot.score), lean=pose[7:])
