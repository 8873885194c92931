"""Draw cameras, lamps, and what lens and sensor make of light."""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from vision.training.cubes import Pinhole
from vision.training.drawing import log_uniform, rotation

WIDTH, HEIGHT = 820, 616


class TrayCamera(Pinhole):
    """A pinhole that looks at the middle of the tray; lengths are in centimetres."""

    def __init__(self, rng: np.random.Generator, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.size = (width, height)
        self.height = rng.uniform(25, 32) if rng.random() < 0.7 else rng.uniform(24, 46)
        tilt = np.radians(rng.uniform(0, 8) if rng.random() < 0.5 else rng.uniform(0, 21))
        roll = rng.choice([0, np.pi / 2, np.pi, 1.5 * np.pi]) + rng.normal(0, 0.12)
        turn = rotation(2, roll) @ rotation(0, tilt) @ rotation(2, rng.uniform(0, 2 * np.pi))
        if rng.random() < 0.7:
            turn = rotation(2, roll) @ rotation(0, tilt)
        self.turn = np.diag([1, -1, -1]) @ turn
        view = rng.uniform(60, 72) if rng.random() < 0.8 else rng.uniform(48, 85)
        self.focal = WIDTH / 2 / np.tan(np.radians(view) / 2)
        ray = self.turn[2]
        self.centre = ray / ray[2] * self.height
        self.middle = np.array([(width - 1) / 2, (height - 1) / 2])


@dataclass
class Lights:
    """The lamps of a scene."""

    ambient: float
    """Brightness that comes from everywhere."""
    lamps: list[tuple[np.ndarray, float]]
    """Direction and power of each lamp."""
    spill: float
    """Softness of the edges of shadows, in pixels."""

    @property
    def ground(self) -> float:
        """The brightness of level ground."""
        return self.ambient + sum(power * d[2] for d, power in self.lamps)


def direction(rng: np.random.Generator, low: float, high: float) -> np.ndarray:
    """Return a unit vector from the ground up, between two angles in degrees."""
    up, around = np.radians(rng.uniform(low, high)), rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)])


def draw_lights(rng: np.random.Generator) -> Lights:
    """Return the light of any room."""
    if rng.random() < 0.4:  # one hard lamp from the side
        lamps = [(direction(rng, 25, 60), rng.uniform(0.7, 1.4))]
        return Lights(rng.uniform(0.15, 0.4), lamps, rng.uniform(0.5, 3))
    lamps = [(direction(rng, 35, 85), rng.uniform(0.2, 0.6)) for _ in range(rng.integers(1, 3))]
    return Lights(rng.uniform(0.4, 0.7), lamps, log_uniform(rng, 2, 14))


def steady_film(rng: np.random.Generator, level: float) -> "Film":
    """A camera in focus that is fastened above a tray, its light and white balance about right."""
    film = draw_film(rng, level)
    grey = film.gain.mean()
    return film._replace(
        gain=grey * (film.gain / grey) ** np.float32(0.35),
        vignette=film.vignette / 2,
        blur=min(film.blur, rng.uniform(0.5, 0.9)),
        noise=min(film.noise, 0.03),
        grey=False,
    )


def named_lights(rng: np.random.Generator, name: str) -> Lights:
    """The light of one `lamp` from the side, a `window`, a `television`, or of the `room`."""
    if name == "lamp":
        return Lights(rng.uniform(0.12, 0.3), [(direction(rng, 28, 55), 1.2)], rng.uniform(0.5, 2))
    if name == "window":
        return Lights(rng.uniform(0.25, 0.4), [(direction(rng, 18, 40), 0.8)], rng.uniform(8, 16))
    if name == "television":
        return Lights(rng.uniform(0.3, 0.5), [(direction(rng, 12, 30), 0.7)], rng.uniform(4, 10))
    return Lights(rng.uniform(0.5, 0.7), [(direction(rng, 55, 80), 0.4)], rng.uniform(3, 8))


class Film(NamedTuple):
    """What the lens, sensor and compression of a camera do to a picture."""

    gain: np.ndarray
    """Factor of each colour channel."""
    gamma: float
    """Exponent of brightness."""
    vignette: float
    """How much the corners are darkened."""
    blur: float
    """Radius of the blur, in pixels."""
    sharpen: float
    """Strength of the sharpening."""
    noise: float
    """Strength of the noise."""
    grain: float
    """Size of the noise, in pixels."""
    quality: int
    """Quality of the JPEG compression."""
    grey: bool
    """Whether the picture has no colours."""

    def develop(
        self, rng: np.random.Generator, image: np.ndarray, compress: bool = True
    ) -> np.ndarray:
        """Return a picture (h, w, 3) as the camera gives it, uint8; compress: as JPEG and back."""
        h, w = image.shape[:2]
        image = image.astype(np.float32) * self.gain
        if self.vignette:
            yy, xx = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
            image = image * (1 - np.float32(self.vignette / 2) * (xx**2 + yy**2))[..., None]
        image = cv2.pow(np.clip(image, 0, 1), self.gamma)
        image = cv2.GaussianBlur(image.astype(np.float32), (0, 0), self.blur)
        if self.sharpen:
            image = image + self.sharpen * (image - cv2.GaussianBlur(image, (0, 0), 1.3))
        noise = rng.standard_normal((h, w, 3), np.float32)
        if self.grain > 0.7:
            noise = cv2.GaussianBlur(noise, (0, 0), self.grain) * np.float32(1.8)
        image = image + noise * np.float32(self.noise)
        out = np.clip(image * 255 + 0.5, 0, 255).astype(np.uint8)
        if self.grey:
            out = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        if compress:
            out = cv2.imdecode(
                cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1], 1
            )
        return out


def draw_film(rng: np.random.Generator, level: float) -> Film:
    """`level`: how bright the picture is before exposure."""
    dim = rng.random() < 0.25
    target = rng.uniform(0.08, 0.25) if dim else rng.uniform(0.25, 0.75)
    tint = rng.normal(1, 0.08, 3).clip(0.7, 1.4) if rng.random() < 0.7 else rng.uniform(0.6, 1.4, 3)
    return Film(
        gain=(tint * np.clip(target / max(level, 0.02), 0.35, 2.6)).astype(np.float32),
        gamma=rng.uniform(0.55, 1.2),
        vignette=rng.uniform(0, 0.45) if rng.random() < 0.7 else 0.0,
        blur=log_uniform(rng, 0.45, 1.1) if rng.random() < 0.8 else rng.uniform(1, 2),
        sharpen=rng.uniform(0.2, 1.3) if rng.random() < 0.5 else 0.0,
        noise=rng.uniform(0.02, 0.06) if dim else log_uniform(rng, 0.003, 0.03),
        grain=rng.uniform(0, 1.6),
        quality=int(rng.integers(60, 96)),
        grey=rng.random() < 0.06,
    )
