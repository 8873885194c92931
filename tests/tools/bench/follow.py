"""Following the dice: from rest to reading, noisy frames, and what watching an empty tray costs.

    python -m tests.tools.bench.follow [--throws N] [--renders FOLDER]

Prints Markdown tables. Noisy frames are of the throws in FOLDER, by default those of the tests.
The baseline reads every picture and takes what it read three times in a row; where a reading takes
longer than a picture, it misses the pictures meanwhile. Drawn dice, whose rest is known to the
picture; one thread, and readings by the processor's time, so that what else runs here counts for
nothing.
"""

import argparse
import itertools
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from tests.tools.bench.machine import machine
from tests.tools.bench.symbols import RENDERS, pictures, profile_of
from vision.dice.follow import DiceFollower, TrayEvent
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import DiceReading, TrayVerdict
from vision.imaging.geometry import Image
from vision.simulate.dice.tray import SimulatedDiceTray

FPS = 15
IDLE_FPS = 10
IDLE_PICTURES = 200
AGREEING = 3
LYING = 12
"""Pictures of the dice at rest."""
NOISE, DIMMED, NOISY_FRAMES = 12.0, 0.6, 24
"""Grey levels of noise, share of the light, and frames of a throw at rest."""


class Rest(NamedTuple):
    """How a throw was noticed: pictures and seconds from rest to its reading, and whether right."""

    pictures: int
    seconds: float
    right: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=30)
    parser.add_argument("--renders", type=Path, default=RENDERS)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    reader = DiceReader(load_profile("pips"))
    followed, naive = [], []
    for seed in range(arguments.throws):
        images, rest, faces = throw(seed)
        followed.append(follow(reader, images, rest, faces))
        naive.append(read_all(reader, images, rest, faces))
    print(f"\nFollowing the dice, 820 x 616, {machine()}\n")
    print("| figure | follower | baseline: every picture is read |\n|---|---|---|")
    for name, figures in {
        f"rest to reading at {FPS} pictures a second, median": [
            f"{statistics.median(rest.pictures for rest in rests):g} pictures, "
            f"{statistics.median(rest.seconds for rest in rests):.2f} s"
            for rests in (followed, naive)
        ],
        "the longest": [
            f"{max(rest.pictures for rest in rests)} pictures, "
            f"{max(rest.seconds for rest in rests):.2f} s"
            for rests in (followed, naive)
        ],
        f"the first reading told is the roll, of {arguments.throws} throws": [
            str(sum(rest.right for rest in rests)) for rests in (followed, naive)
        ],
        "a reading, median": [
            f"{statistics.median(map(reading_s, [reader] * 5)) * 1000:.0f} ms",
            "the same",
        ],
        f"an empty tray at {IDLE_FPS} pictures a second, of one core": [
            f"{idle_cost(DiceFollower(reader.read).update):.1%}",
            f"{idle_cost(lambda image, at: reader.read(image), pictures=20):.0%}",
        ],
    }.items():
        print(f"| {name} | {figures[0]} | {figures[1]} |")
    print_noisy(arguments.renders)


def print_noisy(renders: Path) -> None:
    """Read dim, noisy frames of dice at rest: the first alone, and as the follower does."""
    counts: dict[str, Counter[str]] = {}
    for home in sorted(p.parent for p in renders.glob("*/truth.json")):
        reader = DiceReader(profile_of(home))
        for picture in pictures(home):
            if picture.truth["kind"] not in ("normal", "touching", "cocked"):
                continue
            for way, verdict, faces in noisy(reader, picture.image):
                right = faces == sorted(picture.truth["dice"])
                kind = "leaning" if picture.truth["kind"] == "cocked" else "flat"
                counts.setdefault(f"{way} | {kind}", Counter()).update(
                    ["throws", str(verdict), *["wrong"] * (verdict is TrayVerdict.OK and not right)]
                )
    print(
        "\n| dim, noisy frames | throws | `ok` | of these wrong | `cocked` |\n|---|---|---|---|---|"
    )
    for way, count in sorted(counts.items(), key=lambda item: item[0].split(" | ")[1]):
        cells = (count[name] for name in ("throws", TrayVerdict.OK, "wrong", TrayVerdict.COCKED))
        print(f"| {way.replace(' | ', ', ')} | {' | '.join(map(str, cells))} |")


