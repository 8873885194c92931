"""Draw dice with pips: rounded cubes, optionally cut by a sphere, traced ray by ray.

Lengths are in die edges until projected.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.training.cubes import Cube, Pinhole, distance, face_up, march, shine_on
from vision.training.drawing import colour, log_uniform, luminance, near, rotation, smooth_noise

SIZE = 256


CORNERS_CUT = 0.87  # a larger sphere than half the cube's diagonal cuts nothing


OTHER = 6  # the face of a die without pips; 0-5 are one to six pips


PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


# Opposite faces sum to seven: the value on +x, -x, +y, -y, +z, -z.
NET = [2, 5, 3, 4, 1, 6]


@dataclass
class PipMake:
    """The look of one make of dice. Colours are BGR in [0, 1]."""

    edge: float
    """Length of an edge."""
    rounding: float
    """Radius of the rounded edges, in die edges."""
    sphere: float
    """Radius of the sphere that cuts the corners, in die edges; 1 for none."""
    body: np.ndarray
    """Colour of the body."""
    marble: np.ndarray | None
    """Second colour of a marbled body, if any."""
    pip: np.ndarray
    """Colour of the pips."""
    ace: np.ndarray
    """Colour of the one's pip."""
    pip_radius: float
    """Radius of a pip, in half edges."""
    ace_radius: float
    """Radius of the one's pip, in half edges."""
    spread: float
    """Distance of the outer pips from the middle lines, in half edges."""
    six: tuple[float, float]
    """Spread of the six's pips, across and along, relative to that of the others."""
    depth: float
    """Depth of the pips, as strength of their shading."""
    shine: float
    """Strength of reflections."""
    gloss: float
    """Exponent of reflections: higher is sharper."""
    ring: float
    """Radius of the tinted disc on each face, in half edges; 0 for none."""
    ring_shade: float
    """Brightness of the disc relative to the body."""


def draw_make(rng: np.random.Generator, edge: float) -> PipMake:
    """Return any make of dice with pips; edge: of a die."""
    kind = rng.random()
    if kind < 0.45:
        level = rng.uniform(0.65, 1)
        body = near(rng, (level * rng.uniform(0.75, 1), level, level), 0.02)
    elif kind < 0.60:
        body = near(rng, (0.06, 0.06, 0.06), 0.04)
    elif kind < 0.70:
        body = near(rng, (0.1, 0.08, 0.65), 0.08)
    elif kind < 0.82:
        body = near(rng, (1, 1, 1), 0.01) * np.float32(rng.uniform(0.15, 0.65))
    else:
        body = colour(rng)
    light = luminance(body) > rng.uniform(0.35, 0.6)
    pip = near(rng, (0.05, 0.05, 0.05) if light else (0.92, 0.92, 0.92), 0.04)
    if rng.random() < 0.15:
        for _ in range(20):
            pip = colour(rng)
            if abs(luminance(pip) - luminance(body)) > 0.22:
                break
    if rng.random() < 0.08:  # worn or faint paint
        pip = pip * 0.5 + body * 0.5
    ace = near(rng, (0.1, 0.1, 0.75), 0.05) if light and rng.random() < 0.06 else pip
    radius = rng.uniform(0.13, 0.25)
    spread = rng.uniform(max(0.42, radius * 2.3), 0.64)
    ring = rng.uniform(0.6, 0.92) if rng.random() < 0.12 else 0.0
    if ring and rng.random() < 0.5:  # pips of the body's colour, all within the disc
        pip = ace = body
        radius = min(radius, 0.3 * ring)
        spread = min(spread, (ring * 0.95 - radius) / 1.42)
    return PipMake(
        edge=edge,
        rounding=rng.uniform(0.04, 0.2) if rng.random() < 0.8 else rng.uniform(0.2, 0.3),
        sphere=rng.uniform(0.62, 0.78) if rng.random() < 0.4 else 1,
        body=body,
        marble=colour(rng) if rng.random() < 0.12 else None,
        pip=pip,
        ace=ace,
        pip_radius=radius,
        ace_radius=radius * (rng.uniform(1, 1.7) if rng.random() < 0.25 else 1),
        spread=spread,
        six=(
            rng.uniform(0.62, 1.05),
            rng.uniform(min(1.05, max(0.78, 2.05 * radius / spread)), 1.1),
        ),
        depth=rng.uniform(0, 0.9),
        shine=rng.uniform(0, 1.2) if rng.random() < 0.6 else 0,
        gloss=float(np.exp(rng.uniform(1.5, 5))),
        ring=ring,
        ring_shade=rng.uniform(0.4, 0.85) if light else rng.uniform(1.3, 2.2),
    )


