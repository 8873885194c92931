"""Measures evenings at a table: make bench BENCHES=evenings, or with --throws 10 --seed 2

Five tables are set, each with a set of dice that nothing was trained on. It is taught once, then
thrown forty times; in each fifth throw one die leans. Players answer truly what they are asked, and
the reader learns from that as at the table. Prints what an evening costs, in steps of ten throws,
and what was sure and wrong, for a reader that looks at each picture as if it were new, and for one
that learns its table. `--sheet FOLDER` writes pictures of the throws.

Taps: one for each die that is asked about or missing, at least one where a throw of flat dice isn't
`ok`. A throw with a leaning die is thrown again, whatever else is asked; it costs no tap.

`--changes`: after ten throws the camera is pushed, the lamp goes on or off, or other dice or
another tray come, and eight throws follow, read by the table's own parts, which nobody told. In
the first three the tray isn't seen empty: what is known of it is of before.
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

from companion.camera.empty_tray import EmptyTray
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers
from companion.setup.other_dice import UNLIKE, is_unlike, most_alike
from tests.tools.bench.drawn_evenings import (
    CHANGES,
    TABLES,
    Throw,
    change_table,
    contact_sheet,
    set_table,
    teach,
)
from vision.dice.find.tray_model import UNKNOWN, TrayModel
from vision.dice.learn import ProfileLearner
from vision.dice.profile import Profile
from vision.dice.reader import DiceReader
from vision.dice.reading import DICE, DiceReading, Die, TrayVerdict

STEP = 10  # throws of a part of an evening
TURN, AFTER = 3, 8  # throws after a change until the tray is seen empty, and in all
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
    if not is_accepted(reading, throw):
        return model
    return model.add(throw.picture.shape[1::-1], reading.lying)


def is_accepted(reading: DiceReading, throw: Throw) -> bool:
    """Return whether players accept a throw."""
    ok = reading.verdict is TrayVerdict.OK
    return ok or (reading.verdict is TrayVerdict.UNSURE and not throw.leans)


def spend_part(
    reader: TableReader,
    throws: Sequence[Throw],
    trays: Sequence[TrayModel],
    others: Sequence[Profile] = (),
) -> list[Count]:
    """Return what each throw came to at a table.

    trays: what was last seen empty before each; others: known sets, of which the host chooses the
    one that the table names (`companion/setup/other_dice.py`), with two taps.
    """
    counts, unlike = [], 0
    with TemporaryDirectory() as folder:
        learner = ProfileLearner(lambda: reader.reader, reader.profile.name, Path(folder))
        for number, (throw, tray) in enumerate(zip(throws, trays, strict=True)):
            reading = reader.read(throw.picture, tray)
            counts.append(judge(reading, throw))
            if not throw.leans:
                learner.learn(throw.picture, named(reading, throw), f"part-{number}")
            unlike = unlike + 1 if is_unlike(reading.dice) else 0
            if unlike and unlike % UNLIKE == 0:
                model = reader.model_for(throw.picture)
                if (alike := most_alike(throw.picture, model, others)) is not None:
                    reader.use(alike)
                    counts[-1] += Count(taps=2)
            if is_accepted(reading, throw):
                reader.accept()
    return counts


def measure_changes(seed: int) -> None:
    """Print what throws came to after each change."""
    taught = {look.dice: teach(look.dice, seed) for look in TABLES}
    totals: dict[tuple[str, str, str], Count] = {}
    print(f"| change | table | reader | throws | {HEAD}\n|{'---|' * 10}")
    for look in TABLES:
        before = set_table(look, seed)
        empty = TrayModel(before.empty())
        first = [before.throw(number) for number in range(STEP)]
        used = {
            way: used_table(taught[look.dice], before.empty() if kept else None)
            for way, kept in (("seen", False), ("kept", True))
        }
        for way, reader in used.items():
            spend_part(reader, first, [empty if way == "seen" else UNKNOWN] * STEP)
        for change in CHANGES:
            after = change_table(before, change, seed)
            throws = [after.throw(number) for number in range(AFTER)]
            chosen = taught[after.look.dice] if change == "dice" else used["seen"].profile
            counts = {"new": spend_evening(chosen, after.empty(), throws, remembers=False)}
            for way, reader in used.items():
                kept = way == "kept"
                trays = [empty] * TURN + [TrayModel(after.empty())] * (AFTER - TURN)
                again = used_table(reader.profile, before.empty() if kept else None, reader.model)
                counts[way] = spend_part(again, throws, [UNKNOWN] * AFTER if kept else trays)
                if change == "dice":
                    again = used_table(chosen, before.empty() if kept else None, reader.model)
                    each = spend_part(again, throws, [UNKNOWN] * AFTER if kept else trays)
                    counts[f"{way}, chosen"] = each
                    again = used_table(reader.profile, before.empty() if kept else None)
                    each = spend_part(
                        again, throws, [UNKNOWN] * AFTER if kept else trays, [*taught.values()]
                    )
                    counts[f"{way}, told"] = each
            for way, each in counts.items():
                for part, some in (("1-3", each[:TURN]), ("4-8", each[TURN:])):
                    count = sum(some, Count())
                    print(f"| {change} | {look.name} | {way} | {part} | {count} |", flush=True)
                    key = change, way, part
                    totals[key] = totals.get(key, Count()) + count
    for (change, way, part), count in totals.items():
        print(f"| {change} | all | {way} | {part} | {count} |")


def used_table(
    profile: Profile, empty: np.ndarray | None, model: TrayModel = UNKNOWN
) -> TableReader:
    """Return the reader of a table; empty: the picture of its tray that was kept."""
    with TemporaryDirectory() as folder:
        workers = FrameWorkers()
        tray = EmptyTray(Path(folder) / "tray.png", workers)
        if empty is not None:
            tray.keep(empty)
        workers.close()
    return TableReader(profile, tray, model)


def measure_evenings(seed: int, length: int, sheet: Path | None) -> None:
    """Print what evenings of so many throws came to; sheet: a folder for pictures of them."""
    parts: dict[tuple[int, str], Count] = {}
    print(f"| table | reader | {HEAD}\n|---|---|---|---|---|---|---|---|")
    for look in TABLES:
        table = set_table(look, seed)
        throws = [table.throw(number) for number in range(length)]
        if sheet:
            sheet.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(sheet / f"{look.name}.jpg"), contact_sheet(throws))
        profile = teach(look.dice, seed)
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


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--throws", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--changes", action="store_true")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if options.changes:
        measure_changes(options.seed)
    else:
        measure_evenings(options.seed, options.throws, options.sheet)


if __name__ == "__main__":
    main(sys.argv[1:])
