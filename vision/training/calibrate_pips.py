"""Fit what the reader believes: `python -m vision.training.calibrate_pips SCENES PICTURES`.

Reads SCENES newly drawn scenes and the labelled PICTURES, and fits by logistic regression when a
spot is a die and when its face is read right. Prints the weights for vision/pips/reader.py.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.pips.classifier import PipFace
from vision.pips.reader import PipReader
from vision.profile import load_profile
from vision.training.pip_dice import OTHER
from vision.training.pip_scenes import draw_scene

SEED = 900
PHOTO = 2.0  # a spot in a photograph counts as so many in drawn scenes, which are harder
Row = tuple[np.ndarray, bool, bool]  # evidence, whether it is a die, whether it is read right


def drawn(reader: PipReader, scenes: int) -> Iterator[Row]:
    rng = np.random.default_rng(SEED)
    for _ in range(scenes):
        image, truths = draw_scene(rng)
        evidence = reader.gather(image)
        for face, seen in zip(evidence.faces, evidence.rows, strict=True):
            near = [t for t in truths if np.hypot(t.x - face.box.x, t.y - face.box.y) < reach(t)]
            if not near:
                yield seen, False, False
            elif near[0].seen > 0.75:
                yield seen, near[0].face != OTHER, near[0].face == face.likely[0]


def reach(truth) -> float:
    return 0.35 * 2 * np.sqrt(abs(np.linalg.det(truth.axes)))


def photographed(reader: PipReader, folder: Path) -> Iterator[Row]:
    for name, label in json.loads((folder / "labels.json").read_text()).items():
        evidence = reader.gather(cv2.imread(str(folder / name)))
        partly = "incomplete" in label or "complete" in label
        left = list(label["boxes"])
        for face, seen in zip(evidence.faces, evidence.rows, strict=True):
            box = next((b for b in left if within(face, b)), None)
            if box:
                left.remove(box)
                yield seen, True, box[4] == face.likely[0] + 1
            elif not partly:
                yield seen, False, False


def within(face: PipFace, box: list[float]) -> bool:
    x, y, w, h, _ = box
    return x <= face.box.x <= x + w and y <= face.box.y <= y + h and face.box.edge > 0.4 * w


def logistic(x: np.ndarray, y: np.ndarray, share: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Weights, offset first, by Newton's method; `share`: how much each row counts."""
    x = np.column_stack([np.ones(len(x)), x]).astype(np.float64)
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (share * (y - p)) - ridge * w
        bend = (x * (share * p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(w))
        w += np.linalg.solve(bend, slope)
    return w


def main() -> None:
    reader = PipReader(load_profile("pips"))
    rows = list(drawn(reader, int(sys.argv[1])))
    share = [1.0] * len(rows)
    for folder in sorted(p.parent for p in Path(sys.argv[2]).glob("*/labels.json")):
        rows += photographed(reader, folder)
    share += [PHOTO] * (len(rows) - len(share))
    x = np.array([r[0] for r in rows])
    for name, y in (("IS_DIE", [r[1] for r in rows]), ("IS_RIGHT", [r[2] for r in rows])):
        w = logistic(x, np.array(y, float), np.array(share))
        p = 1 / (1 + np.exp(-np.column_stack([np.ones(len(x)), x]) @ w))
        print(f"{name} = ({', '.join(f'{v:.2f}' for v in w)})")
        print(f"# of {len(y)} spots {np.mean(y):.0%}; found out {np.mean((p > 0.5) == y):.1%}")
        for limit in (0.9, 0.95, 0.98):
            wrong = np.sum(~np.array(y)[p > limit])
            print(f"# above {limit}: {np.sum(p > limit)}, wrong {wrong}")


if __name__ == "__main__":
    main()
