"""Make a pool of path-traced pictures: `python -m vision.training.traced SET OUT.npz`.

SET is a folder as in tests/pictures/renders. The pool is as vision/training/tray_pool.py draws it,
without the masks, which nobody knows here: dice as real light shows them, some of them among
drawn ones, teach the networks what drawn light leaves out. A set that was trained on says little
about how well dice are read.
"""

import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.dice.reading import FACES
from vision.training.drawing import pool_of

VIEW = np.radians(66)  # of the camera, across the picture
FLAT = 6.0  # degrees by which the normals of dice that lie flat may seem to differ


def normals(quad: np.ndarray, camera: np.ndarray) -> list[np.ndarray]:
    """Both directions, away from the camera's ground, in which a square seen as `quad` may face."""
    square = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], np.float64)
    _, turns, _, _ = cv2.solvePnPGeneric(square, quad, camera, None, flags=cv2.SOLVEPNP_IPPE)
    found = [cv2.Rodrigues(turn)[0][:, 2] for turn in turns]
    return [n if n[2] < 0 else -n for n in found]


def truths_of(truth: dict[str, Any]) -> list[list[float]]:
    """Rows as in vision/training/tray_pool.py, without the number of the scene."""
    wide, high = truth["size"]
    focal = wide / 2 / np.tan(VIEW / 2)
    middle = np.array([(wide - 1) / 2, (high - 1) / 2])
    camera = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    quads = [np.array(q, np.float64) for q in truth["quads"]]
    each = [normals(q, camera) for q in quads]
    flat = [two for two, box in zip(each, truth["boxes"], strict=True) if box[3] != "cocked"]
    every = np.array([n for two in flat for n in two])
    near = every @ every.T > np.cos(np.radians(FLAT))
    up = every[near[near.sum(1).argmax()]].mean(0)
    up = up / np.linalg.norm(up)
    rows = []
    for quad, two, box, seen in zip(quads, each, truth["boxes"], truth["visible"], strict=True):
        cocked = box[3] == "cocked"
        lean = truth.get("lean_deg") or 0.0
        leans = [abs(np.degrees(np.arccos(np.clip(n @ up, -1, 1))) - lean) for n in two]
        normal = two[int(np.argmin(leans))] if cocked else up
        a, b, c, d = quad
        axes = np.column_stack([(b + c - a - d) / 4, (c + d - a - b) / 4])
        centre = quad.mean(0)
        edge = 2 * np.sqrt(abs(np.linalg.det(axes)))
        ray = np.array([*((centre - middle) / focal), 1.0])
        # How far away a square of one edge has this size, seen so far from straight ahead.
        away = np.sqrt(focal**2 * abs(normal @ ray)) / edge
        below = ray * away - normal
        seen_below = below[:2] / below[2] * focal + middle
        face = truth.get("cocked_face") if cocked else box[3]
        lean_seen = (seen_below - centre) / edge
        number = FACES.index(face) if face in FACES else -1
        rows.append([*centre, *axes.ravel(), *lean_seen, float(cocked), number, seen])
    return rows


def main() -> None:
    """Write the pool of a set."""
    home, out = Path(sys.argv[1]), Path(sys.argv[2])
    pictures: list[np.ndarray] = []
    rows: list[list[float]] = []
    for name, truth in json.loads((home / "truth.json").read_text()).items():
        outside = truth.get("outside") or []
        if outside:  # dice without quads: nothing may be said of where they lie
            continue
        if truth["boxes"]:
            rows += [[len(pictures), *row] for row in truths_of(truth)]
        pictures.append(np.frombuffer((home / name).read_bytes(), np.uint8))
    for path in sorted((home / "tray").glob("*.jpg")):
        pictures.append(np.frombuffer(path.read_bytes(), np.uint8))
    np.savez(out, **pool_of(pictures, rows))
    print(len(pictures), "pictures,", len(rows), "dice")


if __name__ == "__main__":
    main()
