"""Find dice of any kind and size: detect, drop what the tray shows, look closer, estimate poses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import hypot, inf

import numpy as np

from vision.dice.find.background import TrayGround
from vision.dice.find.candidate import (
    APART,
    ENOUGH,
    LEAST_POSE_LOGIT,
    NEAR,
    SMALL,
    SURELY,
    Candidate,
    drop_parts,
    select_likeliest,
)
from vision.dice.find.detector import (
    LEAST_SCORE,
    LONG_SIDES,
    Detections,
    DiceDetector,
    fitting_look,
)
from vision.dice.find.pose import PoseEstimator
from vision.dice.reading import DICE, SAME_SIZE
from vision.imaging.geometry import FaceBox, Image, nearest_rotations, suppress_overlaps

# Where dice are smaller than SMALL, what is up to _BESIDE edges beside them is searched closer. The
# whole picture is searched from farther away too, unless five smaller than NEAR are seen which
# don't all lie within _CLOSE edges.
_BESIDE, _CLOSE = 3.0, 4.5
# Seen from afar, two dice of which each is NEAR, or five with that median, have no smaller ones
# beside them, if the log-odds of all are above SURELY.
_MAPPED = LONG_SIDES[:2]  # of the looks, tell the tray and hands
_OCTAVES = 0.7  # by which two views of one box differ in size, so that the pose network decides
_MOST = 24  # new boxes of a look
_REFINED = DICE + 1  # of the likeliest dice it matters how exactly they lean
# All dice of a throw are as large: one that is MISFIT octaves off the size of the others, of which
# there are ENOUGH at least, was framed wrong. It is looked at _AGAIN times more, as large as they
# are, and framed so if its log-odds are _BETTER then.
MISFIT, _AGAIN, _BETTER = 0.12, 3, 1.5
# Where ENOUGH or four are surely dice, less than SAME_SIZE off their median, missing ones are
# looked for at the best _PLACES that score _FAINT (dice with pips are so from afar). Each is framed
# from all _STARTS, in edges from its centre, straight and askew, then the best _TRACKS of these
# frames again. An octave off the others' size costs _OCTAVE_OFF of a frame's log-odds, and below
# _NEVER it shows no die. Once as many as are missing fit by SURELY, no other place is tried.
_PLACES, _FAINT, _TRACKS, _OCTAVE_OFF, _NEVER = 4, 0.03, 3, 12.0, 0.0
_STARTS = 0.3 * np.array([(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)])
_ASKEW = nearest_rotations(np.array([[1, -1], [1, 1]], np.float32))


@dataclass(frozen=True, slots=True)
class FoundDice:
    """What may be dice in one picture."""

    candidates: tuple[Candidate, ...]
    """The likeliest first, without overlaps; those for pips as they were found, with overlaps."""
    detections: Detections
    """What the detector saw in the whole picture, at the scale that fits the dice."""
    looked_at: tuple[Candidate, ...]
    """All that was looked at, of any size, with overlaps."""


class DiceFinder:
    """Finds dice with the detector and the pose network. Not for two threads at a time."""

    pose: PoseEstimator
    """The network that says how a die lies."""

    def __init__(self) -> None:
        self._detector = DiceDetector()
        self.pose = PoseEstimator()

    def find(
        self,
        levels: Sequence[Image],
        tray: Sequence[Image] | None = None,
        *,
        close_up: bool = False,
    ) -> FoundDice:
        """Return what may be dice in a picture.

        levels: its pyramid. tray: that of the same tray without dice, seen from the same place;
        ValueError if of another size. close_up: whether dice may fill it; each is then looked at
        from all sides.
        """
        search = _Search(self._detector, self.pose, levels, tray)
        search.add(search.look(LONG_SIDES[0]))
        if _may_be_parts(search.candidates, search.long_side):
            for boxes in [search.look(side) for side in LONG_SIDES[1:3]]:
                search.add(boxes)
            if close_up or not _dice(search.candidates):
                search.add(search.look(LONG_SIDES[3]))
        search.add_closer()
        best = select_likeliest(drop_parts(search.candidates))
        best[:_REFINED] = equalise_sizes(self.pose, levels, best[:_REFINED], search.maps)
        best = search.add_missing(best)
        refined = self.pose.refine(levels, best[:_REFINED], 0.0 if close_up else inf)
        look = fitting_look(search.maps, _typical_edge(refined))
        return FoundDice((*refined, *best[_REFINED:]), look, tuple(search.candidates))

    def find_pips(self, levels: Sequence[Image], tray: Sequence[Image] | None = None) -> FoundDice:
        """Return what may be dice with pips, overlaps included; arguments as those of `find`.

        From near a pip looks like a die, and from afar five dice look like one with a five. So the
        picture is searched from afar first, and from near only where dice may be small.
        """
        search = _Search(self._detector, self.pose, levels, tray)
        far = [box for side in LONG_SIDES[1:3] for box in search.look(side, _FAINT)]
        search.add(far)
        if not _sure_dice(search.candidates):
            search.add(search.look(LONG_SIDES[3], _FAINT))
        edges = [c.box.edge / search.long_side for c in _sure_dice(search.candidates)]
        two_are_near = len(edges) > 1 and min(edges) > NEAR
        if not two_are_near and not (len(edges) >= DICE and np.median(edges) > NEAR):
            search.add(search.look(LONG_SIDES[0]))
            search.add_closer()
        dice = drop_parts(search.candidates)
        every, look = tuple(search.candidates), fitting_look(search.maps, _typical_edge(dice))
        return FoundDice(every, look, every)


def equalise_sizes(
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
        if candidate.logit < LEAST_POSE_LOGIT or len(rest) < ENOUGH:
            continue
        edge = float(np.median(rest))
        if _octaves(candidate, edge) < MISFIT:
            continue
        again = candidate
        for _ in range(_AGAIN):
            (again,) = pose.estimate(levels, [_resize(again.box, edge)], looks)
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
        tray: Sequence[Image] | None,
    ) -> None:
        """Begin without a look; arguments as those of `DiceFinder.find`."""
        self._detector, self._pose, self._levels = detector, pose, levels
        self._ground = None if tray is None else TrayGround(levels, tray)
        self._boxes: list[FaceBox] = []
        self.long_side = max(levels[0].shape[:2])
        self.candidates: list[Candidate] = []
        self.maps: list[Detections] = []  # the finest first

    def look(self, side: int, least_score: float = LEAST_SCORE) -> Sequence[FaceBox]:
        """Return boxes of the whole picture, scaled to `side` pixels, where the tray changed."""
        seen = self._detector.detect(self._levels, side, _FAINT)
        if self._ground is not None:
            seen = replace(seen, boxes=tuple(filter(self._ground.is_changed, seen.boxes)))
        if side in _MAPPED:
            self.maps = sorted([*self.maps, seen], key=lambda look: look.cell)
        return [box for box in seen.boxes if box.score > least_score]

    def add(self, found: Sequence[FaceBox]) -> None:
        """Add what lies at the best of these boxes, at most _MOST, that are new."""
        every = sorted([*self._boxes, *found], key=lambda box: -box.score)
        known = {id(box) for box in self._boxes}
        kept = [every[n] for n in suppress_overlaps(every, octaves=_OCTAVES)]
        fresh = [box for box in kept if id(box) not in known][:_MOST]
        self._boxes += fresh
        there = self._pose.estimate(self._levels, fresh, self.maps)
        # As the pose network frames them: the detector's boxes of one die differ.
        self.candidates += [c for c in there if not self._is_printed(c.box)]

    def add_missing(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates with dice that are missing: as large as the others, and apart.

        candidates: without overlaps. All of them are returned where five are surely seen.
        """
        dice = [c for c in candidates if c.logit > SURELY]
        edge = _typical_edge(dice)
        sure = [c for c in dice if _octaves(c, edge) < SAME_SIZE]
        if not ENOUGH <= len(sure) < DICE:
            return list(candidates)
        rest = [c for c in candidates if all(c is not die for die in sure)]
        faint = sorted((box for look in self.maps for box in look.boxes), key=lambda b: -b.score)
        boxes = [
            _resize(box, edge)
            for box in (*(c.box for c in rest), *faint)
            if all(_distance(box, die.box) > APART for die in sure)
        ]
        # What the empty tray shows, such as the cells of a plaid, takes no die's place.
        fresh = (boxes[n] for n in suppress_overlaps(boxes) if not self._is_printed(boxes[n]))
        beside: list[Candidate] = []
        for box in islice(fresh, _PLACES):
            found = self._frame_anew(box, edge)
            beside += [c for c in found if all(_distance(c.box, die.box) > APART for die in sure)]
            if sum(_fits(c, edge) > SURELY for c in beside) == DICE - len(sure):
                break
        for new in sorted(beside, key=lambda c: -_fits(c, edge))[: DICE - len(sure)]:
            over = [c for c in rest if _distance(c.box, new.box) < APART]
            if all(_fits(new, edge) > _fits(c, edge) + _BETTER for c in over):
                rest = [new, *(c for c in rest if all(c is not each for each in over))]
        return sorted((*sure, *rest), key=lambda c: -c.pose_logit)

    def _frame_anew(self, box: FaceBox, edge: float) -> list[Candidate]:
        """Return the die at a box, as large as others; nothing if nothing there is like one."""
        starts = [
            replace(box, x=box.x + edge * right, y=box.y + edge * down, axes=axes)
            for axes in (box.axes, np.asarray(box.axes @ _ASKEW, np.float32))
            for right, down in _STARTS
        ]
        found = self._pose.estimate(self._levels, starts, self.maps)
        for _ in range(1, _AGAIN):
            tracks = sorted(found, key=lambda c: -c.pose_logit)[:_TRACKS]
            if tracks[0].pose_logit < _NEVER:
                return []
            again = [_resize(c.box, edge) for c in tracks]
            found = self._pose.estimate(self._levels, again, self.maps)
        best = max(found, key=lambda c: _fits(c, edge))
        return [] if best.pose_logit < _NEVER or self._is_printed(best.box) else [best]

    def _is_printed(self, box: FaceBox) -> bool:
        """Return whether the empty tray already shows what is in a box."""
        return self._ground is not None and self._ground.shows(box)

    def add_closer(self) -> None:
        """Search closer around dice that are small."""
        dice = _dice(self.candidates)
        edge = _typical_edge(dice)
        if not 0 < edge < SMALL * self.long_side:
            return
        at = np.array([(c.box.x, c.box.y) for c in dice], np.float32)
        end = np.array(self._levels[0].shape[1::-1], np.float32)
        low, high = at.min(0) - _BESIDE * edge, at.max(0) + _BESIDE * edge
        corners = np.maximum(low, 0), np.minimum(high, end)
        self.add(self._detector.detect_closer(self._levels, *corners))


