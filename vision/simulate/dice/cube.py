"""Render dice: cubes with rounded edges and art on their sides, and their shadows."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulate.camera import Floats, Image, PinholeCamera, composite, fixed_point
from vision.simulate.dice.art import ART, MARGIN, DiceKind, draw_face
from vision.simulate.lens import light_direction
from vision.simulate.settings import Colour, RenderSettings

SIDE_VALUES = (1, 6, 2, 5, 3, 4)
"""The pips on the sides +x, -x, +y, -y, +z, -z: opposite sides sum to 7."""
_TEXTURE = 160  # pixels of the art on a side
_COLOURS: dict[DiceKind, tuple[Colour, Colour]] = {
    "pips": ((222, 236, 240), (30, 26, 28)),
    "symbols": ((118, 62, 32), (208, 234, 240)),
}


class CubePose(NamedTuple):
    """A cube in space."""

    rotation: NDArray[np.float64]
    """(3, 3): from its own axes to the world's."""
    centre: NDArray[np.float64]
    """(3,), cm."""


def rotation_about(
    axis: Sequence[float] | NDArray[np.float64], angle: float
) -> NDArray[np.float64]:
    """Return the rotation (3, 3) about an axis (3,) of length 1 by an angle in radians."""
    return np.asarray(cv2.Rodrigues(np.array(axis, np.float64) * angle)[0])


_X, _Y, _Z = np.eye(3)
SIDE_FRAMES = np.array(
    [
        (sign * across, up, sign * outward)
        for outward, across, up in ((_X, _Y, _Z), (_Y, _Z, _X), (_Z, _X, _Y))
        for sign in (1, -1)
    ]
)
"""For each side of the cube (right, up, outward) of the art on it, (6, 3, 3)."""
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) / 2


@lru_cache(maxsize=2)
def _atlas(dice: DiceKind) -> Image:
    """Return the ink of the six sides, (6, pixels, pixels), in the order of SIDE_VALUES, to 255."""
    art = ART[dice]
    faces = [draw_face(art[v - 1], _TEXTURE, MARGIN[dice]) for v in SIDE_VALUES]
    return np.round(np.stack(faces) * 255).astype(np.uint8)


