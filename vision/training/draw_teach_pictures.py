"""Draw pictures to teach printed dice from: `python -m vision.training.draw_teach_pictures DIR`.

One die of paper in a simulated tray, six pictures a face, in DIR/FACE/NNN.jpg as `bang-companion
teach` reads them. Every picture has a tray, light, camera, place and turn of its own.
"""

import sys
from pathlib import Path

import cv2
import numpy as np

from vision.dice.reading import FACES
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.dice.tray import SimulatedDiceTray
from vision.simulate.settings import RenderSettings

SEED = 11
PER_FACE = 6
SIZE = (820, 616)
JPEG_QUALITY = 90
# What dice may be printed on, and trays made of, (B, G, R): white, cream, recycled; black felt,
# green, burgundy, blue, brown leather, pale wood.
PAPERS = ((236, 238, 238), (206, 226, 234), (196, 202, 204))
TRAYS = ((40, 38, 38), (58, 92, 40), (48, 30, 96), (120, 70, 34), (40, 62, 92), (110, 150, 186))


def look(rng: np.random.Generator, number: int) -> RenderSettings:
    """One view of the `number`th tray, a die's edge 28 to 52 pixels wide."""
    tray = np.array(TRAYS[number % len(TRAYS)]) * rng.uniform(0.8, 1.2)
    paper = np.array(PAPERS[int(rng.integers(len(PAPERS)))]) * rng.uniform(0.85, 1.0)
    return RenderSettings(
        dice_colour=_colour(paper),
        ink_colour=_colour(np.full(3, rng.uniform(18, 60))),
        felt_colour=_colour(tray),
        wall_colour=_colour(rng.uniform(30, 130) * np.array((0.55, 0.8, 1.0))),
        table_colour=_colour(rng.uniform(60, 180) * rng.uniform(0.85, 1.0, 3)),
        edge=float(rng.choice((1.6, 1.9))),
        height=rng.uniform(25, 38),
        tilt=rng.uniform(0, 12),
        turn=rng.uniform(-8, 8),
        light=(rng.uniform(0, 360), rng.uniform(40, 80)),
        ambient=rng.uniform(0.4, 0.75),
        noise=rng.uniform(1, 4),
        blur=rng.uniform(0.4, 1.1),
    )


def _colour(values: np.ndarray) -> tuple[int, int, int]:
    blue, green, red = np.clip(values, 0, 255).astype(int).tolist()
    return blue, green, red


def main() -> None:
    """Draw the pictures of all faces."""
    rng, folder = np.random.default_rng(SEED), Path(sys.argv[1])
    for face in FACES:
        (folder / face).mkdir(parents=True, exist_ok=True)
        for number in range(PER_FACE):
            seed = int(rng.integers(1 << 31))
            tray = SimulatedDiceTray("symbols", SIZE, seed, settings=look(rng, number))
            x, y = rng.uniform((-10, -7), (10, 7))
            tray.place([PlacedDie(face, x, y, (number * 60 + rng.uniform(0, 60)) % 360)])
            path = folder / face / f"{number:03}.jpg"
            cv2.imwrite(str(path), tray.frame(), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main()
