"""Draw cards of our own: for each title a word and a pictogram, at the bottom left the sign.

Every shape is our own; lengths are millimetres, and y runs down. Cameras see the cards from
afar, so everything is drawn with broad lines.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from vision.dice.reading import FACES
from vision.simulate.camera import Image
from vision.simulate.cards.lettering import trace_words
from vision.simulate.dice.art import ART
from vision.simulate.settings import Colour
from vision.simulate.shapes import (
    Disc,
    Drawing,
    Polygon,
    Polyline,
    Shape,
    box,
    draw_shapes,
    read_drawings,
)

CARD = (63.0, 88.0)
"""Width and height of a card."""
CORNER = 3.0
"""The radius of its corners."""
PAPER: Colour = (244, 248, 248)
"""What isn't printed."""

_BLACK: Colour = (26, 24, 24)
_RED: Colour = (36, 28, 196)
_BROWN: Colour = (40, 84, 140)
_BLUE: Colour = (168, 88, 24)

_WORD = (7.5, 7.0, 47.0)
"""The top, the height and the greatest width of the word."""
_PICTURE = (9.0, 19.5, 45.0)
"""The left, the top and the edge of the pictogram."""
_SIGN = (7.6, 71.5, 8.0)
"""The left, the top and the height of the sign."""
_REACH = (47.5, 70.0, 9.5)
"""The left, the top and the height of the reach of a weapon."""


_DRAWINGS = read_drawings(Path(__file__).with_name("drawings.toml"))
_SYMBOLS = dict(zip(FACES, ART["symbols"], strict=True))

PICTOGRAMS: Mapping[str, Drawing] = _DRAWINGS["pictograms"] | {
    title: _SYMBOLS[title] for title in ("beer", "gatling", "dynamite")
}
"""By title."""

WORDS: Mapping[str, str] = {title: title.replace("_", " ").upper() for title in PICTOGRAMS} | {
    "bang": "BANG!",
    "missed": "MISSED!",
    "panic": "PANIC!",
    "indians": "INDIANS!",
    "rev_carabine": "REV. CARABINE",
}
"""By title, what stands on the card."""

REACHES: Mapping[str, int] = {
    "volcanic": 1,
    "schofield": 2,
    "remington": 3,
    "rev_carabine": 4,
    "winchester": 5,
}
"""How far a weapon shoots, which stands on it too."""

IN_PLAY = frozenset((*REACHES, "barrel", "dynamite", "jail", "mustang", "scope"))
"""Titles whose cards stay in front of a player: their frame is blue and broad."""

SUITS: Mapping[str, Drawing] = _DRAWINGS["suits"]
"""By the initial of the suit."""


class CardMark(NamedTuple):
    """Shapes in one colour, laid onto a card."""

    shapes: Drawing
    """In units of their own."""
    x: float
    """Where their left is."""
    y: float
    """Where their top is."""
    scale: float
    """Millimetres of one of their units."""
    colour: Colour
    """Of what they paint."""


def face_marks(title: str, word: str | None = None) -> Iterator[CardMark]:
    """Yield what is printed on all cards of a title, from below.

    word: what stands on the card; None for its English word.
    """
    yield _frame(title)
    top, height, most = _WORD
    strokes, width = trace_words(word or WORDS[title], 1.55, 2.1)
    size = min(height / 10, most / width)
    middle = top + height / 2 - 5 * size
    yield CardMark(strokes, CARD[0] / 2 - width / 2 * size, middle, size, _BLACK)
    left, top, edge = _PICTURE
    yield CardMark(PICTOGRAMS[title], left, top, edge / 100, _BLACK)
    if title in REACHES:
        left, top, height = _REACH
        strokes, _ = trace_words(str(REACHES[title]), 1.9, 0)
        yield CardMark(strokes, left, top, height / 10, _BLUE)


def sign_marks(sign: str) -> Iterator[CardMark]:
    """Yield the sign of one copy: rank and suit, as in `10S`."""
    rank, suit = sign[:-1], sign[-1]
    colour = _RED if suit in "HD" else _BLACK
    left, top, height = _SIGN
    strokes, width = trace_words(rank, 1.9, 2.2)
    # The pen's line is as far within the sign as the suit is.
    pen = 0.095 * height
    size = (height - 2 * pen) / 10
    yield CardMark(strokes, left + pen, top + pen, size, colour)
    beside = left + width * size + 2 * pen + 0.2 * height
    yield CardMark(SUITS[suit], beside, top, height / 100, colour)


def back_marks() -> Iterator[CardMark]:
    """Yield what is printed on the back of a card: a lattice, which has no top."""
    yield CardMark((box(0, 0, 55, 80),), 4, 4, 1, _BROWN)
    yield CardMark(tuple(_lattice()), 4, 4, 1, PAPER)


def _lattice() -> Iterator[Shape]:
    for row in range(8):
        for column in range(5):
            x, y = 5.5 + 11 * column, 5 + 10 * row
            yield Polygon(((x, y - 4), (x + 4, y), (x, y + 4), (x - 4, y)))
    for row in range(7):
        for column in range(4):
            yield Disc(11 + 11 * column, 10 + 10 * row, 1.1)


def _frame(title: str) -> CardMark:
    broad = title in IN_PLAY
    far, width, colour = (3.6, 2.4, _BLUE) if broad else (3.2, 1.2, _BROWN)
    right, bottom = CARD[0] - far, CARD[1] - far
    around = ((far, far), (right, far), (right, bottom), (far, bottom), (far, far))
    return CardMark((Polyline(around, width),), 0, 0, 1, colour)


_FINE = 3
"""Pixels drawn for each that is returned."""


@lru_cache(maxsize=128)
def draw_card(title: str | None, sign: str = "", per_mm: int = 6, word: str | None = None) -> Image:
    """Return a card (h, w, 3), BGR, its corners square; title: None for its back.

    per_mm: pixels of a millimetre. word: as in `face_marks`.
    """
    scale = per_mm * _FINE
    size = (round(CARD[1] * scale), round(CARD[0] * scale), 3)
    paper = np.full(size, PAPER, np.uint8)
    marks = back_marks() if title is None else chain(face_marks(title, word), sign_marks(sign))
    for mark in marks:
        left_top = (mark.x * scale - 0.5, mark.y * scale - 0.5)
        draw_shapes(paper, mark.shapes, mark.scale * scale, left_top, PAPER, mark.colour)
    small = (round(CARD[0] * per_mm), round(CARD[1] * per_mm))
    card = np.asarray(cv2.resize(paper, small, interpolation=cv2.INTER_AREA), np.uint8)
    card.flags.writeable = False
    return card