class DicePainter:
    """Draws dice of one kind into pictures of one tray."""

    def __init__(self, dice: DiceKind, settings: RenderSettings, camera: PinholeCamera) -> None:
        """Draw as `camera` sees them."""
        self._settings, self._camera = settings, camera
        self._light = light_direction(settings)
        self._scale = camera.size[0] / 820
        self._atlas = _atlas(dice)
        colours = _COLOURS[dice]
        self._body = np.array(settings.dice_colour or colours[0], np.float32)
        self._ink = np.array(settings.ink_colour or colours[1], np.float32)

    def draw(self, empty: Image, poses: Sequence[CubePose]) -> Floats:
        """Return a tray with dice that lie still, (H, W, 3), before the lens."""
        picture = empty.astype(np.float32)
        self.shade(picture, poses)
        origin = self._camera.origin
        for pose in sorted(poses, key=lambda p: -float(np.linalg.norm(p.centre - origin))):
            self.add(picture, [pose])
        return picture

    def shade(self, picture: Floats, poses: Iterable[CubePose]) -> None:
        """Darken the floor under and beside dice, in place."""
        slant = self._light[:2] / self._light[2]
        cast = np.zeros(picture.shape[:2], np.uint8)
        near = np.zeros(picture.shape[:2], np.uint8)
        for pose in poses:
            corners = self._corners(pose)
            fallen = corners.copy()
            fallen[:, :2] -= slant * corners[:, 2:]
            fallen[:, 2] = 0
            below = corners * (1.06, 1.06, 0) - (0.06, 0.06, 0) * pose.centre
            for layer, points in ((cast, fallen), (near, below)):
                hull = cv2.convexHull(self._camera.project(points).astype(np.float32))
                cv2.fillConvexPoly(layer, fixed_point(hull), 255, cv2.LINE_AA, 4)
        dark = cv2.GaussianBlur(cast, (0, 0), 4.0 * self._scale).astype(np.float32)
        dark *= (1 - self._settings.ambient) * 0.95 / 255
        contact = cv2.GaussianBlur(near, (0, 0), 3.0 * self._scale).astype(np.float32)
        contact *= 0.45 / 255
        for shade in (dark, contact):
            np.subtract(1, shade, out=shade)
        dark *= contact
        picture *= dark[..., None]

    def add(self, picture: Floats, poses: Sequence[CubePose]) -> None:
        """Draw one die in place; several poses are its way while the shutter is open."""
        box = self._camera.box(np.concatenate([self._corners(p) for p in poses]), 1, 2)
        if box is None:
            return
        # What moves is smeared anyway: one ray for 2 x 2 pixels, instead of nine for each pixel.
        pitch = 1 / 3 if len(poses) == 1 else 2.0
        rays = self._camera.rays(box, pitch)
        die = np.mean([self._trace(rays, pose) for pose in poses], axis=0)
        composite(picture, die, pitch, box)

    def _corners(self, pose: CubePose) -> NDArray[np.float64]:
        """Return the corners of a die, (8, 3), in cm."""
        return np.asarray(_CORNERS * self._settings.edge @ pose.rotation.T + pose.centre)

    def _trace(self, rays: Floats, pose: CubePose) -> Floats:
        """Return colour times cover, and cover, (H, W, 4), of a die seen along rays (3, H, W).

        The rays march by the distance to the rounded box (J. C. Hart, Sphere tracing, 1996).
        """
        turn = pose.rotation.T.astype(np.float32)
        met, way, point, normal = self._hits(turn @ rays.reshape(3, -1), turn, pose)
        out = np.zeros((rays.shape[1] * rays.shape[2], 4), np.float32)
        out[met, :3] = self._shade(way, point, normal, turn, pose)
        out[met, 3] = 1
        return out.reshape(*rays.shape[1:], 4)

    def _hits(
        self, ways: Floats, turn: Floats, pose: CubePose
    ) -> tuple[NDArray[np.intp], Floats, Floats, Floats]:
        """Return which rays hit the die, their directions, and where: points and normals, (3, n).

        ways: directions (3, rays) in the die's own axes.
        """
        half = np.float32(self._settings.edge / 2)
        radius = np.float32(0.17) * half
        start_at = (turn @ (self._camera.origin - pose.centre)).astype(np.float32)[:, None]
        ways[np.abs(ways) < 1e-6] = 1e-6
        one, two = (-half - start_at) / ways, (half - start_at) / ways
        start, stop = np.minimum(one, two).max(axis=0), np.maximum(one, two).min(axis=0)
        (met,) = np.nonzero(start < stop)
        way, far = ways[:, met], start[met]
        for _ in range(9):
            beyond = np.maximum(np.abs(start_at + way * far) - (half - radius), 0)
            far += np.sqrt((beyond**2).sum(axis=0)) - radius
        point = start_at + way * far
        beyond = np.maximum(np.abs(point) - (half - radius), 0)
        length = np.sqrt((beyond**2).sum(axis=0))
        hit = length < 1.1 * radius
        met, way, point = met[hit], way[:, hit], point[:, hit]
        normal = np.sign(point) * beyond[:, hit] / length[hit]
        return met, way, point, normal

    def _shade(
        self, way: Floats, point: Floats, normal: Floats, turn: Floats, pose: CubePose
    ) -> Floats:
        """Return the colours (n, 3) of points (3, n) on the die, seen along `way`."""
        settings = self._settings
        ink = self._ink_at(point, np.float32(settings.edge / 2))
        light = turn @ self._light.astype(np.float32)
        up = turn[:, 2]
        upward = up @ normal
        diffuse = np.maximum(light @ normal, 0) / self._light[2]
        height = up @ point + pose.centre[2]
        open_sky = np.clip(0.62 + 0.38 * height / settings.edge, 0, 1) * (0.75 + 0.25 * upward)
        ambient = settings.ambient
        bright = ambient * open_sky + (1 - ambient) * np.minimum(diffuse, 1.3)
        mirrored = 2 * (light @ normal) * normal - light[:, None]
        gloss = 70 * np.maximum(-(mirrored * way).sum(axis=0), 0) ** 30
        paint = self._body + (self._ink - self._body) * ink[:, None]
        felt = np.array(settings.felt_colour, np.float32)
        bounce = 0.18 * (1 - upward)[:, None] * felt * (paint / 255)
        return np.asarray(paint * bright[:, None] + bounce + gloss[:, None], np.float32)

    def _ink_at(self, point: Floats, half: np.float32) -> Floats:
        """Return how much ink there is, in [0, 1], at points (3, n) on the die."""
        axis = np.abs(point).argmax(axis=0)
        each = np.arange(len(axis))
        sign = np.sign(point[axis, each])
        across = sign * point[(axis + 1) % 3, each] / half
        down = -point[(axis + 2) % 3, each] / half
        column, row = (
            np.clip(((v + 1) / 2 * _TEXTURE).astype(np.intp), 0, _TEXTURE - 1)
            for v in (across, down)
        )
        ink = self._atlas[2 * axis + (sign < 0), row, column]
        return np.asarray(ink / np.float32(255), np.float32)
