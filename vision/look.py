"""Looks at single dice again: is it one, how does it lie exactly, and which way is down?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vision.emptied import Emptied
from vision.finder import Finder, Survey
from vision.locate import (
    HALF_EDGE,
    Array,
    Image,
    Spot,
    apart,
    areas,
    edges,
    shape,
    stretch_and_turn,
    turned,
)
from vision.net import Net, planes
from vision.views import halves, window

NETWORK = Path(__file__).with_name("profiles") / "look.onnx"
# As tests/training/train_look.py made it: pixels of the network's picture, and of the face in it.
WINDOW, EDGE = 64, 26.0
# The long side, in pixels, at which a picture is surveyed. Where dice are SMALL, edges of that
# side, what is up to BESIDE edges beside them is looked at more closely.
LONG_SIDE, SMALL, BESIDE = 416, 0.042, 3.0
MOST, FRESH = 24, 12  # spots worth looking at: of the first survey, and new ones of a closer one
LEANING = 6  # of the likeliest dice it matters how exactly they lean
# What the network says of a mirrored window, by what it says of the window.
MIRRORED = np.array([1, -1, 1, 1, -1, 1, 1, -1, -1, 1], np.float32)
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


Doubt = Callable[[Sequence[Found]], bool]
"""Whether it matters for these dice how exactly they lie."""


class Turn(NamedTuple):
    """A turn of a window; `mirrored`: its planes (3, h, w) turned so, then from left to right."""

    matrix: Array
    mirrored: Callable[[Array], Array]


TURNS = (
    Turn(-np.eye(2, dtype=np.float32), lambda seen: seen[:, ::-1]),
    Turn(np.array([[0, -1], [1, 0]], np.float32), lambda seen: seen[:, ::-1, ::-1].swapaxes(1, 2)),
    Turn(np.array([[0, 1], [-1, 0]], np.float32), lambda seen: seen.swapaxes(1, 2)),
)


class Eye:
    """Both networks."""

    def __init__(self, path: Path = NETWORK) -> None:
        self._finder = Finder()
        self._net = Net(path, 3, WINDOW, WINDOW)

    def find(
        self,
        levels: Sequence[Image],
        tray: Image | None = None,
        *,
        closer: bool = False,
        doubt: Doubt | None = None,
    ) -> Sight:
        """What may be dice in a picture; `levels`: see `halves`; `tray`: the same without dice.

        closer: whether to look again, from nearer, where dice are small. doubt: see `steadied`.
        """
        survey = self.survey(levels)
        emptied = None if tray is None else Emptied(levels, halves(tray))

        def new(spots: Sequence[Spot]) -> Sequence[Spot]:
            return emptied.new(spots) if emptied else spots

        spots = new(survey.spots)[:MOST]
        found = self.at(levels, spots, survey)
        if closer:
            more = new(self._nearer(levels, found))
            every = apart(sorted([*spots, *more], key=lambda spot: -spot.score), octaves=0.7)[:MOST]
            known = {id(spot) for spot in spots}
            fresh = [spot for spot in every if id(spot) not in known][:FRESH]
            # The second look decides between the two views of a die.
            found += self.at(levels, fresh, survey)
        best = _best(found)
        steady = self.steadied(levels, best[:LEANING], doubt)
        return Sight((*steady, *best[LEANING:]), survey)

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

    def survey(self, levels: Sequence[Image]) -> Survey:
        """The first look."""
        return self._finder.survey(levels, LONG_SIDE)

    def at(self, levels: Sequence[Image], spots: Sequence[Spot], survey: Survey) -> list[Found]:
        """What lies at the spots, in their order."""
        if not spots:
            return []
        back = _back(spots)
        rows = self._net(map(planes, _windows(levels, spots, back)))
        moved = _moved(spots, _poses(back, rows))
        return [
            _found(spot, float(row[0]), to, survey)
            for spot, row, to in zip(spots, rows, moved, strict=True)
        ]

    def steadied(
        self, levels: Sequence[Image], dice: Sequence[Found], doubt: Doubt | None = None
    ) -> list[Found]:
        """The dice as more looks at each, mirrored and from its other sides, agree.

        One look from behind, and two from the sides unless there is no `doubt` of the dice as they
        lie by then.
        """
        if not dice:
            return []
        spots = [f.spot for f in dice]
        back = _back(spots)
        seen = [planes(each) for each in _windows(levels, spots, back)]
        shapes = stretch_and_turn(np.stack([spot.axes for spot in spots]))
        leans = np.stack([f.lean for f in dice])
        first = np.concatenate([np.zeros_like(leans), shapes, leans], 1, dtype=np.float32)
        behind, *sides = TURNS
        poses = first + self._turned(seen, back, behind)
        steady = _steady(dice, poses / np.float32(2))
        if doubt and not doubt(steady):
            return steady
        for side in sides:
            poses += self._turned(seen, back, side)
        return _steady(dice, poses / np.float32(1 + len(TURNS)))

    def _turned(self, seen: Sequence[Array], back: Array, turn: Turn) -> Array:
        """Poses (n, 9) of dice by their windows (3, h, w), turned and mirrored."""
        rows = self._net(map(turn.mirrored, seen)) * MIRRORED
        return _poses(back @ turn.matrix, rows)


def _best(found: Sequence[Found]) -> list[Found]:
    """Those that may be dice, likeliest first, none within another."""
    dice = sorted((f for f in found if f.second > LEAST), key=lambda f: -f.second)
    kept = {id(spot) for spot in apart([f.spot for f in dice])}
    return [f for f in dice if id(f.spot) in kept]


def _back(spots: Sequence[Spot]) -> Array:
    """(n, 2, 2), from the pixels of each spot's window to the picture's: turned as it lies."""
    axes = np.stack([spot.axes for spot in spots])
    return turned(axes) * (edges(axes) / np.float32(EDGE))[:, None, None]


def _windows(levels: Sequence[Image], spots: Sequence[Spot], back: Array) -> Iterator[Image]:
    """The surroundings of the spots."""
    for spot, matrix in zip(spots, back, strict=True):
        yield window(levels, spot.x, spot.y, matrix, (WINDOW, WINDOW))


def _poses(back: Array, rows: Array) -> Array:
    """What the network says of windows (..., 10), in the picture: (..., 9).

    Shift x, y in pixels; the shape as `stretch_and_turn` has it; lean. For `rows` see
    tests/training/train_look.py.
    """
    shift = (back @ rows[..., 1:3, None])[..., 0] * EDGE
    axes = back @ shape(rows[..., 3:8]) * np.float32(EDGE / 2 / HALF_EDGE)
    lean = (back @ rows[..., 8:10, None])[..., 0] / areas(back)[..., None] ** 0.5
    return np.concatenate([shift, stretch_and_turn(axes), lean], -1, dtype=np.float32)


def _moved(spots: Sequence[Spot], poses: Array) -> list[tuple[Spot, Array] | None]:
    """The spots where these poses (n, 9) have them, and their leans; None for what has no face."""
    axes = shape(poses[:, 2:7])
    return [
        (Spot(spot.x + float(pose[0]), spot.y + float(pose[1]), face, spot.score), pose[7:])
        if upright
        else None
        for spot, pose, face, upright in zip(spots, poses, axes, areas(axes) > 0, strict=True)
    ]


def _steady(dice: Sequence[Found], poses: Array) -> list[Found]:
    moved = _moved([f.spot for f in dice], poses)
    return [
        Found(*to, f.first, f.second, f.inside, f.hidden) if to else f
        for f, to in zip(dice, moved, strict=True)
    ]


def _found(spot: Spot, second: float, to: tuple[Spot, Array] | None, survey: Survey) -> Found:
    """The spot as the second look has it."""
    first = float(np.log(spot.score / (1 - spot.score + 1e-6)))
    if second <= LEAST:
        return Found(spot, np.zeros(2, np.float32), first, second, 0.0, 0.0)
    spot, lean = to or (spot, np.zeros(2, np.float32))
    inside = survey.share(survey.inside, spot, AROUND)
    return Found(spot, lean, first, second, inside, survey.share(survey.other, spot, WITHIN))
