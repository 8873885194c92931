"""Draws scenes of pip dice of very wide variation, with the truth about every top face.

Dice are rounded cubes (optionally cut by a sphere), traced ray by ray against their signed
distance, so that side faces, rounded edges, burnt-out tops and shadows come out as they do in
photographs. Lengths are in die edges until projected. All chance comes from the generator given.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

SIZE = 256
CORNERS_CUT = 0.87  # a larger sphere than half the cube's diagonal cuts nothing
OTHER = 6  # class of a top face without pips; 0-5 are one to six pips

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
class Truth:
    """One top face: centre, 2x2 half-edge vectors (columns) in pixels, class, share seen."""

    x: float
    y: float
    axes: np.ndarray
    face: int
    seen: float


@dataclass
class Make:
    """How one make of dice looks."""

    edge: float
    rounding: float
    sphere: float
    body: np.ndarray
    marble: np.ndarray | None
    pip: np.ndarray
    ace: np.ndarray
    pip_radius: float
    ace_radius: float
    spread: float
    six: tuple[float, float]  # how far its pips stand apart, across and along, against the others'
    depth: float
    shine: float
    gloss: float
    ring: float
    ring_shade: float


def rotation(axis: int, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = np.eye(3)
    m[i, i] = m[j, j] = c
    m[i, j], m[j, i] = -s, s
    return m


def cube_rotations() -> list[np.ndarray]:
    turns = []
    for a in range(4):
        for b in range(4):
            for c in range(4):
                m = rotation(0, a * np.pi / 2) @ rotation(1, b * np.pi / 2)
                m = np.rint(m @ rotation(2, c * np.pi / 2))
                if not any(np.array_equal(m, t) for t in turns):
                    turns.append(m)
    return turns


CUBE = cube_rotations()


def smooth_noise(
    rng: np.random.Generator, h: int, w: int, cell: float, stretch: float = 1
) -> np.ndarray:
    """Noise in about [-1, 1] whose grains are `cell` pixels, longer by `stretch` along x."""
    rows, cols = max(2, int(h / cell)), max(2, int(w / (cell * stretch)))
    small = rng.normal(0, 0.5, (rows, cols)).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def colour(rng: np.random.Generator) -> np.ndarray:
    hsv = np.uint8([[[rng.integers(180), rng.integers(40, 256), rng.integers(30, 256)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32) / 255


def near(rng: np.random.Generator, bgr: tuple[float, float, float], by: float) -> np.ndarray:
    return np.clip(np.float32(bgr) + rng.normal(0, by, 3), 0, 1).astype(np.float32)


def luminance(bgr: np.ndarray) -> float:
    return float(bgr @ np.float32([0.114, 0.587, 0.299]))


def draw_make(rng: np.random.Generator, edge: float) -> Make:
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
    return Make(
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
        cv2.putText(s, text, (12, 52), rng.integers(2, 6), 2.0, 255, int(rng.integers(2, 8)))
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


class Camera:
    """A pinhole camera over the table; world z is up and the table is z = 0."""

    def __init__(self, rng: np.random.Generator, scale: float) -> None:
        tilt = rng.uniform(0, 12) if rng.random() < 0.6 else rng.uniform(10, 48)
        tilt, turn, roll = np.radians(tilt), rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
        distance = max(float(np.exp(rng.uniform(np.log(4.5), np.log(30)))), SIZE / scale * 0.7)
        self.turn = rotation(2, roll) @ rotation(0, tilt) @ rotation(2, turn)
        self.turn = np.diag([1, -1, -1]) @ self.turn
        self.centre = -self.turn.T @ np.array([0, 0, distance]) + np.array([0, 0, 0.5])
        self.focal = scale * distance

    def project(self, points: np.ndarray) -> np.ndarray:
        p = (points - self.centre) @ self.turn.T
        return p[..., :2] / p[..., 2:] * self.focal + SIZE / 2

    def rays(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        d = np.stack([x - SIZE / 2, y - SIZE / 2, np.full(x.shape, self.focal)], -1)
        d = d @ self.turn
        return d / np.linalg.norm(d, axis=-1, keepdims=True)

    def ground(self, x: float, y: float) -> np.ndarray:
        d = self.rays(np.float64(x), np.float64(y))
        return self.centre - d * self.centre[2] / d[2]


@dataclass
class PlacedDie:
    make: Make
    where: np.ndarray
    turn: np.ndarray  # die to world
    symbol: np.ndarray | None
    flips: np.ndarray  # per face of the net: whether 2, 3 and 6 are turned by 90 degrees
    noise: np.ndarray

    def top(self) -> int:
        """The class of the face that looks up."""
        up = self.turn.T @ np.array([0, 0, 1.0])
        axis = int(np.argmax(np.abs(up)))
        return OTHER if self.symbol is not None else NET[axis * 2 + (up[axis] < 0)] - 1

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
            for u, v in PIPS[value]:
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


def distance(p: np.ndarray, make: Make) -> np.ndarray:
    """Signed distance of local points (n, 3), in half edges, to the die's surface."""
    r = 2 * make.rounding
    q = np.abs(p) - (1 - r)
    out = np.maximum(q, 0)
    inner = np.minimum(np.maximum(np.maximum(q[:, 0], q[:, 1]), q[:, 2]), 0)
    box = np.sqrt(np.einsum("ij,ij->i", out, out)) + inner - r
    if make.sphere > CORNERS_CUT:
        return box
    return np.maximum(box, np.sqrt(np.einsum("ij,ij->i", p, p)) - 2 * make.sphere)


