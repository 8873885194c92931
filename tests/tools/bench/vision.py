"""Measures the reader against the method of the tutorials.

    python -m tests.tools.bench.vision PHOTOS

PHOTOS holds a folder for each source, with labels.json (`{"photo.jpg": {"dice": [1-6, ...]}}`, and
`boxes` [x, y, w, h, value] where not all dice are labelled). Without it: $BANG_PHOTOS, else the
pictures of the tests. Prints a markdown table; `--reader-only` leaves out the tutorials' method.
Times are those of one thread, and the processor's, so that what else runs here counts for little.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median

import cv2
import numpy as np
from places import PICTURES

from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader

# Our case and its nearest kin, totalled by themselves.
KIN = ("pi_tray", "phone_clean", "phone_clutter", "phone_colours", "gray_plate")


@dataclass(frozen=True)
class Read:
    """A die as read: its value 1-6, centre in pixels, and whether the method is sure of it."""

    value: int
    x: float
    y: float
    sure: bool


@dataclass(frozen=True)
class Photo:
    image: np.ndarray
    dice: list[int]
    boxes: list[list[float]] | None  # given where only the dice within them are labelled


@dataclass
class Score:
    photos: int = 0
    exact: int = 0
    dice: int = 0
    right: int = 0
    sure: int = 0
    silent: int = 0  # sure and wrong
    complete: bool = True

    def add(self, photo: Photo, reads: list[Read]) -> None:
        self.photos += 1
        self.dice += len(photo.dice)
        if photo.boxes is None:
            self.exact += Counter(r.value for r in reads) == Counter(photo.dice)
            self.right += agreement([r.value for r in reads], photo.dice)
            sure = [r.value for r in reads if r.sure]
            self.sure += len(sure)
            self.silent += len(sure) - agreement(sure, photo.dice)
            return
        self.complete = False
        for x, y, w, h, value in photo.boxes:
            here = [r for r in reads if x <= r.x <= x + w and y <= r.y <= y + h]
            nearest = min(
                here, key=lambda r: abs(r.x - x - w / 2) + abs(r.y - y - h / 2), default=None
            )
            if nearest:
                self.right += nearest.value == value
                self.sure += nearest.sure
                self.silent += nearest.sure and nearest.value != value

    def __add__(self, other: Score) -> Score:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        total = Score(*(a + b for a, b in pairs))
        total.complete = self.complete and other.complete
        return total


def agreement(read: Iterable[int], truth: Iterable[int]) -> int:
    """Dice right: the size of the intersection of both as multisets."""
    return (Counter(read) & Counter(truth)).total()


def photos(folder: Path) -> list[Photo]:
    labels = json.loads((folder / "labels.json").read_text())
    found = []
    for name, label in sorted(labels.items()):
        partly = "incomplete" in label or "complete" in label
        found.append(
            Photo(picture(folder / name), label["dice"], label["boxes"] if partly else None)
        )
    return found


def picture(path: Path) -> np.ndarray:
    image = cv2.imread(str(path))
    if image is None:
        sys.exit(f"{path}: not a picture")
    return image


# The tutorials' method: blobs are pips, clusters of pips are dice.


def blobs(image: np.ndarray, blur: int, inertia: float, area: float, side: int) -> np.ndarray:
    """Centres (n, 2) of dark and light blobs, `side` the long side to work at (0: as it is)."""
    scale = side / max(image.shape[:2]) if side else 1.0
    small = cv2.medianBlur(cv2.resize(image, None, fx=scale, fy=scale), blur)
    settings = cv2.SimpleBlobDetector.Params()
    settings.filterByInertia, settings.minInertiaRatio = True, inertia
    settings.filterByArea, settings.minArea, settings.maxArea = True, area, 5000
    found = [k.pt for k in cv2.SimpleBlobDetector.create(settings).detect(small)]
    settings.blobColor = 255
    found += [k.pt for k in cv2.SimpleBlobDetector.create(settings).detect(small)] if side else []
    return np.array(found, np.float64).reshape(-1, 2) / scale


def clusters(points: np.ndarray, reach: float) -> list[np.ndarray]:
    """DBSCAN (Ester et al. 1996) with at least one point a cluster: chains closer than `reach`."""
    left, found = list(range(len(points))), []
    while left:
        members, edge = [], [left.pop()]
        while edge:
            at = edge.pop()
            members.append(at)
            near = [i for i in left if np.linalg.norm(points[i] - points[at]) <= reach]
            left = [i for i in left if i not in near]
            edge += near
        found.append(points[members])
    return found


def as_dice(points: np.ndarray, reach: float) -> list[Read]:
    means = [(len(c), *c.mean(0).tolist()) for c in clusters(points, reach) if len(c) <= 6]
    return [Read(pips, x, y, True) for pips, x, y in means]


TUTORIAL = (7, 0.6, 25.0, 0), 40.0  # blur, inertia, least area, long side; reach in pixels
SEARCH = list(product((3, 7), (0.5, 0.7), (10.0, 40.0), (640, 1200)))
REACHES = (0.02, 0.03, 0.04, 0.055, 0.07, 0.09, 0.12)  # of the long side


def tutorial(photo: Photo) -> list[Read]:
    settings, reach = TUTORIAL
    return as_dice(blobs(photo.image, *settings), reach)


def tuned(source: list[Photo]) -> Callable[[Photo], list[Read]]:
    """The tutorials' method with the settings that read most of these very photos."""
    best: tuple[tuple[int, int], tuple[int, float, float, int], float] | None = None
    for settings in SEARCH:
        points = [blobs(photo.image, *settings) for photo in source]
        for reach in REACHES:
            score = Score()
            for photo, found in zip(source, points, strict=True):
                score.add(photo, as_dice(found, reach * max(photo.image.shape)))
            if best is None or (score.exact, score.right) > best[0]:
                best = (score.exact, score.right), settings, reach
    assert best is not None
    _, settings, reach = best
    return lambda photo: as_dice(blobs(photo.image, *settings), reach * max(photo.image.shape))