def noisy(reader: DiceReader, image: Image) -> Iterator[tuple[str, TrayVerdict | None, list[str]]]:
    """Return how the dice are read: a name, the verdict, the faces."""
    rng = np.random.default_rng(1)
    frames = []
    for _ in range(NOISY_FRAMES):
        noise = rng.normal(0, NOISE, image.shape)
        frames.append(np.clip(image * DIMMED + noise, 0, 255).astype(np.uint8))
    first = reader.read(frames[0])
    yield "the first frame", first.verdict, gist(first)
    follower = DiceFollower(reader.read)
    told = None
    for number, frame in enumerate([np.full_like(image, 90), *frames]):
        change = follower.update(frame, number / FPS)
        if change is not None and change.event is not TrayEvent.MOVING:
            if told is None:
                yield "when it settles", change.verdict, sorted(die.face for die in change.dice)
            told = change
    assert told is not None
    yield "half a second later", told.verdict, sorted(die.face for die in told.dice)


def throw(seed: int) -> tuple[list[Image], int, list[str]]:
    """An empty tray, dice rolling in, and lying: pictures, the first at rest, and the faces."""
    tray = SimulatedDiceTray(seed=seed)
    images = [tray.frame() for _ in range(8)]
    tray.throw()
    while not tray.at_rest:
        images.append(tray.frame())
    return images + [tray.frame() for _ in range(LYING)], len(images), sorted(tray.faces)


def follow(reader: DiceReader, images: list[Image], rest: int, faces: list[str]) -> Rest:
    follower = DiceFollower(reader.read)
    for number, image, spent in shown(images):
        begun = time.process_time()
        told = follower.update(image, number / FPS)
        at = spent(time.process_time() - begun)
        if told is not None and told.event not in (TrayEvent.EMPTY, TrayEvent.MOVING):
            right = sorted(die.face for die in told.dice) == faces
            return Rest(number - rest, at - rest / FPS, right)
    raise AssertionError("the dice never settled")


def read_all(reader: DiceReader, images: list[Image], rest: int, faces: list[str]) -> Rest:
    last, alike = None, 0
    for number, image, spent in shown(images):
        begun = time.process_time()
        seen = gist(reader.read(image))
        at = spent(time.process_time() - begun)
        alike = alike + 1 if seen == last else 1
        last = seen
        if alike == AGREEING and seen:
            return Rest(number - rest, at - rest / FPS, seen == faces)
    raise AssertionError("no three readings agreed")


def shown(images: list[Image]) -> Iterator[tuple[int, Image, Callable[[float], float]]]:
    """Pictures as a camera gives them: number, picture, and what to tell how long it took.

    That returns when it was done, in seconds after picture 0. Who takes long misses pictures; the
    last one stays.
    """
    number, at = 0, 0.0

    def spent(seconds: float) -> float:
        nonlocal at
        at += seconds
        return at

    while at < 60:
        yield number, images[min(number, len(images) - 1)], spent
        at = max(at, (number + 1) / FPS)
        number = int(at * FPS + 1e-6)


def gist(reading: DiceReading) -> list[str]:
    return sorted(die.face for die in reading.dice)


def reading_s(reader: DiceReader) -> float:
    tray = SimulatedDiceTray(seed=1)
    tray.throw()
    while not tray.at_rest:
        tray.frame()
    image = tray.frame()
    begun = time.process_time()
    reader.read(image)
    return time.process_time() - begun


def idle_cost(update: Callable[[Image, float], object], pictures: int = IDLE_PICTURES) -> float:
    """The share of one core that an empty tray takes, once it has been seen empty."""
    tray = SimulatedDiceTray(seed=1)
    images: Iterator[Image] = itertools.cycle([tray.frame() for _ in range(20)])
    for number in range(10):
        update(next(images), number / IDLE_FPS)
    begun = time.process_time()
    for number in range(10, 10 + pictures):
        update(next(images), number / IDLE_FPS)
    return (time.process_time() - begun) / pictures * IDLE_FPS


if __name__ == "__main__":
    main()