def draw_symbol(rng: np.random.Generator) -> np.ndarray:
    """Something that is no pip pattern, as an opacity (64, 64)."""
    s = np.zeros((64, 64), np.uint8)
    kind = rng.integers(6)
    if kind == 0:
        text = str(rng.choice(list("ABEFGHKMRSX0245789?&#")))
        font = int(rng.integers(2, 6))
        cv2.putText(s, text, (12, 52), font, 2.0, 255, int(rng.integers(2, 8)))
    elif kind == 1:
        n = int(rng.integers(3, 9)) * 2
        t = np.arange(n) * 2 * np.pi / n
        r = np.where(np.arange(n) % 2, rng.uniform(8, 16), rng.uniform(18, 28))
        star = np.stack([32 + r * np.cos(t), 32 + r * np.sin(t)], 1)
        cv2.fillPoly(s, [star.astype(np.int32)], 255)
    elif kind == 2:
        width = int(rng.integers(3, 14))
        cv2.line(s, (10, 32), (54, 32), 255, width)
        if rng.random() < 0.6:
            cv2.line(s, (32, 10), (32, 54), 255, width)
    elif kind == 3:
        blob = smooth_noise(rng, 64, 64, 9)
        yy, xx = np.mgrid[-1:1:64j, -1:1:64j]
        s[(blob > 0) & (xx**2 + yy**2 < 0.55)] = 255
    elif kind == 4:
        cv2.circle(s, (32, 32), int(rng.integers(14, 27)), 255, int(rng.integers(2, 6)))
        cv2.putText(s, str(rng.integers(1, 9)), (21, 44), 4, 1.0, 255, 2)
    m = cv2.getRotationMatrix2D((31.5, 31.5), rng.uniform(0, 360), 1)
    return cv2.warpAffine(s, m, (64, 64)).astype(np.float32) / 255


class PipCamera(Pinhole):
    """A camera over the table, which is z = 0."""

    def __init__(self, rng: np.random.Generator, scale: float) -> None:
        tilt = rng.uniform(0, 12) if rng.random() < 0.6 else rng.uniform(10, 48)
        tilt, turn, roll = np.radians(tilt), rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
        distance = max(log_uniform(rng, 4.5, 30), SIZE / scale * 0.7)
        self.turn = rotation(2, roll) @ rotation(0, tilt) @ rotation(2, turn)
        self.turn = np.diag([1, -1, -1]) @ self.turn
        self.centre = -self.turn.T @ np.array([0, 0, distance]) + np.array([0, 0, 0.5])
        self.focal = scale * distance
        self.size, self.middle = (SIZE, SIZE), np.full(2, SIZE / 2)


