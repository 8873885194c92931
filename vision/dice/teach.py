"""Teach dice: make profiles from pictures of single dice, and check how well faces differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np

from vision.dice.faces.classifier import face_scores, similarities
from vision.dice.faces.crops import profile_picture
from vision.dice.faces.embedder import Embedder
from vision.dice.find.candidate import Candidate, may_be_part
from vision.dice.find.finder import DiceFinder
from vision.dice.matching import UNTOUCHED
from vision.dice.profile import FACE_EDGE, PICTURE, Profile
from vision.dice.reading import FACES
from vision.imaging.crop import BURNT, LEAST_CONTRAST, SAME_PICTURE, Crop
from vision.imaging.geometry import Array, FaceBox, Image
from vision.imaging.pyramid import build_pyramid

ALIKE = 0.3
"""Chance of being taken for another face from which a face is named as too alike."""
_LEAST_EDGE = 20.0  # pixels
_LEAST_SHARPNESS = 0.08  # of the contrast, see `_sharpness`
# Pixels of a side of the windows that are burnt out all over, so that bright paint is none; share
# of the face that lies in the middle of one.
_BURNT_WINDOW, _MOST_BURNT = 15, 0.01
_LEAST_LOGIT = -1.0  # of a die in a picture that is said to show one
_SECOND_LOGIT = 1.5  # of another one
_SAME_FACE = 0.8  # similarity of dice in one picture that show one face
_FILLS = 0.35  # edge, in longer sides, of a die for which a picture is too small
# How much of the edge symbols take up, and log-odds of both networks below which a part of a symbol
# is as likely as a die.
_INKED, _WHOLE_LOGIT = 0.86, 3.5
_LOOKS_LIKE = 0.87  # similarity to another face, of a face of which nothing is known


class DieFlaw(StrEnum):
    """Why a picture of a die is of no use, or its face hard to learn."""

    NONE_FOUND = "no die found"
    SEVERAL = "more than one die"
    SMALL = "too small: move the camera closer"
    BURNT = "overexposed: turn the lamp or the die"
    DARK = "too dark"
    FAINT = "too faint"
    BLURRED = "blurred"
    CUT_ABOVE = "cut off above: show the whole die"
    CUT_BELOW = "cut off below: show the whole die"
    CUT_LEFT = "cut off on the left: show the whole die"
    CUT_RIGHT = "cut off on the right: show the whole die"
    PART = "maybe only a part of the face: show the whole die, with some of the tray around it"


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """How well the pictures of a profile are told apart, each by all others (leave-one-out)."""

    tested: int
    """How many pictures were told; the only picture of a face can't be."""
    accuracy: float
    """Share of these that are named right, in [0, 1]."""
    confused: tuple[tuple[str, str, float], ...]
    """Pairs of faces that are easily confused, both ways round, the worst first: a face, the other,
    and the probability that the first is taken for the other."""


