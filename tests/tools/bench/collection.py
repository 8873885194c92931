"""Measures the reader on collections that players gave.

    python -m tests.tools.bench.collection PATH

PATH, or the variable COLLECTION: a collection (docs/dev/collection.md), a folder or ZIP file, or a
folder of several. Each throw is read with the dice of its collection, and compared with what a
player said. Taught faces are told by the other pictures of the collection, so that one without
throws says something too. Prints a markdown table; collections that can't be read are named on
standard error, and the exit status is then 2.
"""

from __future__ import annotations

import math
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from companion.setup.collection import MANIFEST, CollectedDie
from tests.tools.bench.given_collections import CollectionError, decoded_throw, load_collection
from vision.dice.reader import DiceReader
from vision.dice.reading import DiceReading, Die, TrayVerdict
from vision.dice.teach import ProfileTrainer


@dataclass
class Tally:
    """How the throws of collections were read."""

    throws: int = 0
    exact: int = 0
    ok: int = 0
    dice: int = 0
    right: int = 0
    sure: int = 0
    sure_and_wrong: int = 0
    taught: int = 0
    told: int = 0

    def add(self, reading: DiceReading, truth: Sequence[CollectedDie]) -> None:
        faces = Counter(die.face for die in reading.dice)
        self.throws += 1
        self.exact += faces == Counter(die.face for die in truth)
        self.ok += reading.verdict is TrayVerdict.OK
        self.dice += len(truth)
        self.right += sum(is_right(die, truth) for die in reading.dice)
        sure = [die for die in reading.dice if die.sure]
        self.sure += len(sure)
        self.sure_and_wrong += sum(not is_right(die, truth) for die in sure)

    def __str__(self) -> str:
        return (
            f"{self.throws} | {self.exact} | {self.ok} | {self.right} of {self.dice} "
            f"| {self.sure} | {self.sure_and_wrong} | {self.told} of {self.taught}"
        )


def is_right(die: Die, truth: Sequence[CollectedDie]) -> bool:
    """Whether a die lies there and shows this face."""
    near = [t for t in truth if math.hypot(die.x - t.x, die.y - t.y) < t.size / 2]
    return bool(near) and near[0].face == die.face


def measure(path: Path) -> tuple[str, Tally]:
    """Read one collection; return what dice and camera it is of, and the tally."""
    collection = load_collection(path)
    reader, tally = DiceReader(collection.profile), Tally()
    if not collection.profile.pips:
        check = ProfileTrainer().check(collection.profile)
        tally.taught, tally.told = check.tested, round(check.accuracy * check.tested)
    for throw in collection.throws:
        tally.add(reader.read(decoded_throw(path, throw)), throw.dice)
    return f"{collection.profile.edition} | {collection.camera}", tally


def collections_in(path: Path) -> list[Path]:
    """The collection at this path, or those in the folder."""
    if path.is_dir() and not (path / MANIFEST).is_file():
        return sorted(each for each in path.iterdir() if each.is_dir() or each.suffix == ".zip")
    return [path]


def main(arguments: list[str]) -> int:
    """Print the table; return the exit status."""
    given = arguments or [each for each in [os.environ.get("COLLECTION", "")] if each]
    paths = [path for each in given for path in collections_in(Path(each))]
    if not paths:
        print("COLLECTION: name a collection, or a folder of collections", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    figures = "throws | exact | `ok` | right | sure | sure and wrong | taught faces told"
    print(f"| collection | dice | camera | {figures} |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    whole, damaged = Tally(), 0
    for path in paths:
        try:
            what, tally = measure(path)
        except CollectionError as error:
            print(error, file=sys.stderr)
            damaged += 1
            continue
        print(f"| {path.name} | {what} | {tally} |", flush=True)
        for name, value in vars(tally).items():
            setattr(whole, name, getattr(whole, name) + value)
    print(f"| all | | | {whole} |")
    return 2 if damaged else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
