"""Find dice of any kind and size: detect, drop what the tray shows, look closer, estimate poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.find.background import TrayPattern
from vision.find.candidate import Candidate, likeliest, without_parts
from vision.find.detector import LEAST_SCORE, LONG_SIDES, Detections, DiceDetector, fitting_look
from vision.find.pose import UNCLEAR, PoseEstimator
from vision.imaging.geometry import FaceBox, Image, suppress_overlaps
from vision.imaging.pyramid import build_pyramid
from vision.reading import DICE

# In edges of the longer side: where dice are _SMALL, what is up to _BESIDE edges beside them is
# searched more closely; where fewer than five smaller than _LARGE are seen, the whole picture is
# searched from farther away too.
_SMALL, _BESIDE, _LARGE = 0.042, 3.0, 0.09
# Seen from afar, two dice of which each is _NEAR, or five with a median of _FIVE_NEAR, have no
# smaller ones beside them, if the log-odds of all are above _SURELY.
_NEAR, _FIVE_NEAR, _SURELY = 0.09, 0.075, 3.0
_MAPPED = LONG_SIDES[:2]  # of the looks, tell the tray and hands
_OCTAVES = 0.7  # by which two views of one box differ in size, so that the pose network decides
_MOST, _MOST_CLOSER = 24, 12  # boxes of a search, and new ones of a closer or farther one
_LEAST_FROM_AFAR = 0.05  # score of a box, from which dice with pips are looked at from afar
_REFINED = 6  # of the likeliest dice it matters how exactly they lean
# All dice of a throw are as large: one that is _MISFIT octaves off the size of the others, of which
# there are _OTHERS at least, was framed wrong. It is looked at _AGAIN times more, as large as they
# are, and framed so if its log-odds are _BETTER then. From _MAYBE_A_DIE on that pays.
_MISFIT, _OTHERS, _AGAIN, _BETTER, _MAYBE_A_DIE = 0.12, 3, 3, 1.5, -2.5


@dataclass(frozen=True, slots=True)
class FoundDice:
    """What may be dice in one picture."""

    candidates: tuple[Candidate, ...]
    """The likeliest first, without overlaps; those for pips as they were found, with overlaps."""
    detections: Detections
    """What the detector saw in the whole picture, at the scale that fits the dice."""


class DiceFinder:
    """Finds dice with the detector and the pose network. Not for two threads at a time."""

    pose: PoseEstimator
    """The network that says how a die lies."""

    def __init__(self) -> None:
        self._detector = DiceDetector()
        self.pose = PoseEstimator()

    def find(
        self, levels: Sequence[Image], tray: Image | None = None, *, close_up: bool = False
    ) -> FoundDice:
        """Return what may be dice in a picture.

        levels: its pyramid. tray: the same tray without dice, seen from the same place; ValueError
        if of another size. close_up: whether dice may fill it; each is then
        looked at from all sides.
        """
        search = _Search(self._detector, self.pose, levels, tray)
        search.add(search.look(LONG_SIDES[0]), _MOST)
        fills, edge = close_up, _typical_edge(search.candidates)
        if len(_dice(search.candidates)) < DICE or edge > _LARGE * search.long_side:
            for boxes in [search.look(side) for side in LONG_SIDES[1:3]]:
                search.add(boxes, _MOST_CLOSER)
            fills = close_up or not _dice(search.candidates)
            if fills:
                search.add(search.look(LONG_SIDES[3]), _MOST_CLOSER)
        search.add_closer(_MOST_CLOSER)
        best = likeliest(without_parts(search.candidates) if fills else search.candidates)
        best[:_REFINED] = equally_large(self.pose, levels, best[:_REFINED], search.maps)
        refined = self.pose.refine(levels, best[:_REFINED], 0.0 if close_up else UNCLEAR)
        look = fitting_look(search.maps, _typical_edge(refined))
        return FoundDice((*refined, *best[_REFINED:]), look)

    def find_pips(self, levels: Sequence[Image], tray: Image | None = None) -> FoundDice:
        """Return what may be dice with pips, overlaps included; arguments as those of `find`.

        From near a pip looks like a die, and from afar five dice look like one with a five. So the
        picture is searched from afar first, and from near only where dice may be small.
        """
        search = _Search(self._detector, self.pose, levels, tray)
        far = [box for side in LONG_SIDES[1:3] for box in search.look(side, _LEAST_FROM_AFAR)]
        search.add(far, _MOST)
        if not _surely(search.candidates):
            search.add(search.look(LONG_SIDES[3], _LEAST_FROM_AFAR), _MOST_CLOSER)
        edges = [c.box.edge / search.long_side for c in _surely(search.candidates)]
        two_are_near = len(edges) > 1 and min(edges) > _NEAR
        if not two_are_near and not (len(edges) >= DICE and np.median(edges) > _FIVE_NEAR):
            search.add(search.look(LONG_SIDES[0]), _MOST)
            search.add_closer(_MOST)
        dice = without_parts(search.candidates)
        return FoundDice(tuple(search.candidates), fitting_look(search.maps, _typical_edge(dice)))


def equally_large(
    pose: PoseEstimator,
    levels: Sequence[Image],
    candidates: Sequence[Candidate],
    looks: Sequence[Detections],
) -> list[Candidate]:
    """Return the candidates, those of another size than the rest framed as large as they are.

    levels: the picture's pyramid. looks: what the detector saw in it, the finest first.
    """
    framed = list(candidates)
    for number, candidate in enumerate(candidates):
        rest = [c.box.edge for k, c in enumerate(candidates) if k != number and c.logit > 0]
        if candidate.logit < _MAYBE_A_DIE or len(rest) < _OTHERS:
            continue
        edge = float(np.median(rest))
        if abs(np.log2(candidate.box.edge / edge)) < _MISFIT:
            continue
        again = candidate
        for _ in range(_AGAIN):
            axes = np.asarray(again.box.axes * (edge / again.box.edge), np.float32)
            (again,) = pose.estimate(levels, [replace(again.box, axes=axes)], looks)
        if again.pose_logit > candidate.pose_logit + _BETTER:
            framed[number] = again
    return framed


class _Search:
    """The search of one picture, at one scale after the other."""

    def __init__(
        self,
        detector: DiceDetector,
        pose: PoseEstimator,
        levels: Sequence[Image],
        tray: Image | None,
    ) -> None:
        """Begin without a look; arguments as those of `DiceFinder.find`."""
        self._detector, self._pose, self._levels = detector, pose, levels
        self._pattern = None if tray is None else TrayPattern(levels, build_pyramid(tray))
        self._boxes: list[FaceBox] = []
        self.long_side = max(levels[0].shape[:2])
        self.candidates: list[Candidate] = []
        self.maps: list[Detections] = []  # the finest first

    def look(self, side: int, least_score: float = LEAST_SCORE) -> Sequence[FaceBox]:
        """Return boxes of the whole picture, scaled to `side` pixels."""
        seen = self._detector.detect(self._levels, side, least_score)
        if side in _MAPPED:
            self.maps = sorted([*self.maps, seen], key=lambda look: look.cell)
        return seen.boxes

    def add(self, found: Sequence[FaceBox], most: int) -> None:
        """Add what lies at the best of these boxes, at most `most`, that are new."""
        every = sorted([*self._boxes, *found], key=lambda box: -box.score)
        known = {id(box) for box in self._boxes}
        kept = [every[n] for n in suppress_overlaps(every, octaves=_OCTAVES)]
        fresh = [box for box in kept if id(box) not in known][:most]
        self._boxes += fresh
        there = self._pose.estimate(self._levels, fresh, self.maps)
        if self._pattern:
            # As the pose network frames them: the detector's boxes of one die differ.
            there = [c for c in there if not self._pattern.shows(c.box)]
        self.candidates += there

    def add_closer(self, most: int) -> None:
        """Search closer around dice that are small."""
        dice = _dice(self.candidates)
        edge = _typical_edge(dice)
        if not 0 < edge < _SMALL * self.long_side:
            return
        at = np.array([(c.box.x, c.box.y) for c in dice], np.float32)
        end = np.array(self._levels[0].shape[1::-1], np.float32)
        low, high = at.min(0) - _BESIDE * edge, at.max(0) + _BESIDE * edge
        corners = np.maximum(low, 0), np.minimum(high, end)
        self.add(self._detector.detect_closer(self._levels, *corners), most)


def _dice(candidates: Sequence[Candidate]) -> list[Candidate]:
    return [c for c in likeliest(candidates) if c.logit > 0]


def _surely(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return those that are surely dice, and no marks on a larger one."""
    return [c for c in _dice(without_parts(candidates)) if c.logit > _SURELY]


def _typical_edge(candidates: Sequence[Candidate]) -> float:
    """Return the median edge of those that are dice, 0 where none is."""
    return float(np.median([c.box.edge for c in _dice(candidates)] or [0]))
