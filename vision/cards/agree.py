"""Cut the taught cards of a deck alike: what all of them print in one place is in one place.

An outline that was found along a card's inner frame, or with a strip of the tray, gives a picture
that is compared in the wrong places. Frames, windows and rows of text are the same on most cards,
so each is laid onto the mean of all.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.sides import SAME_PLACE, Mask, move, outline_of
from vision.cards.titles import SIZE, local_contrast, shrink
from vision.imaging.geometry import Array, Image
from vision.imaging.overlay import LIKE, align, lay

_ROUNDS = 2
"""How often all are laid onto their mean."""
_FEWEST = 6
"""Cards whose mean shows what they have in common."""
_BETTER = 0.1
"""By how much the correlation with the mean must grow."""
_ODD = 2.2
"""How much more than of most cards the mean leaves unexplained of one that looks odd, by
`1 - correlation`: of 528 good cards of 24 drawn decks 2.05 times as much at most, of cards cut off
or burnt out by half 2.3 at least."""
_LEAST = 1 / 3
"""The share of most cards' correlation with the mean below which one looks odd even in a deck whose
cards have little in common: of 22 photographed cards one that is cut off has less 19 times."""
ALIKE, _SHARED = 3, 0.7
"""Cards with which another one makes a layout, such as other frames for a kind of cards, and its
least mean correlation with those that are most like it."""
_APART = 0.46
"""The same where most of these look odd, too: cards cut off are most like the others, or have 0.44
at most, and four of another layout have 0.48 at least, in 12 drawn decks."""
_FARTHEST = 2 * SAME_PLACE
"""Shares of a card by which its corners are moved at most."""
_FRAME = 0.06
"""The share of a card beyond its frame, on each side."""


class AgreedCards(NamedTuple):
    """The taught cards of a deck, cut alike."""

    pictures: list[Image]
    """All cards, in their order."""
    odd: frozenset[int]
    """The numbers of those that still look cut otherwise than most: they are no evidence."""


def align_cards(cards: Sequence[Image], progress: Callable[[], None] = lambda: None) -> AgreedCards:
    """Return rectified cards (h, w, 3), cut so that they agree best with each other.

    progress: called after each card.
    """
    if len(cards) < _FEWEST:
        return AgreedCards(list(cards), frozenset())
    flat = [local_contrast(shrink(card)) for card in cards]
    laid, warps = flat, [np.eye(3, dtype=np.float32) for _ in cards]
    for _ in range(_ROUNDS):
        usual = np.asarray(np.mean(laid, axis=0), np.float32)
        for number, card in enumerate(flat):
            warps[number] = _warp(usual, card, warps[number])
            progress()
        laid = [lay_cut(card, warp) for card, warp in zip(flat, warps, strict=True)]
    usual = np.asarray(np.mean(laid, axis=0), np.float32)
    like = np.array([correlation(usual, card) for card in laid])
    most = float(np.median(like))
    odd = set(np.flatnonzero((1 - like > _ODD * (1 - most)) | (like < _LEAST * most)).tolist())
    for number, start in product(sorted(odd), (np.eye(3, dtype=np.float32), _frame_warp())):
        # Now that the mean is sharp, much of a card may be missing.
        warp = align_cut(usual, flat[number], start)
        if correlation(usual, lay_cut(flat[number], warp), _shown_pixels(SIZE, warp)) > LIKE:
            warps[number] = warp
            odd.discard(number)
    return AgreedCards(_cut(cards, warps), frozenset(_without_layouts(odd, laid)))


def _without_layouts(odd: set[int], laid: Sequence[Array]) -> set[int]:
    """Return the cards that look odd, but those that have a layout in common with others.

    In a deck with few equipment cards, say, these agree with each other, not with the mean.
    """
    if not odd or len(laid) <= ALIKE:
        return odd
    likeness = np.corrcoef(np.array([card.ravel() for card in laid]))
    np.fill_diagonal(likeness, -1.0)

    def has_layout(number: int) -> bool:
        alike = np.argsort(-likeness[number])[:ALIKE]
        apart = len(odd.intersection(alike.tolist())) > ALIKE / 2
        return bool(likeness[number, alike].mean() >= (_APART if apart else _SHARED))

    return {number for number in odd if not has_layout(number)}


def _frame_warp() -> Array:
    """Return about where each place of a whole card is on one that was cut along its frame."""
    w, h = SIZE
    inner = 1 - 2 * _FRAME
    corner = (-_FRAME * w / inner, -_FRAME * h / inner)
    return np.array([(1 / inner, 0, corner[0]), (0, 1 / inner, corner[1]), (0, 0, 1)], np.float32)


def _warp(usual: Array, card: Array, earlier: Array) -> Array:
    """Return where each place of the mean is on a card; as before if that is no better."""
    found = align_cut(usual, card, earlier)
    like = correlation(usual, lay_cut(card, found))
    better = like - correlation(usual, lay_cut(card, earlier))
    return found if like > LIKE and better > _BETTER else earlier


def align_cut(usual: Array, card: Array, earlier: Array) -> Array:
    """Return where each place of the mean is on a card; as before if that is too far away.

    usual, card: contrasts (SIZE[1], SIZE[0]); earlier: where it was before, (3, 3).
    """
    _, found = align(usual, card, earlier, 9)
    corners = outline_of(SIZE)
    moved = move(corners, found) - corners
    near = np.isfinite(moved).all() and (abs(moved) <= _FARTHEST * np.array(SIZE)).all()
    return found if near else earlier


def lay_cut(card: Array, warp: Array) -> Array:
    """Return a card's contrast, each place where `align_cut` found it."""
    return np.asarray(lay(card, warp, SIZE), np.float32)


