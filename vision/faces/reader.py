"""Read dice whose faces were taught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.decide import decide_die, decide_reading, probabilities
from vision.faces.classifier import NO_FACE, FaceClassifier
from vision.faces.crops import embedder_crop
from vision.faces.embedder import Embedder
from vision.find.candidate import Candidate, without_intersections
from vision.find.detector import Detections
from vision.find.finder import DiceFinder
from vision.find.tilt import cocked_shares, tilts
from vision.imaging.geometry import Array, Image
from vision.imaging.pyramid import build_pyramid
from vision.profile import Profile
from vision.reading import DICE, Reading

# Weights of the evidence that a candidate is a die, and that its face is named right, as
# vision/training/calibrate_taught.py fitted them.
_IS_DIE = (-0.08, 1.31, 0.64, 0.48, 0.39, -2.34, 1.60, -0.06)
_IS_RIGHT = (0.99, 0.18, -0.29, 0.41, 1.77, -0.04, -1.29, 0.26)
_MOST = 12  # candidates whose faces are classified
_LEAST = -3.5  # log-odds that such a candidate needs, of both networks together
# Shares of its surroundings that are in the tray: from _BRINK on a die may be in it, from _INSIDE
# on it is, from _SURELY_INSIDE on its face can be sure.
_BRINK, _INSIDE, _SURELY_INSIDE = 0.15, 0.4, 0.8
_NEAR = 0.12  # edge of a die, in longer sides, from which no room is left beside a tray
_COVERED = 0.5  # share under a hand from which a candidate doesn't count
_DOUBTFUL = 0.9  # of the tilt of a cocked die, from which one may be cocked
_FLAT = 0.12  # tilt up to which a die surely lies flat, though another doesn't
_NEAR_COCKED = 0.14  # tilt from which more views of the dice are taken
_BLOCKED = 2.0  # faces of dice that a hand must cover where dice are missing
_REACHING = 8.0  # the same where all five dice are seen
_BURNT_OUT = 248  # grey level
# A candidate is a die from a probability of 0.5. One between _DOUBT and 0.5 isn't counted, but
# makes the reading unsure; _FIFTH is enough for the fifth die.
_DOUBT, _FIFTH = 0.15, 0.3
_SURE = 0.98  # confidence of a sure die
# Below these log-odds that a crop shows any face of the profile, a burnt-out one for instance, its
# confidence is at most _GUESS, however far the best face leads the others.
_SHOWN, _GUESS = 1.0, 0.5


@dataclass(frozen=True)
class TaughtEvidence:
    """What may be dice in one picture, and what speaks for each."""

    candidates: tuple[Candidate, ...]
    """The likeliest first, none in another."""
    rows: Array
    """(n, 7): see `taught_evidence`."""
    scores: Array
    """(n, 6): log-likelihoods of the faces, see `FaceClassifier.scores`."""
    detections: Detections
    """What the detector saw in the picture."""
    long_side: int
    """Of the picture, pixels."""


class TaughtReader:
    """Reads dice of one taught profile. Only `know` may be called from another thread."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._finder = DiceFinder()
        self._classifier = FaceClassifier(Embedder(), profile)

    def know(self, profile: Profile) -> None:
        """Tell faces by another profile from the next picture on, see `Reader.know`."""
        # With a network of its own: the old one may be at work in another thread.
        self._classifier = FaceClassifier(Embedder(), profile, self._classifier)

    def gather(self, image: Image, tray: Image | None = None) -> TaughtEvidence:
        """Return all that may be dice in a picture; arguments as those of `read`."""
        levels = build_pyramid(image)
        long_side = max(image.shape[:2])

        def is_unclear(dice: Sequence[Candidate]) -> bool:
            flat = [c for c in dice if c.logit > 0 and c.covered < _COVERED]
            return bool((np.linalg.norm(tilts(flat, long_side), axis=1) > _NEAR_COCKED).any())

        found = self._finder.find(levels, tray, is_unclear=is_unclear)
        dice = without_intersections([c for c in found.candidates[:_MOST] if c.logit > _LEAST])
        crops = [embedder_crop(levels, c.box) for c in dice]
        scores = self._classifier.scores(levels, [c.box for c in dice], crops)
        rows = taught_evidence(dice, crops, scores)
        return TaughtEvidence(dice, rows, scores, found.detections, long_side)

    def read(self, image: Image, tray: Image | None = None) -> Reading:
        """Return the dice in `image` (BGR, uint8, (H, W, 3), any size).

        tray: the same tray without dice, seen from the same place. What it shows doesn't count as
        dice. Raises ValueError if it is of another size.
        """
        seen = self.gather(image, tray)
        is_die, is_right = (probabilities(seen.rows, w) for w in (_IS_DIE, _IS_RIGHT))
        lying, doubt = _lying(seen, is_die)
        sure = is_die * is_right
        tilted, cocked, uneven = _tilted(seen, lying)
        sure[lying[tilted]] = 0.0  # a cocked die shows no face
        # A die beside the tray isn't part of the throw, whatever it shows.
        sure = np.where(_inside(seen) < _SURELY_INSIDE, np.minimum(sure, _GUESS), sure)
        sure = np.where(seen.rows[:, 2] < _SHOWN, np.minimum(sure, _GUESS), sure)
        dice = []
        for i in lying:
            order = np.argsort(-seen.scores[i], kind="stable")
            likely = tuple(self._profile.faces[face] for face in order)
            confidence = float(sure[i])
            dice.append(
                decide_die(seen.candidates[i].box, likely, confidence, sure=confidence > _SURE)
            )
        edge = float(np.median([die.size for die in dice])) if dice else image.shape[1] / 20
        most_covered = _REACHING if len(dice) == DICE else _BLOCKED
        blocked = seen.detections.obstacle_area(edge) > most_covered
        return decide_reading(dice, blocked=blocked, cocked=cocked, doubt=doubt or uneven)


