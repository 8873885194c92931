"""Reads dice whose faces were taught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import NONE, Embedder, KnownFaces, face_at
from vision.locate import Array, Image, sigmoid
from vision.look import Eye, Found, Sight
from vision.lying import covered, leans, solid, tilts
from vision.profile import Profile
from vision.reading import DICE, Die, Reading, verdict
from vision.views import halves

# Log-odds that what was found is a die, and that its face is named right: an offset, and what each
# of `evidence` adds. Found by tests/training/calibrate_taught.py.
IS_DIE = (-0.08, 1.31, 0.64, 0.48, 0.39, -2.34, 1.60, -0.06)
IS_RIGHT = (0.99, 0.18, -0.29, 0.41, 1.77, -0.04, -1.29, 0.26)
# Of what is found, the likeliest are compared with the faces, where both looks together say more
# than LEAST log-odds.
MOST, LEAST = 12, -3.5
# How much of its surroundings is in the tray if a die surely is, if it is, and if it may be; how
# much a hand covers of what is none.
WITHIN, INSIDE, BRINK, HIDDEN = 0.9, 0.4, 0.15, 0.5
# Edges by which the far face of a die is seen beside where it should be: of one that leans; and of
# all together, as the root of their squares, where one may lean.
COCKED, UNEVEN = 0.2, 0.28
# The same where each is measured by the others alone; and up to where one surely lies flat beside
# one that doesn't.
ALONE_COCKED, ALONE_UNEVEN, FLAT = 0.25, 0.3, 0.12
NEAR = 0.7  # of either, from which it is looked at more often how dice lie
# Faces of dice that a hand or a thing covers in the tray, where dice are missing and where not.
BLOCKED, REACHING = 2.0, 8.0
BURNT = 248
# Below DOUBT what was found is no die at all; up to a half it is none, but keeps a reading from ok.
DOUBT, FIFTH, SURE = 0.15, 0.3, 0.98
# Log-odds that a face is one of those shown rather than none, such as one burnt out, below which
# it is but a guess however far it leads the others.
SHOWN, GUESS = 1.0, 0.5


@dataclass(frozen=True)
class Look:
    """What was found in one picture, and what speaks for it.

    `seen`: (n, 7), see `evidence`. `scores`: (n, 6), of the faces. `tilt`, `alone`: (n,), see
    `tilts` and `leans`.
    """

    sight: Sight
    found: tuple[Found, ...]
    seen: Array
    scores: Array
    tilt: Array
    alone: Array


class TaughtReader:
    """Reads dice of one taught profile."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._eye = Eye()
        self._known = KnownFaces(Embedder(), profile)

    def know(self, profile: Profile) -> None:
        """Tell faces by another profile from the next picture on, see `Reader.know`."""
        # With a network of its own: the old one may be at work in another thread.
        self._known = KnownFaces(Embedder(), profile, self._known)

    def look(self, image: Image, tray: Image | None = None) -> Look:
        """All that may be dice in `image`, and what speaks for it."""
        levels = halves(image)
        width = image.shape[1]

        def leaning(dice: Sequence[Found]) -> bool:
            tilt = tilts(dice, _flat(dice), width)
            return (
                float(np.max(tilt)) > NEAR * COCKED or float(np.linalg.norm(tilt)) > NEAR * UNEVEN
            )

        sight = self._eye.find(levels, tray, closer=True, doubt=leaning)
        found = solid([f for f in sight.found[:MOST] if f.first + f.second > LEAST])
        faces = [face_at(levels, f.spot) for f in found]
        scores = self._known.scores(levels, [f.spot for f in found], faces)
        flat = _flat(found)
        tilt, alone = tilts(found, flat, width), leans(found, flat, width)
        return Look(sight, found, evidence(found, faces, scores), scores, tilt, alone)

    def read(self, image: Image, tray: Image | None = None) -> Reading:
        """The dice in `image` (BGR, uint8, (H, W, 3), any size), from top to bottom.

        `tray`: the same tray without dice, seen from the same place. ValueError if it is not of
        the same size.
        """
        look = self.look(image, tray)
        is_die, is_right = (probability(look.seen, w) for w in (IS_DIE, IS_RIGHT))
        bare = np.array([f.hidden < HIDDEN for f in look.found], bool)
        inside = np.array([f.inside for f in look.found], np.float32)
        lying = np.flatnonzero((is_die > 0.5) & (inside > INSIDE) & bare)
        rest = np.flatnonzero((is_die > DOUBT) & (is_die <= 0.5) & (inside > INSIDE) & bare)
        brink = (inside > BRINK) & (inside <= INSIDE)
        doubt = len(rest) > 0 or bool(((is_die > 0.5) & (brink | ~bare)).any())
        if len(lying) == DICE - 1 and len(rest) and np.max(is_die[rest]) > FIFTH:
            # Five dice are thrown: the fifth is likelier hard to see than missing.
            lying = np.append(lying, rest[np.argmax(is_die[rest])])
        sure = is_die * is_right
        leaning = (look.tilt > COCKED) | (look.alone > ALONE_COCKED)
        cocked = bool(leaning[lying].any())
        uneven = (
            float(np.linalg.norm(look.tilt[lying])) > UNEVEN
            or float(np.linalg.norm(look.alone[lying])) > ALONE_UNEVEN
        )
        if cocked or uneven:
            # One leans, and which is not certain: where two touch, it may be the other.
            leaning |= np.maximum(look.tilt, look.alone) > FLAT
        sure[leaning] = 0.0  # what leans shows no face
        # Beside the tray lies no die of the throw, whatever it shows.
        sure = np.where(inside < WITHIN, np.minimum(sure, GUESS), sure)
        sure = np.where(look.seen[:, 2] < SHOWN, np.minimum(sure, GUESS), sure)
        dice = [self._die(look.found[i], look.scores[i], float(sure[i])) for i in lying]
        dice.sort(key=lambda die: (die.y, die.x))
        edge = float(np.median([die.size for die in dice])) if dice else image.shape[1] / 20
        blocked = covered(look.sight.survey, edge) > (REACHING if len(dice) == DICE else BLOCKED)
        said = verdict(dice, blocked=blocked, cocked=cocked, doubt=doubt or uneven)
        return Reading(said, tuple(dice))

    def _die(self, found: Found, scores: Array, confidence: float) -> Die:
        likely = tuple(self._profile.faces[i] for i in np.argsort(-scores, kind="stable"))
        return die_of(found, likely[0], confidence, confidence > SURE, likely)


