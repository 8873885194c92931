"""Find dice of any kind: detect, drop what the tray shows, look closer, estimate poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.find.background import BackgroundFilter
from vision.find.candidate import Candidate, likeliest
from vision.find.detector import Detections, DiceDetector
from vision.find.pose import IsUnclear, PoseEstimator
from vision.imaging.geometry import FaceBox, Image, suppress_overlaps
from vision.imaging.pyramid import build_pyramid

# Where dice are _SMALL, in edges of the longer side, what is up to _BESIDE edges beside them is
# searched more closely.
_SMALL, _BESIDE = 0.042, 3.0
_MOST, _MOST_CLOSER = 24, 12  # boxes of the first search, and new ones of a closer one
_REFINED = 6  # of the likeliest dice it matters how exactly they lean


@dataclass(frozen=True, slots=True)
class FoundDice:
    """What may be dice in one picture."""

    candidates: tuple[Candidate, ...]
    """Likeliest first, without overlaps."""
    detections: Detections
    """What the detector saw in the whole picture."""


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
        closer: bool = False,
        is_unclear: IsUnclear | None = None,
    ) -> FoundDice:
        """Return what may be dice in a picture.

        levels: its pyramid. tray: the same tray without dice, seen from the same place; ValueError
        if of another size. closer: whether to search again, from nearer, where dice are small.
        is_unclear: see `PoseEstimator.refine`.
        """
        detections = self._detector.detect(levels)
        background = None if tray is None else BackgroundFilter(levels, build_pyramid(tray))

        def new(boxes: Sequence[FaceBox]) -> Sequence[FaceBox]:
            return background.new(boxes) if background else boxes

        boxes = new(detections.boxes)[:_MOST]
        candidates = self._pose.estimate(levels, boxes, detections)
        if closer:
            more = new(self._closer(levels, candidates))
            every = sorted([*boxes, *more], key=lambda box: -box.score)
            known = {id(box) for box in boxes}
            kept = suppress_overlaps(every, octaves=0.7)[:_MOST]
            fresh = [box for box in kept if id(box) not in known][:_MOST_CLOSER]
            # The pose network decides between the two views of a die.
            candidates += self._pose.estimate(levels, fresh, detections)
        best = likeliest(candidates)
        refined = self._pose.refine(levels, best[:_REFINED], is_unclear)
        return FoundDice((*refined, *best[_REFINED:]), detections)

    def _closer(
        self, levels: Sequence[Image], candidates: Sequence[Candidate]
    ) -> Sequence[FaceBox]:
        """Return boxes of a closer search around the dice, if they are small."""
        dice = [c.box for c in likeliest(candidates) if c.logit > 0]
        edge = float(np.median([box.edge for box in dice])) if dice else np.inf
        if edge >= _SMALL * max(levels[0].shape[:2]):
            return ()
        at = np.array([(box.x, box.y) for box in dice], np.float32)
        end = np.array(levels[0].shape[1::-1], np.float32)
        low, high = at.min(0) - _BESIDE * edge, at.max(0) + _BESIDE * edge
        return self._detector.detect_closer(levels, np.maximum(low, 0), np.minimum(high, end))
