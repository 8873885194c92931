"""Classify faces by their similarity to the pictures of a profile."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.dice.faces.crops import INNER, WHOLE, embedder_crop, turned_crop
from vision.dice.faces.edges import edge_similarities, edge_vectors
from vision.dice.faces.embedder import Embedder
from vision.dice.faces.sharpness import sharpness
from vision.dice.profile import Profile
from vision.dice.reading import DICE
from vision.imaging.geometry import Array, FaceBox, Image

NO_FACE = 12.0
"""Score of a crop that shows no face of the profile, as trained."""
_SCALE = 20.0  # of a similarity, as trained
# Lead of a score over all others that is enough for a blurred face, whose digit may be gone, and
# for one that is hardly like its pictures, beside dice that are sure.
_CLEAR_LEAD = 4.0
# A face is shown if it scores _SHOWN more than no face. More is compared where it isn't, or leads
# by less than _FAR.
_SHOWN, _FAR = 1.0, 4.5
_MOST_AGAIN = DICE + 1  # faces cropped again
# What the inner part says of two close faces weighs half. A learned picture weighs a fifth there of
# what it weighs elsewhere, so that a slip made twice rarely outweighs what was taught.
_INNER_WEIGHT, _INNER_LEARNED = 0.5, 0.2
_EDGES_LEAD = 3.0  # of a face by its edges: enough to be sure, and no evidence that this is a die
# Similarity of the edges, mean of the whole face and its inner part, that shows a face in glare.
# Faces that nobody taught hardly ever reach it. The edges themselves must lead by _SURE_LEAD: those
# of a small one and two in the same ring hardly differ. And the whole and the inner part must show
# the same face by them.
_EDGES_SHOW, _SURE_LEAD = 0.5, 2.0
# A set is ornate if more than this share of its pairs of faces pass for each other. Edges show its
# ornaments: a face must lead by _SURE_LEAD without them, however like its pictures it is.
_ORNATE = 1 / 3
_SHIFT = 0.2  # half edges by which a face is framed further to each side
_BLURRED = 0.55  # octaves by which a face is more blurred than its pictures
# A learned picture weighs two thirds of a taught one, and less where all others say that it shows
# another face: at odds of 5 to 1 against the player, half of that.
_LEARNED_WEIGHT, _HALVING_ODDS = 2 / 3, 5.0
# Learned pictures show no face that taught ones alone put behind another by more: a player may slip
# twice. Beside dice that are sure it may be trusted all the same, or hardly anything was learned.
_CONTRADICTED = 1.0


class ComparedPicture(NamedTuple):
    """What is compared of one picture of a profile: first all of it, then its inner part."""

    vectors: Array
    """(2, TURNS, d), by the embedder."""
    edges: Array
    """(2, 4, e), see `edge_vectors`."""
    sharpness: float
    """Of the whole face, see there."""


class ToldFaces(NamedTuple):
    """What dice show."""

    scores: Array
    """(n, 6): log-likelihoods of the profile's faces, where NO_FACE is that of none."""
    shown: npt.NDArray[np.bool_]
    """(n,): whether the likeliest face is surely there. It isn't in what is burnt out or
    blurred, may be another number in the same ornaments, or is none of the profile's faces."""
    outlined: npt.NDArray[np.bool_]
    """(n,): whether its edges alone show it, as in glare."""
    clear: npt.NDArray[np.bool_]
    """(n,): whether it leads clearly, edges show no other one, and it is no number that may be
    another in the same ornaments."""


