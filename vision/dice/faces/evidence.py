"""Gather what speaks for dice whose faces were taught."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice.decide import TAUGHT, Evidence, logistic_probabilities
from vision.dice.faces.classifier import NO_FACE, FaceClassifier
from vision.dice.faces.crops import embedder_crop
from vision.dice.faces.embedder import Embedder
from vision.dice.find.candidate import LEAST_POSE_LOGIT, Candidate, drop_intersections
from vision.dice.find.finder import DiceFinder
from vision.dice.find.tray_model import TrayModel
from vision.dice.profile import Profile
from vision.imaging.geometry import Array, Image


class FaceEvidence:
    """Finds dice of one taught profile. Only `know` may be called from another thread."""

    def __init__(self, profile: Profile) -> None:
        self._finder = DiceFinder()
        self._classifier = FaceClassifier(Embedder(), profile)

    def know(self, profile: Profile) -> None:
        """Tell faces by another profile from the next picture on, see `DiceReader.know`."""
        # With a network of its own: the old one may be at work in another thread.
        self._classifier = FaceClassifier(Embedder(), profile, self._classifier)

    def gather(self, levels: Sequence[Image], model: TrayModel) -> Evidence:
        """Return what may be taught dice, not yet how they lean.

        levels: a pyramid; model: of their table.
        """
        found = self._finder.find(levels, model.tray_levels)
        dice = drop_intersections([c for c in found.candidates if c.logit > LEAST_POSE_LOGIT])
        crops = [embedder_crop(levels, c.box) for c in dice]
        told = self._classifier.tell(levels, [c.box for c in dice], crops)
        rows = _rows(dice, crops, told.scores)
        return Evidence(
            dice,
            rows,
            logistic_probabilities(rows, TAUGHT.is_die),
            np.argsort(-told.scores, axis=1, kind="stable"),
            told.shown | told.outlined,
            told.outlined,
            told.clear,
            found.detections,
            max(levels[0].shape[:2]),
            model,
        )


def _rows(candidates: Sequence[Candidate], crops: Sequence[Image], scores: Array) -> Array:
    """Return what speaks for each die and its face, (n, 6).

    Log-odds of the detector and of the pose network; how much likelier the best face is than none,
    and than the second; by how many octaves the edge differs from the typical die's; the
    logarithm of the face's contrast.
    """
    if not candidates:
        return np.zeros((0, 6), np.float32)
    logits = np.array([(c.detector_logit, c.pose_logit) for c in candidates])
    edge = np.array([c.box.edge for c in candidates])
    strong = edge[logits.sum(1) > 1.0]
    octaves = np.log2(edge / np.median(strong)) if len(strong) else np.zeros(len(candidates))
    best = np.sort(scores, 1)
    grey = np.array([cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)[4:-4, 4:-4] for crop in crops])
    dark, bright = np.percentile(grey, (2, 98), axis=(1, 2))
    columns = (
        *np.clip(logits, -6, 6).T,
        best[:, -1] - NO_FACE,
        best[:, -1] - best[:, -2],
        np.minimum(1.0, np.abs(octaves)),
        np.log2(np.maximum(1.0, bright - dark)) - 5,
    )
    return np.stack(columns, 1, dtype=np.float32)