def _resize(box: FaceBox, edge: float) -> FaceBox:
    """Return a box with an edge of so many pixels."""
    return replace(box, axes=np.asarray(box.axes * (edge / box.edge), np.float32))


def _octaves(candidate: Candidate, edge: float) -> float:
    """Return the distance of its edge from `edge` pixels, octaves."""
    return float(abs(np.log2(candidate.box.edge / edge)))


def _fits(candidate: Candidate, edge: float) -> float:
    """Return how well it fits as a die with this edge, in pixels, as log-odds."""
    return candidate.pose_logit - _OCTAVE_OFF * _octaves(candidate, edge)


def _distance(box: FaceBox, other: FaceBox) -> float:
    """Return the distance of their centres, in edges of the other."""
    return hypot(box.x - other.x, box.y - other.y) / other.edge


def _dice(candidates: Sequence[Candidate]) -> list[Candidate]:
    return [c for c in select_likeliest(candidates) if c.logit > 0]


def _sure_dice(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return those that are surely dice, and no marks on a larger one."""
    return [c for c in _dice(drop_parts(candidates)) if c.logit > SURELY]


def _may_be_parts(candidates: Sequence[Candidate], long_side: int) -> bool:
    """Return whether these may be parts of larger dice, or large themselves.

    So are fewer dice than are thrown, more of them, or such that lie as close as parts of a face.
    """
    dice, edge = _dice(candidates), _typical_edge(candidates)
    if len(dice) != DICE or edge > NEAR * long_side:
        return True
    at = np.array([(c.box.x, c.box.y) for c in dice])
    return bool(np.ptp(at, axis=0).max() < _CLOSE * edge)


def _typical_edge(candidates: Sequence[Candidate]) -> float:
    """Return the median edge of those that are dice, 0 where none is."""
    return float(np.median([c.box.edge for c in _dice(candidates)] or [0]))
