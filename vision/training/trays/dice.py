"""Draw dice: rounded cubes, traced ray by ray against their signed distance.

Lengths are in centimetres, z is up and the floor of the tray is z = 0, until projected.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import cv2
import numpy as np

from vision.training.cubes import CORNERS, Cube, distance, face_up, march, shine_on, waves
from vision.training.drawing import CUBE, colour, luminance, near, rotation
from vision.training.trays.art import TEXTURE
from vision.training.trays.camera import Lights, TrayCamera

UP = np.array([0, 0, 1.0])


@dataclass
class DiceMake:
    """The look of the dice of one set. Colours are BGR in [0, 1]."""

    edge: float
    """Length of an edge, in centimetres."""
    body: np.ndarray
    """Colour of the body."""
    ink: np.ndarray
    """Colour of the symbols, (3,), or of those on each side, (6, 3)."""
    art: np.ndarray
    """Ink of each side (6, TEXTURE, TEXTURE)."""
    rounding: float = 0.1
    """Radius of the rounded edges, in die edges."""
    grain: float = 0.0
    """Strength of the wood grain or marbling."""
    engraved: float = 0.0
    """Depth of the symbols, as strength of their shading; negative if raised."""
    shine: float = 0.4
    """Strength of reflections."""
    gloss: float = 30.0
    """Exponent of reflections: higher is sharper."""
    ink_shine: float = 0.7
    """Reflections of the ink relative to those of the body."""
    metallic: float = 0.0
    """How much of the body's light is reflected instead of scattered."""
    translucent: float = 0.0
    """How much light that comes from everywhere shines through."""
    mips: dict[int, np.ndarray] = field(default_factory=dict)
    """The art at the sizes that were needed so far."""

    def mip(self, pixels: float) -> np.ndarray:
        """The art as wide as its faces will be seen, so that nothing is skipped."""
        size = int(np.clip(round(pixels / 4) * 4, 12, TEXTURE))
        if size not in self.mips:
            self.mips[size] = np.stack(
                [cv2.resize(a, (size, size), interpolation=cv2.INTER_AREA) for a in self.art]
            )
        return self.mips[size]


class MadeDie(NamedTuple):
    """A die of a set, in its place."""

    make: DiceMake
    """Its look."""
    where: np.ndarray
    """Its centre in the world."""
    turn: np.ndarray
    """Rotation (3, 3) from die to world."""
    noise: np.ndarray
    """Waves (3, 4) of the grain."""

    def cube(self, share: float = 1.0) -> Cube:
        """Return the cube that it is, its edge times `share`."""
        return Cube(self.where, self.turn, self.make.edge / 2 * share)


def draw_make(rng: np.random.Generator, art: np.ndarray, edge: float) -> DiceMake:
    """Return any look of dice with this art; edge: of a die, cm."""
    kind = rng.random()
    grain = 0.0
    if kind < 0.33:
        body = near(rng, (rng.uniform(0.7, 0.95), 0.92, 0.95), 0.04) * np.float32(
            rng.uniform(0.75, 1)
        )
    elif kind < 0.5:
        body = near(rng, (0.1, 0.1, 0.1), 0.05)
    elif kind < 0.66:  # wood
        body = near(rng, (0.35, 0.6, 0.78), 0.09) * np.float32(rng.uniform(0.5, 1.1))
        grain = rng.uniform(0.05, 0.25)
    else:
        body = colour(rng)
    light = luminance(body) > rng.uniform(0.35, 0.55)
    ink = near(rng, (0.07, 0.07, 0.07) if light else (0.9, 0.93, 0.93), 0.05)
    if rng.random() < 0.35:
        for _ in range(20):
            ink = colour(rng)
            if abs(luminance(ink) - luminance(body)) > 0.25:
                break
    shiny = rng.random() < 0.6
    return DiceMake(
        edge=edge,
        rounding=rng.uniform(0.04, 0.16) if rng.random() < 0.85 else rng.uniform(0.16, 0.26),
        body=np.clip(body, 0, 1),
        ink=ink,
        art=art,
        grain=grain or (rng.uniform(0, 0.1) if rng.random() < 0.3 else 0.0),
        engraved=rng.uniform(-0.5, 0.9) if rng.random() < 0.5 else 0.0,
        shine=rng.uniform(0.1, 1.0) if shiny else rng.uniform(0, 0.1),
        gloss=float(np.exp(rng.uniform(2, 5))),
        ink_shine=rng.uniform(0.2, 1.1),
    )


