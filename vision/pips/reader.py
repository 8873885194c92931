"""Read dice with pips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.decide import decide_die, decide_reading, probabilities
from vision.find.candidate import Candidate, likeliest
from vision.find.detector import Detections
from vision.find.finder import DiceFinder
from vision.find.tilt import cocked_shares, tilts
from vision.imaging.geometry import Array, Image, suppress_overlaps
from vision.imaging.pyramid import build_pyramid
from vision.pips.classifier import PipClassifier, PipFace
from vision.pips.dominoes import is_domino_half
from vision.profile import Profile
from vision.reading import DICE, Die, Reading

# Weights of the evidence that a face is a die, and that it is read right, as
# vision/training/calibrate_pips.py fitted them.
_IS_DIE = (0.83, 1.38, 0.10, 0.25, 1.83, -0.46, -1.27, 0.18)
_IS_RIGHT = (-0.74, 1.42, 0.32, 0.70, 2.21, -0.62, -1.44, 0.10)
# A face is a die from a probability of 0.5. One between _DOUBT and 0.5 isn't counted, but makes the
# reading unsure.
_DOUBT = 0.2
_SURE = 0.95  # confidence of a sure die
# Edge of a sure die, in pixels: in ten sources of photographs, five sure dice between 25 and 29
# were read other than labelled (two of these labels seem wrong), and one of 526 larger ones.
_SMALL = 29.0
# These two are higher than for taught dice, since cameras and dice differ more.
_COCKED = 1.5  # tilt of a cocked die, as `cocked_shares` gives it
_BLOCKED = 15.0  # faces of dice that a hand must cover
_NEAR_COCKED = 0.7  # of _COCKED, from which more views of the dice are taken
# Log-odds of the pose network, and of both networks, that a die of any kind lies there: low, since
# pips tell better. Faces that overlap are counted both if they differ in size by _OCTAVES.
_LEAST_POSE_LOGIT, _LEAST_LOGIT, _OCTAVES = -7.0, -6.0, 0.15


@dataclass(frozen=True)
class PipEvidence:
    """What may be top faces with pips in one picture, and what speaks for each."""

    faces: tuple[PipFace, ...]
    """The likeliest dice first, without overlaps."""
    rows: Array
    """(n, 7): see `pip_evidence`."""
    tilt: Array
    """(dice,): `cocked_shares`, of the faces likelier dice than not."""
    detections: Detections
    """What the detector saw in the picture."""
    levels: Sequence[Image]
    """The picture's pyramid."""


class PipReader:
    """Reads dice with pips. Not for two threads at a time."""

    def __init__(self, profile: Profile) -> None:
        """Read dice with pips, to which `profile.faces` gives a meaning."""
        self._profile = profile
        self._finder = DiceFinder()
        self._classifier = PipClassifier()

    def gather(self, image: Image, tray: Image | None = None) -> PipEvidence:
        """Return all that may be top faces in a picture; arguments as those of `read`."""
        levels = build_pyramid(image)
        found = self._finder.find_pips(levels, tray)
        likely = [c for c in found.candidates if c.logit > _LEAST_LOGIT]
        candidates = likeliest(likely, _LEAST_POSE_LOGIT, _OCTAVES)
        framed = self._finder.refine(levels, candidates, lambda _: False)
        seen = self._classifier.classify(levels, [c.box for c in framed])
        pairs = [(face, c) for face, c in zip(seen, framed, strict=True) if face]
        faces, candidates = [face for face, _ in pairs], [c for _, c in pairs]
        rows = pip_evidence(faces, candidates)
        is_die = probabilities(rows, _IS_DIE)
        order = np.argsort(-is_die, kind="stable")
        number = {id(faces[i].box): int(i) for i in order}
        kept = [number[id(box)] for box in suppress_overlaps([faces[i].box for i in order])]
        dice = [candidates[i] for i in kept if is_die[i] > 0.5]
        long_side = max(image.shape[:2])
        tilt = cocked_shares(dice, tilts(dice, long_side), found.detections)
        if (tilt > _NEAR_COCKED * _COCKED).any():
            refined = self._finder.refine(levels, dice)
            tilt = cocked_shares(dice, tilts(refined, long_side), found.detections)
        kept_faces = tuple(faces[i] for i in kept)
        return PipEvidence(kept_faces, rows[kept], tilt, found.detections, levels)

    def read(self, image: Image, tray: Image | None = None) -> Reading:
        """Return the dice in `image` (BGR, uint8, (H, W, 3), any size).

        tray: the same tray without dice, seen from the same place. What it shows doesn't count as
        dice. Raises ValueError if it is of another size.
        """
        seen = self.gather(image, tray)
        is_die, is_right = (probabilities(seen.rows, weights) for weights in (_IS_DIE, _IS_RIGHT))
        lying = np.flatnonzero(is_die > 0.5)
        dice = [self._die(seen.levels, seen.faces[i], float(is_right[i])) for i in lying]
        doubt = bool(((is_die > _DOUBT) & (is_die <= 0.5)).any())
        cocked = bool((seen.tilt > _COCKED).any())
        edge = float(np.median([die.size for die in dice])) if dice else image.shape[1] / 20
        blocked = len(dice) <= DICE and seen.detections.obstacle_area(edge) > _BLOCKED
        return decide_reading(dice, doubt=doubt, cocked=cocked, blocked=blocked)

    def _die(self, levels: Sequence[Image], face: PipFace, confidence: float) -> Die:
        likely = tuple(self._profile.faces[i] for i in face.likely)
        agreed = bool(np.argmax(face.odds) == np.argmax(face.fit) == face.likely[0])
        sure = agreed and confidence > _SURE and face.box.edge > _SMALL
        sure = sure and not is_domino_half(levels, face.box)
        return decide_die(face.box, likely, confidence, sure=sure)


def pip_evidence(faces: Sequence[PipFace], candidates: Sequence[Candidate]) -> Array:
    """Return what speaks for each face, (n, 7).

    Log-odds that it is a top face; log-odds of the number read; whether its template fits best; how
    well that fits, and how much better than any other; by how many octaves the edge differs from
    the typical die's; log-odds of the pose network that it is a die of any kind.
    """
    best = max((face.score for face in faces), default=0)
    strong = [face.box.edge for face in faces if face.score > 0.7 * best]
    typical = float(np.median(strong)) if strong else 1.0
    rows = []
    for face, candidate in zip(faces, candidates, strict=True):
        value = int(face.likely[0])
        best_other = np.max(np.delete(face.fit, value))
        rows.append(
            [
                _log_odds(face.score),
                _log_odds(float(face.odds[value])),
                float(face.fit[value] > best_other),
                face.fit[value],
                face.fit[value] - best_other,
                abs(np.log2(face.box.edge / typical)),
                np.clip(candidate.pose_logit, -6, 6),
            ]
        )
    return np.array(rows, np.float32).reshape(-1, 7)


def _log_odds(p: float) -> float:
    p = min(max(p, 0.001), 0.999)
    return float(np.log(p / (1 - p)))
