"""Tells faces by their likeness to pictures of them that were shown.

A network turns a face into a unit vector, alike for the same symbol in other light; after Snell et
al., Prototypical Networks (2017). tests/training/train_faces.py made it, on thousands of
pictograms, so that it compares symbols in general.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.locate import Array, Image, Spot
from vision.net import Net
from vision.profile import FACE_EDGE, PICTURE, Profile
from vision.views import rectified

NETWORK = Path(__file__).with_name("profiles") / "faces.onnx"
SIDE, SHARE = 48, 1.04  # pixels that the network sees, and edges of the face that they show
# Turns in which pictures are compared: a quarter turn apart, since a face's own turn is not known,
# and halfway, since the edges of a face are sometimes taken for its diagonals.
TURNS = 8
# Lead of the likeliest face from which no second look is needed, and how much likelier than a face
# none may be for one to help.
CLEAR, STRANGE = 4.5, 3.5
AGAIN = 6  # faces looked at again, at most
SCALE, NONE = 20.0, 12.0  # as trained: of a likeness, and the score of a face never shown
# A learned picture weighs two thirds of one that was taught, and less where all others say that
# it shows another face: a player's word is taken against odds of up to 5 to 1.
LEARNED, WORD = 2 / 3, 5.0


class Embedder:
    """The network."""

    def __init__(self, path: Path = NETWORK) -> None:
        self._net = Net(path, 1, SIDE, SIDE)

    def vectors(self, faces: Sequence[Image]) -> Array:
        """Unit vectors (n, d) of faces (SIDE, SIDE, 3), BGR."""
        if not faces:
            return np.zeros((0, 1), np.float32)
        grey = [cv2.cvtColor(face, cv2.COLOR_BGR2GRAY) for face in faces]
        level = np.stack(grey, dtype=np.float32)
        level -= level.mean((1, 2), keepdims=True)
        even = level / (np.sqrt((level * level).mean((1, 2), keepdims=True)) + 4)
        return self._net(even[:, None])


def face_at(levels: Sequence[Image], spot: Spot) -> Image:
    """The face at `spot` as the network is to see it, (SIDE, SIDE, 3); `levels`: see `halves`."""
    return rectified(levels, spot, SIDE / SHARE, SIDE)


def picture_at(levels: Sequence[Image], spot: Spot) -> Image:
    """The face at `spot` as a profile keeps it, (PICTURE, PICTURE, 3)."""
    return rectified(levels, spot, FACE_EDGE, PICTURE)


class KnownFaces:
    """The faces of one profile."""

    def __init__(
        self, embedder: Embedder, profile: Profile, before: KnownFaces | None = None
    ) -> None:
        """`before`: knows some of the pictures; these are not looked at again."""
        self._embedder = embedder
        shown = [
            (number, picture, origin is profile.learned)
            for origin in (profile.taught, profile.learned)
            for number, face in enumerate(profile.faces)
            for picture in origin.get(face, ())
        ]
        self._names = np.array([number for number, _, _ in shown])
        keys = [sha256(picture.tobytes()).digest() for _, picture, _ in shown]
        known = before._known if before else {}
        self._known: dict[bytes, Array] = {
            key: known[key] if key in known else shown_vectors(embedder, [picture])[0]
            for key, (_, picture, _) in zip(keys, shown, strict=True)
        }
        self._vectors = np.stack([self._known[key] for key in keys])
        self._weights = trust(self._vectors, self._names, np.array([new for *_, new in shown]))

    def scores(
        self, levels: Sequence[Image], spots: Sequence[Spot], faces: Sequence[Image]
    ) -> Array:
        """(n, 6): log-likelihoods of the faces of the profile, where NONE is that of no face.

        levels: see `halves`; faces: at the spots, as `face_at` gives them. Where the best two are
        close, the face is looked at framed a little otherwise too, and each picture counts by the
        likest of these looks.
        """
        found = self._likeness(faces)
        first = np.sort(scores(found, self._names, weights=self._weights), axis=1)
        near = first[:, -1] > NONE - STRANGE
        close = np.flatnonzero(near & (first[:, -1] - first[:, -2] < CLEAR))[:AGAIN]
        again = [face_at(levels, frame) for i in close for frame in _reframed(spots[int(i)])]
        if again:
            likest = self._likeness(again).reshape(len(close), -1, found.shape[1]).max(1)
            found[close] = np.maximum(found[close], likest)
        return scores(found, self._names, weights=self._weights)

    def _likeness(self, faces: Sequence[Image]) -> Array:
        if not faces:
            return np.zeros((0, len(self._names)), np.float32)
        return likeness(self._embedder.vectors(faces), self._vectors)


def _reframed(spot: Spot) -> list[Spot]:
    """The spot as it lies if it was framed a little wrong."""
    c, s = np.cos(np.radians(6)), np.sin(np.radians(6))
    turn = np.array([[c, -s], [s, c]], np.float32)
    ways = (spot.axes @ turn, spot.axes @ turn.T, spot.axes * 0.94, spot.axes * 1.07)
    return [replace(spot, axes=np.asarray(axes, np.float32)) for axes in ways]


def shown_vectors(embedder: Embedder, pictures: Sequence[Image]) -> Array:
    """(n, TURNS, d): vectors of pictures of a profile, turned."""
    # One picture after the other: all at once take 3 MB of memory each.
    return np.stack(
        [
            embedder.vectors([_turned(picture, k * 360 / TURNS) for k in range(TURNS)])
            for picture in pictures
        ]
    )


def _turned(picture: Image, degrees: float) -> Image:
    """The face in a picture of a profile, turned, as the network is to see it."""
    scale = SIDE / SHARE / FACE_EDGE
    middle = ((PICTURE - 1) / 2, (PICTURE - 1) / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, degrees, scale), np.float64)
    matrix[:, 2] += (SIDE - PICTURE) / 2
    return np.asarray(cv2.warpAffine(picture, matrix, (SIDE, SIDE)), np.uint8)


def likeness(vectors: Array, shown: Array) -> Array:
    """(n, pictures) of vectors (n, d) and pictures' vectors (pictures, TURNS, d)."""
    return np.asarray(np.einsum("nd,pkd->npk", vectors, shown).max(2), np.float32)


def trust(shown: Array, names: Array, learned: npt.NDArray[np.bool_]) -> Array:
    """(pictures,): how much each picture counts for its face; 1 for those that were taught.

    `learned`: (pictures,), whether a player named it. Its weight is LEARNED times the probability
    that he was right, by all other pictures, so that a slip does not outweigh what was taught.
    """
    found = np.ones(len(shown), np.float32)
    for new in np.flatnonzero(learned):
        others = np.arange(len(shown)) != new
        alike = likeness(shown[new : new + 1, 0], shown[others])
        score = scores(alike, names[others])[0]
        against = np.exp(np.delete(score, names[new]) - score[names[new]]).sum()
        found[new] = LEARNED / (1 + against / WORD)
    return found


def scores(alike: Array, names: Array, faces: int = 6, weights: Array | None = None) -> Array:
    """(n, faces): the mean likelihood of each face's pictures, as a logarithm.

    `weights`: (pictures,), of each in the mean; None: all the same.
    """
    share = np.zeros((len(names), faces))
    share[np.arange(len(names)), names] = 1 if weights is None else weights
    total = share.sum(0)
    mean = np.exp(SCALE * alike.astype(np.float64)) @ (share / np.where(total, total, 1))
    return np.asarray(np.log(np.where(total, mean, np.exp(-SCALE))), np.float32)
