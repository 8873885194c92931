"""Render dice in a tray: shadows, the dice themselves, and what the lens makes of them."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from vision.simulate.camera import Floats, Image, PinholeCamera, composite, fixed_point
from vision.simulate.dice.art import DiceKind
from vision.simulate.dice.cube import CubePose, CubeTracer
from vision.simulate.lens import Lens, light_direction
from vision.simulate.scenery import paint_tray
from vision.simulate.settings import RenderSettings


class TrayRenderer:
    """Draws what a camera sees: holds what stays while dice are thrown."""

    camera: PinholeCamera
    """The camera above the tray."""
    empty: Image
    """The tray without dice, before the lens."""

    def __init__(
        self,
        dice: DiceKind,
        settings: RenderSettings,
        size: tuple[int, int],
        rng: np.random.Generator,
        mat: Image | None = None,
    ) -> None:
        """Build the scene; size: (width, height) in pixels; rng: of the grain of felt and wood.

        mat: a picture that covers the floor, BGR.
        """
        self._settings = settings
        self.camera = PinholeCamera(settings, size)
        self._light = light_direction(settings)
        self._tracer = CubeTracer(dice, settings, self.camera.origin, self._light)
        self._scale = size[0] / 820
        self.empty = paint_tray(settings, self.camera, self._light, rng, mat)
        self.develop = Lens(settings, size).develop

    def draw(self, poses: Sequence[CubePose]) -> Floats:
        """Return the tray with dice that lie still, (H, W, 3), before the lens."""
        picture = self.empty.astype(np.float32)
        self.shade(picture, poses)
        origin = self.camera.origin
        for pose in sorted(poses, key=lambda p: -float(np.linalg.norm(p.centre - origin))):
            self.add(picture, [pose])
        return picture

    def shade(self, picture: Floats, poses: Iterable[CubePose]) -> None:
        """Darken the floor under and beside dice, in place."""
        slant = self._light[:2] / self._light[2]
        cast = np.zeros(picture.shape[:2], np.uint8)
        near = np.zeros(picture.shape[:2], np.uint8)
        for pose in poses:
            corners = self._tracer.corners(pose)
            fallen = corners.copy()
            fallen[:, :2] -= slant * corners[:, 2:]
            fallen[:, 2] = 0
            below = corners * (1.06, 1.06, 0) - (0.06, 0.06, 0) * pose.centre
            for layer, points in ((cast, fallen), (near, below)):
                hull = cv2.convexHull(self.camera.project(points).astype(np.float32))
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
        box = self.camera.box(np.concatenate([self._tracer.corners(p) for p in poses]), 1, 2)
        if box is None:
            return
        # What moves is smeared anyway: one ray for 2 x 2 pixels, instead of nine for each pixel.
        pitch = 1 / 3 if len(poses) == 1 else 2.0
        rays = self.camera.rays(box, pitch)
        die = np.mean([self._tracer.trace(rays, pose) for pose in poses], axis=0)
        composite(picture, die, pitch, box)