def lay_card(card: Image, warp: Array) -> Image:
    """Return a card of any size, each place where `align_cut` found it on its contrast."""
    size = card.shape[1::-1]
    return np.asarray(lay(card, _enlarge_warp(warp, size), size), np.uint8)


def _enlarge_warp(warp: Array, size: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Return a warp of contrasts as one of cards of this size, (w, h)."""
    scale = np.diag((size[0] / SIZE[0], size[1] / SIZE[1], 1.0))
    return np.asarray(scale @ warp.astype(np.float64) @ np.linalg.inv(scale), np.float64)


def _shown_pixels(size: tuple[int, ...], warp: npt.NDArray[np.floating]) -> Mask:
    """Return which pixels of a card of this size its picture shows, laid by a warp."""
    everywhere = np.full(size[::-1], 255, np.uint8)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(everywhere, warp, size, flags=how) == 255)


def correlation(one: Array, other: Array, where: Mask | None = None) -> float:
    """Return the correlation of two contrasts, in [-1, 1]; where: the pixels that count."""
    shown = np.ones(one.shape, bool) if where is None else where
    return float(np.corrcoef(one[shown], other[shown])[0, 1])


def _cut(cards: Sequence[Image], warps: Sequence[Array]) -> list[Image]:
    """Return cards, all of one size, cut as the warps of small ones say.

    What a picture doesn't show, because the card was cut along its frame, is filled with what most
    cards show there: that tells it from none.
    """
    size = cards[0].shape[1::-1]
    cut = [lay_card(card, warp) for card, warp in zip(cards, warps, strict=True)]
    shown = [_shown_pixels(size, _enlarge_warp(warp, size)) for warp in warps]
    usual = _usual_print(cut, shown)
    return [
        np.asarray(np.where(seen[..., None], card, usual), np.uint8)
        for card, seen in zip(cut, shown, strict=True)
    ]


def _usual_print(cards: Sequence[Image], shown: Sequence[Mask]) -> Image:
    """Return the median of what cards show in each place that not all of them show; 0 elsewhere."""
    usual = np.zeros_like(cards[0])
    some = ~np.all(shown, axis=0) & np.any(shown, axis=0)
    seen = np.array([card[some] for card in cards], np.float32)
    seen[~np.array([mask[some] for mask in shown])] = np.nan
    usual[some] = np.nanmedian(seen, axis=0)
    return usual