def _flat(found: Sequence[Found]) -> list[Found]:
    """Those that are dice and lie flat, but for a few."""
    return [f for f in found if f.first + f.second > 0 and f.hidden < HIDDEN]


def evidence(found: Sequence[Found], faces: Sequence[Image], scores: Array) -> Array:
    """What speaks for each die and its face, (n, 7).

    Log-odds of the finder's first and second look; how much likelier the best face is than none,
    and than the second; by how many octaves the edge differs from the typical die's; the share of
    the face that is burnt out; the logarithm of its contrast.
    """
    if not found:
        return np.zeros((0, 7), np.float32)
    looks = np.array([(f.first, f.second) for f in found])
    edge = np.array([f.spot.edge for f in found])
    strong = edge[looks.sum(1) > 1.0]
    octaves = np.log2(edge / np.median(strong)) if len(strong) else np.zeros(len(found))
    best = np.sort(scores, 1)
    grey = np.array([cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)[4:-4, 4:-4] for face in faces])
    dark, bright = _range(grey.reshape(len(found), -1)).T
    columns = (
        *np.clip(looks, -6, 6).T,
        best[:, -1] - NONE,
        best[:, -1] - best[:, -2],
        np.minimum(1.0, np.abs(octaves)),
        (grey >= BURNT).mean((1, 2)),
        np.log2(np.maximum(1.0, bright - dark)) - 5,
    )
    return np.stack(columns, 1, dtype=np.float32)


def _range(grey: NDArray[np.integer]) -> Array:
    """What 2 and 98 % of the pixels (n, pixels) are darker than, (n, 2).

    np.percentile takes ten times as long.
    """
    order = np.sort(grey, axis=1)
    place = np.array([0.02, 0.98]) * (order.shape[1] - 1)
    below = place.astype(int)
    low, high = order[:, below].astype(np.float32), order[:, below + 1].astype(np.float32)
    return np.asarray(low + (place - below) * (high - low), np.float32)


def probability(seen: Array, weights: Sequence[float]) -> Array:
    """Of each row of evidence, under one of the calibrated weightings."""
    return sigmoid(weights[0] + seen @ np.array(weights[1:], np.float32))


def die_of(found: Found, name: str, confidence: float, sure: bool, likely: tuple[str, ...]) -> Die:
    """What a reading says of a die."""
    u = found.spot.axes[:, 0]
    angle = float(np.degrees(np.arctan2(u[1], u[0]))) % 90
    spot = found.spot
    return Die(name, spot.x, spot.y, spot.edge, angle, confidence, sure, likely)
