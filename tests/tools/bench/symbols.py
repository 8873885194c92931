"""Measures the reader on dice with symbols that it was taught.

    python -m tests.tools.bench.symbols

Takes the sets in tests/pictures/renders or in the folder given: SET/teach/FACE to teach from, and
SET/truth.json with what the other pictures show. Beside it a baseline: dice found as what differs
from the floor, faces told by histograms of gradients. Prints a markdown table; `--reader-only`
leaves out the baseline, `--sheet OUT.jpg` draws the pictures that are not read right, and
`--model tray.json` gives what is known of the table at which they were taken. Times are the
processor's, so that what else runs here counts for little.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from places import PICTURES

from companion.camera.table_reader import load_model
from tests.tools.bench.compare_faces import Taught, gradients
from tests.tools.bench.vision import picture as loaded
from vision.dice.draw import draw_reading
from vision.dice.find.tray_model import UNKNOWN, TrayModel
from vision.dice.profile import Profile
from vision.dice.reader import DiceReader
from vision.dice.reading import FACES, DiceReading, Die, TrayVerdict
from vision.dice.teach import ProfileTrainer, build_profile
from vision.training.trays.scenes import CROP
from vision.training.trays.scenes import FACE as FACE_EDGE

RENDERS = PICTURES / "renders"
HARD = 40  # grey levels on a face below which to ask is as good as to read it
THROWS = ("normal", "touching", "hires", "othercolour")  # kinds with five flat dice
Read = Callable[[np.ndarray, TrayModel], DiceReading]


class Picture(NamedTuple):
    """A picture of dice. `tray`: the same without them, where a player would have it."""

    name: str
    image: np.ndarray
    tray: np.ndarray | None
    truth: dict[str, Any]


@dataclass
class Score:
    """What became of the pictures of one kind."""

    pictures: int = 0
    right: int = 0  # exactly the dice that lie there, or the verdict of that kind
    ok: int = 0
    ok_wrong: int = 0
    dice: int = 0
    silent: int = 0  # dice that are sure and wrong
    failed: list[tuple[Picture, DiceReading]] = field(default_factory=list)

    def add(self, picture: Picture, reading: DiceReading) -> None:
        kind, truth = picture.truth["kind"], picture.truth
        self.pictures += 1
        faces = Counter(die.face for die in reading.dice)
        right = faces == Counter(truth["dice"]) if kind in THROWS else reading.verdict == kind
        self.right += right
        if not right:
            self.failed.append((picture, reading))
        ok = reading.verdict is TrayVerdict.OK
        self.ok += ok
        self.ok_wrong += ok and (kind not in THROWS or not right)
        self.dice += len(truth["dice"])
        self.silent += sum(wrong(die, truth) for die in reading.dice if die.sure)


def wrong(die: Die, truth: dict[str, Any]) -> bool:
    """Whether the die is none of those in the picture, or shows another face."""
    for x, y, edge, face in truth["boxes"]:
        if np.hypot(die.x - x, die.y - y) < edge / 2:
            return bool(face not in ("cocked", die.face))
    return True


def pictures(home: Path) -> Iterator[Picture]:
    for name, truth in json.loads((home / "truth.json").read_text()).items():
        if truth["kind"] == "teach":
            continue
        tray = home / "tray" / name.replace("/", "_")
        empty = loaded(tray) if tray.is_file() else None
        yield Picture(f"{home.name}/{name}", loaded(home / name), empty, truth)


def shown(home: Path) -> dict[str, list[np.ndarray]]:
    return {
        face: [loaded(p) for p in sorted((home / "teach" / face).glob("*.jpg"))] for face in FACES
    }


@cache
def profile_of(home: Path) -> Profile:
    """Return the profile that the pictures in a folder teach, taught once a process."""
    teacher = ProfileTrainer()
    found = {
        face: [s.picture for s in map(teacher.crop, images) if s.picture is not None]
        for face, images in shown(home).items()
    }
    return build_profile(home.name, found, "base")


Box = tuple[Sequence[float], Sequence[float], float]
"""Of OpenCV: the centre, the sides, and the turn in degrees of a rectangle."""


def squares(image: np.ndarray) -> list[Box]:
    """What differs from the floor and is about as long as wide, as rectangles."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 1.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    h, w = lab.shape[:2]
    floor = np.median(lab[h // 5 : -h // 5, w // 5 : -w // 5].reshape(-1, 3), 0)
    far = np.linalg.norm(lab - floor, axis=2).clip(0, 255).astype(np.uint8)
    mask = cv2.threshold(far, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1]
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    boxes = [cv2.minAreaRect(outline) for outline in outlines]
    return [b for b in boxes if min(b[1]) > 18 and max(b[1]) < 90 and max(b[1]) < 1.5 * min(b[1])]


def crop(image: np.ndarray, box: Box) -> np.ndarray:
    (x, y), size, angle = box
    m = cv2.getRotationMatrix2D((x, y), angle, FACE_EDGE / (sum(size) / 2))
    m = m + np.array([[0, 0, (CROP - 1) / 2 - x], [0, 0, (CROP - 1) / 2 - y]])
    return cv2.cvtColor(cv2.warpAffine(image, m, (CROP, CROP)), cv2.COLOR_BGR2GRAY)


def baseline(home: Path) -> Read:
    examples: Taught = []
    for number, images in enumerate(shown(home).values()):
        for image in images:
            found = squares(image)
            if found:
                largest = max(found, key=lambda box: box[1][0])
                examples.append((number, crop(image, largest)))
    tell = gradients(0.62)(examples) if examples else None

    def read(image: np.ndarray, _: TrayModel) -> DiceReading:
        dice = []
        for box in squares(image):
            (x, y), edges, angle = box
            if tell is None:
                break
            likely = tuple(FACES[i] for i in np.argsort(-tell(crop(image, box))))
            dice.append(Die(likely[0], x, y, sum(edges) / 2, angle, 1.0, True, likely))
        if len(dice) == 5:
            return DiceReading(TrayVerdict.OK, tuple(dice))
        return DiceReading(TrayVerdict.COUNT if dice else TrayVerdict.EMPTY, tuple(dice))

    return read


def measure(
    home: Path, read: Read, model: TrayModel = UNKNOWN
) -> tuple[dict[str, Score], list[float]]:
    scores: dict[str, Score] = {}
    times = []
    for picture in pictures(home):
        start = time.thread_time()
        reading = read(picture.image, model.with_tray(picture.tray))
        times.append((time.thread_time() - start) * 1000)
        scores.setdefault(picture.truth["kind"], Score()).add(picture, reading)
    return scores, times


def contact_sheet(failed: list[tuple[Picture, DiceReading]], columns: int = 3) -> np.ndarray:
    """The pictures with what was read in them, and their names."""
    tiles = []
    for picture, reading in failed:
        tile = cv2.resize(
            draw_reading(picture.image, reading), (548, 412), interpolation=cv2.INTER_AREA
        )
        text = f"{picture.name}: {reading.verdict}"
        tile[-24:] = 0
        cv2.putText(tile, text, (8, 405), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 1)
        tiles.append(tile)
    columns = min(columns, len(tiles))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    return np.vstack([np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)])


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("renders", nargs="?", type=Path, default=RENDERS)
    parser.add_argument("--reader-only", action="store_true")
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--model", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    model = load_model(options.model) if options.model else UNKNOWN
    cv2.setNumThreads(1)
    print(f"OpenCV {cv2.__version__}, one thread\n")
    print("| set | kind | method | right | called ok | of these wrong | dice sure and wrong |")
    print("|---|---|---|---|---|---|---|")
    failed: list[tuple[Picture, DiceReading]] = []
    every: list[float] = []
    for home in sorted(p.parent for p in options.renders.glob("*/truth.json")):
        methods: dict[str, Read] = {"reader": DiceReader(profile_of(home)).read}
        if not options.reader_only:
            methods["baseline"] = baseline(home)
        for method, read in methods.items():
            scores, times = measure(home, read, model)
            for kind, s in scores.items():
                print(
                    f"| {home.name} | {kind} | {method} | {s.right} of {s.pictures} | {s.ok} "
                    f"| {s.ok_wrong} | {s.silent} of {s.dice} |",
                    flush=True,
                )
            if method == "reader":
                every += times
                failed += [pair for s in scores.values() for pair in s.failed]
    print(f"\nThe reader: median {np.median(every):.0f} ms, p99 {np.percentile(every, 99):.0f} ms")
    named = [f"{picture.name} ({reading.verdict})" for picture, reading in failed]
    print("Not right:", ", ".join(named) or "none")
    if options.sheet and failed:
        cv2.imwrite(str(options.sheet), contact_sheet(failed), [cv2.IMWRITE_JPEG_QUALITY, 80])


if __name__ == "__main__":
    main(sys.argv[1:])
