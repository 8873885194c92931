"""Cut the taught cards of a deck alike: what all of them print in one place is in one place.

An outline that was found along a card's inner frame, or with a strip of the tray, gives a picture
that is compared in the wrong places. Frames, windows and rows of text are the same on most cards,
so each is laid onto the mean of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.cards.titles import SIZE, local_contrast
from vision.imaging.geometry import Array, Image

_AROUND = 8.0
"""How far the surroundings of a pixel reach whose contrast is taken, pixels."""
_ROUNDS = 2
"""How often all are laid onto their mean."""
_FEWEST = 6
"""Cards whose mean shows what they have in common."""
_BETTER, _LIKE = 0.1, 0.75
"""By how much the correlation with the mean must grow, and what it must be then. Cards that hardly
share anything but a frame have less, and stay as they were cut."""
_ODD = 0.7
"""The correlation with the mean below which a card looks odd, in a deck whose cards have more. In
any other deck, a third of what most of its cards have."""
_FARTHEST = 0.12
"""Shares of a card by which its corners are moved at most."""


class AgreedCards(NamedTuple):
    """The taught cards of a deck, cut alike."""

    pictures: list[Image]
    """All cards, in their order."""
    odd: frozenset[int]
    """The numbers of those that still look cut otherwise than most: they are no evidence."""


def agreeing(cards: Sequence[Image]) -> AgreedCards:
    """Return rectified cards (h, w, 3), cut so that they agree best with each other."""
    if len(cards) < _FEWEST:
        return AgreedCards(list(cards), frozenset())
    small = [np.asarray(cv2.resize(c, SIZE, interpolation=cv2.INTER_AREA), np.uint8) for c in cards]
    flat = [local_contrast(card, _AROUND) for card in small]
    laid, warps = flat, [np.eye(3, dtype=np.float32) for _ in cards]
    for _ in range(_ROUNDS):
        usual = np.asarray(np.mean(laid, axis=0), np.float32)
        warps = [_warp(usual, card, warp) for card, warp in zip(flat, warps, strict=True)]
        laid = [_laid(card, warp) for card, warp in zip(flat, warps, strict=True)]
    usual = np.asarray(np.mean(laid, axis=0), np.float32)
    like = np.array([_correlation(usual, card) for card in laid])
    median = float(np.median(like))
    odd = np.flatnonzero(like < (_ODD if median > _LIKE else median / 3))
    pictures = [_cut(card, warp) for card, warp in zip(cards, warps, strict=True)]
    return AgreedCards(pictures, frozenset(odd.tolist()))


def _warp(usual: Array, card: Array, earlier: Array) -> Array:
    """Return where each place of the mean is on a card; as before if that is no better."""
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
    everywhere = np.full(card.shape, 255, np.uint8)
    try:
        _, warp = cv2.findTransformECC(
            usual, card, earlier.copy(), cv2.MOTION_HOMOGRAPHY, stop, everywhere, 9
        )
    except cv2.error:
        # The two have nothing in common.
        return earlier
    found = np.asarray(warp, np.float32)
    w, h = SIZE
    corners = np.array([[(0, 0), (w, 0), (w, h), (0, h)]], np.float32)
    moved = cv2.perspectiveTransform(corners, found) - corners
    if not np.isfinite(moved).all() or (abs(moved) > _FARTHEST * np.array(SIZE)).any():
        return earlier
    like = _correlation(usual, _laid(card, found))
    better = like - _correlation(usual, _laid(card, earlier))
    return found if like > _LIKE and better > _BETTER else earlier


def _laid(card: Array, warp: Array) -> Array:
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = cv2.warpPerspective(card, warp, SIZE, flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(laid, np.float32)


def _correlation(one: Array, other: Array) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def _cut(card: Image, warp: Array) -> Image:
    """Return a card, of any size, cut as a warp of a small one says."""
    if np.array_equal(warp, np.eye(3)):
        return card
    h, w = card.shape[:2]
    scale = np.diag((w / SIZE[0], h / SIZE[1], 1.0))
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    whole = scale @ warp.astype(np.float64) @ np.linalg.inv(scale)
    cut = cv2.warpPerspective(card, whole, (w, h), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)
