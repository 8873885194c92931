"""Classify faces by their similarity to the pictures of a profile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from vision.faces.crops import INNER, WHOLE, embedder_crop
from vision.faces.embedder import Embedder
from vision.imaging.geometry import Array, FaceBox, Image
from vision.profile import Profile

NO_FACE = 12.0
"""Score of a crop that shows no face of the profile, as trained."""
_SCALE = 20.0  # of a similarity, as trained
# More crops help only where the likeliest face leads by less than _CLEAR_LEAD, and "no face" leads
# it by less than _STRANGE.
_CLEAR_LEAD, _STRANGE = 4.5, 3.5
_MOST_AGAIN = 6  # faces cropped again
# What the inner part says of two close faces weighs half. A learned picture weighs a fifth there of
# what it weighs elsewhere, so that a slip made twice rarely outweighs what was taught.
_INNER_WEIGHT, _INNER_LEARNED = 0.5, 0.2
# A learned picture weighs two thirds of a taught one, and less where all others say that it shows
# another face: at odds of 5 to 1 against the player, half of that.
_LEARNED_WEIGHT, _HALVING_ODDS = 2 / 3, 5.0


class FaceClassifier:
    """Tells the faces of one profile. Not for two threads at a time."""

    def __init__(
        self, embedder: Embedder, profile: Profile, before: FaceClassifier | None = None
    ) -> None:
        """Embed the profile's pictures, except those that `before` has embedded already."""
        self._embedder = embedder
        pictures = [
            (number, picture, origin is profile.learned)
            for origin in (profile.taught, profile.learned)
            for number, face in enumerate(profile.faces)
            for picture in origin.get(face, ())
        ]
        self._labels = np.array([number for number, _, _ in pictures])
        keys = [sha256(picture.tobytes()).digest() for _, picture, _ in pictures]
        known = before._known if before else {}
        self._known: dict[bytes, Array] = {
            key: known[key]
            if key in known
            else np.concatenate([embedder.embed_turned([picture], s) for s in (WHOLE, INNER)])
            for key, (_, picture, _) in zip(keys, pictures, strict=True)
        }
        self._vectors, self._inner = np.stack([self._known[key] for key in keys], 1)
        is_learned = np.array([learned for *_, learned in pictures])
        self._weights = picture_weights(self._vectors, self._labels, is_learned)
        self._inner_weights = np.where(is_learned, _INNER_LEARNED * self._weights, self._weights)

    def scores(
        self, levels: Sequence[Image], boxes: Sequence[FaceBox], crops: Sequence[Image]
    ) -> Array:
        """Return log-likelihoods of the profile's faces, (n, 6), where NO_FACE is that of none.

        levels: the picture's pyramid; crops: of the boxes, see `embedder_crop`. Where the best two
        faces are close, the box is cropped a little otherwise too, each picture counts by the most
        similar of these crops, and the inner part of the face is compared as well: a one and a two
        in the same ring differ only there.
        """
        found = self._similarities(crops, self._vectors)
        scores = face_scores(found, self._labels, weights=self._weights)
        first = np.sort(scores, axis=1)
        near = first[:, -1] > NO_FACE - _STRANGE
        close = np.flatnonzero(near & (first[:, -1] - first[:, -2] < _CLEAR_LEAD))[:_MOST_AGAIN]
        for i in close:
            reframed = _reframed(boxes[i])
            around = [embedder_crop(levels, box) for box in reframed]
            within = [embedder_crop(levels, box, INNER) for box in (boxes[i], *reframed)]
            whole = np.maximum(found[i], self._similarities(around, self._vectors).max(0))
            inner = self._similarities(within, self._inner).max(0)
            scores[i] = _with_inner(
                face_scores(whole[None], self._labels, weights=self._weights)[0],
                face_scores(inner[None], self._labels, weights=self._inner_weights)[0],
            )
        return scores

    def _similarities(self, crops: Sequence[Image], vectors: Array) -> Array:
        if not crops:
            return np.zeros((0, len(self._labels)), np.float32)
        return similarities(self._embedder.embed(crops), vectors)


def _with_inner(whole: Array, inner: Array) -> Array:
    """Return the scores of one face (6,) with what its inner part says of the differences.

    The best score stays: whether it is any of the faces is told by the whole.
    """
    both = whole + _INNER_WEIGHT * inner
    return np.asarray(both - both.max() + whole.max(), np.float32)


def _reframed(box: FaceBox) -> list[FaceBox]:
    """Return the box as it lies if it was framed a little wrong."""
    c, s = np.cos(np.radians(6)), np.sin(np.radians(6))
    turn = np.array([[c, -s], [s, c]], np.float32)
    ways = (box.axes @ turn, box.axes @ turn.T, box.axes * 0.94, box.axes * 1.07)
    return [replace(box, axes=np.asarray(axes, np.float32)) for axes in ways]


def similarities(vectors: Array, pictures: Array) -> Array:
    """Return the cosine similarity (n, k) of vectors (n, d) to pictures (k, TURNS, d).

    Of each picture the most similar turn counts.
    """
    return np.asarray(np.einsum("nd,pkd->npk", vectors, pictures).max(2), np.float32)


def picture_weights(pictures: Array, labels: Array, is_learned: npt.NDArray[np.bool_]) -> Array:
    """Return how much each picture (k, TURNS, d) counts for its face, (k,).

    labels: (k,), the number of its face. is_learned: (k,), whether a player named it. A taught
    picture counts 1; a learned one less, times the probability that the player was right by all
    other pictures, so that a slip does not outweigh what was taught.
    """
    weights = np.ones(len(pictures), np.float32)
    for new in np.flatnonzero(is_learned):
        others = np.arange(len(pictures)) != new
        alike = similarities(pictures[new : new + 1, 0], pictures[others])
        score = face_scores(alike, labels[others])[0]
        against = np.exp(np.delete(score, labels[new]) - score[labels[new]]).sum()
        weights[new] = _LEARNED_WEIGHT / (1 + against / _HALVING_ODDS)
    return weights


def face_scores(
    similarity: Array, labels: Array, faces: int = 6, weights: Array | None = None
) -> Array:
    """Return the mean likelihood of each face's pictures as a logarithm, (n, faces).

    similarity: (n, k), see `similarities`. labels: (k,), the number of each picture's face.
    weights: (k,), of each picture in the mean, by default equal.
    """
    share = np.zeros((len(labels), faces))
    share[np.arange(len(labels)), labels] = 1 if weights is None else weights
    total = share.sum(0)
    mean = np.exp(_SCALE * similarity.astype(np.float64)) @ (share / np.where(total, total, 1))
    return np.asarray(np.log(np.where(total, mean, np.exp(-_SCALE))), np.float32)
