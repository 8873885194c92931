"""Reads dice with pips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.classify import Face, classify
from vision.emptied import Emptied
from vision.finder import Survey
from vision.locate import Array, Image, Network, apart, locate, sigmoid
from vision.look import LEAST, Eye, Found
from vision.lying import covered, tilts
from vision.profile import Profile
from vision.reading import DICE, Die, Reading, verdict
from vision.views import halves

# Log-odds that a face is a die, and that it is read right: an offset, and what each of `evidence`
# adds. Found by tests/training/calibrate.py; of IS_DIE all but the last with the network's first
# round, since fits to later rounds read no more photographs.
IS_DIE = (-0.19, 1.49, -0.10, 0.42, 2.34, -0.11, -1.96, 0.25)
IS_RIGHT = (-1.19, 1.49, 0.18, 1.05, 1.22, 1.16, -1.78, 0.08)
# Below DOUBT a spot is no die at all; up to a half it is none, but keeps the reading from being ok.
DOUBT, SURE = 0.2, 0.95
# Pixels below which no die is sure: of sure dice in ten sources of photographs five were read other
# than labelled between 25 and 29 (two of these labels seem wrong), and of 526 larger ones one.
SMALL = 29.0
# Edges by which the far face of a cocked die is seen beside where it should be, and faces of dice
# that a hand covers: more than of taught dice, since cameras and dice differ more.
COCKED, BLOCKED = 0.3, 15.0
NEAR = 0.7  # of COCKED, from which it is looked at more often how dice lie


@dataclass(frozen=True)
class Counted:
    """What may be top faces, the likeliest dice first, none within another; and what speaks for it.

    `seen`: (n, 7), see `evidence`. `tilt`: (dice,), see `tilts`, of those likelier dice than not.
    `survey`: what else is in the picture.
    """

    faces: tuple[Face, ...]
    seen: Array
    tilt: Array
    survey: Survey


class PipReader:
    """Reads dice with pips, which its profile gives a meaning."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._network = Network()
        self._eye = Eye()

    def look(self, image: Image, tray: Image | None = None) -> Counted:
        """All that may be top faces in `image`."""
        levels = halves(image)
        survey = self._eye.survey(levels)
        spots = locate(self._network, levels, survey.spots)
        if tray is not None:
            spots = Emptied(levels, halves(tray)).new(spots)
        likely_dice = [f for f in self._eye.at(levels, spots, survey) if f.second > LEAST]
        framed = self._eye.steadied(levels, likely_dice, lambda _: False)
        read = classify(self._network, levels, [f.spot for f in framed])
        pairs = [(face, f) for face, f in zip(read, framed, strict=True) if face]
        faces, found = [face for face, _ in pairs], [f for _, f in pairs]
        seen = evidence(faces, found)
        likely = probability(seen, IS_DIE)
        order = np.argsort(-likely, kind="stable")
        number = {id(faces[i].spot): int(i) for i in order}
        kept = [number[id(spot)] for spot in apart([faces[i].spot for i in order])]
        dice = [found[i] for i in kept if likely[i] > 0.5]
        tilt = tilts(dice, dice, image.shape[1])
        if (tilt > NEAR * COCKED).any():
            dice = self._eye.steadied(levels, dice)
            tilt = tilts(dice, dice, image.shape[1])
        return Counted(tuple(faces[i] for i in kept), seen[kept], tilt, survey)

    def read(self, image: Image, tray: Image | None = None) -> Reading:
        """The dice in `image` (BGR, uint8, (H, W, 3), any size), from top to bottom.

        `tray`: the same tray without dice, seen from the same place; what lies there already is
        no die. ValueError if it is not of the same size.
        """
        look = self.look(image, tray)
        is_die, is_right = (probability(look.seen, weights) for weights in (IS_DIE, IS_RIGHT))
        lying = np.flatnonzero(is_die > 0.5)
        dice = [self._die(look.faces[i], float(is_right[i])) for i in lying]
        doubt = bool(((is_die > DOUBT) & (is_die <= 0.5)).any())
        cocked = bool((look.tilt > COCKED).any())
        edge = float(np.median([die.size for die in dice])) if dice else image.shape[1] / 20
        blocked = len(dice) <= DICE and covered(look.survey, edge) > BLOCKED
        dice.sort(key=lambda die: (die.y, die.x))
        return Reading(verdict(dice, doubt=doubt, cocked=cocked, blocked=blocked), tuple(dice))

    def _die(self, face: Face, confidence: float) -> Die:
        likely = tuple(self._profile.faces[i] for i in face.likely)
        u = face.spot.axes[:, 0]
        angle = float(np.degrees(np.arctan2(u[1], u[0]))) % 90
        spot = face.spot
        agreed = int(np.argmax(face.odds)) == int(face.likely[0])
        sure = agreed and confidence > SURE and spot.edge > SMALL
        return Die(likely[0], spot.x, spot.y, spot.edge, angle, confidence, sure, likely)


def evidence(faces: Sequence[Face], found: Sequence[Found]) -> Array:
    """What speaks for each face (n, 7).

    Log-odds that it is a top face; log-odds of the number read; whether its pattern fits best; how
    well that fits, and how much better than any other; by how many octaves the edge differs from
    the typical die's; log-odds of a second look that it is a die of any kind.
    """
    best = max((face.score for face in faces), default=0)
    strong = [face.spot.edge for face in faces if face.score > 0.7 * best]
    typical = float(np.median(strong)) if strong else 1.0
    rows = []
    for face, die in zip(faces, found, strict=True):
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
                np.clip(die.second, -6, 6),
            ]
        )
    return np.array(rows, np.float32).reshape(-1, 7)


def probability(seen: Array, weights: Sequence[float]) -> Array:
    """Of each row of evidence, under one of the calibrated weightings."""
    return sigmoid(weights[0] + seen @ np.array(weights[1:], np.float32))


def _log_odds(p: float) -> float:
    p = min(max(p, 0.001), 0.999)
    return float(np.log(p / (1 - p)))
