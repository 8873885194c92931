"""Measures what one correction during play does: `python -m tests.tools.bench.learn`.

Takes the sets in tests/pictures/renders or in the folder given. Each die that is misread or not
sure is corrected, alone, by a reader that was only taught; each tenth of the others is wrongly
said to show another face, once and twice, and then, where it is not read surely any more, said
right. Read before and after: the same dice turned, which stands for their next throw, and a third
of the other pictures. Prints a markdown table.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tests.tools.bench.symbols import RENDERS, Picture, pictures, profile_of
from vision.dice.faces.crops import profile_picture
from vision.dice.find.finder import DiceFinder
from vision.dice.learn import add_learned_picture
from vision.dice.profile import Profile
from vision.dice.reader import DiceReader
from vision.dice.reading import FACES, Die
from vision.imaging.pyramid import build_pyramid

TURNS = (23.0, 77.0, 205.0)
STEP = 10


@dataclass
class Count:
    """How dice were read; `sure`: and right, `silent`: and wrong."""

    dice: int = 0
    right: int = 0
    sure: int = 0
    silent: int = 0

    def add(self, die: Die | None, face: str) -> None:
        """Count a die that shows `face`; None: not found."""
        right = die is not None and die.face == face
        self.dice += 1
        self.right += right
        self.sure += right and die is not None and die.sure
        self.silent += die is not None and die.sure and not right

    def __str__(self) -> str:
        return f"{self.dice} | {self.right} | {self.sure} | {self.silent}"


Box = tuple[float, float, float, str]


def turned(image: np.ndarray, box: Box, degrees: float) -> tuple[np.ndarray, Box]:
    """The picture turned, a little smaller, and where a die of it lies then."""
    h, w = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 0.96)
    x, y = matrix @ (box[0], box[1], 1)
    again = cv2.warpAffine(image, matrix, (w, h), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(again), (float(x), float(y), box[2] * 0.96, box[3])


def die_at(reader: DiceReader, image: np.ndarray, box: Box) -> Die | None:
    """The die that is read where one lies."""
    dice = reader.read(image).dice
    near = [die for die in dice if np.hypot(die.x - box[0], die.y - box[1]) < box[2] / 2]
    return near[0] if near else None


def crop(finder: DiceFinder, image: np.ndarray, box: Box) -> np.ndarray:
    """The face there as a profile keeps it."""
    levels = build_pyramid(image)
    boxes = [c.box for c in finder.find(levels).candidates]
    nearest = min(boxes, key=lambda found: np.hypot(found.x - box[0], found.y - box[1]))
    return profile_picture(levels, nearest)


def boxes(every: list[Picture]) -> Iterator[tuple[Picture, Box]]:
    """All dice of the pictures."""
    for picture in every:
        for box in picture.truth["boxes"]:
            yield picture, tuple(box)


def others(reader: DiceReader, every: list[Picture], but: Picture) -> Count:
    """How the dice of all other pictures are read."""
    count = Count()
    for picture in every:
        if picture is not but:
            dice = reader.read(picture.image).dice
            for x, y, edge, face in picture.truth["boxes"]:
                near = [die for die in dice if np.hypot(die.x - x, die.y - y) < edge / 2]
                count.add(near[0] if near else None, face)
    return count


def measure(folder: Path, rows: dict[str, Count], rng: np.random.Generator) -> None:
    """Add what corrections do to one set."""

    def next_throws(row: str, picture: Picture, box: Box) -> int:
        """Count the die as it lies next, and return how often it is not surely right."""
        unsure = 0
        for degrees in TURNS:
            image, there = turned(picture.image, box, degrees)
            die = die_at(reader, image, there)
            rows.setdefault(row, Count()).add(die, box[3])
            unsure += die is None or die.face != box[3] or not die.sure
        return unsure

    def rest(row: str, picture: Picture) -> None:
        count = others(reader, some, picture)
        total = rows.setdefault(row, Count())
        for key, value in vars(count).items():
            setattr(total, key, getattr(total, key) + value)

    base: Profile = profile_of(folder)
    reader, finder = DiceReader(base), DiceFinder()
    every = [p for p in pictures(folder) if p.truth["kind"] in ("normal", "touching")]
    some = every[::3]
    for number, (picture, box) in enumerate(boxes(every)):
        reader.know(base)
        die = die_at(reader, picture.image, box)
        if die is None:
            continue
        face = crop(finder, picture.image, box)
        if die.face != box[3] or not die.sure:
            next_throws("1 misread or unsure: before", picture, box)
            rest("3 other pictures: before", picture)
            reader.know(add_learned_picture(base, box[3], face, ""))
            next_throws("2 misread or unsure: corrected once", picture, box)
            rest("4 other pictures: after", picture)
        elif number % STEP == 0:
            next_throws("5 sure: before", picture, box)
            rest("7 other pictures: before the slip", picture)
            wrong = str(rng.choice([f for f in FACES if f != box[3]]))
            slip = add_learned_picture(base, wrong, face, "")
            reader.know(slip)
            harm = next_throws("6 sure: after a slip", picture, box)
            rest("8 other pictures: after the slip", picture)
            again = crop(finder, *turned(picture.image, box, TURNS[0]))
            if harm:
                reader.know(add_learned_picture(slip, box[3], again, ""))
                next_throws("9 no longer sure: then said right", picture, box)
            reader.know(add_learned_picture(slip, wrong, again, ""))
            next_throws("A sure: after the same slip twice", picture, box)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=RENDERS)
    folder = parser.parse_args().folder
    rows: dict[str, Count] = {}
    rng = np.random.default_rng(1)
    for home in sorted(path.parent for path in folder.glob("*/truth.json")):
        measure(home, rows, rng)
    print("| dice | read | right | sure | sure and wrong |\n|---|---|---|---|---|")
    for name, count in sorted(rows.items()):
        print(f"| {name[2:]} | {count} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
