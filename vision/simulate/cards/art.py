"""Draw cards of our own: for each title a word and a pictogram, at the bottom left the sign.

Every shape is our own; lengths are millimetres, and y runs down. Cameras see the cards from
afar, so everything is drawn with broad lines.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from math import cos, pi, sin
from typing import NamedTuple

import cv2
import numpy as np

from vision.simulate.camera import Image
from vision.simulate.cards.lettering import trace_words
from vision.simulate.dice.art import ART
from vision.simulate.settings import Colour
from vision.simulate.shapes import Disc, Polygon, Polyline, Shape, box, draw_shapes, star

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


def _line(width: float, *points: tuple[float, float], ink: int = 1) -> Polyline:
    return Polyline(points, width, ink)


def _bow(
    x: float, y: float, radius: float, first: float, last: float, width: float, ink: int = 1
) -> Polyline:
    """Return a part of a circle between two directions in degrees, clockwise from the right."""
    turns = [(first + (last - first) * k / 16) * pi / 180 for k in range(17)]
    return Polyline(tuple((x + radius * cos(a), y + radius * sin(a)) for a in turns), width, ink)


def _mirrored(shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """Yield shapes mirrored in x = 50."""
    for shape in shapes:
        if isinstance(shape, Disc):
            yield shape._replace(x=100 - shape.x)
        else:
            yield shape._replace(points=tuple((100 - x, y) for x, y in shape.points))


_PISTOL: tuple[Shape, ...] = (
    box(2, 26, 66, 40),
    box(2, 20, 9, 27),
    box(40, 20, 72, 48),
    Polygon(((64, 22), (84, 22), (80, 40), (98, 82), (78, 88), (64, 48))),
    _bow(56, 50, 10, 0, 180, 5),
    _line(6, (80, 22), (90, 12)),
)
_DUELLIST: tuple[Shape, ...] = (
    box(8, 22, 44, 28),
    box(15, 8, 37, 24),
    Disc(26, 34, 9),
    Polygon(((12, 44), (40, 44), (37, 74), (15, 74))),
    _line(8, (18, 72), (15, 96)),
    _line(8, (34, 72), (37, 96)),
    _line(7, (14, 48), (3, 62)),
)
_RIFLE: tuple[Shape, ...] = (
    _line(7, (4, 4), (66, 64)),
    Polygon(((50, 40), (64, 46), (80, 66), (100, 84), (86, 100), (64, 80), (42, 54))),
)
_HORSESHOE = _bow(50, 42, 32, 125, 415, 19)
_NAILS = tuple(
    Disc(50 + 32 * cos(a * pi / 180), 42 + 32 * sin(a * pi / 180), 3.6, 0)
    for a in (135, 180, 225, 270, 315, 360, 405)
)
_SYMBOLS = ART["symbols"]

PICTOGRAMS: Mapping[str, tuple[Shape, ...]] = {
    "bang": (
        star(50, 50, 11, 50, 27),
        star(50, 50, 11, 30, 17, 0),
        Disc(50, 50, 10),
    ),
    "missed": (
        Polygon(((26, 56), (31, 12), (42, 18), (50, 10), (59, 18), (70, 12), (75, 56))),
        Polyline(((6, 58), (20, 68), (50, 72), (80, 68), (94, 58)), 11),
        _line(5, (27, 52), (50, 56), (74, 52), ink=0),
        Disc(51, 35, 8, 0),
        _line(5, (2, 86), (38, 86)),
        _line(5, (54, 86), (98, 86)),
        _line(5, (18, 97), (78, 97)),
    ),
    "beer": _SYMBOLS[4],
    "saloon": (
        box(0, 0, 9, 100),
        box(91, 0, 100, 100),
        Polygon(((12, 22), (48, 34), (48, 86), (12, 86))),
        Polygon(((88, 22), (52, 34), (52, 86), (88, 86))),
        *(_line(5, (19, y), (41, y), ink=0) for y in (44, 55, 66, 77)),
        *(_line(5, (59, y), (81, y), ink=0) for y in (44, 55, 66, 77)),
        box(0, 0, 100, 9),
    ),
    "stagecoach": (
        Polygon(((10, 18), (90, 18), (84, 58), (70, 66), (30, 66), (16, 58))),
        box(4, 10, 96, 20),
        box(22, 27, 40, 44, 0),
        box(60, 27, 78, 44, 0),
        _line(3.5, (50, 24), (50, 62), ink=0),
        Disc(24, 76, 21, 0),
        Disc(76, 76, 21, 0),
        *(
            shape
            for x in (24, 76)
            for shape in (
                Disc(x, 78, 19),
                Disc(x, 78, 12.5, 0),
                _line(4, (x - 15, 78), (x + 15, 78)),
                _line(4, (x, 63), (x, 93)),
            )
        ),
    ),
    "wells_fargo": (
        Polygon(((38, 26), (62, 26), (86, 62), (84, 92), (70, 99), (30, 99), (16, 92), (14, 62))),
        Polygon(((32, 2), (44, 8), (50, 1), (58, 8), (68, 2), (61, 19), (39, 19))),
        _line(6, (34, 22), (66, 22)),
        _bow(50, 54, 11, -20, -270, 6.5, 0),
        _bow(50, 76, 11, -90, 160, 6.5, 0),
        _line(5, (50, 38), (50, 92), ink=0),
    ),
    "general_store": (
        box(4, 4, 96, 34),
        *(box(x, 4, x + 11, 34, 0) for x in (17, 42, 67)),
        *(Disc(x, 34, 6.4, ink) for x, ink in ((10, 1), (35, 1), (60, 1), (87, 1))),
        box(8, 40, 15, 98),
        box(85, 40, 92, 98),
        box(8, 91, 92, 98),
        box(24, 54, 48, 80),
        box(57, 50, 78, 92),
        Disc(73, 72, 2.8, 0),
        _line(3.5, (36, 54), (36, 80), ink=0),
        _line(3.5, (24, 67), (48, 67), ink=0),
    ),
    "panic": (
        Disc(50, 52, 42),
        Disc(34, 40, 9, 0),
        Disc(66, 40, 9, 0),
        Disc(34, 42, 3.6),
        Disc(66, 42, 3.6),
        Polygon(((38, 62), (50, 57), (62, 62), (64, 80), (50, 87), (36, 80)), 0),
        _line(7, (6, 4), (17, 18)),
        _line(7, (94, 4), (83, 18)),
        _line(7, (50, -2), (50, 4)),
        _line(4, (22, 26), (40, 22), ink=0),
        _line(4, (78, 26), (60, 22), ink=0),
    ),
    "cat_balou": (
        Polygon(((10, 2), (40, 24), (12, 54))),
        Polygon(((90, 2), (60, 24), (88, 54))),
        Polygon(((12, 46), (30, 22), (70, 22), (88, 46), (82, 76), (50, 96), (18, 76))),
        Polygon(((20, 46), (34, 38), (44, 52), (30, 55)), 0),
        Polygon(((80, 46), (66, 38), (56, 52), (70, 55)), 0),
        _line(4, (33, 42), (33, 53)),
        _line(4, (67, 42), (67, 53)),
        Polygon(((43, 64), (57, 64), (50, 72)), 0),
        _line(3.5, (50, 72), (50, 79), (42, 84), ink=0),
        _line(3.5, (50, 79), (58, 84), ink=0),
        _line(3, (24, 68), (-2, 62)),
        _line(3, (24, 74), (-2, 78)),
        _line(3, (76, 68), (102, 62)),
        _line(3, (76, 74), (102, 78)),
    ),
    "gatling": _SYMBOLS[5],
    "indians": (
        _bow(20, 50, 50, -70, 70, 8),
        _line(3.5, (37, 3), (37, 97)),
        _line(6, (2, 50), (92, 50)),
        Polygon(((100, 50), (82, 39), (82, 61))),
        Polygon(((-2, 36), (12, 36), (22, 50), (12, 64), (-2, 64), (8, 50))),
    ),
    "duel": (*_DUELLIST, *_mirrored(_DUELLIST)),
    "barrel": (
        Polygon(((24, 2), (76, 2), (90, 30), (90, 70), (76, 98), (24, 98), (10, 70), (10, 30))),
        _line(5, (18, 22), (82, 22), ink=0),
        _line(5, (18, 78), (82, 78), ink=0),
        _line(3.5, (38, 28), (36, 50), (38, 72), ink=0),
        _line(3.5, (62, 28), (64, 50), (62, 72), ink=0),
        Disc(50, 50, 6.5, 0),
    ),
    "dynamite": _SYMBOLS[1],
    "jail": (
        box(2, 2, 98, 98),
        box(13, 13, 87, 87, 0),
        *(box(x, 10, x + 9, 90) for x in (24, 45.5, 67)),
        box(10, 54, 90, 62),
        Disc(71.5, 58, 11),
        Disc(71.5, 56, 3.4, 0),
        _line(3, (71.5, 56), (71.5, 64), ink=0),
    ),
    "mustang": (_HORSESHOE, *_NAILS, _line(18, (32, 68), (40, 90)), _line(18, (68, 68), (60, 90))),
    "scope": (
        Disc(50, 50, 40),
        Disc(50, 50, 31, 0),
        _line(5, (50, -1), (50, 40)),
        _line(5, (50, 60), (50, 101)),
        _line(5, (-1, 50), (40, 50)),
        _line(5, (60, 50), (101, 50)),
        Disc(50, 50, 4.5),
    ),
    "volcanic": (
        Polygon(((34, 42), (66, 42), (98, 98), (2, 98))),
        Polygon(((34, 40), (42, 62), (50, 50), (57, 70), (66, 40)), 0),
        _line(7, (50, 44), (50, 8)),
        _line(6, (42, 42), (32, 22), (18, 20)),
        _line(6, (58, 42), (68, 22), (82, 20)),
        Disc(50, 6, 6),
        Disc(14, 24, 6),
        Disc(86, 24, 6),
    ),
    "schofield": (
        *_PISTOL,
        _line(4, (48, 26), (48, 42), ink=0),
        _line(4, (61, 26), (61, 42), ink=0),
    ),
    "remington": (
        *(_line(12, (14 + 30 * k, 92), (14 + 30 * k, 64)) for k in range(3)),
        *(_line(6, (14 + 30 * k, 60), (14 + 30 * k, 55)) for k in range(3)),
        _line(7, (0, 22), (72, 22)),
        Polygon(((44, 17), (70, 17), (100, 24), (100, 46), (72, 32), (44, 30))),
        _bow(62, 32, 8, 0, 180, 4),
        _line(4, (6, 12), (6, 20)),
    ),
    "rev_carabine": (
        Polyline(((78, 2), (22, 72)), 8),
        Polygon(((36, 44), (48, 54), (34, 78), (22, 100), (0, 84), (18, 62))),
        _bow(60, 52, 30, -60, 125, 5),
        Disc(44, 44, 13),
        Disc(44, 44, 5, 0),
        star(78, 80, 5, 20, 9),
    ),
    "winchester": (
        *_RIFLE,
        *_mirrored(_RIFLE),
        _line(7, (28, 98), (72, 98)),
    ),
}
"""By title, in a square of 100 x 100."""

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

SUITS: Mapping[str, tuple[Shape, ...]] = {
    "S": (
        Polygon(((50, 0), (90, 46), (97, 62), (50, 62), (3, 62), (10, 46))),
        Disc(26, 60, 23),
        Disc(74, 60, 23),
        Polygon(((50, 50), (68, 100), (32, 100))),
    ),
    "H": (
        Disc(27, 28, 26),
        Disc(73, 28, 26),
        Polygon(((4, 42), (96, 42), (50, 100))),
        box(24, 26, 76, 44),
    ),
    "C": (
        Disc(50, 24, 23),
        Disc(24, 62, 23),
        Disc(76, 62, 23),
        box(40, 34, 60, 70),
        Polygon(((50, 50), (66, 100), (34, 100))),
    ),
    "D": (Polygon(((50, 0), (90, 50), (50, 100), (10, 50))),),
}
"""By the initial of the suit, in a square of 100 x 100."""


class CardMark(NamedTuple):
    """Shapes in one colour, laid onto a card."""

    shapes: tuple[Shape, ...]
    """In units of their own."""
    x: float
    """Where their left is."""
    y: float
    """Where their top is."""
    scale: float
    """Millimetres of one of their units."""
    colour: Colour
    """Of what they paint."""


def face_marks(title: str) -> Iterator[CardMark]:
    """Yield what is printed on all cards of a title, from below."""
    yield _frame(title)
    top, height, most = _WORD
    strokes, width = trace_words(WORDS[title], 1.55, 2.1)
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
def draw_card(title: str | None, sign: str = "", per_mm: int = 6) -> Image:
    """Return a card (h, w, 3), BGR, its corners square; title: None for its back.

    per_mm: pixels of a millimetre.
    """
    scale = per_mm * _FINE
    size = (round(CARD[1] * scale), round(CARD[0] * scale), 3)
    paper = np.full(size, PAPER, np.uint8)
    marks = back_marks() if title is None else chain(face_marks(title), sign_marks(sign))
    for mark in marks:
        left_top = (mark.x * scale - 0.5, mark.y * scale - 0.5)
        draw_shapes(paper, mark.shapes, mark.scale * scale, left_top, PAPER, mark.colour)
    small = (round(CARD[0] * per_mm), round(CARD[1] * per_mm))
    card = np.asarray(cv2.resize(paper, small, interpolation=cv2.INTER_AREA), np.uint8)
    card.flags.writeable = False
    return card
