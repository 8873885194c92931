"""Trace rounded cubes ray by ray against their signed distance, as a pinhole camera sees them.

Side faces, rounded edges, burnt-out tops and shadows come out as they do in photographs. The
world's z is up; a cube's own lengths are in half edges.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

CORNERS = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), -1).reshape(-1, 3)
"""Those of a cube (8, 3)."""


class Pinhole:
    """A camera without a lens."""

    size: tuple[int, int]
    """Width and height of its pictures."""
    middle: np.ndarray
    """The pixel where it looks (2,)."""
    centre: np.ndarray
    """Where it is in the world (3,)."""
    turn: np.ndarray
    """Rotation (3, 3) from world to camera."""
    focal: float
    """Its focal length, in pixels."""

    def project(self, points: np.ndarray) -> np.ndarray:
        """Return world points (..., 3) as pixels (..., 2)."""
        p = (np.asarray(points, np.float64) - self.centre) @ self.turn.T
        return p[..., :2] / p[..., 2:] * self.focal + self.middle

    def rays(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return unit directions (..., 3) of the rays through pixels."""
        d = np.stack([x - self.middle[0], y - self.middle[1], np.full(x.shape, self.focal)], -1)
        d = d @ self.turn
        return d / np.linalg.norm(d, axis=-1, keepdims=True)

    def ground(self, x: float, y: float, z: float = 0) -> np.ndarray:
        """Return the point at height `z` that a pixel shows, (3,)."""
        d = self.rays(np.array(x, np.float64), np.array(y, np.float64))
        return self.centre + d * (z - self.centre[2]) / d[2]


class Hits(NamedTuple):
    """The n pixels that show a cube."""

    rows: np.ndarray
    """Their rows (n,)."""
    columns: np.ndarray
    """Their columns (n,)."""
    weight: np.ndarray
    """How much of each it covers (n, 1)."""
    rays: np.ndarray
    """The directions from which they see it (n, 3)."""
    points: np.ndarray
    """What they show of it (n, 3)."""
    pixel: float
    """The edge of a pixel there."""


def distance(p: np.ndarray, r: float | np.float32) -> np.ndarray:
    """Signed distance of local points (n, 3) to a cube rounded by `r`."""
    q = np.abs(p) - (1 - r)
    out = np.maximum(q, 0)
    inner = np.minimum(np.maximum(np.maximum(q[:, 0], q[:, 1]), q[:, 2]), 0)
    return np.sqrt(np.einsum("ij,ij->i", out, out)) + inner - r


def march(
    camera: Pinhole,
    where: np.ndarray,
    turn: np.ndarray,
    half: float,
    away: Callable[[np.ndarray], np.ndarray],
    steps: int,
) -> Hits | None:
    """Return which pixels show a cube; None if none does.

    where, turn, half: its centre in the world, its rotation from there, and half an edge; away:
    returns the signed distance of local points (n, 3).
    """
    corners = camera.project(where + half * CORNERS @ turn.T)
    x0, y0 = np.clip(np.floor(corners.min(0)).astype(int) - 1, 0, camera.size)
    x1, y1 = np.clip(np.ceil(corners.max(0)).astype(int) + 2, 0, camera.size)
    if x1 <= x0 or y1 <= y0:
        return None
    yy, xx = np.mgrid[y0:y1, x0:x1]
    rays = (camera.rays(xx.ravel() + 0.0, yy.ravel() + 0.0) @ turn).astype(np.float32)
    start = ((camera.centre - where) @ turn / half).astype(np.float32)
    far = float(np.linalg.norm(start))
    pixel = far / camera.focal
    t = np.full(len(rays), far - 1.74, np.float32)
    closest = np.full(len(rays), 9, np.float32)
    for _ in range(steps):
        d = away(start + rays * t[:, None])
        closest = np.minimum(closest, d)
        t += d
    alpha = np.clip(0.6 - closest / pixel, 0, 1)
    hit = np.flatnonzero((alpha > 0) & (t < far + 2))
    if not len(hit):
        return None
    points = start + rays[hit] * t[hit][:, None]
    return Hits(yy.ravel()[hit], xx.ravel()[hit], alpha[hit][:, None], rays[hit], points, pixel)
