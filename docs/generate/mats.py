"""Draw the tray mats to print; `docs.generate.build` writes them.

A mat is rectangles of grey on a page, the same for SVG, PDF and the pictures of the benchmark
(`tests.tools.bench.mat`), which says how well dice are read on it. Lengths are millimetres.
"""

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from docs.generate.sheets import PAPER_NAMES, Mark, Pen, Sheet, Stroke, Text, line, pdf, svg
from docs.generate.sheets import PAPERS as SHEETS

PAPERS = {name: (tall, wide) for name, (wide, tall) in SHEETS.items()}
"""Landscape: trays are wider than high."""

MARGIN = 6.0
"""The margin that printers leave white."""

PIXELS = 4
"""Pixels of a picture in a millimetre."""


class Mat(NamedTuple):
    """`ground`, `border`: grey, 0 black to 1 white; the border is `width` wide, just inside."""

    id: str
    name: str
    dice: str
    ground: float
    border: float
    width: float


MATS = (
    Mat("dark", "dark mat", "white and pale dice", 0.3, 0.12, 5.0),
    Mat("light", "light mat", "dark dice", 0.8, 0.55, 5.0),
)


class Rectangle(NamedTuple):
    """A filled one: left, top, width, height, and its grey."""

    x: float
    y: float
    width: float
    height: float
    grey: float


def rectangles(mat: Mat, paper: str) -> Iterator[Rectangle]:
    """Return the printed rectangles, from bottom to top."""
    width, height = PAPERS[paper]
    for inset, grey in ((MARGIN, mat.border), (MARGIN + mat.width, mat.ground)):
        yield Rectangle(inset, inset, width - 2 * inset, height - 2 * inset, grey)


def painted(mat: Mat, paper: str) -> npt.NDArray[np.float32]:
    """Return the printed paper as a picture, BGR, 255 white."""
    width, height = PAPERS[paper]
    picture = np.full((round(height * PIXELS), round(width * PIXELS), 3), 245.0, np.float32)
    for x, y, wide, tall, grey in rectangles(mat, paper):
        ends = [(round(a * PIXELS), round(b * PIXELS)) for a, b in ((x, y), (x + wide, y + tall))]
        cv2.rectangle(picture, *ends, (255 * grey,) * 3, cv2.FILLED)
    return picture


def sheet(mat: Mat, paper: str) -> Sheet:
    """Return the page to print."""
    marks: list[Mark] = []
    for x, y, wide, tall, grey in rectangles(mat, paper):
        corners = line((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall), close=True)
        marks.append(Stroke(Pen("mat", grey), corners))
    title = f"bang-companion: {mat.name}, for {mat.dice}, {PAPER_NAMES[paper]}"
    marks.append(Text(MARGIN + 1.5, MARGIN - 1.6, 2.6, f"{title}. Print at 100 % on matt paper."))
    return Sheet(title, PAPERS[paper], tuple(marks))


def files() -> dict[str, bytes]:
    """Return every mat in both formats, by file name."""
    drawn = {}
    for mat in MATS:
        for paper in PAPERS:
            page, name = sheet(mat, paper), f"mat-{mat.id}-{paper}"
            drawn[f"{name}.svg"] = svg(page).encode("ascii")
            drawn[f"{name}.pdf"] = pdf(page)
    return drawn