def draw_die(
    image: np.ndarray,
    owner: np.ndarray,
    camera: Camera,
    die: PlacedDie,
    number: int,
    lights: list[tuple[np.ndarray, float]],
    ambient: float,
) -> None:
    half = die.make.edge / 2
    signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), -1).reshape(-1, 3)
    corners = camera.project(die.where + half * signs @ die.turn.T)
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, SIZE)
    if x1 <= x0 or y1 <= y0:
        return
    yy, xx = np.mgrid[y0:y1, x0:x1]
    rays = camera.rays(xx.ravel() + 0.0, yy.ravel() + 0.0) @ die.turn
    rays = rays.astype(np.float32)
    start = (camera.centre - die.where) @ die.turn / half
    start = start.astype(np.float32)
    far = float(np.linalg.norm(start))
    pixel = far / camera.focal
    t = np.full(len(rays), far - 1.74, np.float32)
    closest = np.full(len(rays), 9, np.float32)
    for _ in range(14):
        d = distance(start + rays * t[:, None], die.make)
        closest = np.minimum(closest, d)
        t += d
    alpha = np.clip(0.6 - closest / pixel, 0, 1)
    hit = np.flatnonzero((alpha > 0) & (t < far + 2))
    if not len(hit):
        return
    p = start + rays[hit] * t[hit][:, None]
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
    gloss = np.zeros(len(p))
    for direction, power in lights:
        local = die.turn.T @ direction
        brightness += power * np.maximum(normal @ local, 0)
        mirror = local - rays[hit]
        mirror /= np.linalg.norm(mirror, axis=1, keepdims=True)
        gloss += power * die.make.shine * np.maximum((normal * mirror).sum(1), 0) ** die.make.gloss
    seen = albedo * (brightness * (1 + relief))[:, None] + gloss[:, None] * 0.6
    a = alpha[hit][:, None]
    rows, cols = yy.ravel()[hit], xx.ravel()[hit]
    image[rows, cols] = image[rows, cols] * (1 - a) + np.maximum(seen, 0) * a
    owner[rows[a[:, 0] > 0.5], cols[a[:, 0] > 0.5]] = number


def cast_shadow(camera: Camera, die: PlacedDie, light: np.ndarray) -> np.ndarray:
    """The outline of a die's shadow on the table, in pixels."""
    half = die.make.edge / 2
    signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), -1).reshape(-1, 3)
    corners = die.where + half * 0.93 * signs @ die.turn.T
    fallen = corners - light * np.maximum(corners[:, 2:], 0) / max(light[2], 0.25)
    return cv2.convexHull(camera.project(fallen).astype(np.float32)).astype(np.int32)


