"""Trace rounded cubes ray by ray against their signed distance, as a pinhole camera sees them.

Side faces, rounded edges, burnt-out tops and shadows come out as they do in photographs. The
world's z is up; a cube's own lengths are in half edges.
"""

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np

CORNERS = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), -1).reshape(-1, 3)
"""Those of a cube (8, 3)."""
RING = (-0.8, -0.4, 0, 0.4, 0.8)
"""Where across a face it is looked at whether something covers it, in half edges."""
COCKED = 10.0
"""Degrees from which a lean must be noticed; smaller ones are not drawn."""


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


class Cube(NamedTuple):
    """A cube in the world."""

    where: np.ndarray
    """Its centre (3,)."""
    turn: np.ndarray
    """Its rotation (3, 3) from there."""
    half: float
    """Half an edge."""


def march(
    camera: Pinhole, cube: Cube, away: Callable[[np.ndarray], np.ndarray], steps: int
) -> Hits | None:
    """Return which pixels show a cube; None if none does.

    away: returns the signed distance of local points (n, 3).
    """
    where, turn, half = cube
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


def waves(rng: np.random.Generator) -> np.ndarray:
    """Return what makes the grain of a die: three waves (3, 4) through its body."""
    return np.concatenate([rng.normal(0, 2.5, (3, 3)), rng.uniform(0, 6, (3, 1))], 1)


def shine_on(
    brightness: np.ndarray,
    normal: np.ndarray,
    rays: np.ndarray,
    lamps: list[tuple[np.ndarray, float]],
    shine: float,
    gloss: float,
    dim: float = 1.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the brightness of n points of a cube under lamps, and the lamps' reflections there.

    brightness: without lamps (n,); lamps: the direction of each, as the cube lies, and its power;
    dim: the share of their light that reaches the points.
    """
    mirrored = np.zeros(len(normal))
    for lamp, power in lamps:
        brightness = brightness + dim * power * np.maximum(normal @ lamp, 0)
        half_way = lamp - rays
        half_way /= np.linalg.norm(half_way, axis=1, keepdims=True)
        mirrored += power * shine * np.maximum((normal * half_way).sum(1), 0) ** gloss
    return brightness, mirrored


def shadow_of(camera: Pinhole, cube: Cube, lamp: np.ndarray, low: float) -> np.ndarray:
    """Return the outline of a cube's shadow on level ground, pixels.

    low: the least that a lamp counts as being above the ground.
    """
    corners = cube.where + cube.half * CORNERS @ cube.turn.T
    fallen = corners - lamp * np.maximum(corners[:, 2:], 0) / max(lamp[2], low)
    return cv2.convexHull(camera.project(fallen).astype(np.float32)).astype(np.int32)


def face_up(turn: np.ndarray) -> int:
    """Return the number of the face that looks up most: of +x, -x, +y, -y, +z, -z."""
    axis = int(np.argmax(np.abs(turn[2])))
    return axis * 2 + int(turn[2, axis] < 0)


class FaceTruth(NamedTuple):
    """The face of a cube that looks up most, in a picture."""

    x: float
    """Centre, in pixels."""
    y: float
    """Centre, in pixels."""
    axes: np.ndarray
    """Half-edge vectors as columns (2, 2), in pixels."""
    lean: np.ndarray
    """From this centre to that of the opposite face, in edges."""
    cocked: bool
    """Whether the die leans."""
    face: int
    """The side that is up, in [0, 6); of dice with pips see `PipDie.top`."""
    seen: float
    """Share of the face that nothing covers."""

    @property
    def edge(self) -> float:
        """The length of its edge, in pixels."""
        return float(2 * np.sqrt(abs(np.linalg.det(self.axes))))

    def scaled(self, scale: float) -> "FaceTruth":
        """Return it in the picture that is so many times as large."""
        x, y = ((v + 0.5) * scale - 0.5 for v in (self.x, self.y))
        return self._replace(x=x, y=y, axes=self.axes * scale)

    def row(self) -> list[float]:
        """Return its eleven numbers in their order, as pools have them."""
        return [
            self.x, self.y, *self.axes.ravel(), *self.lean, self.cocked, self.face, self.seen
        ]  # fmt: skip


def top_face(camera: Pinhole, cube: Cube, owner: np.ndarray, number: int) -> FaceTruth:
    """Return the top face of a cube; owner: (h, w), the number of what each pixel shows."""
    where, turn, half = cube
    face = face_up(turn)
    axis, down = divmod(face, 2)
    normal = turn[:, axis] * (1 - 2 * down)
    u, v = turn[:, (axis + 1) % 3], turn[:, (axis + 2) % 3]
    centre = where + half * normal
    ring = np.array([centre + half * (a * u + b * v) for a in RING for b in RING])
    at = np.rint(camera.project(ring)).astype(int)
    inside = ((at >= 0) & (at < camera.size)).all(1)
    seen = np.mean([ok and owner[y, x] == number for ok, (x, y) in zip(inside, at, strict=True)])
    c, pu, pv, below = camera.project(
        np.array([centre, centre + half * u, centre + half * v, centre - 2 * half * normal])
    )
    axes = np.stack([pu - c, pv - c], 1)
    lean = (below - c) / (2 * np.sqrt(abs(np.linalg.det(axes))))
    cocked = np.degrees(np.arccos(min(1.0, abs(turn[2, axis])))) > COCKED / 2
    return FaceTruth(float(c[0]), float(c[1]), axes, lean, bool(cocked), face, float(seen))