def trace(
    image: np.ndarray,
    owner: np.ndarray,
    camera: TrayCamera,
    die: MadeDie,
    number: int,
    lights: Lights,
    dim: float,
    bare: np.ndarray | None = None,
) -> None:
    """Draw a die into `image`; `dim`: how much lamps reach it; `bare`: the same without ink."""
    make = die.make
    r = np.float32(2 * make.rounding)
    hits = march(camera, die.cube(), lambda p: distance(p, r), 11)
    if hits is None:
        return
    rows, cols, weight, ray, p, pixel = hits
    q = np.abs(p) - (1 - r)
    normal = np.sign(p) * np.maximum(q, 0)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-6

    art = make.mip(2 / pixel)
    n = art.shape[1]
    axis = np.argmax(np.abs(p), 1)
    face = axis * 2 + (p[np.arange(len(p)), axis] < 0)
    ink, slope = np.zeros(len(p), np.float32), np.zeros(len(p), np.float32)
    for k in np.unique(face):
        here = np.flatnonzero(face == k)
        a, b = (k // 2 + 1) % 3, (k // 2 + 2) % 3
        u, v = ((p[here][:, c] * 0.5 + 0.5) * n - 0.5 for c in (a, b))
        u, v = u.astype(np.float32), v.astype(np.float32)
        ink[here] = _look_up(art[k], u, v)
        if make.engraved:
            lamp = die.turn.T @ lights.lamps[0][0]
            shift = np.float32(n / 24) * lamp[[a, b]].astype(np.float32)
            slope[here] = _look_up(art[k], u + shift[0], v + shift[1]) - ink[here]
    albedo = np.repeat(make.body[None], len(p), 0)
    if make.grain:
        wave = np.sin(p @ die.noise[:, :3].T * 3 + die.noise[:, 3]).sum(1)
        albedo = albedo * (1 + make.grain * wave[:, None] / 2)
    tops = 0.28 * (1 - make.translucent)  # what shines through is as bright on all sides
    brightness = np.full(len(p), lights.ambient) * (1 - tops + tops * (normal @ die.turn[2]))
    brightness = brightness * (1 - 0.6 * make.metallic)
    local = [(die.turn.T @ lamp, power) for lamp, power in lights.lamps]
    brightness, gloss = shine_on(brightness, normal, ray, local, make.shine, make.gloss, dim)
    brightness = brightness * (1 + make.engraved * slope)
    inks = np.broadcast_to(make.ink, (6, 3))
    for target, amount in ((image, ink), (bare, np.zeros_like(ink))):
        if target is None:
            continue
        paint = albedo + (inks[face] - albedo) * amount[:, None]
        shine = gloss * (1 + (make.ink_shine - 1) * amount)
        seen = paint * brightness[:, None] + shine[:, None]
        target[rows, cols] = target[rows, cols] * (1 - weight) + np.maximum(seen, 0) * weight
    solid = weight[:, 0] > 0.5
    owner[rows[solid], cols[solid]] = number


def _look_up(art: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the art (h, w) at n places, (n,). OpenCV takes fewer than 32,768 in a row."""
    parts = range(0, len(u), 1 << 14)
    each = (slice(start, start + (1 << 14)) for start in parts)
    found = [cv2.remap(art, u[None, k], v[None, k], cv2.INTER_LINEAR)[0] for k in each]
    return np.concatenate(found)


def flat_die(
    rng: np.random.Generator,
    make: DiceMake,
    x: float,
    y: float,
    yaw: float,
    face: int | None = None,
) -> MadeDie:
    """Return a die that lies flat at x, y, turned by `yaw`; face: what lies up, None for any."""
    ways = CUBE if face is None else [turn for turn in CUBE if face_up(turn) == face]
    turn = rotation(2, yaw) @ ways[int(rng.integers(len(ways)))]
    return MadeDie(make, np.array([x, y, make.edge / 2]), turn, waves(rng))


def leaning_die(
    rng: np.random.Generator, make: DiceMake, x: float, y: float, yaw: float, lean: float
) -> MadeDie:
    """As `flat_die`, but tilted by `lean` degrees so that the side towards `yaw` is raised."""
    turn = rotation(2, yaw) @ rotation(1, -np.radians(lean))
    if rng.random() < 0.25:
        turn = turn @ rotation(2, rng.uniform(-0.8, 0.8))
    turn = turn @ CUBE[int(rng.integers(24))]
    low = make.edge / 2 * np.abs(turn[2]).sum()
    return MadeDie(make, np.array([x, y, low * 0.97]), turn, waves(rng))


def corners_of(die: MadeDie, grow: float = 1) -> np.ndarray:
    """Return the outline of a die from above, `grow` times as large, (n, 1, 2), cm."""
    points = die.where + die.make.edge / 2 * grow * CORNERS @ die.turn.T
    return cv2.convexHull(points[:, :2].astype(np.float32))


def overlap(one: MadeDie, other: MadeDie, grow: float = 1) -> bool:
    """Return whether two dice, each `grow` times as large, lie over each other from above."""
    # OpenCV sometimes finds nothing in common where one lies almost exactly in the other.
    if np.linalg.norm(one.where - other.where) < one.make.edge / 2:
        return True
    return cv2.intersectConvexConvex(corners_of(one, grow), corners_of(other, grow))[0] > 1e-3


def glare_on(rng: np.random.Generator, camera: TrayCamera, die: MadeDie, lights: Lights) -> Lights:
    """One more lamp, mirrored towards the camera by the top of the die."""
    top = die.where + UP * die.make.edge / 2
    eye = camera.centre - top
    eye /= np.linalg.norm(eye)
    lamp = np.array([-eye[0], -eye[1], eye[2]]) + rng.normal(0, 0.05, 3)
    lamp /= np.linalg.norm(lamp)
    die.make.shine = max(die.make.shine, rng.uniform(0.4, 1.5))
    die.make.gloss = float(np.exp(rng.uniform(3.5, 8.5)))
    return Lights(lights.ambient, [*lights.lamps, (lamp, rng.uniform(0.4, 1.2))], lights.spill)
