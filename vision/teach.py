"""Makes profiles from pictures of single dice, and says how well their faces can be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np

from vision.faces import Embedder, likeness, picture_at, scores, shown_vectors
from vision.locate import Array, Image
from vision.look import Eye, Found
from vision.profile import FACE_EDGE, FACES, PICTURE, Profile
from vision.views import halves

LEAST_EDGE = 20.0  # pixels
LEAST_CONTRAST = 25.0  # grey levels between the 2nd and the 98th percentile
LEAST_SHARPNESS = 0.08  # of the contrast, see `sharpness`
# Grey level; pixels of a side of the windows that are burnt out all over, so that bright paint is
# none; share of the face that lies in the middle of one.
BURNT, BURNT_WINDOW, MOST_BURNT = 250, 15, 0.01
LEAST_LOGIT = -1.0  # of a die in a picture that is said to show one
SECOND_LOGIT = 1.5  # of another one
ALIKE = 0.3  # chance of being taken for another face from which a face is named as too alike


class Flaw(StrEnum):
    """Why a picture of a die is of no use, or its face hard to learn."""

    NONE_FOUND = "no die found"
    SEVERAL = "more than one die"
    SMALL = "too small: bring the camera nearer"
    BURNT = "burnt out: turn the lamp or the die"
    DARK = "too dark"
    FAINT = "too faint"
    BLURRED = "blurred"


@dataclass(frozen=True, slots=True)
class Shown:
    """What one picture of a single die gave.

    `picture`: the face as a profile keeps it; None where no die was found. `warning`: what is wrong
    with it; None if nothing. Only a picture with a face is of use.
    """

    picture: Image | None
    warning: Flaw | None


@dataclass(frozen=True, slots=True)
class Check:
    """How well the pictures of a profile are told apart, each by all others.

    `told`: how many could be, which the only picture of a face can't; `right`: share of these that
    are named right. `alike`: pairs of faces of which one is easily taken for the other, both ways
    round, each with how likely the first is taken for the second.
    """

    told: int
    right: float
    alike: tuple[tuple[str, str, float], ...]


class Teacher:
    """Cuts faces out of pictures and checks profiles."""

    def __init__(self) -> None:
        self._eye = Eye()
        self._embedder = Embedder()

    def show(self, image: Image) -> Shown:
        """The face of the single die in `image`, BGR (H, W, 3)."""
        levels = halves(image)
        dice = [f for f in self._eye.find(levels).found if likely(f) > LEAST_LOGIT]
        if not dice:
            return Shown(None, Flaw.NONE_FOUND)
        best = dice[0]
        if len(dice) > 1 and likely(dice[1]) > SECOND_LOGIT:
            return Shown(None, Flaw.SEVERAL)
        picture = picture_at(levels, best.spot)
        return Shown(picture, fault(picture, best.spot.edge))

    def check(self, profile: Profile) -> Check:
        """Tell every taught and learned picture by all others of the profile."""
        names, vectors = [], []
        for number, face in enumerate(profile.faces):
            own = distinct([*profile.taught.get(face, ()), *profile.learned.get(face, ())])
            names += [number] * len(own)
            vectors.append(shown_vectors(self._embedder, own) if own else None)
        shown = np.concatenate([v for v in vectors if v is not None])
        return _left_out(np.array(names), shown, profile.faces)


def likely(found: Found) -> float:
    """Log-odds that this is a die."""
    return found.first + found.second / 2


def taught(
    name: str, pictures: Mapping[str, Sequence[Image]], edition: str, before: Profile | None = None
) -> Profile:
    """A profile of these pictures, added to those of `before`; see `Shown` for pictures.

    Of a face no picture is added twice.
    """
    old = before.taught if before else {}
    both = {face: distinct([*old.get(face, ()), *pictures.get(face, ())]) for face in FACES}
    if before:
        return replace(before, taught=both, edition=edition)
    return Profile(name, FACES, edition, both)


def distinct(pictures: Sequence[Image]) -> tuple[Image, ...]:
    """The pictures, each once: two are the same if all of their pixels are."""
    return tuple({picture.tobytes(): picture for picture in pictures}.values())


def fault(picture: Image, edge: float) -> Flaw | None:
    """What makes a face hard to learn."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    low = (PICTURE - FACE_EDGE) // 2
    face = grey[low : low + FACE_EDGE, low : low + FACE_EDGE]
    dark, bright = np.percentile(face, (2, 98))
    if edge < LEAST_EDGE:
        return Flaw.SMALL
    if _burnt(face) > MOST_BURNT:
        return Flaw.BURNT
    if bright - dark < LEAST_CONTRAST:
        return Flaw.DARK if bright < 80 else Flaw.FAINT
    if sharpness(face) < LEAST_SHARPNESS:
        return Flaw.BLURRED
    return None


def _burnt(face: Image) -> float:
    """Share of the face that is burnt out, and all around it."""
    window = np.ones((BURNT_WINDOW, BURNT_WINDOW), np.uint8)
    return float(cv2.erode((face >= BURNT).astype(np.uint8), window).mean())


def sharpness(face: Image) -> float:
    """How steep the steepest edges are: 98th percentile of the slope, over the contrast."""
    soft = cv2.GaussianBlur(face, (0, 0), 1.0).astype(np.float32)
    gx, gy = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    dark, bright = np.percentile(soft, (2, 98))
    return float(np.percentile(np.hypot(gx, gy), 98) / 8 / (bright - dark + 1))


def _left_out(names: Array, shown: Array, faces: Sequence[str]) -> Check:
    alike = likeness(shown[:, 0], shown)
    np.fill_diagonal(alike, -1.0)
    right = []
    taken: dict[tuple[int, int], list[float]] = {}
    for row, name in zip(alike, names, strict=True):
        if (names == name).sum() == 1:
            continue
        each = np.flatnonzero(row > -1)
        found = scores(row[None, each], names[each], len(faces))[0]
        odds = np.exp(found - found.max())
        odds /= odds.sum()
        right.append(int(odds.argmax()) == int(name))
        for other in range(len(faces)):
            if other != name:
                taken.setdefault((int(name), other), []).append(float(odds[other]))
    chance = {pair: float(np.mean(chances)) for pair, chances in taken.items()}
    pairs = [
        (faces[a], faces[b], each)
        for (a, b), each in chance.items()
        # Either may be the one that was shown badly.
        if max(each, chance.get((b, a), 0.0)) > ALIKE
    ]
    share = float(np.mean(right)) if right else 0.0
    return Check(len(right), share, tuple(sorted(pairs, key=lambda pair: -pair[2])))