def measure(
    method: Callable[[Photo], list[Read]], source: list[Photo]
) -> tuple[Score, list[float]]:
    score, times = Score(), []
    for photo in source:
        start = time.thread_time()
        reads = method(photo)
        times.append((time.thread_time() - start) * 1000)
        score.add(photo, reads)
    return score, times


def row(name: str, method: str, score: Score, times: list[float]) -> str:
    exact = f"{score.exact} of {score.photos} ({score.exact / score.photos:.1%})"
    return (
        f"| {name} | {method} | {exact if score.complete else '–'} "
        f"| {score.right} of {score.dice} ({score.right / score.dice:.1%}) "
        f"| {score.sure} | {score.silent} | {median(times):.0f} |"
    )


def main(arguments: list[str]) -> None:
    given = [a for a in arguments if not a.startswith("-")]
    root = Path(given[0] if given else os.environ.get("BANG_PHOTOS", PICTURES))
    folders = sorted(p.parent for p in root.glob("*/labels.json"))
    if not folders:
        sys.exit(f"{root}: no folders with photos")
    profile = load_profile("pips")
    reader = DiceReader(profile)

    def ours(photo: Photo) -> list[Read]:
        dice = reader.read(photo.image).dice
        return [Read(profile.faces.index(d.face) + 1, d.x, d.y, d.sure) for d in dice]

    cv2.setNumThreads(1)
    print(f"OpenCV {cv2.__version__}, `{root.name}`\n")
    print("| source | method | photos exact | dice right | sure | sure and wrong | ms (median) |")
    print("|---|---|---|---|---|---|---|")
    totals: dict[str, tuple[Score, list[float]]] = {}
    for folder in folders:
        source = photos(folder)
        methods: dict[str, Callable[[Photo], list[Read]]] = {"reader": ours}
        if "--reader-only" not in arguments:
            methods |= {"tutorial": tutorial, "tutorial, tuned to the source": tuned(source)}
        for name, method in methods.items():
            score, times = measure(method, source)
            print(row(folder.name, name, score, times), flush=True)
            if folder.name in KIN:
                before = totals.get(name, (Score(), []))
                totals[name] = before[0] + score, before[1] + times
    for name, (score, times) in totals.items():
        print(row("**the five**", name, score, times))


if __name__ == "__main__":
    main(sys.argv[1:])