def draw_ground(rng: np.random.Generator) -> np.ndarray:
    base = colour(rng) if rng.random() < 0.45 else np.repeat(np.float32(rng.uniform(0.03, 0.95)), 3)
    image = np.broadcast_to(base, (SIZE, SIZE, 3)).astype(np.float32).copy()
    kind = rng.random()
    amount = float(np.exp(rng.uniform(np.log(0.02), np.log(0.5))))
    if kind < 0.35:  # grain: felt, leather, stone
        grain = smooth_noise(rng, SIZE, SIZE, rng.uniform(1, 6)) + smooth_noise(
            rng, SIZE, SIZE, rng.uniform(8, 60)
        )
        image *= 1 + amount * grain[..., None]
    elif kind < 0.6:  # wood
        cell = rng.uniform(1.5, 8)
        grain = smooth_noise(rng, SIZE * 2, SIZE * 2, cell, rng.uniform(5, 40))
        m = cv2.getRotationMatrix2D((SIZE, SIZE), rng.uniform(0, 360), 1)
        grain = cv2.warpAffine(grain, m, (SIZE * 2, SIZE * 2), borderMode=cv2.BORDER_REFLECT)
        image *= 1 + amount * grain[SIZE // 2 : -SIZE // 2, SIZE // 2 : -SIZE // 2, None]
    elif kind < 0.78:  # stripes, plaid, grids
        angle, period = rng.uniform(0, np.pi), float(np.exp(rng.uniform(1.2, 4)))
        yy, xx = np.mgrid[:SIZE, :SIZE]
        bend = smooth_noise(rng, SIZE, SIZE, 80) * rng.uniform(0, 12)
        u = (xx * np.cos(angle) + yy * np.sin(angle) + bend) / period
        v = (yy * np.cos(angle) - xx * np.sin(angle) + bend) / period
        share = rng.uniform(0.05, 0.5)
        mask = (u % 1 < share).astype(np.float32)
        if rng.random() < 0.5:
            mask = (
                np.maximum(mask, v % 1 < share)
                if rng.random() < 0.6
                else (mask + (v % 1 < share)) / 2
            )
        other = colour(rng) if rng.random() < 0.5 else np.float32(rng.uniform(0, 1, 1).repeat(3))
        image += (other - image) * (
            cv2.GaussianBlur(mask, (3, 3), 0)[..., None] * rng.uniform(0.2, 1)
        )
    elif kind < 0.92:  # printed stuff in several colours
        levels = smooth_noise(rng, SIZE, SIZE, rng.uniform(6, 50), rng.uniform(1, 4))
        for threshold in rng.uniform(-0.6, 0.6, 3):
            image[levels > threshold] = colour(rng)
        image = cv2.GaussianBlur(image, (3, 3), 0)
    return image


def draw_clutter(
    rng: np.random.Generator, image: np.ndarray, n: int, owner: np.ndarray | None = None
) -> None:
    """Lines, discs, boxes, letters, rows of dots: what lies about and is no die."""
    for _ in range(n):
        mask = np.zeros((SIZE, SIZE), np.uint8)
        x, y = rng.integers(0, SIZE, 2).tolist()
        reach = float(np.exp(rng.uniform(np.log(4), np.log(120))))
        t = rng.uniform(0, 2 * np.pi)
        end = (int(x + reach * np.cos(t)), int(y + reach * np.sin(t)))
        kind = rng.integers(10)
        if kind <= 1:
            cv2.line(mask, (x, y), end, 255, int(rng.integers(1, 22)), cv2.LINE_AA)
        elif kind == 2:
            width = -1 if rng.random() < 0.6 else int(rng.integers(1, 8))
            cv2.circle(mask, (x, y), int(min(reach, 70)), 255, width, cv2.LINE_AA)
        elif kind == 3:
            axes = (int(reach), int(reach * rng.uniform(0.2, 1)))
            cv2.ellipse(
                mask,
                (x, y),
                axes,
                rng.uniform(0, 360),
                0,
                rng.uniform(90, 360),
                255,
                int(rng.integers(1, 6)),
            )
        elif kind == 4:
            box = cv2.boxPoints(((x, y), (reach, reach * rng.uniform(0.3, 1)), rng.uniform(0, 90)))
            cv2.fillPoly(mask, [box.astype(np.int32)], 255)
        elif kind == 5:
            text = "".join(rng.choice(list("ABCDEFGHKLMNOPRST0123456789 ."), 5))
            cv2.putText(
                mask,
                text,
                (x, y),
                int(rng.integers(0, 6)),
                rng.uniform(0.4, 2),
                255,
                int(rng.integers(1, 5)),
                cv2.LINE_AA,
            )
        elif kind == 6:  # dots that are not on a die
            step = rng.uniform(6, 30)
            for k in range(int(rng.integers(1, 7))):
                at = (
                    int(x + k * step * np.cos(t) + rng.normal()),
                    int(y + k * step * np.sin(t) + rng.normal()),
                )
                cv2.circle(
                    mask, at, int(rng.integers(1, max(2, int(step / 2.2)))), 255, -1, cv2.LINE_AA
                )
        elif kind == 7:
            points = np.array([x, y]) + rng.normal(0, reach / 2, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(mask, [points.astype(np.int32)], 255)
        elif kind == 8:  # grips, combs, twigs: short lines side by side
            step, width = rng.uniform(3, 12), int(rng.integers(1, 5))
            for k in range(int(rng.integers(4, 40))):
                a = np.array([x + k * step * np.cos(t), y + k * step * np.sin(t)]) + rng.normal(
                    0, 1.5, 2
                )
                b = a + reach * 0.5 * np.array([-np.sin(t), np.cos(t)]) + rng.normal(0, 3, 2)
                cv2.line(
                    mask, a.astype(int).tolist(), b.astype(int).tolist(), 255, width, cv2.LINE_AA
                )
        else:  # a print, a crumpled thing, glitter
            cv2.circle(mask, (x, y), int(reach), 255, -1)
            mask[smooth_noise(rng, SIZE, SIZE, rng.uniform(2, 9)) < rng.uniform(-0.3, 0.5)] = 0
        soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 1.5))[..., None] / np.float32(255)
        paint = colour(rng) if rng.random() < 0.4 else np.float32(rng.uniform(0, 1, 1).repeat(3))
        shade = (
            1 + rng.uniform(0, 0.5) * smooth_noise(rng, SIZE, SIZE, rng.uniform(4, 40))[..., None]
        )
        if owner is None:
            drop = int(rng.integers(0, 8))
            dark = cv2.GaussianBlur(np.roll(mask, (drop, drop), (0, 1)), (0, 0), 3)[..., None] / 255
            image *= 1 - dark * rng.uniform(0, 0.6)
        else:
            owner[mask > 127] = 0
        image += (paint * shade - image) * soft


