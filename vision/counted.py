"""Reads dice with pips."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.classify import Face, classify
from vision.emptied import new_spots
from vision.locate import Array, Image, Network, apart, locate, sigmoid
from vision.profile import Profile
from vision.reading import Die, Reading, verdict
from vision.views import halves

# Log-odds that a face is a die, and that it is read right: an offset, and what each of `evidence`
# adds. Found by tests/training/calibrate.py with the network's first round; fits to later rounds
# read no more photographs.
IS_DIE = (0.31, 1.49, -0.10, 0.42, 2.34, -0.11, -1.96)
IS_RIGHT = (-1.35, 1.63, 0.0, 1.28, 2.11, 0.88, -1.52)
# Below DOUBT a spot is no die at all; up to a half it is none, but keeps the reading from being ok.
DOUBT, SURE = 0.2, 0.95


class PipReader:
    """Reads dice with pips, which its profile gives a meaning."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._network = Network()

    def faces(self, image: Image, tray: Image | None = None) -> list[Face]:
        """All that may be top faces, the likeliest dice first, none within another."""
        spots = locate(self._network, image)
        if tray is not None:
            spots = new_spots(spots, halves(image), halves(tray))
        found = classify(self._network, image, spots)
        order = np.argsort(-probability(evidence(found), IS_DIE), kind="stable")
        by_spot = {id(found[i].spot): found[i] for i in order}
        return [by_spot[id(spot)] for spot in apart([face.spot for face in by_spot.values()])]

    def read(self, image: Image, tray: Image | None = None) -> Reading:
        """The dice in `image` (BGR, uint8, (H, W, 3), any size), from top to bottom.

        `tray`: the same tray without dice, seen from the same place; what lies there already is
        no die. ValueError if it is not of the same size.
        """
        faces = self.faces(image, tray)
        seen = evidence(faces)
        is_die, is_right = (probability(seen, weights) for weights in (IS_DIE, IS_RIGHT))
        dice = [
            self._die(face, float(right))
            for face, die, right in zip(faces, is_die, is_right, strict=True)
            if die > 0.5
        ]
        doubt = bool(((is_die > DOUBT) & (is_die <= 0.5)).any())
        dice.sort(key=lambda die: (die.y, die.x))
        return Reading(verdict(dice, doubt=doubt), tuple(dice))

    def _die(self, face: Face, confidence: float) -> Die:
        likely = tuple(self._profile.faces[i] for i in face.likely)
        u = face.spot.axes[:, 0]
        angle = float(np.degrees(np.arctan2(u[1], u[0]))) % 90
        spot = face.spot
        return Die(
            likely[0], spot.x, spot.y, spot.edge, angle, confidence, confidence > SURE, likely
        )


def evidence(faces: Sequence[Face]) -> Array:
    """What speaks for each face (n, 6).

    Log-odds that it is a top face; log-odds of the number read; whether its pattern fits best; how
    well that fits, and how much better than any other; by how many octaves the edge differs from
    the typical die's.
    """
    best = max((face.score for face in faces), default=0)
    strong = [face.spot.edge for face in faces if face.score > 0.7 * best]
    typical = float(np.median(strong)) if strong else 1.0
    rows = []
    for face in faces:
        value = int(face.likely[0])
        best_other = np.max(np.delete(face.fit, value))
        rows.append(
            [
                _log_odds(face.score),
                _log_odds(float(face.odds[value])),
                float(face.fit[value] > best_other),
                face.fit[value],
                face.fit[value] - best_other,
                abs(np.log2(face.spot.edge / typical)),
            ]
        )
    return np.array(rows, np.float32).reshape(-1, 6)


def probability(seen: Array, weights: Sequence[float]) -> Array:
    """Of each row of evidence, under one of the calibrated weightings."""
    return sigmoid(weights[0] + seen @ np.array(weights[1:], np.float32))


def _log_odds(p: float) -> float:
    p = min(max(p, 0.001), 0.999)
    return float(np.log(p / (1 - p)))
