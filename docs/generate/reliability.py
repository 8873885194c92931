"""Draw how far the reader's confidence can be trusted: `python -m docs.generate.reliability SVG`.

All dice of the photographs (`tests.tools.bench.vision` says where they are) and of the traced sets
that the reader was never trained on nor fitted to, in groups of similar confidence: the share read
correctly should equal the confidence (Niculescu-Mizil and Caruana, Predicting Good Probabilities,
2005). More such sets may lie in the folder $BANG_RENDERS. Prints the groups too, the expected
calibration error (Guo et al., On Calibration of Modern Neural Networks, 2017), and how many of the
sure dice may be wrong.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import comb, log, sqrt
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from tests.tools.bench.symbols import pictures, profile_of, wrong
from tests.tools.bench.vision import PICTURES, Photo, photos
from vision.dice.find.tray_model import TrayModel
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import Die

EDGES = (0.0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.0)
TICKS = (0.1, 0.5, 0.8, 0.9, 0.97, 0.99, 0.999)
Z = 1.96
"""The z-score of an interval that holds the true share 19 times out of 20."""


class ReadDie(NamedTuple):
    """A die found: its confidence, whether it was read correctly, whether nobody is asked."""

    confidence: float
    right: bool
    sure: bool


class Group(NamedTuple):
    """Dice of similar confidence: its mean, their number, and how many were read correctly."""

    confidence: float
    dice: int
    right: int


OWN = PICTURES / "own"
"""Traced sets of vision/training/own_sets.py."""


def symbols() -> Iterator[ReadDie]:
    folders = [OWN, *map(Path, filter(None, [os.environ.get("BANG_RENDERS")]))]
    for home in sorted(p.parent for root in folders for p in root.glob("*/truth.json")):
        reader = DiceReader(profile_of(home))
        for picture in pictures(home):
            # A hand blocks the picture, whatever else is read.
            if picture.truth["kind"] in ("normal", "touching", "count"):
                for die in reader.read(picture.image, TrayModel(picture.tray)).dice:
                    yield ReadDie(die.confidence, not wrong(die, picture.truth), die.sure)


def pips() -> Iterator[ReadDie]:
    profile = load_profile("pips")
    reader = DiceReader(profile)
    root = Path(os.environ.get("BANG_PHOTOS", PICTURES))
    for folder in sorted(p.parent for p in root.glob("*/labels.json")):
        for photo in photos(folder):
            dice = sorted(reader.read(photo.image).dice, key=lambda die: -die.confidence)
            yield from matched([(profile.faces.index(d.face) + 1, d) for d in dice], photo)


def matched(dice: Sequence[tuple[int, Die]], photo: Photo) -> Iterator[ReadDie]:
    """Compare each die's value and place, surest first, with the photo's labels."""
    left = Counter(photo.dice)
    for value, die in dice:
        if photo.boxes is None:
            yield ReadDie(die.confidence, left[value] > 0, die.sure)
            left[value] -= 1
            continue
        here = [
            b for b in photo.boxes if b[0] <= die.x <= b[0] + b[2] and b[1] <= die.y <= b[1] + b[3]
        ]
        if here:
            yield ReadDie(die.confidence, here[0][4] == value, die.sure)


def groups(dice: Sequence[ReadDie]) -> list[Group]:
    found = []
    for low, high in pairwise(EDGES):
        last = high == EDGES[-1]
        part = [d for d in dice if low <= d.confidence < high or (last and d.confidence == high)]
        if part:
            mean = float(np.mean([die.confidence for die in part]))
            found.append(Group(mean, len(part), sum(die.right for die in part)))
    return found


def calibration_error(found: Sequence[Group]) -> float:
    """Return by how much confidence and share differ, on average over all dice."""
    off = sum(abs(group.dice * group.confidence - group.right) for group in found)
    return off / sum(group.dice for group in found)


def upper_limit(wrong: int, dice: int) -> float:
    """Return the share that may be wrong: 19 times in 20 it is less (Clopper and Pearson, 1934)."""
    low, high = wrong / dice, 1.0
    while high - low > 1e-6:
        share = (low + high) / 2
        terms = (comb(dice, k) * share**k * (1 - share) ** (dice - k) for k in range(wrong + 1))
        low, high = (share, high) if sum(terms) > 0.05 else (low, share)
    return high


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


def diagram(title: str, note: str, found: Sequence[Group], left: float) -> str:
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
        f'<text class="title" x="{middle:.0f}" y="24" text-anchor="middle">{title}</text>'
        f'<text x="{middle:.0f}" y="44" text-anchor="middle">{note}</text>'
        f'<text x="{middle:.0f}" y="{MARGIN + SIDE + 40}" text-anchor="middle">confidence</text>'
    )
    return "".join(lines)


def main(out: Path) -> None:
    cv2.setNumThreads(1)
    parts = []
    for number, (title, dice) in enumerate(
        (
            ("pips, photographs", pips()),
            ("symbols, sets never trained on", symbols()),
        )
    ):
        every = list(dice)
        found = groups(every)
        print(f"\n{title}: {len(every)} dice\n\n| confidence | dice | read right |\n|---|---|---|")
        for group in found:
            share = group.right / group.dice
            print(f"| {group.confidence:.4f} | {group.dice} | {share:.1%} |")
        sure = [die.right for die in every if die.sure]
        wrong_ones = sure.count(False)
        note = (
            f"calibration error {calibration_error(found):.1%}; sure: {len(sure)} dice, "
            f"{wrong_ones} wrong (under {upper_limit(wrong_ones, len(sure)):.2%})"
        )
        print(f"\n{note}")
        parts.append(diagram(title, note, found, number * (SIDE + 2 * MARGIN)))
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
