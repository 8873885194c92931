"""Tell which taught card a picture shows, and where exactly it lies.

A rectified card is compared with all taught ones by histograms of gradients (Dalal and Triggs,
"Histograms of oriented gradients for human detection", 2005), which bear an outline that is a
little off. The best are laid onto the picture to a fraction of a pixel by enhanced correlation
(Evangelidis and Psarakis, "Parametric image alignment using enhanced correlation coefficient
maximization", 2008), and compared cell by cell: what glare has burnt out says nothing, and what two
titles share can't tell them apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.sides import Mask, Outline
from vision.imaging.geometry import Array, Image

SIZE = (96, 134)
"""Pixels of a rectified card: its width and height."""
CELLS = (6, 8)
"""Cells of a card, across and along."""
_CELL, _BINS = 4, 8
"""Pixels of a cell of the histograms, and directions in it."""
_AROUND = 8.0
"""How far the surroundings of a pixel reach whose contrast is taken, pixels."""
_BURNT = 245
"""The grey level of all three channels from which a pixel is burnt out."""
_UNLIKE = 0.5
"""The correlation of a cell below which two titles differ there."""
_OWN = 0.6
"""The mean correlation that a title's own cells must have, for a reading that is sure."""
_AHEAD = 0.25
"""By how much it must be ahead of every other title, in the cells where the two differ."""
_TRIED = 5
"""Titles that are laid onto the picture."""
_FITS = 0.87
"""The mean correlation from which no other title needs to be tried."""


def rectify(picture: Image, outline: Outline, size: tuple[int, int] = SIZE) -> Image:
    """Return a card as seen from straight above, upright: (h, w, 3); size: (w, h)."""
    matrix = cv2.getPerspectiveTransform(outline.astype(np.float32), _corners(size))
    flat = cv2.warpPerspective(
        picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.uint8)


def _corners(size: tuple[int, int]) -> Array:
    w, h = size
    return np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)


class CardMatch(NamedTuple):
    """A taught card laid onto a picture."""

    number: int
    """Which of the taught cards."""
    outline: Outline
    """Where the card lies, from its own top left."""
    cells: Array
    """(CELLS[1], CELLS[0]): the correlation of each cell, NaN where nothing can be seen."""

    @property
    def likeness(self) -> float:
        """The mean correlation of what can be seen, in [0, 1]; 0 if that is less than a sixth."""
        return _mean(self.cells, np.ones(self.cells.shape, bool))


def _mean(cells: Array, which: Mask) -> float:
    """Return the mean of some cells that can be seen; 0 if those are less than a sixth of them."""
    seen = cells[which & np.isfinite(cells)]
    if not len(seen) or len(seen) < which.sum() / 6:
        return 0.0
    return float(np.clip(seen, 0, 1).mean())


class TitleMatcher:
    """Compares pictures with taught cards. It keeps no state between calls."""

    def __init__(self, cards: Sequence[Image]) -> None:
        """`cards`: rectified, (h, w, 3) each, of any size."""
        small = [
            np.asarray(cv2.resize(c, SIZE, interpolation=cv2.INTER_AREA), np.uint8) for c in cards
        ]
        self._flat = [local_contrast(card, _AROUND) for card in small]
        histograms = np.stack([_histograms(card) for card in small])
        # What all cards have in common, such as their frame, tells nothing.
        self._usual = histograms.mean(axis=0) if len(cards) > 1 else np.zeros_like(histograms[0])
        self._known = _unit(histograms - self._usual)
        whole = np.ones((SIZE[1], SIZE[0]), bool)
        self._alike = np.array(
            [[_correlations(one, other, whole) for other in self._flat] for one in self._flat]
        )

    def matches(
        self, picture: Image, outline: Outline, without: int | None = None
    ) -> list[CardMatch]:
        """Return the likeliest cards in an outline of unknown turn, the likeliest first.

        without: the number of a taught card that isn't compared.
        """
        tries = []
        for turn in (0, 2):
            turned = np.roll(outline, turn, axis=0)
            for size in (0.99, 0.95, 0.91):
                # A sleeve is wider than its card.
                middle = turned.mean(axis=0)
                place = middle + (turned - middle) * size
                scores = self._resemblance(rectify(picture, place))
                tries += [(float(s), n, place) for n, s in enumerate(scores) if n != without]
        tries.sort(key=lambda one: -one[0])
        found: list[CardMatch] = []
        for _, number, place in tries:
            if len(found) == _TRIED or (found and found[-1].likeness > _FITS):
                break
            if all(match.number != number for match in found):
                found.append(self.laid(number, picture, place))
        return sorted(found, key=lambda match: -match.likeness)

    def _resemblance(self, card: Image) -> Array:
        """Return how much each taught card resembles a rectified one in what can be seen of it."""
        seen = _visible(card)
        known, found = self._known, _histograms(card) - self._usual
        if not seen.all():
            known, found = _unit(known * seen), found * seen
        return np.asarray(known @ _unit(found[None])[0], np.float32)

    def laid(self, number: int, picture: Image, outline: Outline) -> CardMatch:
        """Return a card laid onto the picture, from about where it lies."""
        place = outline
        warp = np.eye(3, dtype=np.float32)
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-3)
        seen = local_contrast(rectify(picture, place), _AROUND)
        everywhere = np.full(seen.shape, 255, np.uint8)
        try:
            _, found = cv2.findTransformECC(
                self._flat[number], seen, warp, cv2.MOTION_HOMOGRAPHY, stop, everywhere, 5
            )
        except cv2.error:
            # The two have nothing in common.
            found = warp
        onto = cv2.getPerspectiveTransform(_corners(SIZE), place.astype(np.float32))
        moved = cv2.perspectiveTransform(_corners(SIZE)[None], onto @ found)[0]
        if np.isfinite(moved).all() and cv2.isContourConvex(moved):
            place = moved.astype(np.float64)
        return CardMatch(number, place, self._cells(number, picture, place))

    def likeness_at(self, picture: Image, match: CardMatch) -> float:
        """Return the likeness of the card of a match to what another picture shows in its place."""
        return match._replace(cells=self._cells(match.number, picture, match.outline)).likeness

    def _cells(self, number: int, picture: Image, outline: Outline) -> Array:
        flat = rectify(picture, outline)
        return _correlations(local_contrast(flat, _AROUND), self._flat[number], ~_burnt(flat))

    def is_sure(self, match: CardMatch, rivals: Sequence[int]) -> bool:
        """Return whether a match is told from cards of other titles by what it doesn't share.

        rivals: the numbers of all taught cards of other titles.
        """
        if not rivals:
            return match.likeness > _FITS
        alike = self._alike[match.number][list(rivals)]
        # Where it is unlike most others, it is like itself only.
        own = np.median(alike, axis=0) < _UNLIKE
        if own.sum() < 2 or _mean(match.cells, own) < _OWN:
            return False
        differs = alike < _UNLIKE
        seen = differs & np.isfinite(match.cells)
        count, most = seen.sum(axis=(1, 2)), differs.sum(axis=(1, 2))
        if (most < 2).any() or (count < most / 6).any():
            return False
        ahead = np.clip(np.nan_to_num(match.cells), 0, 1) - np.clip(alike, 0, 1)
        return bool(((ahead * seen).sum(axis=(1, 2)) > _AHEAD * count).all())


