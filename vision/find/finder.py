"""Find dice of any kind and size: detect, drop what the tray shows, look closer, estimate poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.find.background import BackgroundFilter
from vision.find.candidate import Candidate, likeliest, without_parts
from vision.find.detector import LONG_SIDES, Detections, DiceDetector, fitting_look
from vision.find.pose import IsUnclear, PoseEstimator
from vision.imaging.geometry import FaceBox, Image, suppress_overlaps
from vision.imaging.pyramid import build_pyramid
from vision.reading import DICE

# In edges of the longer side: where dice are _SMALL, what is up to _BESIDE edges beside them is
# searched more closely; where fewer than five smaller than _LARGE are seen, the whole picture is
# searched from farther away too.
_SMALL, _BESIDE, _LARGE = 0.042, 3.0, 0.09
_MAPPED = 2  # of the looks, the finest first, tell the tray and hands
_OCTAVES = 0.7  # by which two views of one box differ in size, so that the pose network decides
_MOST, _MOST_CLOSER = 24, 12  # boxes of a search, and new ones of a closer or farther one
_REFINED = 6  # of the likeliest dice it matters how exactly they lean


@dataclass(frozen=True, slots=True)
class FoundDice:
    """What may be dice in one picture."""

    candidates: tuple[Candidate, ...]
    """Likeliest first, without overlaps."""
    detections: Detections
    """What the detector saw in the whole picture, at the scale that fits the dice."""


class DiceFinder:
    """Finds dice with the detector and the pose network. Not for two threads at a time."""

    def __init__(self) -> None:
        self._detector = DiceDetector()
        self._pose = PoseEstimator()

    def find(
        self,
        levels: Sequence[Image],
        tray: Image | None = None,
        *,
        close_up: bool = False,
        is_unclear: IsUnclear | None = None,
    ) -> FoundDice:
        """Return what may be dice in a picture.

        levels: its pyramid. tray: the same tray without dice, seen from the same place; ValueError
        if of another size. close_up: whether dice may fill it. is_unclear: see
        `PoseEstimator.refine`.
        """
        background = None if tray is None else BackgroundFilter(levels, build_pyramid(tray))
        looks = [self._detector.detect(levels)]
        boxes: list[FaceBox] = []
        candidates: list[Candidate] = []

        def add(found: Sequence[FaceBox], most: int) -> None:
            every = sorted([*boxes, *found], key=lambda box: -box.score)
            known = {id(box) for box in boxes}
            kept = suppress_overlaps(every, octaves=_OCTAVES)
            fresh = [box for box in kept if id(box) not in known][:most]
            boxes.extend(fresh)
            there = self._pose.estimate(levels, fresh, looks)
            if background:
                # As the pose network frames them: the detector's boxes of one die differ.
                new = {id(box) for box in background.new([c.box for c in there])}
                there = [c for c in there if id(c.box) in new]
            candidates.extend(there)

        add(looks[0].boxes, _MOST)
        long_side = max(levels[0].shape[:2])
        seen, edge = _dice(candidates), _typical_edge(candidates)
        if len(seen) < DICE or edge > _LARGE * long_side:
            farther = [
                self._detector.detect(levels, side)
                for side in LONG_SIDES[1 : None if close_up else 3]
            ]
            looks += farther[: _MAPPED - 1]
            for look in farther:
                add(look.boxes, _MOST_CLOSER)
        if 0 < _typical_edge(candidates) < _SMALL * long_side:
            add(self._closer(levels, _dice(candidates)), _MOST_CLOSER)
        best = likeliest(without_parts(candidates) if close_up else candidates)
        refined = self._pose.refine(levels, best[:_REFINED], is_unclear)
        look = fitting_look(looks, _typical_edge(refined))
        return FoundDice((*refined, *best[_REFINED:]), look)

    def _closer(self, levels: Sequence[Image], dice: Sequence[Candidate]) -> Sequence[FaceBox]:
        """Return boxes of a closer search around these dice, which are small."""
        beside = _BESIDE * _typical_edge(dice)
        at = np.array([(c.box.x, c.box.y) for c in dice], np.float32)
        end = np.array(levels[0].shape[1::-1], np.float32)
        low, high = at.min(0) - beside, at.max(0) + beside
        return self._detector.detect_closer(levels, np.maximum(low, 0), np.minimum(high, end))


def _dice(candidates: Sequence[Candidate]) -> list[Candidate]:
    return [c for c in likeliest(candidates) if c.logit > 0]


def _typical_edge(candidates: Sequence[Candidate]) -> float:
    """Return the median edge of those that are dice, 0 where none is."""
    return float(np.median([c.box.edge for c in _dice(candidates)] or [0]))