def draw_scene(rng: np.random.Generator) -> tuple[np.ndarray, list[Truth]]:
    """A picture (SIZE, SIZE, 3) BGR uint8, and its top faces.

    Edges are 18 to 52 pixels in most pictures; in the others far larger or smaller.
    """
    kind = rng.random()
    low, high = (19, 50) if kind < 0.8 else (50, 240) if kind < 0.94 else (6, 18)
    scale = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    camera = Camera(rng, scale)
    image = draw_ground(rng)
    if rng.random() < 0.3:  # a tray or plate: another ground inside a round or straight border
        inner = draw_ground(rng)
        mask = np.zeros((SIZE, SIZE), np.uint8)
        at = rng.integers(0, SIZE, 2).tolist()
        radius = int(rng.integers(60, 260))
        if rng.random() < 0.6:
            cv2.circle(mask, at, radius, 255, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints((at, (radius * 1.5, radius * 1.5), rng.uniform(0, 90)))
            cv2.fillPoly(mask, [box.astype(np.int32)], 255)
        rim = cv2.morphologyEx(
            mask, cv2.MORPH_GRADIENT, np.ones((3, 3)), iterations=int(rng.integers(1, 8))
        )
        soft = cv2.GaussianBlur(mask, (0, 0), 1)[..., None] / np.float32(255)
        image += (inner - image) * soft
        image *= 1 - rim[..., None] / 255 * rng.uniform(-0.5, 0.9)
    draw_clutter(
        rng, image, int(rng.poisson(2)) if rng.random() < 0.6 else int(rng.integers(5, 16))
    )

    lights = []
    for _ in range(int(rng.integers(1, 4))):
        height, around = rng.uniform(0.25, 1), rng.uniform(0, 2 * np.pi)
        flat = np.sqrt(1 - height**2)
        power = rng.uniform(0.2, 1)
        lights.append((np.array([flat * np.cos(around), flat * np.sin(around), height]), power))
    total = sum(power * d[2] for d, power in lights)
    exposure = rng.uniform(0.65, 1.15) if rng.random() < 0.7 else rng.uniform(1.1, 2)
    ambient = rng.uniform(0.15, 0.7)
    gain = exposure / (ambient + total)
    lights = [(d, power * gain) for d, power in lights]
    ambient *= gain

    n = (
        0
        if rng.random() < 0.04
        else int(rng.integers(2, 12))
        if scale < 60
        else int(rng.integers(1, 4))
    )
    shared = draw_make(rng, 1)
    one_make, symbols = rng.random() < 0.6, rng.random() < 0.12
    dice: list[PlacedDie] = []
    for _ in range(n):
        make = shared if one_make else draw_make(rng, rng.uniform(0.7, 1.4))
        for _ in range(12):
            if dice and rng.random() < 0.45:  # beside another die, touching or nearly so
                other = dice[int(rng.integers(len(dice)))]
                t = rng.uniform(0, 2 * np.pi)
                gap = (make.edge + other.make.edge) / 2 * rng.uniform(1, 1.35)
                spot = other.where[:2] + gap * np.array([np.cos(t), np.sin(t)])
            else:
                spot = camera.ground(*rng.uniform(0, SIZE, 2))[:2]
            if all(
                np.linalg.norm(spot - d.where[:2]) > (make.edge + d.make.edge) / 2 * 1.0
                for d in dice
            ):
                break
        else:
            continue
        turn = rotation(2, rng.uniform(0, 2 * np.pi))
        lean = abs(rng.normal(0, 4)) if rng.random() < 0.15 else 0
        turn = turn @ rotation(int(rng.integers(2)), np.radians(lean)) @ CUBE[int(rng.integers(24))]
        height = make.edge / 2 * (1 + np.sin(np.radians(lean)))
        dice.append(
            PlacedDie(
                make,
                np.array([*spot, height]),
                turn,
                draw_symbol(rng) if rng.random() < (0.6 if symbols else 0.01) else None,
                rng.random(6) < 0.5,
                np.concatenate([rng.normal(0, 2.5, (3, 3)), rng.uniform(0, 6, (3, 1))], 1),
            )
        )
    dice.sort(key=lambda d: -float(np.linalg.norm(d.where - camera.centre)))

    ground_light = ambient + sum(power * d[2] for d, power in lights)
    image *= ground_light * (1 if rng.random() < 0.7 else rng.uniform(0.5, 1))
    softness = float(np.exp(rng.uniform(np.log(0.02), np.log(0.4)))) * scale
    if rng.random() < 0.9:
        for direction, power in lights:
            dark = np.zeros((SIZE, SIZE), np.uint8)
            for die in dice:
                cv2.fillConvexPoly(dark, cast_shadow(camera, die, direction), 255)
            share = power * direction[2] / ground_light
            image *= 1 - cv2.GaussianBlur(dark, (0, 0), softness + 0.3)[..., None] / 255 * share
    owner = np.zeros((SIZE, SIZE), np.int32)
    truths: list[Truth] = []
    for number, die in enumerate(dice, 1):
        draw_die(image, owner, camera, die, number, lights, ambient)
    if rng.random() < 0.15:
        draw_clutter(rng, image, int(rng.integers(1, 3)), owner)

    for number, die in enumerate(dice, 1):
        up = die.turn.T @ np.array([0, 0, 1.0])
        axis = int(np.argmax(np.abs(up)))
        normal = die.turn[:, axis] * np.sign(up[axis])
        u, v = die.turn[:, (axis + 1) % 3], die.turn[:, (axis + 2) % 3]
        half = die.make.edge / 2
        centre = die.where + half * normal
        ring = [
            centre + half * 0.8 * (a * u + b * v)
            for a in (-1, -0.5, 0, 0.5, 1)
            for b in (-1, -0.5, 0, 0.5, 1)
        ]
        samples = np.rint(camera.project(np.array(ring))).astype(int)
        inside = ((samples >= 0) & (samples < SIZE)).all(1)
        seen = np.mean(
            [ok and owner[s[1], s[0]] == number for ok, s in zip(inside, samples, strict=True)]
        )
        c, pu, pv = camera.project(np.array([centre, centre + half * u, centre + half * v]))
        if seen > 0.2:
            axes = np.stack([pu - c, pv - c], 1)
            truths.append(Truth(float(c[0]), float(c[1]), axes, die.top(), float(seen)))
    return develop(rng, image), truths


def develop(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """What light, lens, sensor and compression do to a picture."""
    yy, xx = np.mgrid[-1 : 1 : SIZE * 1j, -1 : 1 : SIZE * 1j].astype(np.float32)
    if rng.random() < 0.5:  # uneven light, from a vignette to a lamp in the corner
        x, y = rng.uniform(-1.3, 1.3, 2)
        fall = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / rng.uniform(0.5, 4))
        image = image * (1 + rng.uniform(-0.6, 1.2) * (fall - fall.mean()))[..., None]
    if rng.random() < 0.35:  # a hand's or head's shadow
        blob = smooth_noise(rng, SIZE, SIZE, rng.uniform(40, 150)) > rng.uniform(-0.3, 0.5)
        soft = cv2.GaussianBlur(blob.astype(np.float32), (0, 0), rng.uniform(1, 15))
        image = image * (1 - soft * rng.uniform(0.1, 0.6))[..., None]
    if rng.random() < 0.5:
        image = image * rng.uniform(0.75, 1.25, 3).astype(np.float32)
    image = np.maximum(image, 0) ** rng.uniform(0.6, 1.5)
    if rng.random() < 0.35:
        image = np.repeat(
            cv2.cvtColor(image.astype(np.float32), cv2.COLOR_BGR2GRAY)[..., None], 3, 2
        )
    if rng.random() < 0.3:
        low = rng.uniform(0, 0.3)
        image = low + image * rng.uniform(0.4, 1 - low)
    image = image.astype(np.float32)
    if rng.random() < 0.2:  # light spilling out of what is burnt
        image = image + 0.4 * cv2.GaussianBlur(
            np.maximum(image - 0.9, 0), (0, 0), rng.uniform(2, 8)
        )
    image = np.minimum(image, 1)
    if rng.random() < 0.7:
        image = cv2.GaussianBlur(
            image, (0, 0), float(np.exp(rng.uniform(np.log(0.3), np.log(1.4))))
        )
    if rng.random() < 0.08:
        k = np.zeros((9, 9), np.float32)
        t, reach = rng.uniform(0, np.pi), rng.uniform(1, 4)
        cv2.line(
            k,
            (round(4 - reach * np.cos(t)), round(4 - reach * np.sin(t))),
            (round(4 + reach * np.cos(t)), round(4 + reach * np.sin(t))),
            1,
        )
        image = cv2.filter2D(image, -1, k / k.sum())
    if rng.random() < 0.2:  # over-sharpened
        image = image + rng.uniform(0.3, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    noise = float(np.exp(rng.uniform(np.log(0.002), np.log(0.05))))
    grain = rng.normal(0, noise, (SIZE, SIZE, 3 if rng.random() < 0.5 else 1)).astype(np.float32)
    out = np.clip((image + grain) * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.integers(25, 95))
        out = cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
    return out
