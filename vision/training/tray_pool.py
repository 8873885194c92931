"""Draw pools to train on: `python -m vision.training.tray_pool KIND ICONS.npz FOLDER SEED...`

KIND is `scenes`, 500 a seed, or `faces`, 100 sets of six a seed: see there; `glare` are faces under
mirrored lamps. ICONS.npz is from vision/training/pictograms.py.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from vision.training.drawing import encode_picture, pool_of, write_pools
from vision.training.trays.art import draw_art
from vision.training.trays.dice import draw_make
from vision.training.trays.scenes import CROP, draw_scene, draw_view

SCENES, GROUPS, VIEWS = 500, 100, 16


def scenes(seed: int, icons: np.ndarray) -> dict[str, Any]:
    """`pictures` (n,) of JPEG bytes; `inside`, `other` (n, 77, 103) uint8; `truths` (m, 12): scene,
    x, y, axes (4), lean (2), cocked, face, seen.
    """
    rng = np.random.default_rng([seed, 1])
    pictures, inside, other, rows = [], [], [], []
    for i in range(SCENES):
        scene = draw_scene(rng, icons)
        pictures.append(encode_picture(scene.image))
        inside.append(scene.inside)
        other.append(scene.other)
        rows += [[i, *truth.row()] for truth in scene.truths]
    return pool_of(pictures, rows, inside=inside, other=other)


def glare(seed: int, icons: np.ndarray) -> dict[str, Any]:
    """As faces, most of them under a lamp that the die mirrors and its ink less, or not at all.

    Light ink on dark plastic is then as dark as what is around it, or darker.
    """
    return faces(seed, icons, 0.7, 0.8)


def faces(
    seed: int, icons: np.ndarray, glare: float = 0.2, ink_shine: float | None = None
) -> dict[str, Any]:
    """`crops` (GROUPS, 6, VIEWS, CROP, CROP) uint8, grey, and how `legible` (GROUPS, 6, VIEWS)."""
    rng = np.random.default_rng([seed, 2])
    shape = (GROUPS, 6, VIEWS)
    crops = np.zeros((*shape, CROP, CROP), np.uint8)
    legible = np.zeros(shape, np.float32)
    for group in range(GROUPS):
        art = draw_art(rng, icons)
        make = draw_make(rng, art, rng.uniform(1.4, 1.95))
        if ink_shine is not None:
            make.ink_shine = rng.uniform(0, ink_shine)
        for face in range(6):
            for view in range(VIEWS):
                at = group, face, view
                crops[at], legible[at] = draw_view(rng, make, face, glare)
    return {"crops": crops, "legible": legible}


if __name__ == "__main__":
    draw = {"scenes": scenes, "faces": faces, "glare": glare}[sys.argv[1]]
    icons = np.load(sys.argv[2])["ink"]
    write_pools(Path(sys.argv[3]), sys.argv[4:], lambda seed: draw(seed, icons))
