"""Trace scenes of vision/training/trays as light really falls, with tracer.cu, on a graphics card.

A scene takes a fifth of a second there, so that thousands can be trained on. Lengths are in
centimetres, z is up, and colours are linear B, G, R.
"""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.training.trays.art import TEXTURE
from vision.training.trays.camera import Lights, TrayCamera
from vision.training.trays.dice import UP, MadeDie
from vision.training.trays.ground import draw_ground
from vision.training.trays.tray import DrawnTray

MOST_DICE, MOST_LAMPS, MOST_FRAMES, MOST_CORNERS = 20, 4, 2, 32
_F, _I = np.float32, np.int32
_RING = (_F, (MOST_CORNERS, 2))
_DIE = np.dtype(
    [
        *(("where", _F, 3), ("turn", _F, (3, 3)), ("half", _F), ("rounding", _F)),
        *(("body", _F, 3), ("ink", _F, (6, 3)), ("grain", _F), ("waves", _F, (3, 4))),
        *((name, _F) for name in ("engraved", "alpha", "f0", "ink_shine", "metallic")),
        ("translucent", _F),
    ]
)
_LAMP = np.dtype([("where", _F, 3), ("towards", _F, 3), ("radius", _F), ("light", _F, 3)])
_FRAME = np.dtype([("corners", _I), ("inner", *_RING), ("outer", *_RING)])
SCENE = np.dtype(
    [
        *((name, _I) for name in ("width", "height", "samples", "seed", "dice", "lamps", "frames")),
        *(("floor_corners", _I), ("focal", _F), ("middle", _F, 2), ("centre", _F, 3)),
        *(("turn", _F, (3, 3)), ("wall", _F), ("ground_alpha", _F), ("ground_f0", _F)),
        *(("sky", _F, 3), ("sky_swing", _F), ("sky_waves", _F, (4, 4)), ("floor", *_RING)),
        *(("frame", _FRAME, MOST_FRAMES), ("lamp", _LAMP, MOST_LAMPS), ("die", _DIE, MOST_DICE)),
    ]
)
"""As tracer.cu has it, field by field."""


@dataclass(frozen=True)
class Light:
    """What the light of a scene is like, beyond where its lamps stand."""

    samples: int
    """Paths for each pixel."""
    warmth: float
    """How much redder the lamps are than the sky; negative: bluer."""
    widths: tuple[float, ...]
    """Of each lamp, its radius by its distance."""
    swing: float
    """How uneven the sky is, in [0, 1]."""
    ground_alpha: float
    """How rough the ground's reflections are."""
    ground_f0: float
    """How much it reflects."""


def draw_light(rng: np.random.Generator, lamps: int, samples: int) -> Light:
    """Return any light."""
    glossy = rng.random() < 0.3
    return Light(
        samples=samples,
        warmth=rng.normal(0, 0.12),
        widths=tuple(np.exp(rng.uniform(np.log(0.012), np.log(0.3), lamps))),
        swing=rng.uniform(0, 0.9),
        ground_alpha=rng.uniform(0.1, 0.4) if glossy else rng.uniform(0.5, 1),
        ground_f0=rng.uniform(0.01, 0.05) if glossy else rng.uniform(0, 0.02),
    )


class PathTracer:
    """Traces scenes with a library built from tracer.cu."""

    def __init__(self, library: Path) -> None:
        self._trace = ctypes.CDLL(str(library)).trace_scene

    def trace(
        self,
        scene: np.ndarray,
        ground: np.ndarray,
        art: np.ndarray,
        near: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the picture (h, w, 3), linear light, and whose each pixel is, from 1 on.

        scene: of dtype SCENE; ground: its ground as painted where the camera sees it, (h, w, 3);
        art: (6, TEXTURE, TEXTURE). near: (h, w), which pixels are traced, by default all; the
        others show the ground in even light. Raises RuntimeError where the graphics card fails.
        """
        h, w = int(scene["height"]), int(scene["width"])
        owner = np.ones((h, w), np.uint8) if near is None else near.astype(np.uint8)
        picture = np.ascontiguousarray(ground * scene["sky"], np.float32)
        given = [np.ascontiguousarray(each, np.float32) for each in (ground, art)]
        assert given[0].shape == picture.shape
        assert given[1].shape == (6, TEXTURE, TEXTURE)
        places = [each.ctypes.data_as(ctypes.c_void_p) for each in (scene, *given, picture, owner)]
        if error := self._trace(*places):
            raise RuntimeError(f"CUDA error {error}")
        return picture, owner.astype(np.int32)


def tell_scene(
    rng: np.random.Generator,
    camera: TrayCamera,
    tray: DrawnTray | None,
    dice: Sequence[MadeDie],
    lights: Lights,
    light: Light,
) -> np.ndarray:
    """Return what the tracer is told of a scene."""
    scene = np.zeros((), SCENE)
    scene["width"], scene["height"] = camera.size
    scene["samples"], scene["seed"] = light.samples, rng.integers(2**31)
    for name in ("focal", "middle", "centre", "turn"):
        scene[name] = getattr(camera, name)
    scene["ground_alpha"], scene["ground_f0"] = light.ground_alpha, light.ground_f0
    tint = np.array([1 - light.warmth, 1, 1 + light.warmth])
    scene["sky"] = lights.ambient * (2 - tint)
    scene["sky_swing"] = light.swing
    scene["sky_waves"] = np.column_stack([rng.normal(0, 2.5, (4, 3)), rng.uniform(0, 6.3, 4)])
    if tray:
        _tell_tray(scene, tray)
    scene["lamps"], scene["dice"] = len(lights.lamps), len(dice)
    for k, (towards, power) in enumerate(lights.lamps):
        lamp, far = scene["lamp"][k], rng.uniform(60, 160)
        lamp["where"], lamp["towards"] = towards * far, -towards
        lamp["radius"] = far * light.widths[k]
        lamp["light"] = power / light.widths[k] ** 2 * tint
    for k, die in enumerate(dice):
        _tell_die(scene["die"][k], die)
    return scene


def _tell_tray(scene: np.ndarray, tray: DrawnTray) -> None:
    n, frames = len(tray.floor), tray.frames
    scene["wall"], scene["floor_corners"], scene["frames"] = tray.wall, n, len(frames)
    scene["floor"][:n] = tray.floor
    for k, (inner, outer) in enumerate(frames):
        frame = scene["frame"][k]
        frame["corners"] = len(inner)
        frame["inner"][: len(inner)], frame["outer"][: len(outer)] = inner, outer


def _tell_die(told: np.ndarray, die: MadeDie) -> None:
    make = die.make
    told["where"], told["turn"], told["half"] = die.where, die.turn, make.edge / 2
    told["rounding"], told["body"], told["ink"] = 2 * make.rounding, make.body, make.ink
    told["grain"], told["waves"], told["engraved"] = make.grain, die.noise, make.engraved
    # Blinn's exponent as roughness: Walter et al., Microfacet Models for Refraction (2007).
    told["alpha"] = np.clip((2 / (make.gloss + 2)) ** 0.5, 0.01, 0.8)
    told["f0"] = np.clip(make.shine * 0.05, 0, 0.08)
    for name in ("ink_shine", "metallic", "translucent"):
        told[name] = getattr(make, name)


def bare_ground(
    rng: np.random.Generator, camera: TrayCamera, tray: DrawnTray | None, material: str | None
) -> np.ndarray:
    """Return the ground as painted, without light, as the camera sees it."""
    ground = draw_ground(rng, camera, tray, Lights(1.0, [(UP, 1e-6)], 1.0), material)
    return np.minimum(ground, np.float32(0.95))
