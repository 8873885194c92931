"""Gather what speaks for dice with pips."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.dice.decide import PIPS, Evidence, logistic_probabilities
from vision.dice.find.candidate import Candidate, select_likeliest
from vision.dice.find.detector import Detections
from vision.dice.find.finder import MISFIT, DiceFinder, FoundDice
from vision.dice.find.tilt import FREE
from vision.dice.find.tray_model import TrayModel
from vision.dice.pips.classifier import CLEAR, SMALL, PipClassifier, PipFace
from vision.dice.pips.dominoes import is_domino_half
from vision.imaging.geometry import Array, Image, suppress_overlaps

# Pixels of an edge up to which a die is never sure, and probability from which a small one is.
_TINY, _SURELY = 18.0, 0.985
# Log-odds of the pose network, and of both networks, that a die of any kind lies there: low, since
# pips tell better. Faces that overlap are counted both if they differ in size by MISFIT.
_LEAST_LOGIT = -7.0


class PipEvidence:
    """Finds dice with pips. Not for two threads at a time."""

    def __init__(self) -> None:
        self._finder = DiceFinder()
        self._classifier = PipClassifier()

    def gather(self, levels: Sequence[Image], model: TrayModel) -> Evidence:
        """Return what may be dice with pips; otherwise as `FaceEvidence.gather`."""
        found = self._finder.find_pips(levels, model.tray_levels)
        pairs, unread = self._count(levels, found)
        rows = _rows(pairs)
        is_die = logistic_probabilities(rows, PIPS.is_die)
        right = is_die * logistic_probabilities(rows, PIPS.is_right)
        order = np.argsort(-is_die, kind="stable")
        kept = order[suppress_overlaps([pairs[i][1].box for i in order])]
        return Evidence(
            tuple(pairs[i][1] for i in kept),
            rows[kept],
            is_die[kept],
            np.array([pairs[i][0].likely for i in kept], np.intp).reshape(-1, 6),
            np.array([_is_trusted(levels, pairs[i], right[i]) for i in kept], bool),
            np.zeros(len(kept), bool),
            np.zeros(len(kept), bool),
            found.detections,
            max(levels[0].shape[:2]),
            model,
            tuple(unread),
        )

    def _count(
        self, levels: Sequence[Image], found: FoundDice
    ) -> tuple[list[tuple[PipFace, Candidate]], list[Candidate]]:
        """Return the faces with pips that may be dice, and how these lie, overlaps included.

        Besides, what may be dice without such a face.
        """
        likely = [c for c in found.candidates if c.logit > _LEAST_LOGIT]
        dice = select_likeliest(likely, _LEAST_LOGIT, MISFIT)
        first = suppress_overlaps([die.box for die in dice])
        pairs, unread = self._faces(levels, [dice[n] for n in first], found.detections)
        # Whatever else lies on a clear face shows the same die, or a part of it.
        boxes = [die.box for face, die in pairs if face.score > CLEAR]
        clear = [boxes[n] for n in suppress_overlaps(boxes)]
        rest = [dice[n] for n in range(len(dice)) if n not in first]
        apart = [c for c in rest if len(suppress_overlaps([*clear, c.box])) > len(clear)]
        more, left = self._faces(levels, apart, found.detections)
        return pairs + more, unread + left

    def _faces(
        self, levels: Sequence[Image], candidates: Sequence[Candidate], look: Detections
    ) -> tuple[list[tuple[PipFace, Candidate]], list[Candidate]]:
        """Return the faces with pips, and how their dice lie; and the dice without one."""
        framed = self._frame(levels, candidates, look)
        seen = [self._classifier.classify(levels, c.box) for c in framed]
        # Pips tell a die from what is beside the tray or over it, and photographs show no tray.
        pairs = [
            (face, replace(c, in_tray=1.0, covered=0.0))
            for face, c in zip(seen, framed, strict=True)
            if face
        ]
        return pairs, [c for face, c in zip(seen, framed, strict=True) if not face]

    def _frame(
        self, levels: Sequence[Image], candidates: Sequence[Candidate], look: Detections
    ) -> list[Candidate]:
        """Return how dice lie; look: what the detector saw in the picture.

        Where more views move a frame, it was askew: the die is seen anew from there.
        """
        pose = self._finder.pose
        framed = pose.refine(levels, candidates, FREE)
        pairs = enumerate(zip(candidates, framed, strict=True))
        moved = [
            n for n, (was, now) in pairs if was.pose_logit > 0 and _frame_shift(was, now) > MISFIT
        ]
        again = pose.estimate(levels, [framed[n].box for n in moved], [look])
        for n, die in zip(moved, pose.refine(levels, again, FREE), strict=True):
            framed[n] = die
        return framed


def _is_trusted(levels: Sequence[Image], pair: tuple[PipFace, Candidate], right: float) -> bool:
    """Return whether a face can be sure: not if ways to count differ, nor on tiles of games.

    right: probability that it is a die and named right.
    """
    face, die = pair
    agreed = np.argmax(face.odds) == np.argmax(face.fit) == face.likely[0]
    large = die.box.edge > (_TINY if right > _SURELY else SMALL)
    return bool(agreed) and face.has_pips and large and not is_domino_half(levels, die.box)


def _frame_shift(was: Candidate, now: Candidate) -> float:
    """Return the shift of a die's frame, in edges, or its growth in octaves if that is more."""
    shift = np.hypot(now.box.x - was.box.x, now.box.y - was.box.y) / was.box.edge
    return float(max(shift, abs(np.log2(now.box.edge / was.box.edge))))


def _rows(pairs: Sequence[tuple[PipFace, Candidate]]) -> Array:
    """Return what speaks for each face, (n, 7).

    Log-odds that it is a top face; log-odds of the number read; whether its template fits best; how
    well that fits, and how much better than any other; by how many octaves the edge differs from
    the typical die's; log-odds of the pose network that it is a die of any kind.
    """
    if not pairs:
        return np.zeros((0, 7), np.float32)
    faces, dice = zip(*pairs, strict=True)
    value = np.array([face.likely[0] for face in faces])
    score = np.array([face.score for face in faces])
    odds = np.array([face.odds[n] for face, n in zip(faces, value, strict=True)], np.float64)
    p = np.clip((score, odds), 0.001, 0.999)
    fits = np.stack([face.fit for face in faces])
    is_read = value[:, None] == np.arange(fits.shape[1])
    fit, other = fits[is_read], np.where(is_read, -1, fits).max(1)
    edge = np.array([die.box.edge for die in dice])
    typical = np.median(edge[score > 0.7 * score.max()])
    columns = (
        *np.log(p / (1 - p)),
        fit > other,
        fit,
        fit - other,
        np.abs(np.log2(edge / typical)),
        np.clip([die.pose_logit for die in dice], -6, 6),
    )
    return np.stack(columns, 1, dtype=np.float32)
