"""Measures reading by the size of dice and of pictures.

    python -m tests.tools.bench.sizes [RENDERS]

RENDERS holds sets as `tests.tools.bench.symbols` takes them, by default those of the tests. By the
size of dice: parts of pictures, enlarged or reduced until a die is so wide, and simulated throws in
a tray that fills the picture. By the size of the picture: how long a reading takes, on one thread,
beside the tutorials' method for pips. Times are the processor's, so that what else runs here counts
for little. Prints markdown tables; `--only parts` and the like choose, `--parts N` takes fewer.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from places import PICTURES

from tests.tools.bench.machine import machine
from tests.tools.bench.symbols import RENDERS, Picture, pictures, profile_of, wrong
from tests.tools.bench.vision import Photo, photos, tutorial
from vision.dice.profile import Profile, load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import FACES, DiceReading, TrayVerdict
from vision.dice.teach import ProfileTrainer, build_profile
from vision.simulate.dice.art import DiceKind
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.dice.tray import SimulatedDiceTray
from vision.simulate.settings import RenderSettings

SHARES = (0.025, 0.035, 0.05, 0.06, 0.075, 0.085, 0.1, 0.12, 0.16, 0.2, 0.25)
"""Edges of top faces, as shares of the picture's width."""
PARTS = 60
"""Parts of pictures for each share."""
NEAR_SHARES = (0.4, 0.5, 0.6, 0.7, 0.85, 1.1)
"""The same, of dice beside which five don't fit in the picture."""
NEAR_PARTS = 24
SIZES = ((820, 616), (1640, 1232), (2304, 1296))
"""Of a small picture, of the binned one of Camera Module 2, and of Module 3."""
SIMULATED = 8
"""Simulated throws for each share and kind of dice."""
FITTING = {0.16: 4, 0.2: 3, 0.25: 2}
"""Dice that lie beside each other in a picture that they nearly fill; else five."""
Box = list[Any]
"""Of a die: its centre and edge in pixels, and its face."""


def part(
    picture: Picture, number: int, share: float, rng: np.random.Generator
) -> tuple[np.ndarray, list[Box]]:
    """A part of a picture in which one die is `share` wide, and all boxes in it.

    The die lies anywhere in it as a whole. Beyond the picture its border is drawn out.
    """
    width, height = SIZES[0]
    tall, wide = picture.image.shape[:2]
    x, y, edge, _ = picture.truth["boxes"][number]
    scale = share * width / edge
    corner = [
        within(rng, centre, span / scale, whole, 0.75 * edge)
        for centre, span, whole in ((x, width, wide), (y, height, tall))
    ]
    image, sampling = picture.image, cv2.INTER_CUBIC
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        sampling = cv2.INTER_LINEAR
    zoom = max(scale, 1)
    matrix = np.array([[zoom, 0, -corner[0] * scale], [0, zoom, -corner[1] * scale]])
    seen = cv2.warpAffine(
        image, matrix, (width, height), flags=sampling, borderMode=cv2.BORDER_REPLICATE
    )
    boxes = [
        [(bx - corner[0]) * scale, (by - corner[1]) * scale, size * scale, face]
        for bx, by, size, face in picture.truth["boxes"]
    ]
    return seen, boxes


def within(
    rng: np.random.Generator, centre: float, span: float, whole: float, room: float
) -> float:
    """Where a part begins that is `span` long, holds `centre`, and leaves the picture little."""
    room = min(room, 0.499 * span)
    low, high = centre - span + room, centre - room
    inside = sorted((0.0, whole - span))
    if max(low, inside[0]) <= min(high, inside[1]):
        low, high = max(low, inside[0]), min(high, inside[1])
    return float(rng.uniform(low, high))


VERDICTS = ("empty", "blocked", "too_near", "count")
"""What is counted beside the dice; as text, since earlier readers had fewer."""


