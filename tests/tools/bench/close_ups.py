"""Measures what pictures of single dice teach: `python -m tests.tools.bench.close_ups [RENDERS]`.

RENDERS holds sets as `tests.tools.bench.symbols` takes them. Each picture of a single die is
enlarged until the die is a share of its width, in the middle or anywhere. *Right*: what was cut out
is the whole face; *wrong*: it is not, such as a part of the symbol. The others are refused. Prints
a markdown table.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from tests.tools.bench.symbols import RENDERS
from vision.dice.profile import FACE_EDGE, PICTURE
from vision.dice.teach import ProfileTrainer

SHARES = (0.05, 0.12, 0.25, 0.35, 0.5, 0.6, 0.7, 0.85, 1.1)
WIDTH, HEIGHT = 820, 616
PICTURES = 40
"""Pictures for each share and place."""
SAME = 0.45
"""Correlation with the true face from which a crop is right; whole ones have 0.4 to 0.96."""
ROW = "| {} | {} | {} of {} | {} | {} |"


def close_up(
    home: Path, name: str, share: float, shift: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The picture enlarged, and its true face as a profile keeps it.

    shift: (2,), from the middle, in the room that there is.
    """
    truth = json.loads((home / "truth.json").read_text())[name]
    image = cv2.imread(str(home / name))
    assert image is not None, name
    x, y, edge, _ = truth["boxes"][0]
    scale = share * WIDTH / edge
    room = np.minimum(0.6 * share * WIDTH, (WIDTH / 2, HEIGHT / 2))
    dx, dy = shift * room
    matrix = np.array(
        [[scale, 0, WIDTH / 2 - x * scale + dx], [0, scale, HEIGHT / 2 - y * scale + dy]]
    )
    near = cv2.warpAffine(
        image, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * FACE_EDGE
    flat = cv2.getPerspectiveTransform(np.array(truth["quads"][0], np.float32), square)
    return near, cv2.warpPerspective(image, flat, (FACE_EDGE, FACE_EDGE))


def levelled(face: np.ndarray) -> np.ndarray:
    grey = cv2.GaussianBlur(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), (0, 0), 2).astype(np.float32)
    grey -= grey.mean()
    return np.asarray(grey / np.linalg.norm(grey))


def likeness(picture: np.ndarray, truth: np.ndarray) -> float:
    """The correlation of a profile's picture with the true face, in the best of its turns."""
    low = (PICTURE - FACE_EDGE) // 2
    seen = levelled(picture[low : low + FACE_EDGE, low : low + FACE_EDGE])
    there = levelled(truth)
    return max(float((np.rot90(seen, turn) * there).sum()) for turn in range(4))


def main(arguments: list[str]) -> None:
    renders = Path(arguments[0]) if arguments else RENDERS
    homes = sorted(path.parent for path in renders.glob("*/truth.json"))
    names = {
        home: sorted(str(p.relative_to(home)) for p in (home / "teach").glob("*/*.jpg"))
        for home in homes
    }
    cv2.setNumThreads(1)
    teacher = ProfileTrainer()
    print(f"OpenCV {cv2.__version__}\n")
    print("| edge | die | right | wrong | refused |\n|---|---|---|---|---|")
    for share in SHARES:
        for place in ("in the middle", "anywhere"):
            rng = np.random.default_rng(round(1000 * share))
            count: Counter[str] = Counter()
            for number in range(PICTURES):
                home = homes[number % len(homes)]
                name = str(rng.choice(names[home]))
                shift = rng.uniform(-1, 1, 2) * (place == "anywhere")
                image, truth = close_up(home, name, share, shift)
                crops = [crop.picture for crop in teacher.crops(image) if crop.picture is not None]
                if crops:
                    count["right" if likeness(crops[0], truth) > SAME else "wrong"] += 1
                else:
                    count["refused"] += 1
            cells = (count["right"], PICTURES, count["wrong"], count["refused"])
            print(ROW.format(share, place, *cells), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