class FaceClassifier:
    """Tells the faces of one profile. Not for two threads at a time."""

    def __init__(
        self, embedder: Embedder, profile: Profile, before: "FaceClassifier | None" = None
    ) -> None:
        """Embed the profile's pictures, except those that `before` has embedded already."""
        self._embedder, self._profile = embedder, profile
        pictures = [
            (number, picture, origin is profile.learned)
            for origin in (profile.taught, profile.learned)
            for number, face in enumerate(profile.faces)
            for picture in origin.get(face, ())
        ]
        self._labels = np.array([number for number, _, _ in pictures])
        keys = [sha256(picture.tobytes()).digest() for _, picture, _ in pictures]
        known = before._known if before else {}
        prepared = {
            key: known[key] if key in known else _prepare(embedder, picture)
            for key, (_, picture, _) in zip(keys, pictures, strict=True)
        }
        kept = [prepared[key] for key in keys]
        sharp = np.array([picture.sharpness for picture in kept])
        # Of each face's pictures; a face without any is never the likeliest one.
        counts = np.maximum(np.bincount(self._labels, minlength=6), 1)
        self._sharpness = np.bincount(self._labels, sharp, minlength=6) / counts
        vectors, edges = (np.stack([picture[part] for picture in kept], 1) for part in (0, 1))
        self._vectors, self._inner = vectors
        self._edges, self._inner_edges = edges
        # Views: another copy would take 68 kB a picture.
        self._known: dict[bytes, ComparedPicture] = {
            key: ComparedPicture(vectors[:, n], edges[:, n], float(sharp[n]))
            for n, key in enumerate(keys)
        }
        self._is_learned = np.array([learned for *_, learned in pictures])
        self._weights = picture_weights(self._vectors, self._labels, self._is_learned)
        self._inner_weights = np.where(self._is_learned, _INNER_LEARNED, 1.0) * self._weights
        taught = ~self._is_learned
        self._ornate = passing_share(self._vectors[taught], self._labels[taught]) > _ORNATE

    def tell(
        self, levels: Sequence[Image], boxes: Sequence[FaceBox], crops: Sequence[Image]
    ) -> ToldFaces:
        """Return which faces boxes show.

        levels: the picture's pyramid; crops: of the boxes, see `embedder_crop`. Where the best two
        faces are close, or the best one is hardly shown, the inner part of the face is compared as
        well, since a one and a two in the same ring differ only there, and the edges of both, which
        glare leaves as they are. If that doesn't help, the box is cropped a little otherwise too,
        and each picture counts by the most similar of these crops.
        """
        found = self._similarities(crops, self._vectors)
        scores = face_scores(found, self._labels, self._weights)
        unclear = (_leads(scores) < _FAR) | (scores.max(1, initial=0.0) < NO_FACE + _SHOWN)
        close, outlined = np.zeros((2, len(scores)), bool)
        agreed = np.ones(len(scores), bool)
        for i in np.flatnonzero(unclear)[:_MOST_AGAIN]:
            told = self._tell_apart(levels, boxes[i], crops[i], found[i])
            scores[i], close[i], agreed[i], outlined[i] = told
        shown = scores.max(1, initial=0.0) >= NO_FACE + _SHOWN
        doubtful = self._find_blurred(crops, scores) | self._find_contradicted(found, scores)
        certain = ~doubtful & ~close
        clear = agreed & ~close & (_leads(scores) > _CLEAR_LEAD)
        return ToldFaces(scores, certain & shown, certain & outlined & ~shown, clear)

    def _find_blurred(self, crops: Sequence[Image], scores: Array) -> npt.NDArray[np.bool_]:
        """Return which faces are too blurred to be sure by how little they lead, (n,)."""
        blurred = np.zeros(len(scores), bool)
        for i in np.flatnonzero(_leads(scores) < _CLEAR_LEAD).tolist():
            usual = self._sharpness[scores[i].argmax()]
            blurred[i] = sharpness(crops[i]) < usual - _BLURRED
        return blurred

    def _find_contradicted(self, found: Array, scores: Array) -> npt.NDArray[np.bool_]:
        """Return which faces are told by learned pictures against clear taught ones, (n,).

        found: similarities by the crops, (n, k).
        """
        by_taught = face_scores(found, self._labels, ~self._is_learned)
        best = scores.argmax(1)
        behind = by_taught.max(1) - by_taught[np.arange(len(best)), best]
        return np.asarray(np.isin(best, self._labels[self._is_learned]) & (behind > _CONTRADICTED))

    def _tell_apart(
        self, levels: Sequence[Image], box: FaceBox, crop: Image, found: Array
    ) -> tuple[Array, bool, bool, bool]:
        """Return what an unclear face shows, as `_compare`.

        found: its similarities by the crop, (k,).
        """
        inner = [embedder_crop(levels, box, INNER)]
        told = self._compare(found, [crop], inner)
        scores, *_ = told
        if scores.max() >= NO_FACE + _SHOWN and _leads(scores) >= _FAR:
            return told
        turned = _turn_and_scale(box)
        reframed = [*turned, *_shift(box)]
        whole = [embedder_crop(levels, each) for each in reframed]
        inner += [embedder_crop(levels, each, INNER) for each in reframed]
        found = np.maximum(found, self._similarities(whole, self._vectors).max(0))
        return self._compare(found, [crop, *whole[: len(turned)]], inner)

    def _compare(
        self, found: Array, whole: Sequence[Image], inner: Sequence[Image]
    ) -> tuple[Array, bool, bool, bool]:
        """Return the scores of a face (6,), see `ToldFaces`, by crops of it and of its inner part.

        Besides, whether it may be another number in the same ornaments; whether its edges show the
        likeliest face too, those of the whole and those of the inner part; and whether they do so
        well enough to show it alone.

        found: similarities by those of the face, (k,). whole: those whose edges are compared.
        inner: in the same frames, then in shifted ones, where edges aren't compared, since they are
        shifted anyway.
        """
        alike = (
            (found, self._weights),
            (self._similarities(inner, self._inner).max(0), self._inner_weights),
            (edge_similarities(whole, self._edges), self._weights),
            (edge_similarities(inner[: len(whole)], self._inner_edges), self._inner_weights),
        )
        by_whole, by_inner, by_edges, by_inner_edges = (
            face_scores(similarity[None], self._labels, weights)[0] for similarity, weights in alike
        )
        embedded = _add_differences(by_whole, _INNER_WEIGHT * by_inner)
        edges = by_edges + by_inner_edges
        scores = _add_differences(embedded, edges, _EDGES_LEAD)
        best = int(scores.argmax())
        led, led_by_edges = (each[best] - np.delete(each, best).max() for each in (embedded, edges))
        agreed = best == by_edges.argmax() == by_inner_edges.argmax()
        outlined = agreed and edges[best] >= 2 * _SCALE * _EDGES_SHOW and led_by_edges > _SURE_LEAD
        close = self._ornate and led < _SURE_LEAD
        return scores, bool(close), bool(agreed), bool(outlined)

    def _similarities(self, crops: Sequence[Image], vectors: Array) -> Array:
        if not crops:
            return np.zeros((0, len(self._labels)), np.float32)
        return similarities(self._embedder.embed(crops), vectors)


