"""Measures reading with a darker frame: `python -m tests.tools.bench.bracket SETS DARKER`.

SETS holds sets as `tests.tools.bench.symbols` takes them, DARKER the same ones with less light
(vision/training/own_sets.py makes both). Pictures are read as exposed, darker, both merged, and as
the follower does: merged where faces are unclear. Prints a Markdown table.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2

from tests.tools.bench.symbols import THROWS, Picture, pictures, profile_of
from tests.tools.bench.vision import picture as loaded
from vision.dice.follow import DiceFollower
from vision.dice.reader import DiceReader
from vision.dice.reading import DiceReading, TrayVerdict
from vision.imaging.exposure import merge_exposures
from vision.imaging.geometry import Image

FPS, FRAMES = 15, 20


def ways(
    reader: DiceReader, image: Image, darker: Image
) -> Iterator[tuple[str, TrayVerdict, list[str]]]:
    """Return how the dice are read: a name, the verdict, the faces."""
    for name, picture in {
        "as exposed": image,
        "darker": darker,
        "merged": merge_exposures([image, darker]),
    }.items():
        yield name, *gist(reader.read(picture))
    follower = DiceFollower(reader.read, lambda: darker)
    told = [follower.update(image, number / FPS) for number in range(FRAMES)]
    change = next(change for change in reversed(told) if change is not None)
    yield (
        "as the follower does",
        change.verdict or TrayVerdict.EMPTY,
        sorted(d.face for d in change.dice),
    )


def gist(reading: DiceReading) -> tuple[TrayVerdict, list[str]]:
    return reading.verdict, sorted(die.face for die in reading.dice)


def kind(picture: Picture) -> str:
    said = str(picture.truth["kind"])
    return "flat" if said in THROWS else "leaning" if said == "cocked" else said


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", type=Path)
    parser.add_argument("darker", type=Path)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    counts: dict[tuple[str, str], Counter[str]] = {}
    for home in sorted(p.parent for p in given.sets.glob("*/truth.json")):
        reader = DiceReader(profile_of(home))
        for picture in pictures(home):
            darker = loaded(given.darker / picture.name)
            for way, verdict, faces in ways(reader, picture.image, darker):
                right = faces == sorted(picture.truth["dice"])
                wrong = verdict is TrayVerdict.OK and not right
                counts.setdefault((kind(picture), way), Counter()).update(
                    ["throws", str(verdict), *["right"] * right, *["wrong"] * wrong]
                )
    print("| throws | read | of | right | `ok` | of these wrong | `cocked` |")
    print("|---|---|---|---|---|---|---|")
    for (name, way), count in sorted(counts.items(), key=lambda item: item[0][0]):
        cells = (count[key] for key in ("throws", "right", "ok", "wrong", "cocked"))
        print(f"| {name} | {way} | {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    main()
