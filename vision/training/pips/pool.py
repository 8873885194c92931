"""Draw a pool of scenes: `python -m vision.training.pips.pool FOLDER SEED...`, 1,000 a seed."""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from vision.training.drawing import write_pools
from vision.training.pips.dice import SIZE
from vision.training.pips.scenes import draw_scene

PER_SHARD = 1000


def draw_shard(seed: int) -> dict[str, Any]:
    """`images` (n, SIZE, SIZE, 3) uint8; `truths` (m, 9): scene, x, y, axes (4), face, seen."""
    rng = np.random.default_rng(seed)
    images = np.zeros((PER_SHARD, SIZE, SIZE, 3), np.uint8)
    rows = []
    for i in range(PER_SHARD):
        images[i], truths = draw_scene(rng)
        rows += [[i, t.x, t.y, *t.axes.ravel(), t.face, t.seen] for t in truths]
    return {"images": images, "truths": np.array(rows, np.float32)}


if __name__ == "__main__":
    write_pools(Path(sys.argv[1]), sys.argv[2:], draw_shard)
