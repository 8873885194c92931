"""Letters and digits drawn with one pen, so that cards print and look the same everywhere.

Each is 10 high, y runs down; its strokes are the middle of the pen's line.
"""

from math import cos, pi, sin
from typing import NamedTuple

from vision.simulate.shapes import Polyline

Points = tuple[tuple[float, float], ...]


class Letter(NamedTuple):
    """One letter, digit or mark."""

    width: float
    """Its width, in tenths of its height."""
    strokes: tuple[Points, ...]
    """What the pen follows."""


def _arc(x: float, y: float, across: float, down: float, first: float, last: float) -> Points:
    """Return points of an ellipse between two directions: quarters from the right, clockwise."""
    count = max(3, round(4 * abs(last - first)) + 1)
    turns = [(first + (last - first) * k / (count - 1)) * pi / 2 for k in range(count)]
    return tuple((round(x + across * cos(a), 2), round(y + down * sin(a), 2)) for a in turns)


_ROUND = _arc(3.5, 5, 3.5, 5, 0, 4)

LETTERS: dict[str, Letter] = {
    " ": Letter(3, ()),
    "!": Letter(1, (((0.5, 0), (0.5, 6.4)), ((0.5, 9.6), (0.5, 9.7)))),
    ".": Letter(1, (((0.5, 9.6), (0.5, 9.7)),)),
    "0": Letter(6, (_arc(3, 5, 3, 5, 0, 4),)),
    "1": Letter(3, (((0, 2.2), (2.6, 0), (2.6, 10)),)),
    "2": Letter(6, ((*_arc(3, 3, 3, 3, -2, 0.5), (0, 10), (6, 10)),)),
    "3": Letter(6, (((0.4, 0), (5.8, 0), (2.6, 4)), (*_arc(2.6, 7, 3.2, 3, -1, 1.6),))),
    "4": Letter(6.5, (((5, 10), (5, 0), (0, 7), (6.5, 7)),)),
    "5": Letter(6, (((5.4, 0), (0.9, 0), (0.5, 4.4)), (*_arc(2.7, 6.7, 3.1, 3.3, -1.5, 1.6),))),
    "6": Letter(6, (((4.6, 0), (0.5, 5.4)), _arc(3, 6.9, 3, 3.1, 0, 4))),
    "7": Letter(6, (((0, 0), (6, 0), (2, 10)),)),
    "8": Letter(6, (_arc(3, 2.4, 2.4, 2.4, 0, 4), _arc(3, 7.3, 3, 2.7, 0, 4))),
    "9": Letter(6, (((1.4, 10), (5.5, 4.6)), _arc(3, 3.1, 3, 3.1, 0, 4))),
    "A": Letter(7, (((0, 10), (3.5, 0), (7, 10)), ((1.3, 6.6), (5.7, 6.6)))),
    "B": Letter(
        6,
        (
            ((0, 0), (0, 10)),
            ((0, 0), *_arc(3.2, 2.3, 2.3, 2.3, -1, 1), (0, 4.6)),
            ((0, 4.6), *_arc(3.4, 7.3, 2.6, 2.7, -1, 1), (0, 10)),
        ),
    ),
    "C": Letter(6.5, (_arc(3.7, 5, 3.7, 5, -0.55, -3.45),)),
    "D": Letter(6.5, (((0, 10), (0, 0), *_arc(2.6, 5, 3.9, 5, -1, 1), (0, 10)),)),
    "E": Letter(5.5, (((5.5, 0), (0, 0), (0, 10), (5.5, 10)), ((0, 4.8), (4.6, 4.8)))),
    "F": Letter(5.5, (((5.5, 0), (0, 0), (0, 10)), ((0, 4.8), (4.6, 4.8)))),
    "G": Letter(7, ((*_arc(3.7, 5, 3.7, 5, -0.55, -3.8), (7, 8.4), (7, 5.4), (4.4, 5.4)),)),
    "H": Letter(6.5, (((0, 0), (0, 10)), ((6.5, 0), (6.5, 10)), ((0, 4.8), (6.5, 4.8)))),
    "I": Letter(1, (((0.5, 0), (0.5, 10)),)),
    "J": Letter(4.5, (((4.5, 0), (4.5, 7.4), *_arc(2.25, 7.6, 2.25, 2.4, 0, 1.9)),)),
    "K": Letter(6, (((0, 0), (0, 10)), ((6, 0), (0, 6.2)), ((2.1, 4), (6, 10)))),
    "L": Letter(5, (((0, 0), (0, 10), (5, 10)),)),
    "M": Letter(8, (((0, 10), (0.6, 0), (4, 7), (7.4, 0), (8, 10)),)),
    "N": Letter(6.5, (((0, 10), (0, 0), (6.5, 10), (6.5, 0)),)),
    "O": Letter(7, (_ROUND,)),
    "P": Letter(5.5, (((0, 10), (0, 0), *_arc(2.9, 2.7, 2.6, 2.7, -1, 1), (0, 5.4)),)),
    "Q": Letter(7, (_ROUND, ((4.2, 6.8), (7, 10)))),
    "R": Letter(
        6, (((0, 10), (0, 0), *_arc(2.9, 2.6, 2.6, 2.6, -1, 1), (0, 5.2)), ((2.6, 5.2), (6, 10)))
    ),
    "S": Letter(6, ((*_arc(3, 2.5, 2.7, 2.5, -0.3, -3), *_arc(3, 7.4, 3, 2.6, -1, 1.7)),)),
    "T": Letter(6, (((0, 0), (6, 0)), ((3, 0), (3, 10)))),
    "U": Letter(6.5, (((0, 0), (0, 6.6), *_arc(3.25, 6.6, 3.25, 3.4, 2, 0), (6.5, 0)),)),
    "V": Letter(6.5, (((0, 0), (3.25, 10), (6.5, 0)),)),
    "W": Letter(9, (((0, 0), (2, 10), (4.5, 2.4), (7, 10), (9, 0)),)),
    "Y": Letter(6.5, (((0, 0), (3.25, 5), (6.5, 0)), ((3.25, 5), (3.25, 10)))),
}
"""The letters that titles and ranks need."""


def trace_words(words: str, pen: float, apart: float) -> tuple[tuple[Polyline, ...], float]:
    """Return the strokes of some words, and how wide they are; each 10 high, from x = 0 on.

    pen: the width of the line. apart: the room between two letters.
    """
    strokes: list[Polyline] = []
    x = 0.0
    for letter in words:
        width, lines = LETTERS[letter]
        strokes += (Polyline(tuple((x + a, b) for a, b in line), pen) for line in lines)
        x += width + apart
    return tuple(strokes), x - apart
