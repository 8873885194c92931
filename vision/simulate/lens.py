"""What a lens makes of a picture, and where its light comes from."""

from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulate.camera import Box, Floats, Image, scale_channels
from vision.simulate.settings import RenderSettings


class Lens:
    """A lens that blurs a little and darkens the corners, as settings say."""

    def __init__(self, settings: RenderSettings, size: tuple[int, int]) -> None:
        """Serve pictures of size (width, height) in pixels."""
        self._blur = settings.blur * size[0] / 820
        self._vignette = settings.vignette

    def develop(self, picture: Floats) -> Image:
        """Return a picture (H, W, 3) as the lens shows it, uint8; `picture` is changed itself.

        At 6 MB each, copies would make up most of the memory of a simulated tray. What the corners
        keep is worked out each time, as it would take 2 MB.
        """
        if self._blur:
            cv2.GaussianBlur(picture, (0, 0), self._blur, dst=picture)
        return self._darken_corners(picture, picture.shape[:2])

    def develop_part(self, picture: Floats, box: Box, developed: Image) -> None:
        """Develop a picture (H, W, 3) in place where only a box of it has changed."""
        height, width = picture.shape[:2]
        # So far the blur reaches in floating point, from the box and into what it reaches.
        reach = ceil(4 * self._blur) + 1
        left, top = max(0, box[0] - reach), max(0, box[1] - reach)
        right, bottom = min(width, box[2] + reach), min(height, box[3] + reach)
        x, y = max(0, left - reach), max(0, top - reach)
        part = picture[y : bottom + reach, x : right + reach].copy()
        if self._blur:
            cv2.GaussianBlur(part, (0, 0), self._blur, dst=part)
        part = part[top - y : bottom - y, left - x : right - x]
        developed[top:bottom, left:right] = self._darken_corners(part, (height, width), (left, top))

    def _darken_corners(
        self, part: Floats, size: tuple[int, ...], at: tuple[int, int] = (0, 0)
    ) -> Image:
        """Return a part of a picture of a size, (H, W), which begins at x and y."""
        y, x = np.ogrid[-1 : 1 : size[0] * 1j, -1 : 1 : size[1] * 1j]
        y, x = y[at[1] : at[1] + part.shape[0]], x[:, at[0] : at[0] + part.shape[1]]
        scale_channels(part, (1 - self._vignette * (x**2 + y**2) / 2).astype(np.float32))
        return np.asarray(cv2.convertScaleAbs(part), np.uint8)


class Sensor:
    """The noise of a sensor."""

    def __init__(
        self, settings: RenderSettings, size: tuple[int, int], grain: np.random.Generator
    ) -> None:
        """Serve pictures of size (width, height) in pixels; grain: decides the noise."""
        self._grain = grain
        noise = grain.standard_normal((size[1] + 64, size[0] + 64, 3), np.float32)
        self._noise = np.clip(np.round(noise * settings.noise), -127, 127).astype(np.int8)

    def expose(self, picture: Image) -> Image:
        """Return a picture (H, W, 3) with fresh noise."""
        x, y = self._grain.integers(0, 64, 2)
        height, width = picture.shape[:2]
        noise = self._noise[y : y + height, x : x + width]
        return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)


def light_direction(settings: RenderSettings) -> NDArray[np.float64]:
    """Return the unit vector (3,) towards the light."""
    azimuth, elevation = np.radians(settings.light)
    across = np.cos(elevation)
    return np.array((across * np.cos(azimuth), across * np.sin(azimuth), np.sin(elevation)))
