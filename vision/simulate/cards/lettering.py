"""Letters and digits drawn with one pen, so that cards print and look the same everywhere.

Each is 10 high, y runs down; its strokes are the middle of the pen's line.
"""

import tomllib
from math import cos, pi, sin
from pathlib import Path
from typing import NamedTuple

from vision.simulate.shapes import Polyline, parse_number

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


def _parse_stroke(text: str) -> Points:
    points: Points = ()
    for word in text.split():
        numbers = [parse_number(number) for number in word.split(",")]
        points += _arc(*numbers) if len(numbers) > 2 else ((numbers[0], numbers[1]),)
    return points


def _parse_letter(text: str) -> Letter:
    width, *strokes = text.split("|")
    return Letter(parse_number(width), tuple(map(_parse_stroke, strokes)))


LETTERS = {
    letter: _parse_letter(text)
    for letter, text in tomllib.loads(
        Path(__file__).with_name("letters.toml").read_text("utf-8")
    ).items()
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
