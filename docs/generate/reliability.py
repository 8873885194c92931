"""Draw how far the reader's confidence can be trusted: `python -m docs.generate.reliability SVG`.

All dice of the photographs (`tests.bench.vision` says where they are) and of the path-traced
pictures, in groups of similar confidence: the share read correctly should equal the confidence
(Niculescu-Mizil and Caruana, Predicting Good Probabilities, 2005). Prints the groups too.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from tests.bench.symbols import RENDERS, pictures, profile_of, wrong
from tests.bench.vision import PICTURES, Photo, photos
from vision.profile import load_profile
from vision.reader import Reader

EDGES = (0.0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.0)
TICKS = (0.1, 0.5, 0.8, 0.9, 0.97, 0.99, 0.999)
Z = 1.96
"""The z-score of an interval that holds the true share 19 times out of 20."""


class Group(NamedTuple):
    """Dice of similar confidence: its mean, their number, and how many were read correctly."""

    confidence: float
    dice: int
    right: int


def symbols() -> Iterator[tuple[float, bool]]:
    """Return the confidence of each die found, and whether it was read correctly."""
    for home in sorted(p.parent for p in RENDERS.glob("*/truth.json")):
        reader = Reader(profile_of(home))
        for picture in pictures(home):
            # A hand blocks the picture, whatever else is read.
            if picture.truth["kind"] in ("normal", "touching", "count"):
                for die in reader.read(picture.image, picture.tray).dice:
                    yield die.confidence, not wrong(die, picture.truth)


def pips() -> Iterator[tuple[float, bool]]:
    profile = load_profile("pips")
    reader = Reader(profile)
    root = Path(os.environ.get("BANG_PHOTOS", PICTURES))
    for folder in sorted(p.parent for p in root.glob("*/labels.json")):
        for photo in photos(folder):
            dice = sorted(reader.read(photo.image).dice, key=lambda die: -die.confidence)
            yield from matched(
                [(profile.faces.index(d.face) + 1, d.x, d.y, d.confidence) for d in dice], photo
            )


def matched(
    dice: Sequence[tuple[int, float, float, float]], photo: Photo
) -> Iterator[tuple[float, bool]]:
    """Compare each die's value, place and confidence, surest first, with the photo's labels."""
    left = Counter(photo.dice)
    for value, x, y, confidence in dice:
        if photo.boxes is not None:
            here = [b for b in photo.boxes if b[0] <= x <= b[0] + b[2] and b[1] <= y <= b[1] + b[3]]
            if here:
                yield confidence, here[0][4] == value
        else:
            yield confidence, left[value] > 0
            left[value] -= 1


def groups(dice: Sequence[tuple[float, bool]]) -> list[Group]:
    found = []
    for low, high in pairwise(EDGES):
        last = high == EDGES[-1]
        part = [(c, right) for c, right in dice if low <= c < high or (last and c == high)]
        if part:
            mean = float(np.mean([c for c, _ in part]))
            found.append(Group(mean, len(part), sum(right for _, right in part)))
    return found


def interval(group: Group) -> tuple[float, float]:
    """Return Wilson's interval (1927) of the share read correctly."""
    n, share = group.dice, group.right / group.dice
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return middle - half, middle + half


SIDE, MARGIN = 360, 56


def along(probability: float) -> float:
    """Return pixels along a log-odds axis, which keeps 0.99 and 0.999 well apart."""
    low, high = 0.05, 0.9995
    clipped = min(max(probability, low), high)
    odds = [log(p / (1 - p)) for p in (low, clipped, high)]
    return SIDE * (odds[1] - odds[0]) / (odds[2] - odds[0])


def diagram(title: str, found: Sequence[Group], left: float) -> str:
    def at(confidence: float, share: float) -> tuple[float, float]:
        return left + MARGIN + along(confidence), MARGIN + SIDE - along(share)

    lines = []
    for tick in TICKS:
        x, y = at(tick, tick)
        bottom, start = MARGIN + SIDE, left + MARGIN
        lines.append(
            f'<path class="grid" d="M{x:.0f} {MARGIN}V{bottom}M{start} {y:.0f}h{SIDE}"/>'
            f'<text x="{x:.0f}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>'
            f'<text x="{start - 6}" y="{y + 4:.0f}" text-anchor="end">{tick:g}</text>'
        )
    (x0, y0), (x1, y1) = at(0, 0), at(1, 1)
    lines.append(f'<path class="ideal" d="M{x0:.0f} {y0:.0f}L{x1:.0f} {y1:.0f}"/>')
    for group in found:
        low, high = interval(group)
        x, y = at(group.confidence, group.right / group.dice)
        (_, bottom), (_, top) = at(0, low), at(0, high)
        lines.append(
            f'<path class="range" d="M{x:.1f} {bottom:.1f}V{top:.1f}"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
            f'<text x="{x + 7:.1f}" y="{y + 14:.1f}">{group.dice}</text>'
        )
    middle = left + MARGIN + SIDE / 2
    lines.append(
        f'<text class="title" x="{middle:.0f}" y="30" text-anchor="middle">{title}</text>'
        f'<text x="{middle:.0f}" y="{MARGIN + SIDE + 40}" text-anchor="middle">confidence</text>'
    )
    return "".join(lines)


def main(out: Path) -> None:
    cv2.setNumThreads(1)
    parts = []
    for number, (title, dice) in enumerate((("pips", pips()), ("symbols, taught", symbols()))):
        every = list(dice)
        found = groups(every)
        print(f"\n{title}: {len(every)} dice\n\n| confidence | dice | read right |\n|---|---|---|")
        for group in found:
            share = group.right / group.dice
            print(f"| {group.confidence:.4f} | {group.dice} | {share:.1%} |")
        parts.append(diagram(title, found, number * (SIDE + 2 * MARGIN)))
    width, height = 2 * (SIDE + 2 * MARGIN), SIDE + 2 * MARGIN
    out.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        "<title>Share of dice read right, by the reader's confidence</title>"
        "<style>text{font:12px sans-serif;fill:#222}.title{font-size:16px}"
        ".grid{stroke:#ddd;fill:none}.ideal{stroke:#999;stroke-dasharray:4 4}"
        ".range{stroke:#06c;stroke-width:2}circle{fill:#06c}</style>"
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
