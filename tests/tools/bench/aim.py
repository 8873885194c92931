"""Measures at which size, light and blur reading ends, and what the set-up page says of it.

`python -m tests.tools.bench.aim` takes the normal pictures of the sets in tests/pictures/renders,
or in the folder given, scales them down, darkens and blurs them, and prints a markdown table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from math import hypot
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from tests.tools.bench.symbols import RENDERS, Picture, pictures, profile_of
from vision.dice.aim import AimAdvisor
from vision.dice.reader import DiceReader

NOISE = 2.5  # grey levels


class Change(NamedTuple):
    """What is done to a picture whose dice are `edge` pixels wide; `fault`: that it must show."""

    name: str
    fault: str
    image: Callable[[np.ndarray, float], np.ndarray]


def scale_to(edge: float, to: float) -> float:
    """By how much a picture becomes smaller; none becomes larger."""
    return min(1.0, to / edge)


def smaller(to: float) -> Change:
    """As from farther away, until a top face is `to` pixels wide."""

    def change(image: np.ndarray, edge: float) -> np.ndarray:
        height, width = image.shape[:2]
        scale = scale_to(edge, to)
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        left, top = (width - small.shape[1]) // 2, (height - small.shape[0]) // 2
        out = np.empty_like(image)
        out[:] = np.median(image.reshape(-1, 3), 0)
        out[top : top + small.shape[0], left : left + small.shape[1]] = small
        return out

    return Change(f"{to:g} pixels", "too_far", change)


def darker(by: float) -> Change:
    """Less light, and the sensor's noise."""

    def change(image: np.ndarray, _: float) -> np.ndarray:
        noise = np.random.default_rng(1).normal(0, NOISE, image.shape)
        return np.clip(image * by + noise, 0, 255).astype(np.uint8)

    return Change(f"{by:g} of the light", "too_dark", change)


def brighter(by: float) -> Change:
    """Too much light."""
    name = f"{by:g} times the light"
    return Change(name, "too_bright", lambda image, _: cv2.convertScaleAbs(image, alpha=by))


def blurred(by: float) -> Change:
    """Out of focus by so many edges."""
    name = f"blurred by {by:g} edges"
    return Change(name, "blurred", lambda image, edge: cv2.GaussianBlur(image, (0, 0), by * edge))


CHANGES = (
    Change("as they are", "", lambda image, _: image),
    *map(smaller, (36, 30, 26, 22, 18, 15)),
    *map(darker, (0.5, 0.3, 0.2, 0.12, 0.08)),
    *map(brighter, (1.3, 1.6, 2.0, 2.5)),
    *map(blurred, (0.02, 0.04, 0.06, 0.08)),
)


def places(case: Picture, change: Change) -> list[tuple[float, float, float, str]]:
    """Where the dice lie after a change: x, y, edge, face."""
    boxes = case.truth["boxes"]
    if change.fault != "too_far":
        return [tuple(box) for box in boxes]
    height, width = case.image.shape[:2]
    scale = scale_to(typical(case), float(change.name.split()[0]))
    return [
        (width / 2 + (x - width / 2) * scale, height / 2 + (y - height / 2) * scale, e * scale, f)
        for x, y, e, f in boxes
    ]


def typical(case: Picture) -> float:
    """The edge of most dice in a picture."""
    return float(np.median([box[2] for box in case.truth["boxes"]]))


def normal(home: Path) -> Iterator[Picture]:
    """The pictures of a set with five loose dice."""
    return (picture for picture in pictures(home) if picture.truth["kind"] == "normal")


def main(arguments: list[str]) -> None:
    """Print the table."""
    cv2.setNumThreads(1)
    homes = Path(arguments[0]) if arguments else RENDERS
    sets = [
        (DiceReader(profile_of(path.parent)), list(normal(path.parent)))
        for path in sorted(homes.glob("*/truth.json"))
    ]
    aimer = AimAdvisor()
    print("| picture | dice read right | sure and wrong | the page says so | and something else |")
    print("|---|---|---|---|---|")
    for change in CHANGES:
        dice = right = silent = said = other = shown = 0
        for reader, cases in sets:
            for case in cases:
                image = change.image(case.image, typical(case))
                reading = reader.read(image)
                read = reading.dice
                for x, y, edge, face in places(case, change):
                    here = [die for die in read if hypot(die.x - x, die.y - y) < edge / 2]
                    dice += 1
                    right += any(die.face == face for die in here)
                    silent += any(die.sure and die.face != face for die in here)
                faults = {advice.fault for advice in aimer.advise(image, reading)}
                shown += 1
                said += change.fault in faults
                other += bool(faults - {change.fault})
        print(
            f"| {change.name} | {right} of {dice} ({right / dice:.0%}) | {silent} "
            f"| {said if change.fault else '–'} of {shown} | {other} |",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
