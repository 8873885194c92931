"""Fit what the reader believes: `python -m vision.training.pips.calibrate SCENES PICTURES`.

Reads SCENES newly drawn scenes and the labelled PICTURES, and fits by logistic regression when a
spot is a die, and when the face of a die is read right. Prints the weights for
vision/dice/decide.py. With 900 and tests/pictures it prints is_right as
it is in use there, but another is_die, with which two photographs fewer are read:
docs/dev/decisions/2026-11-22-one-finder.md.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from vision.dice.decide import Evidence
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.imaging.geometry import FaceBox
from vision.training.calibrate_taught import Row, fit
from vision.training.drawing import read_picture
from vision.training.pips.dice import OTHER
from vision.training.pips.scenes import draw_scene

SEED = 900
PHOTO = 2.0  # a spot in a photograph counts as so many in drawn scenes, which are harder


def drawn_rows(reader: DiceReader, scenes: int) -> Iterator[Row]:
    """Yield what the reader finds in newly drawn scenes."""
    rng = np.random.default_rng(SEED)
    for _ in range(scenes):
        image, truths = draw_scene(rng)
        evidence = reader.gather(image)
        for box, seen, likely in spots(evidence):
            near = [t for t in truths if np.hypot(t.x - box.x, t.y - box.y) < 0.35 * t.edge]
            if not near:
                yield Row(seen, False, False)
            elif near[0].seen > 0.75:
                yield Row(seen, near[0].face != OTHER, near[0].face == likely)


def spots(evidence: Evidence) -> Iterator[tuple[FaceBox, np.ndarray, int]]:
    """Yield where something was found, its evidence, and its likeliest face."""
    for die, seen, likely in zip(evidence.candidates, evidence.rows, evidence.likely, strict=True):
        yield die.box, seen, int(likely[0])


def photo_rows(reader: DiceReader, folder: Path) -> Iterator[Row]:
    """Yield what the reader finds in the labelled photographs of a folder."""
    for name, label in json.loads((folder / "labels.json").read_text()).items():
        evidence = reader.gather(read_picture(folder / name))
        partly = "incomplete" in label or "complete" in label
        left = list(label["boxes"])
        for found, seen, likely in spots(evidence):
            box = next((b for b in left if is_within(found, b)), None)
            if box:
                left.remove(box)
                yield Row(seen, True, box[4] == likely + 1)
            elif not partly:
                yield Row(seen, False, False)


def is_within(found: FaceBox, box: list[float]) -> bool:
    """Return whether what was found lies in a labelled box (x, y, width, height, value)."""
    x, y, w, h, _ = box
    return x <= found.x <= x + w and y <= found.y <= y + h and found.edge > 0.4 * w


def main() -> None:
    """Print the weights of the reader of pips, and how reliable they are."""
    reader = DiceReader(load_profile("pips"))
    drawn = list(drawn_rows(reader, int(sys.argv[1])))
    folders = sorted(p.parent for p in Path(sys.argv[2]).glob("*/labels.json"))
    photos = [row for folder in folders for row in photo_rows(reader, folder)]
    fit(drawn + photos, [1.0] * len(drawn) + [PHOTO] * len(photos))


if __name__ == "__main__":
    main()