@dataclass
class PipDie:
    """A die of a make, in its place."""

    make: PipMake
    """Its look."""
    where: np.ndarray
    """Its centre in the world."""
    turn: np.ndarray
    """Rotation (3, 3) from die to world."""
    symbol: np.ndarray | None
    """Opacity (64, 64) of a symbol on all faces instead of pips, if any."""
    flips: np.ndarray
    """For each face of the net, whether 2, 3 and 6 are turned by 90 degrees."""
    noise: np.ndarray
    """Waves (3, 4) of the marbling."""

    def cube(self, share: float = 1.0) -> Cube:
        """Return the cube that it is, its edge times `share`."""
        return Cube(self.where, self.turn, self.make.edge / 2 * share)

    def top(self) -> int:
        """The face that looks up: 0 to 5 for one to six pips, or OTHER."""
        return OTHER if self.symbol is not None else NET[face_up(self.turn)] - 1

    def paint(
        self, p: np.ndarray, pixel: float, light: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Albedo (n, 3) and relief shading (n,) at local points `p` (n, 3) in half edges."""
        make = self.make
        albedo = np.repeat(make.body[None], len(p), 0)
        if make.marble is not None:
            wave = np.sin(p @ self.noise[:, :3].T + self.noise[:, 3]).sum(1)
            mix = 1 / (1 + np.exp(-3 * wave))
            albedo = albedo * (1 - mix[:, None]) + make.marble * mix[:, None]
        relief = np.zeros(len(p), np.float32)
        axis = np.argmax(np.abs(p), 1)
        side = p[np.arange(len(p)), axis] < 0
        for face in range(6):
            here = np.flatnonzero((axis == face // 2) & (side == face % 2))
            if not len(here):
                continue
            a, b = (face // 2 + 1) % 3, (face // 2 + 2) % 3
            uv = p[here][:, [a, b]]
            shade = light[[a, b]]
            if make.ring:
                inside = np.clip((make.ring - np.linalg.norm(uv, axis=1)) / pixel + 0.5, 0, 1)
                tint = np.clip(albedo[here] * make.ring_shade, 0, 1)
                albedo[here] += (tint - albedo[here]) * inside[:, None]
            if self.symbol is not None:
                at = np.clip((uv * 0.5 + 0.5) * 63, 0, 63).astype(int)
                ink = self.symbol[at[:, 1], at[:, 0]]
                albedo[here] += (make.pip - albedo[here]) * ink[:, None]
                continue
            value = NET[face]
            rho = make.ace_radius if value == 1 else make.pip_radius
            paint = make.ace if value == 1 else make.pip
            for across, down in PIPS[value]:
                u, v = float(across), float(down)
                if value == 6:
                    u, v = u * make.six[0], v * make.six[1]
                u, v = (v, u) if self.flips[face] else (u, v)
                if value in (2, 3) and self.flips[face]:
                    u = -u
                d = uv - np.array([u, v]) * make.spread
                r = np.linalg.norm(d, axis=1)
                ink = np.clip((rho - r) / pixel + 0.5, 0, 1)
                albedo[here] += (paint - albedo[here]) * ink[:, None]
                relief[here] -= make.depth * ink * (d @ shade) / rho
        return albedo, relief


def distance_of(p: np.ndarray, make: PipMake) -> np.ndarray:
    """Signed distance of local points (n, 3), in half edges, to the die's surface."""
    box = distance(p, 2 * make.rounding)
    if make.sphere > CORNERS_CUT:
        return box
    return np.maximum(box, np.sqrt(np.einsum("ij,ij->i", p, p)) - 2 * make.sphere)


def draw_die(
    image: np.ndarray,
    owner: np.ndarray,
    camera: PipCamera,
    die: PipDie,
    number: int,
    lights: list[tuple[np.ndarray, float]],
    ambient: float,
) -> None:
    """Draw a die into `image`, and its number where it is seen into `owner`."""
    make = die.make
    hits = march(camera, die.cube(), lambda p: distance_of(p, make), 14)
    if hits is None:
        return
    rows, cols, a, ray, p, pixel = hits
    r = 2 * die.make.rounding
    q = np.abs(p) - (1 - r)
    normal = np.sign(p) * np.maximum(q, 0)
    if die.make.sphere < CORNERS_CUT:
        ball = np.linalg.norm(p, axis=1) - 2 * die.make.sphere
        normal = np.where((ball > -0.02)[:, None], p, normal)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-6
    main = die.turn.T @ lights[0][0]
    albedo, relief = die.paint(p, pixel, main)
    brightness = np.full(len(p), ambient) * (0.75 + 0.25 * (normal @ die.turn[2]))
    local = [(die.turn.T @ direction, power) for direction, power in lights]
    brightness, gloss = shine_on(brightness, normal, ray, local, make.shine, make.gloss)
    seen = albedo * (brightness * (1 + relief))[:, None] + gloss[:, None] * 0.6
    image[rows, cols] = image[rows, cols] * (1 - a) + np.maximum(seen, 0) * a
    owner[rows[a[:, 0] > 0.5], cols[a[:, 0] > 0.5]] = number