def print_parts(profiles: dict[Path, Profile], parts: int) -> None:
    print(f"OpenCV {cv2.__version__}\n\nParts of pictures with dice that were taught:\n")
    said = "".join(f" `{verdict}` |" for verdict in VERDICTS)
    print(f"| edge | read | sure | sure and wrong |{said}\n|{'---|' * (4 + len(VERDICTS))}")
    readers = [(DiceReader(profile), list(throws(home))) for home, profile in profiles.items()]
    for share in (*SHARES, *NEAR_SHARES):
        rng = np.random.default_rng(round(1000 * share))
        count: Counter[str] = Counter()
        of = min(parts, PARTS if share in SHARES else NEAR_PARTS)
        for index in range(of):
            reader, thrown = readers[index % len(readers)]
            picture = thrown[index // len(readers) % len(thrown)]
            number = int(rng.integers(len(picture.truth["boxes"])))
            image, boxes = part(picture, number, share, rng)
            count.update(outcome(reader.read(image), boxes, boxes[number]))
        figures = [count[name] for name in ("sure", "wrong", *VERDICTS)]
        cells = " | ".join(map(str, figures))
        print(f"| {share:g} | {count['read']} of {of} | {cells} |", flush=True)


def throws(home: Path) -> Iterator[Picture]:
    return (p for p in pictures(home) if p.truth["kind"] == "normal")


def outcome(reading: DiceReading, boxes: list[Box], target: Box) -> Iterator[str]:
    """What became of the die at `target`, and of all that was read."""
    x, y, edge, face = target
    here = [d for d in reading.dice if math.hypot(d.x - x, d.y - y) < edge / 3 and d.face == face]
    yield from ["read"] * bool(here)
    yield from ["sure"] * any(die.sure for die in here)
    yield from ["wrong" for die in reading.dice if die.sure and wrong(die, {"boxes": boxes})]
    yield reading.verdict


def small_tray(kind: DiceKind, share: float, seed: int, faces: Sequence[str]) -> SimulatedDiceTray:
    """A tray that fills the picture, with dice of this share of its width, flat and apart."""
    rng = np.random.default_rng([seed, round(1000 * share)])
    edge = 1.6 if share < 0.08 else 3.0
    across = edge / share
    height = float(np.clip(across / 1.3, 15, 80))
    floor = 0.86 * across, 0.63 * across
    blue, green, red = rng.uniform(30, 130, 3)
    settings = RenderSettings(
        edge=edge,
        floor=floor,
        wall=min(2.5, 1.6 * edge),
        height=height + edge,
        field_of_view=float(np.degrees(2 * np.arctan(across / 2 / height))),
        tilt=rng.uniform(0, 8),
        light=(rng.uniform(0, 360), rng.uniform(40, 70)),
        felt_colour=(int(blue), int(green), int(red)),
    )
    tray = SimulatedDiceTray(kind, seed=seed, settings=settings)
    room = np.array(floor) / 2 - 0.75 * edge
    while True:
        places = [
            PlacedDie(face, float(x), float(y), rng.uniform(0, 360))
            for face in faces
            for x, y in [rng.uniform(-room, room)]
        ]
        try:
            tray.place(places)
        except ValueError:  # two overlap
            continue
        return tray


def simulated_profile() -> Profile:
    teacher = ProfileTrainer()
    shown = {
        face: [
            crop.picture
            for seed in range(4)
            for crop in [teacher.crop(small_tray("symbols", 0.05, seed, [face]).frame())]
            if crop.picture is not None
        ]
        for face in FACES
    }
    return build_profile("simulated", shown, "base")


def print_throws() -> None:
    print("\nSimulated throws in trays that fill the picture:\n")
    print("| edge | dice | throws read | dice sure | sure and wrong | `ok` |")
    print("|---|---|---|---|---|---|")
    profiles: dict[DiceKind, Profile] = {
        "symbols": simulated_profile(),
        "pips": load_profile("pips"),
    }
    for kind, profile in profiles.items():
        reader = DiceReader(profile)
        for share in SHARES:
            dice = FITTING.get(share, 5)
            count: Counter[str] = Counter()
            for seed in range(SIMULATED):
                faces = np.random.default_rng(seed).choice(FACES, dice).tolist()
                tray = small_tray(kind, share, seed, faces)
                reading = reader.read(tray.frame())
                boxes = [
                    [*centre, size, face]
                    for centre, size, face in zip(tray.centres, tray.sizes, faces, strict=True)
                ]
                count["right"] += Counter(die.face for die in reading.dice) == Counter(faces)
                count["sure"] += sum(die.sure for die in reading.dice)
                count["wrong"] += sum(
                    die.sure and wrong(die, {"boxes": boxes}) for die in reading.dice
                )
                count["ok"] += reading.verdict is TrayVerdict.OK
            print(
                f"| {share:g} | {dice}, {kind} | {count['right']} of {SIMULATED} | {count['sure']} "
                f"| {count['wrong']} | {count['ok'] if dice == 5 else '–'} |",
                flush=True,
            )


def resized(image: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """The middle of the picture in the format of `size`, as large."""
    width, height = size
    h, w = image.shape[:2]
    part = min(w / width, h / height)
    return cv2.getRectSubPix(image, (round(width * part), round(height * part)), (w / 2, h / 2))


def times(read: Callable[[np.ndarray], object], images: Sequence[np.ndarray]) -> str:
    read(images[0])
    found = []
    for image in images:
        begun = time.thread_time()
        read(image)
        found.append((time.thread_time() - begun) * 1000)
    return f"{np.median(found):.0f} | {np.percentile(found, 99):.0f}"


def print_times(home: Path, symbols: Profile) -> None:
    dice = [p.image for p in pictures(home) if p.truth["kind"] in ("normal", "touching")]
    pips = [photo.image for photo in photos(PICTURES / "gray_plate")]
    ways = (
        ("symbols, taught", DiceReader(symbols).read, dice),
        ("pips", DiceReader(load_profile("pips")).read, pips),
        ("pips, the tutorials' method", lambda image: tutorial(Photo(image, [], None)), pips),
    )
    print(f"\nOne thread of {machine()}, OpenCV {cv2.__version__}\n")
    print("| size | dice | ms, median | p99 |\n|---|---|---|---|")
    for size in SIZES:
        for name, read, images in ways:
            fitted = [cv2.resize(resized(image, size), size) for image in images]
            print(f"| {size[0]} x {size[1]} | {name} | {times(read, fitted)} |", flush=True)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("renders", nargs="?", type=Path, default=RENDERS)
    parser.add_argument("--only", choices=("parts", "throws", "times"))
    parser.add_argument("--parts", type=int, default=PARTS, help="of pictures for each size of die")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    homes = sorted(p.parent for p in options.renders.glob("*/truth.json"))
    profiles = {home: profile_of(home) for home in homes if (home / "teach").is_dir()}
    if options.only in (None, "parts"):
        print_parts(profiles, options.parts)
    if options.only in (None, "throws"):
        print_throws()
    if options.only in (None, "times"):
        print_times(*list(profiles.items())[-1])


if __name__ == "__main__":
    main(sys.argv[1:])
