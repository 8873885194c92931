"""Build the empty tray: paint its floor, its walls and the table around it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulate.camera import Floats, Image, PinholeCamera, fixed_point, lift
from vision.simulate.lens import Lens, Sensor, light_direction
from vision.simulate.settings import RenderSettings

_WALL_THICKNESS = 1.2  # cm


class BuiltTray:
    """A camera over an empty tray. The seed decides everything."""

    def __init__(
        self,
        size: tuple[int, int],
        seed: int | None,
        settings: RenderSettings | None,
        mat: Image | None,
    ) -> None:
        """Build the tray; arguments as those of the trays with dice or cards in them."""
        build, self._chance, grain = map(
            np.random.default_rng, np.random.SeedSequence(seed).spawn(3)
        )
        self._settings = settings or RenderSettings()
        self._camera = PinholeCamera(self._settings, size)
        self._lens = Lens(self._settings, size)
        self._sensor = Sensor(self._settings, size, grain)
        painted = _TrayPainter(self._settings, self._camera).paint(build, mat)
        # In whole grey levels, below the noise of any sensor: in floating point it takes 6 MB.
        self._empty: Image = np.asarray(cv2.convertScaleAbs(painted), np.uint8)


class _TrayPainter:
    """Paints textures on flat parts of a tray."""

    def __init__(self, settings: RenderSettings, camera: PinholeCamera) -> None:
        self._settings, self._camera = settings, camera
        self._light = light_direction(settings)
        self._size, self._scale = camera.size, camera.size[0] / 820

    def _brightness(self, normal: NDArray[np.float64]) -> float:
        """Return the brightness of a matt surface, 1 for one that lies flat."""
        ambient = self._settings.ambient
        facing = max(0.0, float(np.dot(normal, self._light))) / self._light[2]
        return ambient + (1 - ambient) * min(1.3, float(facing))

    def paint(self, rng: np.random.Generator, mat: Image | None) -> Floats:
        """Return the empty tray, before the lens.

        rng: of the grain of felt and wood. mat: what covers the floor, (h, w, 3) BGR.
        """
        settings = self._settings
        picture = np.empty((self._size[1], self._size[0], 3), np.float32)
        table = 1 + 0.015 * _grain(rng, picture.shape[:2], (3, 3))
        picture[:] = np.array(settings.table_colour, np.float32) * table[..., None]
        x, y = settings.floor[0] / 2, settings.floor[1] / 2
        out_x, out_y, up = x + _WALL_THICKNESS, y + _WALL_THICKNESS, settings.wall
        inner = np.array(((-x, y), (x, y), (x, -y), (-x, -y)))
        outer = np.array(((-out_x, out_y), (out_x, out_y), (out_x, -out_y), (-out_x, -out_y)))
        felt = self._draw_felt(rng)
        floor = felt if mat is None else self._draw_mat(felt, mat)
        self._paint(picture, lift(inner, 0.0), floor)
        for side in range(4):
            ends = [side, (side + 1) % 4]
            low, high = lift(inner[ends], 0.0), lift(inner[ends], up)
            rim = lift(outer[ends], up)
            inward = np.append(
                -(inner[ends].mean(axis=0) / np.abs(inner[ends].mean(axis=0)).max()), 0
            )
            wood = self._draw_wood(rng, settings.floor[side % 2])
            height = np.linspace(1, 0.72, wood.shape[0], dtype=np.float32)[:, None, None]
            self._paint(
                picture, np.concatenate((high, low[::-1])), wood * height * self._brightness(inward)
            )
            self._paint(picture, np.concatenate((rim, high[::-1])), wood * 1.12)
        return picture

    def _draw_felt(self, rng: np.random.Generator) -> Floats:
        """Return the floor from above, (h, w, 3): fibres, a few worn places, the wall's shadow."""
        settings = self._settings
        per_cm = 26 * self._scale
        shape = (round(settings.floor[1] * per_cm), round(settings.floor[0] * per_cm))
        fine = 0.075 * _grain(rng, shape, (1.3 * self._scale,) * 2)
        worn = 0.03 * _grain(rng, shape, (7 * self._scale,) * 2)
        patches = 0.03 * _grain(rng, shape, (90 * self._scale,) * 2)
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / per_cm
        reach = self._light[:2] / self._light[2] * settings.wall
        from_wall = _wall_distance(x, y, settings.floor, (0.0, 0.0))
        nook = 1 - 0.3 * np.exp(-from_wall / 0.7)
        sun = np.clip(_wall_distance(x, y, settings.floor, (reach[0], -reach[1])) / 0.8 + 0.5, 0, 1)
        light = nook * (1 - (1 - settings.ambient) * 0.6 * (1 - sun))
        felt = (1 + fine + worn + patches) * light
        return np.asarray(np.array(settings.felt_colour, np.float32) * felt[..., None], np.float32)

    def _draw_mat(self, felt: Floats, mat: Image) -> Floats:
        """Return a mat in the light that falls on the felt; paper has no fibres."""
        light = felt / np.maximum(np.array(self._settings.felt_colour, np.float32), 1)
        soft = cv2.GaussianBlur(light, (0, 0), 6 * self._scale)
        size = felt.shape[1], felt.shape[0]
        paper = cv2.resize(mat, size, interpolation=cv2.INTER_AREA)
        return np.asarray(paper * soft, np.float32)

    def _draw_wood(self, rng: np.random.Generator, length: float) -> Floats:
        shape = (round(60 * self._scale), round(26 * length * self._scale))
        grain = 0.07 * _grain(rng, shape, (3 * self._scale, 90 * self._scale))
        grain += 0.025 * _grain(rng, shape, (1.2 * self._scale, 14 * self._scale))
        return np.asarray(
            np.array(self._settings.wall_colour, np.float32) * (1 + grain)[..., None], np.float32
        )

    def _paint(self, picture: Floats, quad: NDArray[np.float64], texture: Floats) -> None:
        """Lay a texture on a flat quad in space, (4, 3) clockwise from the texture's top left."""
        corners = self._camera.project(quad)
        left, top = np.clip(np.floor(corners.min(axis=0)).astype(int) - 1, 0, self._size)
        right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 2, 0, self._size)
        part = picture[top:bottom, left:right]
        if not part.size:
            return
        here = (corners - (left, top)).astype(np.float32)
        height, width = texture.shape[:2]
        flat = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(flat, here)
        laid = cv2.warpPerspective(
            texture, warp, part.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
        )
        cover = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(cover, fixed_point(here), 255, cv2.LINE_AA, 4)
        share = cover[..., None].astype(np.float32) / 255
        part += share * (laid - part)


def _wall_distance(
    x: Floats, y: Floats, floor: tuple[float, float], shift: tuple[float, float]
) -> Floats:
    """Return how far shifted floor points are from the nearest wall, in cm, negative beyond it."""
    x, y = x + shift[0], y + shift[1]
    nearest = np.minimum(np.minimum(x, floor[0] - x), np.minimum(y, floor[1] - y))
    return np.asarray(nearest, np.float32)


def _grain(rng: np.random.Generator, shape: tuple[int, int], cell: tuple[float, float]) -> Floats:
    """Return smooth noise with deviation 1, in cells of (height, width) pixels."""
    coarse = tuple(max(2, round(n / c) + 1) for n, c in zip(shape, cell, strict=True))
    noise = rng.standard_normal(coarse).astype(np.float32)
    return np.asarray(cv2.resize(noise, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)
