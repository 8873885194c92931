"""Measures evenings whose light is traced: `python -m tests.tools.bench.traced_evenings COMMAND`.

`trace TRACER.so FOLDER SEED...` traces the evenings of drawn_evenings.py, in each second throw one
die leaning in true contact with another or the wall; TRACER.so is built from
vision/training/tracer.cu. `read FOLDER` reads them as evenings.py does, without corrections.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from tests.tools.bench.drawn_evenings import (
    FLICKER,
    TABLES,
    DrawnTable,
    TableLook,
    Throw,
    set_table,
    teach,
)
from tests.tools.bench.evenings import HEAD, Count, judge, learn_throw
from vision.dice.find.tray_model import TrayModel
from vision.dice.reader import DiceReader
from vision.dice.reading import DICE, FACES
from vision.training.cubes import top_face
from vision.training.drawing import decode_picture, encode_picture
from vision.training.own_sets import film_of, is_in_view
from vision.training.tracer import PathTracer, bare_ground, draw_light, tell_scene
from vision.training.trays.dice import MadeDie
from vision.training.trays.tray import lay_dice, lean_some

THROWS, SAMPLES, QUALITY = 40, 64, 85


def throw_dice(rng: np.random.Generator, table: DrawnTable, *, leans: bool) -> list[MadeDie]:
    """Return five dice, one of them leaning or none."""
    while True:
        dice = lay_dice(rng, table.make, table.tray, DICE, False)
        if leans:
            dice = lean_some(rng, table.make, table.tray, dice, 1)
        tilted = [d for d in dice if np.abs(d.turn[2]).max() < np.cos(np.radians(5))]
        if len(dice) == DICE and is_in_view(table.camera, dice) and len(tilted) == leans:
            return dice


def trace_evening(tracer: PathTracer, table: DrawnTable) -> dict[str, np.ndarray]:
    """Return the pictures of an evening as bytes, and what lies in each (n, 11)."""
    camera, look = table.camera, table.look
    rng = np.random.default_rng([table.seed, 22])
    ground = bare_ground(rng, camera, table.tray, look.floor)
    light = draw_light(rng, len(table.lights.lamps), SAMPLES)

    def trace(dice: Sequence[MadeDie], seed: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        chance = np.random.default_rng([table.seed, 24])
        told = tell_scene(chance, camera, table.tray, dice, table.lights, light)
        told["seed"] = told["seed"] if seed is None else seed
        return tracer.trace(told, ground, table.make.art)

    empty, _ = trace([])
    film = film_of(look.light)(rng, float(np.median(empty)))
    kept = {"empty": encode_picture(film.develop(rng, empty, compress=False), QUALITY)}
    for number in range(THROWS):
        rng = np.random.default_rng([table.seed, 25, number])
        dice = throw_dice(rng, table, leans=number % 2 == 1)
        image, owner = trace(dice, number)
        truths = [top_face(camera, die.cube(), owner, k) for k, die in enumerate(dice, 1)]
        gain = film.gain * np.float32(1 + rng.uniform(-FLICKER, FLICKER))
        picture = film._replace(gain=gain).develop(rng, image, compress=False)
        kept[f"throw-{number:02}"] = encode_picture(picture, QUALITY)
        kept[f"throw-{number:02}-rows"] = np.array([truth.row() for truth in truths])
    return kept


def throws_of(kept: dict[str, np.ndarray]) -> list[Throw]:
    """Return the throws of an evening."""
    throws = []
    for number in range(THROWS):
        boxes = [
            (x, y, 2 * abs(a * d - b * c) ** 0.5, "cocked" if cocked else FACES[int(face)])
            for x, y, a, b, c, d, _, _, cocked, face, _ in kept[f"throw-{number:02}-rows"]
        ]
        throws.append(Throw(decode_picture(kept[f"throw-{number:02}"]), boxes))
    return throws


def read_evening(look: TableLook, seed: int, kept: dict[str, np.ndarray]) -> Count:
    """Return what the throws of an evening came to."""
    reader, total = DiceReader(teach(look.dice, seed)), Count()
    model = TrayModel(decode_picture(kept["empty"]))
    for throw in throws_of(kept):
        reading = reader.read(throw.picture, model)
        total += judge(reading, throw)
        model = learn_throw(model, reading, throw)
    return total


def main(arguments: Sequence[str]) -> None:
    command, *rest = arguments
    cv2.setNumThreads(1)
    if command == "trace":
        tracer, folder = PathTracer(Path(rest[0])), Path(rest[1])
        for seed in map(int, rest[2:]):
            for number, look in enumerate(TABLES):
                kept = trace_evening(tracer, set_table(look, seed))
                np.savez(folder / f"evening-{seed}-{number}.npz", allow_pickle=False, **kept)
        return
    total = Count()
    print(f"| table | {HEAD}\n|---|---|---|---|---|---|---|")
    for path in sorted(Path(rest[0]).glob("evening-*.npz")):
        seed, number = map(int, path.stem.split("-")[1:])
        with np.load(path) as kept:
            count = read_evening(TABLES[number], seed, dict(kept))
        print(f"| {TABLES[number].name}, {seed} | {count} |", flush=True)
        total += count
    print(f"| all | {total} |")


if __name__ == "__main__":
    main(sys.argv[1:])
