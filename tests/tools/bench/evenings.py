"""Measures evenings at a table: make bench BENCHES=evenings, or with --throws 10 --seed 2

Five tables are set, each with a set of dice that nothing was trained on. It is taught once, then
thrown forty times; in each fifth throw one die leans. Players answer truly what they are asked, and
the reader learns from that as at the table. Prints what an evening costs, in steps of ten throws,
and what was sure and wrong, for a reader that looks at each picture as if it were new, and for one
that learns its table. `--sheet FOLDER` writes pictures of the throws.

Taps: one for each die that is asked about or missing, at least one where a throw of flat dice isn't
`ok`. A throw with a leaning die is thrown again, whatever else is asked; it costs no tap.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import cv2
import numpy as np

from tests.tools.bench.drawn_evenings import (
    TABLES,
    Throw,
    contact_sheet,
    set_table,
    teach,
)
from vision.dice.find.tray_model import TrayModel
from vision.dice.learn import ProfileLearner
from vision.dice.profile import Profile
from vision.dice.reader import DiceReader
from vision.dice.reading import DICE, DiceReading, Die, TrayVerdict

STEP = 10  # throws of a part of an evening
WAYS = {"as if new": False, "knows its table": True}
"""Whether the reader knows its table, by what that is called."""


@dataclass
class Count:
    """What became of throws."""

    flat: int = 0
    flat_ok: int = 0
    flat_cocked: int = 0
    taps: int = 0
    leaning: int = 0
    leaning_ok: int = 0
    wrong_ok: int = 0  # flat throws that are `ok`, with a face misread
    silent: int = 0  # dice that are sure and wrong, those that lean included

    def __add__(self, other: Count) -> Count:
        return Count(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Count)))

    def __str__(self) -> str:
        return (
            f"{self.flat_ok} of {self.flat} | {self.flat_cocked} | {self.taps} "
            f"| {self.leaning_ok} of {self.leaning} | {self.wrong_ok} | {self.silent}"
        )


HEAD = (
    "flat throws `ok` | `cocked` | taps | leaning throws `ok` | wrong `ok` | dice sure and wrong |"
)


class NamedDie(NamedTuple):
    """A die that a player names."""

    x: float
    y: float
    size: float
    face: str


def named(reading: DiceReading, throw: Throw) -> list[NamedDie]:
    """Return what players name of a throw: dice that aren't sure, or are read wrong."""
    return [
        NamedDie(die.x, die.y, die.size, face)
        for die in reading.dice
        if (face := face_at(throw, die)) and not (die.sure and die.face == face)
    ]


def face_at(throw: Throw, die: Die) -> str | None:
    """Return what lies where a die is read."""
    near = [box for box in throw.boxes if np.hypot(die.x - box[0], die.y - box[1]) < box[2] / 2]
    return near[0][3] if near else None


def judge(reading: DiceReading, throw: Throw) -> Count:
    ok = reading.verdict is TrayVerdict.OK
    silent = sum(die.sure and die.face != face_at(throw, die) for die in reading.dice)
    if throw.leans:
        return Count(leaning=1, leaning_ok=ok, silent=silent)
    wrong = any(die.face != face_at(throw, die) for die in reading.dice)
    sure = sum(die.sure for die in reading.dice)
    return Count(
        flat=1,
        flat_ok=ok,
        flat_cocked=reading.verdict is TrayVerdict.COCKED,
        taps=0 if ok else max(1, DICE - sure),
        wrong_ok=ok and wrong,
        silent=silent,
    )


def spend_evening(
    profile: Profile, tray: np.ndarray, throws: Sequence[Throw], *, remembers: bool
) -> list[Count]:
    """Return what each throw of an evening came to.

    tray: the empty one; remembers: whether the table is learned from throw to throw.
    """
    reader, counts = DiceReader(profile), []
    model = TrayModel(tray)
    with TemporaryDirectory() as folder:
        learner = ProfileLearner(lambda: reader, profile.name, Path(folder))
        for number, throw in enumerate(throws):
            reading = reader.read(throw.picture, model)
            counts.append(judge(reading, throw))
            if not throw.leans:
                learner.learn(throw.picture, named(reading, throw), f"evening-{number}")
            if remembers:
                model = learn_throw(model, reading, throw)
    return counts


def learn_throw(model: TrayModel, reading: DiceReading, throw: Throw) -> TrayModel:
    """Return what the table knows after a throw, as companion/camera/table_reader.py learns it.

    Players accept it unless a die leans and that was noticed.
    """
    ok = reading.verdict is TrayVerdict.OK
    if not ok and (throw.leans or reading.verdict is not TrayVerdict.UNSURE):
        return model
    return model.add(throw.picture.shape[1::-1], reading.lying)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--throws", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sheet", type=Path)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    parts: dict[tuple[int, str], Count] = {}
    print(f"| table | reader | {HEAD}\n|---|---|---|---|---|---|---|---|")
    for look in TABLES:
        table = set_table(look, options.seed)
        throws = [table.throw(number) for number in range(options.throws)]
        if options.sheet:
            options.sheet.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(options.sheet / f"{look.name}.jpg"), contact_sheet(throws))
        profile = teach(look.dice, options.seed)
        for way, remembers in WAYS.items():
            counts = spend_evening(profile, table.empty(), throws, remembers=remembers)
            print(f"| {look.name} | {way} | {sum(counts, Count())} |", flush=True)
            for number, count in enumerate(counts):
                part = number // STEP * STEP, way
                parts[part] = parts.get(part, Count()) + count
    for (first, way), count in sorted(parts.items()):
        print(f"| throws {first + 1} to {first + STEP} | {way} | {count} |")
    for way in WAYS:
        total = sum((count for (_, each), count in parts.items() if each == way), Count())
        print(f"| all | {way} | {total} |")


if __name__ == "__main__":
    main(sys.argv[1:])
