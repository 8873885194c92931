"""Teach a deck: cut cards out of pictures that show one each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.cards.deck import PICTURE, TaughtDeck
from vision.cards.outline import lone_outline, shape_of
from vision.cards.reader import CardReader, at_reading_size
from vision.cards.titles import rectify
from vision.imaging.geometry import Image


def cut_out(pictures: Sequence[Image]) -> list[Image | None]:
    """Return the card that each picture (H, W, 3) shows, rectified; None where none is found.

    Each shows one card alone, its top at the top of the picture. Cards of one deck have one shape,
    and so whatever else seems to be a card in a picture is told from it by the others.
    """
    small = [at_reading_size(picture) for picture in pictures]
    first = [lone_outline(picture) for picture in small]
    shapes = [shape_of(outline) for outline in first if outline is not None]
    if not shapes:
        return [None] * len(pictures)
    shape = float(np.median(shapes))
    cards: list[Image | None] = []
    for picture, reduced in zip(pictures, small, strict=True):
        outline = lone_outline(reduced, shape)
        scale = picture.shape[1] / reduced.shape[1]
        cards.append(None if outline is None else rectify(picture, outline * scale, PICTURE))
    return cards


def self_check(deck: TaughtDeck) -> tuple[int, int]:
    """Return how many pictures of a deck the others identify, and how many they could."""
    reader = CardReader(deck)
    titles = [card.title for card in deck.cards]
    tested = [n for n, title in enumerate(titles) if titles.count(title) > 1]
    right = [n for n in tested if reader.identify(deck.cards[n].picture, n) == titles[n]]
    return len(right), len(tested)
