"""Measure by how much each die is tilted: what is cocked doesn't lie flat on the tray.

Upright edges of all dice that lie flat point to one place in the picture, straight below the
camera. A die is tilted as far as its own upright edges point elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.find.candidate import Candidate
from vision.imaging.geometry import Array

FOCAL_LENGTHS = (0.6, 0.7, 0.77, 0.85, 1.0)
"""Of cameras, in widths of the picture; the one that fits best is taken."""


def tilts(dice: Sequence[Candidate], flat: Sequence[Candidate], width: int) -> Array:
    """Return by how much each die leans otherwise than most of `flat`, in edges, (n,).

    width: of the picture, pixels. Zero where there are fewer than three of `flat` to agree.
    """
    if len(flat) < 3:
        return np.zeros(len(dice), np.float32)
    at = np.array([(c.box.x, c.box.y) for c in flat])
    lean = np.array([c.lean for c in flat])
    all_at = np.array([(c.box.x, c.box.y) for c in dice]).reshape(-1, 2)
    all_lean = np.array([c.lean for c in dice]).reshape(-1, 2)
    focal = np.array(FOCAL_LENGTHS)[:, None, None] * width
    below = np.median(at + focal * lean, 1, keepdims=True)
    off = np.linalg.norm(lean - (below - at) / focal, axis=2)
    best = int(np.argmin(np.median(off, 1)))
    agreed = (below[best] - all_at) / focal[best]
    return np.asarray(np.linalg.norm(all_lean - agreed, axis=1), np.float32)


def leave_one_out_tilts(dice: Sequence[Candidate], flat: Sequence[Candidate], width: int) -> Array:
    """Return by how much each die leans otherwise than the other ones of `flat`, in edges, (n,).

    Unlike in `tilts`, a die doesn't affect what it is measured by: of five, one that leans moves
    what all agree on towards itself, and away from its neighbours. width: of the picture, pixels.
    Zero where fewer than three others agree.
    """
    if len(flat) < 3 or not dice:
        return np.zeros(len(dice), np.float32)
    at = np.array([(c.box.x, c.box.y) for c in flat])
    lean = np.array([c.lean for c in flat])
    focal = np.array(FOCAL_LENGTHS)[:, None, None] * width
    others = np.array([[other is not die for other in flat] for die in dice], np.float64)
    many = others.sum(1)
    share = others / np.maximum(many, 1)[:, None]
    # [k, i]: as the kth focal length has it, for the ith die.
    below = share @ (at + focal * lean)
    off = lean - (below[:, :, None] - at) / focal[..., None]
    best = np.argmin(((off**2).sum(3) * share).sum(2), 0)
    length = focal[best, 0]
    agreed = (below[best, np.arange(len(dice))] - [(c.box.x, c.box.y) for c in dice]) / length
    apart = np.linalg.norm(np.array([c.lean for c in dice]) - agreed, axis=1)
    return np.asarray(np.where(many < 3, 0, apart), np.float32)
