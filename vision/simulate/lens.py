"""What a lens makes of a picture, and where its light comes from."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulate.camera import Floats, Image, scale_channels
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
        y, x = np.ogrid[-1 : 1 : picture.shape[0] * 1j, -1 : 1 : picture.shape[1] * 1j]
        scale_channels(picture, (1 - self._vignette * (x**2 + y**2) / 2).astype(np.float32))
        return np.asarray(cv2.convertScaleAbs(picture), np.uint8)


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