def _lying(seen: TaughtEvidence, is_die: Array) -> tuple[npt.NDArray[np.intp], bool]:
    """Return the numbers of the candidates that are dice, and whether there may be one more."""
    bare = np.array([c.covered < _COVERED for c in seen.candidates], bool)
    inside = _inside(seen)
    lying = np.flatnonzero((is_die > 0.5) & (inside > _INSIDE) & bare)
    rest = np.flatnonzero((is_die > _DOUBT) & (is_die <= 0.5) & (inside > _INSIDE) & bare)
    brink = (inside > _BRINK) & (inside <= _INSIDE)
    doubt = len(rest) > 0 or bool(((is_die > 0.5) & (brink | ~bare)).any())
    if len(lying) == DICE - 1 and len(rest) and np.max(is_die[rest]) > _FIFTH:
        # Five dice are thrown: the fifth is likelier hard to see than missing.
        lying = np.append(lying, rest[np.argmax(is_die[rest])])
    return lying, doubt


def _inside(seen: TaughtEvidence) -> Array:
    """Return how far each candidate is in the tray, (n,); wholly if no room is beside it."""
    near = _NEAR * seen.long_side
    return np.array([1.0 if c.box.edge > near else c.in_tray for c in seen.candidates], np.float32)


def _tilted(
    seen: TaughtEvidence, lying: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.bool_], bool, bool]:
    """Return which dice of the throw may be tilted, whether one is cocked, and whether one may be.

    lying: numbers of the candidates that are dice of the throw.
    """
    dice = [seen.candidates[i] for i in lying]
    tilt = tilts(dice, seen.long_side)
    share = cocked_shares(dice, tilt, seen.detections)
    cocked, uneven = bool((share > 1).any()), bool((share > _DOUBTFUL).any())
    # One is tilted, and which is not certain: where two touch, it may be the other.
    tilted = np.linalg.norm(tilt, axis=1) > _FLAT
    return tilted & uneven, cocked, uneven


def taught_evidence(
    candidates: Sequence[Candidate], crops: Sequence[Image], scores: Array
) -> Array:
    """Return what speaks for each die and its face, (n, 7).

    Log-odds of the detector and of the pose network; how much likelier the best face is than none,
    and than the second; by how many octaves the edge differs from the typical die's; the share of
    the face that is burnt out; the logarithm of its contrast.
    """
    if not candidates:
        return np.zeros((0, 7), np.float32)
    logits = np.array([(c.detector_logit, c.pose_logit) for c in candidates])
    edge = np.array([c.box.edge for c in candidates])
    strong = edge[logits.sum(1) > 1.0]
    octaves = np.log2(edge / np.median(strong)) if len(strong) else np.zeros(len(candidates))
    best = np.sort(scores, 1)
    grey = np.array([cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)[4:-4, 4:-4] for crop in crops])
    dark, bright = _percentiles(grey.reshape(len(candidates), -1)).T
    columns = (
        *np.clip(logits, -6, 6).T,
        best[:, -1] - NO_FACE,
        best[:, -1] - best[:, -2],
        np.minimum(1.0, np.abs(octaves)),
        (grey >= _BURNT_OUT).mean((1, 2)),
        np.log2(np.maximum(1.0, bright - dark)) - 5,
    )
    return np.stack(columns, 1, dtype=np.float32)


def _percentiles(grey: npt.NDArray[np.integer]) -> Array:
    """Return the 2nd and the 98th percentile of pixels (n, pixels), (n, 2).

    np.percentile takes ten times as long.
    """
    order = np.sort(grey, axis=1)
    place = np.array([0.02, 0.98]) * (order.shape[1] - 1)
    below = place.astype(int)
    low, high = order[:, below].astype(np.float32), order[:, below + 1].astype(np.float32)
    return np.asarray(low + (place - below) * (high - low), np.float32)
