"""Find cards by keypoints: where no outline of one card can be found.

Keypoints with a homography find cards that others cover partly, but take several times as long as
an outline and the histograms of `titles`, and are sure of half the titles only; see
docs/dev/decisions. So only what is no single card is left to them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.cards.sides import Mask, Outline, card_size, is_card_shaped, outline_of
from vision.imaging.geometry import Array, Image

_SCALE = 0.7
"""By how much pictures are reduced in which keypoints are searched."""
_SIZE = card_size(1.4)
"""Pixels of a taught card whose keypoints are kept."""
_FEATURES = 120
"""Keypoints of a taught card at most."""
_LEAST = 8
"""Keypoints that must agree on where a card lies."""
_OFF = 6.0
"""Pixels of the picture by which they may be off there."""
_NEARER = 0.85
"""How far a taught keypoint may be at most, as a share of how far the next of another title is."""


class _Keypoints(NamedTuple):
    places: Array
    """(n, 2), pixels."""
    descriptors: Array
    """(n, 128), of length 1."""


class FoundCard(NamedTuple):
    """A taught card that keypoints have found."""

    number: int
    """Which of the taught cards."""
    outline: Outline
    """About where it lies, from its own top left."""
    agreeing: int
    """How many keypoints say so."""


class KeypointFinder:
    """Finds taught cards in pictures. It keeps no state between calls."""

    def __init__(self, cards: Sequence[Image], titles: Sequence[str]) -> None:
        """`cards`: rectified, (h, w, 3) each, of any size; titles: theirs."""
        # SIFT (Lowe, "Distinctive image features from scale-invariant keypoints", 2004).
        self._titles = np.array(titles)
        # The keypoints of a title stand together.
        order = np.argsort(self._titles, kind="stable")
        points = [
            _keypoints(
                np.asarray(cv2.resize(cards[n], _SIZE, interpolation=cv2.INTER_AREA)), _FEATURES
            )
            for n in order
        ]
        self._places = np.concatenate([each.places for each in points])
        self._descriptors = np.concatenate([each.descriptors for each in points])
        self._cards = np.repeat(order, [len(each.places) for each in points])
        shown = self._titles[self._cards]
        self._starts = np.flatnonzero(np.append(True, shown[1:] != shown[:-1]))

    def find(
        self, picture: Image, where: Mask | None = None, corner: tuple[int, int] = (0, 0)
    ) -> list[FoundCard]:
        """Return the taught cards in a picture, a title once, the clearest first.

        where: the part in which they are searched; corner: its top left in the picture.
        """
        seen = _search(picture, where, corner)
        if len(seen.places) < _LEAST:
            return []
        pairs = self._pairs(seen)
        found: dict[str, FoundCard] = {}
        for number in np.unique(self._cards[pairs[:, 1]]):
            own = pairs[self._cards[pairs[:, 1]] == number]
            if len(own) < _LEAST:
                continue
            there, here = self._places[own[:, 1]], seen.places[own[:, 0]]
            # A homography through so few keypoints may lean anyhow.
            matrix, agreeing = cv2.estimateAffine2D(there, here, ransacReprojThreshold=_OFF)
            if matrix is None or int(agreeing.sum()) < _LEAST:
                continue
            outline = np.asarray(cv2.transform(outline_of(_SIZE)[None], matrix)[0], np.float64)
            if not is_card_shaped(outline):
                continue
            title = str(self._titles[number])
            one = FoundCard(int(number), outline, int(agreeing.sum()))
            if title not in found or found[title].agreeing < one.agreeing:
                found[title] = one
        return sorted(found.values(), key=lambda one: -one.agreeing)

    def _pairs(self, seen: _Keypoints) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """Return pairs (n, 2) of a seen and a taught keypoint that no other title resembles."""
        # Descriptors have one length nearly enough: the most alike are the nearest.
        likeness = seen.descriptors @ self._descriptors.T
        by_title = np.maximum.reduceat(likeness, self._starts, axis=1)
        rows = np.arange(len(by_title))
        first = by_title.argmax(axis=1)
        nearest = by_title[rows, first]
        by_title[rows, first] = -1.0
        rival = by_title.max(axis=1)
        chosen = np.flatnonzero(1 - nearest < _NEARER**2 * (1 - rival))
        return np.column_stack((chosen, likeness[chosen].argmax(axis=1)))


def _keypoints(
    picture: cv2.typing.MatLike, most: int, where: cv2.typing.MatLike | None = None
) -> _Keypoints:
    """Return the keypoints of a picture; where: 0 for pixels where none are searched."""
    detector = cv2.SIFT.create(most, contrastThreshold=0.02)
    points, descriptors = detector.detectAndCompute(
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), where
    )
    if not points:
        return _Keypoints(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
    places = np.array([point.pt for point in points], np.float32)
    lengths = np.maximum(np.linalg.norm(descriptors, axis=1, keepdims=True), 1e-6)
    return _Keypoints(places, np.asarray(descriptors / lengths, np.float32))


def _search(picture: Image, where: Mask | None, corner: tuple[int, int]) -> _Keypoints:
    """Return the keypoints of a picture, or of a part of it, in its pixels."""
    h, w = picture.shape[:2] if where is None else where.shape
    x, y = corner
    part = cv2.resize(
        picture[y : y + h, x : x + w], None, fx=_SCALE, fy=_SCALE, interpolation=cv2.INTER_AREA
    )
    mask = None
    if where is not None:
        size = part.shape[1::-1]
        mask = cv2.resize(where.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    found = _keypoints(part, 4 * _FEATURES, mask)
    scale = np.array((w / part.shape[1], h / part.shape[0]), np.float32)
    return found._replace(places=(found.places + 0.5) * scale - 0.5 + np.array(corner, np.float32))