def _histograms(card: Image) -> npt.NDArray[np.float32]:
    """Return how edges run in each part of a rectified card, one vector."""
    grey = cv2.GaussianBlur(cv2.cvtColor(card, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
    right, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    size, turn = cv2.cartToPolar(right, down)
    # The rim of a burnt spot is no edge of the card.
    size = np.where(_burnt(card), 0, size / (cv2.GaussianBlur(size, (0, 0), 12) + 8))
    place = turn * (_BINS / (2 * np.pi))
    first = np.floor(place)
    part = place - first
    bins = first.astype(np.int32) % _BINS
    small = (SIZE[0] // _CELL, SIZE[1] // _CELL)
    cells = []
    for number in range(_BINS):
        first_share = np.where(bins == number, 1 - part, 0)
        next_share = np.where((bins + 1) % _BINS == number, part, 0)
        share = np.asarray(size * (first_share + next_share), np.float32)
        soft = cv2.GaussianBlur(share, (0, 0), _CELL)
        cells.append(cv2.resize(soft, small, interpolation=cv2.INTER_AREA))
    return np.sqrt(np.stack(cells)).ravel().astype(np.float32)


def _burnt(card: Image) -> Mask:
    """Return which pixels are burnt out, or close to one that is."""
    burnt = (card.min(axis=2) > _BURNT).astype(np.uint8)
    return np.asarray(cv2.dilate(burnt, np.ones((5, 5), np.uint8)) > 0)


def _visible(card: Image) -> Mask:
    """Return which numbers of its histograms say something: not those where a card is burnt out."""
    burnt = _burnt(card).astype(np.float32)
    share = cv2.GaussianBlur(burnt, (0, 0), _CELL)
    small = cv2.resize(share, (SIZE[0] // _CELL, SIZE[1] // _CELL), interpolation=cv2.INTER_AREA)
    return np.tile((small < 0.25).ravel(), _BINS)


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6), np.float32)


def local_contrast(picture: Image, around: float) -> Array:
    """Return a picture in grey, the light taken out: as far from its surroundings' mean."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    mean = cv2.GaussianBlur(grey, (0, 0), around)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur(grey * grey, (0, 0), around) - mean * mean, 0))
    return np.asarray((grey - mean) / (spread + 6), np.float32)


def _correlations(one: Array, other: Array, seen: Mask) -> Array:
    """Return the correlation of two flattened cards in each cell; NaN if under 60 % is seen."""
    rows = np.linspace(0, SIZE[1], CELLS[1] + 1).astype(int)
    columns = np.linspace(0, SIZE[0], CELLS[0] + 1).astype(int)

    def sums(values: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
        by_row = np.add.reduceat(values.astype(np.float64), rows[:-1], axis=0)
        return np.asarray(np.add.reduceat(by_row, columns[:-1], axis=1), np.float64)

    weight = seen.astype(np.float64)
    count = np.maximum(sums(weight), 1)
    x, y = one * weight, other * weight
    covariance = sums(x * y) - sums(x) * sums(y) / count
    spread = (sums(x * x) - sums(x) ** 2 / count) * (sums(y * y) - sums(y) ** 2 / count)
    cells = covariance / (np.sqrt(np.maximum(spread, 0)) + 1e-3 * count)
    whole = sums(np.ones_like(weight))
    return np.asarray(np.where(sums(weight) < 0.6 * whole, np.nan, cells), np.float32)