class ProfileTrainer:
    """Crops faces out of pictures and checks profiles. Not for two threads at a time."""

    def __init__(self) -> None:
        self._finder = DiceFinder()
        self._embedder = Embedder()
        self._vectors: dict[bytes, Array] = {}

    def crop(self, image: Image) -> Crop:
        """Return the face of the single die in a picture, BGR (H, W, 3)."""
        crops = self.crops(image)
        return crops[0] if len(crops) == 1 else Crop(None, DieFlaw.SEVERAL)

    def crops(self, image: Image) -> list[Crop]:
        """Return the faces of all dice in a picture, BGR (H, W, 3), that shows one face.

        The picture may be a close-up that a die fills. Where dice show different faces, or none is
        found, there is one crop without a picture.
        """
        found = self._dice(image)
        if not found:
            return [Crop(None, DieFlaw.NONE_FOUND)]
        whole = [crop.picture for crop in found if crop.picture is not None]
        if whole:
            vectors = self._embedder.embed_turned(whole)
            if (similarities(vectors[:1, 0], vectors) < _SAME_FACE).any():
                return [Crop(None, DieFlaw.SEVERAL)]
        return found

    def _dice(self, image: Image) -> list[Crop]:
        """Return the dice in a picture, the likeliest first."""
        height, width = image.shape[:2]
        border = height // 2, height // 2, width // 2, width // 2
        wider = np.asarray(cv2.copyMakeBorder(image, *border, cv2.BORDER_REPLICATE), np.uint8)
        for seen, least in ((wider, _FILLS * max(height, width)), (image, 0.0)):
            levels = build_pyramid(seen)
            found = self._finder.find(levels, close_up=True)
            # Only what is a die rather than none: anything else may be seen in a tray's ground.
            wholes = [c for c in found.looked_at if _logit(c) > 0]
            dice = [c for c in found.candidates if _logit(c) > _LEAST_LOGIT]
            if dice and dice[0].box.edge >= least:
                break
        left, top = (width // 2, height // 2) if seen is wider else (0, 0)
        shown = [*dice[:1], *(c for c in dice[1:] if _logit(c) > _SECOND_LOGIT)]
        whole = [c for c in shown if not any(may_be_part(c, other) for other in wholes)]
        if shown and not whole:
            return [Crop(None, DieFlaw.PART)]
        return [
            _crop(levels, c, replace(c.box, x=c.box.x - left, y=c.box.y - top), image.shape)
            for c in whole
        ]

    def looks_like(
        self, picture: Image, face: str, known: Mapping[str, Sequence[Image]]
    ) -> str | None:
        """Return the other face that a picture resembles more than its own; None if no other.

        picture: as a profile keeps it, said to show `face`. known: what is known of all faces.
        """
        own = self._embed(picture)[:1]
        best = {
            other: float(similarities(own, np.stack([self._embed(p) for p in pictures])).max())
            for other, pictures in known.items()
            if pictures
        }
        least = max(_SAME_FACE, best.pop(face)) if face in best else _LOOKS_LIKE
        other = max(best, key=lambda each: best[each], default=face)
        return other if best.get(other, 0.0) > least else None

    def _embed(self, picture: Image) -> Array:
        """Return the vectors (TURNS, d) of a profile's picture."""
        key = picture.tobytes()
        if key not in self._vectors:
            self._vectors[key] = self._embedder.embed_turned([picture])[0]
        return self._vectors[key]

    def check(self, profile: Profile) -> CrossValidation:
        """Tell every taught and learned picture by all others of the profile."""
        labels, vectors = [], []
        for number, face in enumerate(profile.faces):
            own = _drop_duplicates([*profile.taught.get(face, ()), *profile.learned.get(face, ())])
            labels += [number] * len(own)
            if own:
                vectors.append(np.stack([self._embed(picture) for picture in own]))
        return _cross_validate(np.array(labels), np.concatenate(vectors), profile.faces)


def _crop(levels: Sequence[Image], die: Candidate, box: FaceBox, shape: tuple[int, ...]) -> Crop:
    """Return the face of a die; box: where it lies in its picture of this shape (H, W, 3).

    A face that is cut off has no picture: it would teach a part of the symbol.
    """
    cut = _find_cut_off(box, shape)
    if cut is not None:
        return Crop(None, cut)
    picture = profile_picture(levels, die.box)
    flaw = find_flaw(picture, box.edge)
    if die.logit < _WHOLE_LOGIT:
        return Crop(None, flaw or DieFlaw.PART)
    return Crop(picture, flaw, (box.x, box.y, box.edge))


def _find_cut_off(box: FaceBox, shape: tuple[int, ...]) -> DieFlaw | None:
    """Return beyond which side of its picture a symbol reaches most, None if it is whole."""
    reach_x, reach_y = (_INKED * np.abs(box.axes).sum(1)).tolist()
    beyond = {
        DieFlaw.CUT_ABOVE: reach_y - box.y,
        DieFlaw.CUT_BELOW: box.y + reach_y - shape[0],
        DieFlaw.CUT_LEFT: reach_x - box.x,
        DieFlaw.CUT_RIGHT: box.x + reach_x - shape[1],
    }
    side = max(beyond, key=lambda each: beyond[each])
    return side if beyond[side] > 0 else None


def is_same_picture(one: Crop, other: Crop) -> bool:
    """Return whether two crops, each with a picture, show one die in one place and light.

    Where its place is not known, whether their pictures are one to the pixel.
    """
    assert one.picture is not None
    assert other.picture is not None
    if one.spot is None or other.spot is None:
        return np.array_equal(one.picture, other.picture)
    if np.abs(np.subtract(one.spot, other.spot)).max() > UNTOUCHED[0] * one.spot[2]:
        return False
    here, there = _level_light(one.picture), _level_light(other.picture)
    return max(float((here * np.rot90(there, k)).sum()) for k in range(4)) > SAME_PICTURE


def _level_light(picture: Image) -> Array:
    """Return the face in a profile's picture in grey, with mean 0 and norm 1."""
    low = (PICTURE - FACE_EDGE) // 2
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    face = grey[low : low + FACE_EDGE, low : low + FACE_EDGE].astype(np.float32)
    face -= face.mean()
    return np.asarray(face / max(float(np.linalg.norm(face)), 1.0), np.float32)


def _logit(candidate: Candidate) -> float:
    """Return the log-odds that this is the single die of a picture."""
    return candidate.detector_logit + candidate.pose_logit / 2


def build_profile(
    name: str, pictures: Mapping[str, Sequence[Image]], edition: str, before: Profile | None = None
) -> Profile:
    """Return a profile of these pictures by face, added to those of `before`.

    Pictures are those of `Crop`. None is added twice to a face. edition: one of EDITIONS.
    """
    old = before.taught if before else {}
    both = {face: _drop_duplicates([*old.get(face, ()), *pictures.get(face, ())]) for face in FACES}
    if before:
        return replace(before, taught=both, edition=edition)
    return Profile(name, FACES, edition, both)


def _drop_duplicates(pictures: Sequence[Image]) -> tuple[Image, ...]:
    """Return the pictures, each once: two are the same if all of their pixels are."""
    return tuple({picture.tobytes(): picture for picture in pictures}.values())


def find_flaw(picture: Image, edge: float) -> DieFlaw | None:
    """Return what makes a face hard to learn, None if nothing.

    picture: as a profile keeps it; edge: of the face where it was cropped, pixels.
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    low = (PICTURE - FACE_EDGE) // 2
    face = grey[low : low + FACE_EDGE, low : low + FACE_EDGE]
    dark, bright = np.percentile(face, (2, 98))
    if edge < _LEAST_EDGE:
        return DieFlaw.SMALL
    if _glare_share(face) > _MOST_BURNT:
        return DieFlaw.BURNT
    if bright - dark < LEAST_CONTRAST:
        return DieFlaw.DARK if bright < 80 else DieFlaw.FAINT
    if _sharpness(face) < _LEAST_SHARPNESS:
        return DieFlaw.BLURRED
    return None


def _glare_share(face: Image) -> float:
    """Return the share of the face that is burnt out, and all around it."""
    window = np.ones((_BURNT_WINDOW, _BURNT_WINDOW), np.uint8)
    return float(cv2.erode((face >= BURNT).astype(np.uint8), window).mean())


def _sharpness(face: Image) -> float:
    """Return how steep the steepest edges are: 98th percentile of the slope, over the contrast."""
    soft = cv2.GaussianBlur(face, (0, 0), 1.0).astype(np.float32)
    gx, gy = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    dark, bright = np.percentile(soft, (2, 98))
    return float(np.percentile(np.hypot(gx, gy), 98) / 8 / (bright - dark + 1))


def _cross_validate(labels: Array, pictures: Array, faces: Sequence[str]) -> CrossValidation:
    """Tell each picture (k, TURNS, d), by its number of a face in labels (k,), by all others."""
    alike = similarities(pictures[:, 0], pictures)
    tested = [n for n, label in enumerate(labels) if (labels == label).sum() > 1]
    odds = np.zeros((len(tested), len(faces)))
    for row, n in zip(odds, tested, strict=True):
        others = np.arange(len(labels)) != n
        scores = face_scores(alike[n : n + 1, others], labels[others])[0]
        row[:] = np.exp(scores - scores.max())
    odds /= odds.sum(1, keepdims=True)
    shown = labels[tested].astype(int)
    chance = {
        (a, b): float(odds[shown == a, b].mean())
        for a in np.unique(shown).tolist()
        for b in range(len(faces))
        if a != b
    }
    pairs = [
        (faces[a], faces[b], each)
        for (a, b), each in chance.items()
        # Either may be the one that was pictured badly.
        if max(each, chance.get((b, a), 0.0)) > ALIKE
    ]
    share = float(np.mean(odds.argmax(1) == shown)) if tested else 0.0
    return CrossValidation(len(tested), share, tuple(sorted(pairs, key=lambda pair: -pair[2])))
