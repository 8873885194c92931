"""How dice lie: which of them lean, and what else is over the tray."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import cv2
import numpy as np

from vision.finder import Survey
from vision.locate import Array
from vision.look import Found

APART = 0.8  # edges between the middles of dice, at least; they touch at one
SURELY, POSSIBLY = 0.75, 0.3  # how likely a place is in the tray
FOCAL = (0.6, 0.7, 0.77, 0.85, 1.0)  # focal lengths of cameras, in widths of the picture


def solid(found: Sequence[Found]) -> tuple[Found, ...]:
    """What is found, without what would stand in a likelier die: a face at its side, mostly."""
    taken: list[Found] = []
    for die in sorted(found, key=lambda f: -f.first - f.second):
        apart = (hypot(die.spot.x - t.spot.x, die.spot.y - t.spot.y) / t.spot.edge for t in taken)
        if all(edges > APART for edges in apart):
            taken.append(die)
    return tuple(taken)


def tilts(found: Sequence[Found], flat: Sequence[Found], width: int) -> Array:
    """By how much each die leans otherwise than most of `flat`, in edges, (n,).

    Upright edges of all dice that lie flat point to one place in the picture, straight below the
    camera. Zero where there are fewer than three to agree.
    """
    if len(flat) < 3:
        return np.zeros(len(found), np.float32)
    at = np.array([(f.spot.x, f.spot.y) for f in flat])
    lean = np.array([f.lean for f in flat])
    all_at = np.array([(f.spot.x, f.spot.y) for f in found]).reshape(-1, 2)
    all_lean = np.array([f.lean for f in found]).reshape(-1, 2)
    focal = np.array(FOCAL)[:, None, None] * width
    below = np.median(at + focal * lean, 1, keepdims=True)
    off = np.linalg.norm(lean - (below - at) / focal, axis=2)
    best = int(np.argmin(np.median(off, 1)))
    agreed = (below[best] - all_at) / focal[best]
    return np.asarray(np.linalg.norm(all_lean - agreed, axis=1), np.float32)


def leans(found: Sequence[Found], flat: Sequence[Found], width: int) -> Array:
    """By how much each die leans otherwise than the other ones of `flat` agree, in edges, (n,).

    As `tilts`, but no die has a say in what it is measured by: of five, one that leans moves what
    all agree on towards itself, and away from its neighbours. Zero where fewer than three agree.
    """
    if len(flat) < 3 or not found:
        return np.zeros(len(found), np.float32)
    at = np.array([(f.spot.x, f.spot.y) for f in flat])
    lean = np.array([f.lean for f in flat])
    focal = np.array(FOCAL)[:, None, None] * width
    others = np.array([[other is not die for other in flat] for die in found], np.float64)
    many = others.sum(1)
    share = others / np.maximum(many, 1)[:, None]
    # [k, i]: as the kth focal length has it, for the ith die.
    below = share @ (at + focal * lean)
    off = lean - (below[:, :, None] - at) / focal[..., None]
    best = np.argmin(((off**2).sum(3) * share).sum(2), 0)
    length = focal[best, 0]
    agreed = (below[best, np.arange(len(found))] - [(f.spot.x, f.spot.y) for f in found]) / length
    apart = np.linalg.norm(np.array([f.lean for f in found]) - agreed, axis=1)
    return np.asarray(np.where(many < 3, 0, apart), np.float32)


def covered(survey: Survey, edge: float) -> float:
    """How much of the tray hands and other things cover, in faces of dice.

    All that lies between what surely is in the tray counts as the tray, covered or not.
    """
    over = (survey.other > 0.5) & (survey.inside > POSSIBLY)
    tray = cv2.findNonZero((survey.inside > SURELY).astype(np.uint8))
    if over.any() and tray is not None:
        within = np.zeros(over.shape, np.uint8)
        cv2.fillConvexPoly(within, cv2.convexHull(tray), 1)
        over &= within > 0
    return float(over.sum()) * survey.cell**2 / edge**2
