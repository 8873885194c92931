"""Draws decks whose cards have little that tells them apart, or look alike when they are turned."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from tests.tools.bench.drawn_decks import PER_MM, TITLES, DrawnDeck
from vision.cards.signs import RANKS, SUITS
from vision.imaging.geometry import Image
from vision.simulate.cards.art import CARD
from vision.simulate.cards.art import SUITS as SUIT_SHAPES
from vision.simulate.shapes import draw_shapes

PIPS = {
    "A": (),
    "2": ((1, 0),),
    "3": ((1, 0),),
    "4": ((0, 0), (2, 0)),
    "5": ((0, 0), (2, 0)),
    "6": ((0, 0), (2, 0)),
    "7": ((0, 0), (2, 0)),
    "8": ((0, 0), (2, 0), (1, 1.5)),
    "9": ((0, 0), (2, 0), (0, 2), (2, 2)),
    "10": ((0, 0), (2, 0), (0, 2), (2, 2), (1, 1)),
}
"""Columns and rows of the pips in the upper half of a playing card; the lower has the same."""
ONE_WAY = {
    "A": ((1, 3),),
    "3": ((1, 3),),
    "5": ((1, 3),),
    "6": ((0, 3), (2, 3)),
    "7": ((0, 3), (2, 3), (1, 1.5)),
    "8": ((0, 3), (2, 3)),
    "9": ((1, 3),),
}
"""Those of the middle row, 3, and what else the lower half lacks: they don't look alike turned."""


class NumberDeck(DrawnDeck):
    """A number on each card, and neither picture nor word; as usual, 6 and 9 are underlined."""

    def _art(self, card: Image, title: str) -> None:
        number = str(TITLES.index(title) + 1)
        (wide, tall), _ = cv2.getTextSize(number, self.font, 1.0, 2)
        scale = min(34 * PER_MM / tall, 40 * PER_MM / wide)
        thick = round(2.4 * PER_MM)
        middle, low = round(CARD[0] / 2 * PER_MM), round(CARD[1] / 2 * PER_MM + tall * scale / 2)
        at = (round(middle - wide * scale / 2), low)
        cv2.putText(card, number, at, self.font, scale, self.black, thick, cv2.LINE_AA)
        if number in "69":
            self._line(card, ((22, low / PER_MM + 5), (41, low / PER_MM + 5)), 2, self.black)

    def _word(self, card: Image, word: str) -> None:
        """Write none."""


class TurnedDeck(DrawnDeck):
    """Whose cards look the same when they are turned; the sign is there twice."""

    def __init__(self, number: int, worn: bool = False) -> None:
        super().__init__(number, worn)
        self.window = (self.window[0], 18, 70)

    def _word(self, card: Image, word: str) -> None:
        """Write none."""

    def _draw(self, title: str | None, sign: str) -> Image:
        card = super()._draw(title, sign)
        half = card.shape[0] // 2
        card[:half] = card[::-1, ::-1][:half]
        return card


class PairedDeck(DrawnDeck):
    """Of which each card, turned, looks like one of another title, but for where its sign is."""

    def _word(self, card: Image, word: str) -> None:
        """Write none."""

    def __init__(self, number: int, worn: bool = False) -> None:
        super().__init__(number, worn)
        self.window, self.text_lines = (self.window[0], 20, CARD[1] - 20), 0

    def _art(self, card: Image, title: str) -> None:
        number = TITLES.index(title)
        super()._art(card, TITLES[number // 2 * 2])
        if number % 2:
            card[:] = card[::-1, ::-1].copy()


class PlayingDeck(TurnedDeck):
    """Playing cards: pips or a large letter, and in two corners the rank above its suit."""

    def card(self, title: str) -> str:
        """Return which playing card stands for a title: its sign."""
        number = TITLES.index(title)
        return RANKS[number % 13] + SUITS[(number * 5 // 13 + number) % 4]

    def _draw(self, title: str | None, sign: str) -> Image:
        if title is None:
            return super()._draw(title, sign)
        size = (round(CARD[1] * PER_MM), round(CARD[0] * PER_MM), 3)
        card = np.full(size, self.paper, np.uint8)
        rank, suit = sign[:-1], sign[-1]
        colour = self.red if suit in "HD" else self.black
        (wide, tall), _ = cv2.getTextSize(rank, self.font, 1.0, 2)
        scale = min(6 * PER_MM / tall, 8 * PER_MM / wide)
        at = (round(7 * PER_MM - wide * scale / 2), 11 * PER_MM)
        cv2.putText(card, rank, at, self.font, scale, colour, PER_MM, cv2.LINE_AA)
        self._suit(card, suit, 7, 16, 6)
        self._pips(card, suit, PIPS.get(rank, ()))
        if rank not in PIPS:
            self._art(card, TITLES[RANKS.index(rank)])
        half = card.shape[0] // 2
        turned = card[::-1, ::-1].copy()
        card[half:] = turned[half:]
        self._pips(card, suit, ONE_WAY.get(rank, ()))
        return card

    def _pips(self, card: Image, suit: str, places: Iterable[tuple[float, float]]) -> None:
        for column, row in places:
            self._suit(card, suit, 19 + 12.5 * column, 16 + 28 / 3 * row, 11)

    def _suit(self, card: Image, suit: str, x: float, y: float, height: float) -> None:
        """Draw a suit around a place, all in millimetres."""
        colour = self.red if suit in "HD" else self.black
        left_top = ((x - height / 2) * PER_MM, (y - height / 2) * PER_MM)
        shapes = SUIT_SHAPES[suit]
        draw_shapes(card, shapes, height / 100 * PER_MM, left_top, self.paper, colour)
