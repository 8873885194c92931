"""Teach a deck: cut cards out of pictures that show one each."""

from collections.abc import Sequence, Set

import cv2
import numpy as np

from vision.cards.agree import ALIKE, align_cards
from vision.cards.capture import begin_top_left, laid_outline
from vision.cards.deck import PICTURE, TaughtDeck
from vision.cards.outline import LikelyOutlines, best_outline, likely_outlines, outlines_of_size
from vision.cards.reader import resize_to_read
from vision.cards.sides import CARD, Outline, has_card_shape, outline_of, shape_of
from vision.cards.titles import TitleMatcher, rectify_card
from vision.imaging.geometry import Array, Image

_BROAD = 8
"""How broad the rim of a card is that is compared, mm."""
_LIKE = 0.5
"""The correlation from which two rims are alike: those of a card and of as many others as make a
layout, as frames have a few colours."""
_LARGER = 1.6
"""By what factor the sizes of two cards differ at most."""


def cut_out(pictures: Sequence[Image], ground: Image | None = None) -> list[Image | None]:
    """Return the card that each picture (H, W, 3) shows, rectified; None where none is found.

    Each shows one card alone, its top at the top of the picture. Cards of one deck have one shape,
    and a rim that others have too, and so whatever else seems to be a card is told from one.
    ground: the same without a card, through the same camera. With it a card is what changed, so
    that no pattern is taken for one; what differs from it otherwise is searched as without it.
    """
    small = [resize_to_read(picture) for picture in pictures]
    laid = [_laid_upright(picture, ground) for picture in small]
    likely = [
        likely_outlines(picture) if outline is None else LikelyOutlines([(1.0, outline)], [])
        for picture, outline in zip(small, laid, strict=True)
    ]
    first = [best_outline(each) for each in likely]
    shapes = [shape_of(outline) for outline in first if outline is not None]
    if not shapes:
        return [None] * len(pictures)
    shape = float(np.median(shapes))
    guessed = [
        best_outline(each, shape) if outline is None else outline
        for each, outline in zip(likely, laid, strict=True)
    ]
    certain = {n for n, outline in enumerate(laid) if outline is not None}
    found = _correct_outlines(small, guessed, certain)
    cards: list[Image | None] = []
    for picture, reduced, outline in zip(pictures, small, found, strict=True):
        scale = picture.shape[1] / reduced.shape[1]
        cards.append(None if outline is None else rectify_card(picture, outline * scale, PICTURE))
    return cards


def _laid_upright(picture: Image, ground: Image | None) -> Outline | None:
    """Return the outline of the upright card by which a picture differs from the ground."""
    outline = None if ground is None else laid_outline(picture, ground)
    if outline is None:
        return None
    outline = begin_top_left(outline)
    return outline if has_card_shape(outline) else None


def _correct_outlines(
    pictures: Sequence[Image], outlines: Sequence[Outline | None], certain: Set[int]
) -> Sequence[Outline | None]:
    """Return the outlines, those of other things than the deck's cards replaced or left out.

    certain: the numbers of those that stay.
    """
    there = [n for n, outline in enumerate(outlines) if outline is not None]
    rims = {n: _rim(pictures[n], outlines[n]) for n in there}
    sizes = {n: _size(outlines[n]) for n in there}
    usual = np.median([sizes[n] for n in there], axis=0)
    sized = [n for n in there if abs(np.log(sizes[n] / usual)).max() < np.log(_LARGER)]
    good = [
        n for n in sized
        if n in certain or _likeness(rims[n], [rims[m] for m in sized if m != n]) > _LIKE
    ]  # fmt: skip
    if len(good) <= ALIKE:
        # Too few to tell what the others should look like.
        return outlines
    known = [rims[n] for n in good]
    size = np.median([sizes[n] for n in good], axis=0)
    agreed: list[Outline | None] = []
    for n, picture in enumerate(pictures):
        if n in good or n in certain:
            agreed.append(outlines[n])
            continue
        tries = outlines_of_size(picture, (float(size[0]), float(size[1])))
        likely = [(_likeness(_rim(picture, outline), known), outline) for outline in tries]
        like, best = max(likely, key=lambda one: one[0])
        agreed.append(best if like > _LIKE else None)
    return agreed


def _size(outline: Outline | None) -> Array:
    """Return the width and height of an outline, pixels."""
    assert outline is not None
    lengths = np.linalg.norm(outline - np.roll(outline, -1, axis=0), axis=1)
    return np.array([lengths[::2].mean(), lengths[1::2].mean()], np.float32)


def _rim(picture: Image, outline: Outline | None) -> Array:
    """Return what a card's rim looks like in any light, one vector of length 1."""
    assert outline is not None
    card = rectify_card(picture, outline, CARD).astype(np.float32)
    soft = cv2.GaussianBlur(card, (0, 0), 1.0)
    inner = np.zeros(soft.shape[:2], bool)
    inner[_BROAD:-_BROAD, _BROAD:-_BROAD] = True
    rim = soft[~inner]
    rim -= rim.mean(axis=0)
    return np.asarray(rim.ravel() / (np.linalg.norm(rim) + 1e-6), np.float32)


def _likeness(rim: Array, others: Sequence[Array]) -> float:
    """Return the correlation of a rim with those that are most like it."""
    alike = sorted((float(rim @ other) for other in others), reverse=True)[:ALIKE]
    return float(np.mean(alike)) if alike else 0.0


def self_check(deck: TaughtDeck) -> tuple[int, int]:
    """Return how many pictures of a deck the other half identifies, and how many it could.

    Every other picture of a title is in the same half; a single one is in both.
    """
    titles = [card.title for card in deck.cards]
    pictures, odd = align_cards([card.picture for card in deck.cards])
    halves = [titles[:n].count(title) % 2 for n, title in enumerate(titles)]
    tested = [n for n, title in enumerate(titles) if titles.count(title) > 1]
    right = 0
    for half in (0, 1):
        taught = [n for n in range(len(titles)) if halves[n] == half or n not in tested]
        own_odd = frozenset(number for number, n in enumerate(taught) if n in odd)
        shown, named = [pictures[n] for n in taught], [titles[n] for n in taught]
        matcher = TitleMatcher(shown, named, odd=own_odd)
        for n in (n for n in tested if halves[n] != half):
            everywhere = outline_of(pictures[n].shape[1::-1])
            right += named[matcher.matches(pictures[n], everywhere)[0].number] == titles[n]
    return right, len(tested)