def _prepare(embedder: Embedder, picture: Image) -> ComparedPicture:
    parts = (WHOLE, INNER)
    crops = [turned_crop(picture, 0, part) for part in parts]
    # Edges are compared by quarter turns: more confuse symbols.
    turned = [[np.rot90(crop, quarter) for quarter in range(4)] for crop in crops]
    return ComparedPicture(
        np.concatenate([embedder.embed_turned([picture], part) for part in parts]),
        np.stack([edge_vectors(each) for each in turned]),
        sharpness(crops[0]),
    )


def _add_differences(scores: Array, more: Array, most: float = inf) -> Array:
    """Return the scores of one face (6,) with what `more` (6,) says of the differences.

    The best score stays: whether it is any of the faces is told by the whole. The best leads by at
    most `most`, or by as much as it does in `scores`.
    """
    off = scores + more
    off -= off.max()
    lead, before = (float(_leads(each)) for each in (off, scores))
    if lead > max(most, before):
        off *= max(most, before) / lead
    return np.asarray(off + scores.max(), np.float32)


def _leads(scores: Array) -> Array:
    """Return the lead of the best score over the second, (...); scores: (..., 6)."""
    second, best = np.moveaxis(np.sort(scores)[..., -2:], -1, 0)
    return np.asarray(best - second)


def _turn_and_scale(box: FaceBox) -> list[FaceBox]:
    """Return the box as it lies if it was framed askew, or too large or small."""
    c, s = np.cos(np.radians(6)), np.sin(np.radians(6))
    turn = np.array([[c, -s], [s, c]], np.float32)
    ways = (box.axes @ turn, box.axes @ turn.T, box.axes * 0.94, box.axes * 1.07)
    return [replace(box, axes=np.asarray(axes, np.float32)) for axes in ways]


def _shift(box: FaceBox) -> list[FaceBox]:
    """Return the box as it lies if it was framed too far to one side.

    Where a die's side is as light as its top, the frame lies up to a sixth of an edge towards that.
    """
    ways = _SHIFT * np.concatenate([box.axes.T, -box.axes.T])
    return [replace(box, x=box.x + float(x), y=box.y + float(y)) for x, y in ways]


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


def passing_share(pictures: Array, labels: Array) -> float:
    """Return the share of pairs of faces of which pictures of one show the other, in [0, 1].

    That is, they would if their own face were not known. pictures: (n, TURNS, d), labels: (n,).
    """
    scores = face_scores(similarities(pictures[:, 0], pictures), labels)
    means = np.eye(6)[labels].T @ scores
    means /= np.maximum(np.bincount(labels, minlength=6), 1)[:, None]
    return float((means >= NO_FACE)[~np.eye(6, dtype=bool)].mean())


def face_scores(similarity: Array, labels: Array, weights: npt.ArrayLike = 1.0) -> Array:
    """Return the mean likelihood of each face's pictures as a logarithm, (n, 6).

    similarity: (n, k), see `similarities`. labels: (k,), the number of each picture's face.
    weights: (k,), of each picture in the mean, by default equal.
    """
    share = np.zeros((len(labels), 6))
    share[np.arange(len(labels)), labels] = weights
    total = share.sum(0)
    mean = np.exp(_SCALE * similarity.astype(np.float64)) @ (share / np.where(total, total, 1))
    return np.asarray(np.log(np.where(total, mean, np.exp(-_SCALE))), np.float32)
