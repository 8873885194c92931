"""Draws trays with dice whose faces carry symbols, in very wide variation, with the truth.

Lengths are in centimetres, z is up and the floor of the tray is z = 0, until projected. Dice are
rounded cubes, traced ray by ray against their signed distance; floors, walls, hands and shadows are
painted. All chance comes from the generator given.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import cv2
import numpy as np

from vision.training.pip_scenes import CUBE, colour, luminance, near, rotation, smooth_noise

WIDTH, HEIGHT = 820, 616
TEXTURE = 96
COCKED = 10.0  # degrees from which a lean must be noticed; smaller ones are not drawn
UP = np.array([0, 0, 1.0])
DIGITS = (
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "0",
    "I",
    "II",
    "III",
    "A",
    "B",
    "K",
    "V",
    "X",
    "+",
)


class Truth(NamedTuple):
    """One top face. `axes`: (2, 2), half-edge vectors as columns, pixels. `lean`: where the middle
    of the opposite face lies from this one's, in edges. `face`: in [0, 6), the side that looks up.
    `seen`: share of the face that nothing covers.
    """

    x: float
    y: float
    axes: np.ndarray
    lean: np.ndarray
    cocked: bool
    face: int
    seen: float


@dataclass
class Scene:
    """A picture (HEIGHT, WIDTH, 3), the same without dice, what it shows, and two masks.

    They are (HEIGHT // 8, WIDTH // 8 + 1), in [0, 1];
    `inside`: the floor of the tray, raised to the tops of dice; `other`: hands and other things.
    """

    image: np.ndarray
    tray: np.ndarray
    truths: list[Truth]
    inside: np.ndarray
    other: np.ndarray


@dataclass
class Make:
    """How the dice of one set look: `art` (6, TEXTURE, TEXTURE) is the ink of each side."""

    edge: float
    rounding: float
    body: np.ndarray
    ink: np.ndarray
    art: np.ndarray
    grain: float
    engraved: float
    shine: float
    gloss: float
    ink_shine: float
    mips: dict[int, np.ndarray] = field(default_factory=dict)

    def mip(self, pixels: float) -> np.ndarray:
        """The art as wide as its faces will be seen, so that nothing is skipped."""
        size = int(np.clip(round(pixels / 4) * 4, 12, TEXTURE))
        if size not in self.mips:
            self.mips[size] = np.stack(
                [cv2.resize(a, (size, size), interpolation=cv2.INTER_AREA) for a in self.art]
            )
        return self.mips[size]


class Pose(NamedTuple):
    """A die of a set: `turn` (3, 3) from die to world, `where` its centre, `noise` its grain."""

    make: Make
    where: np.ndarray
    turn: np.ndarray
    noise: np.ndarray


class Camera:
    """A pinhole that looks at the middle of the tray."""

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

    def project(self, points: np.ndarray) -> np.ndarray:
        p = (np.asarray(points, np.float64) - self.centre) @ self.turn.T
        return p[..., :2] / p[..., 2:] * self.focal + self.middle

    def rays(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        d = np.stack([x - self.middle[0], y - self.middle[1], np.full(x.shape, self.focal)], -1)
        d = d @ self.turn
        return d / np.linalg.norm(d, axis=-1, keepdims=True)

    def ground(self, x: float, y: float, z: float = 0) -> np.ndarray:
        d = self.rays(np.float64(x), np.float64(y))
        return self.centre + d * (z - self.centre[2]) / d[2]


@dataclass
class Lights:
    ambient: float
    lamps: list[tuple[np.ndarray, float]]
    spill: float  # how soft the edges of shadows are, pixels

    @property
    def ground(self) -> float:
        return self.ambient + sum(power * d[2] for d, power in self.lamps)


def direction(rng: np.random.Generator, low: float, high: float) -> np.ndarray:
    up, around = np.radians(rng.uniform(low, high)), rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)])


def draw_lights(rng: np.random.Generator) -> Lights:
    if rng.random() < 0.4:  # one hard lamp from the side
        lamps = [(direction(rng, 25, 60), rng.uniform(0.7, 1.4))]
        return Lights(rng.uniform(0.15, 0.4), lamps, rng.uniform(0.5, 3))
    lamps = [(direction(rng, 35, 85), rng.uniform(0.2, 0.6)) for _ in range(rng.integers(1, 3))]
    return Lights(rng.uniform(0.4, 0.7), lamps, float(np.exp(rng.uniform(np.log(2), np.log(14)))))


# What is on the faces.


def framed(rng: np.random.Generator) -> list[np.ndarray]:
    """Faces with one frame and different signs in it, (TEXTURE, TEXTURE) each."""
    n, c = TEXTURE, (TEXTURE // 2, TEXTURE // 2)
    frame = np.zeros((n, n), np.uint8)
    width = int(rng.integers(3, 9))
    radius = int(rng.integers(34, 45))
    kind = rng.integers(6)
    if kind <= 2:
        cv2.circle(frame, c, radius, 255, width, cv2.LINE_AA)
        if rng.random() < 0.35:
            cv2.circle(frame, c, radius - width - int(rng.integers(3, 7)), 255, 2, cv2.LINE_AA)
    elif kind == 3:
        cv2.rectangle(
            frame,
            (n // 2 - radius, n // 2 - radius),
            (n // 2 + radius, n // 2 + radius),
            255,
            width,
        )
    elif kind == 4:
        t = np.arange(int(rng.integers(5, 9)))
        t = t * 2 * np.pi / len(t)
        points = n / 2 + radius * np.stack([np.cos(t), np.sin(t)], 1)
        cv2.polylines(frame, [points.astype(np.int32)], True, 255, width, cv2.LINE_AA)
    ticks = int(rng.choice([0, 4, 4, 8, 12]))
    if kind <= 2 and ticks:
        low, high = sorted(rng.uniform(radius - 16, radius + 6, 2))
        high = max(high, low + 5)
        for k in range(ticks):
            a = 2 * np.pi * k / ticks
            ends = [(n / 2 + r * np.cos(a), n / 2 + r * np.sin(a)) for r in (low, high)]
            p, q = [(round(x), round(y)) for x, y in ends]
            cv2.line(frame, p, q, 255, int(rng.integers(2, 7)), cv2.LINE_AA)
    filled = kind <= 2 and rng.random() < 0.2
    if filled:
        cv2.circle(frame, c, radius - 2, 255, -1, cv2.LINE_AA)
    font, thick = int(rng.integers(0, 5)), int(rng.integers(3, 8))
    tall = rng.uniform(24, 42)
    found = []
    for text in rng.permutation(DIGITS)[: int(rng.integers(2, 4))]:
        (w, h), _ = cv2.getTextSize(str(text), font, 1, thick)
        size = min(tall / h, 46 / w)
        (w, h), _ = cv2.getTextSize(str(text), font, size, thick)
        sign = np.zeros((n, n), np.uint8)
        cv2.putText(
            sign, str(text), ((n - w) // 2, (n + h) // 2), font, size, 255, thick, cv2.LINE_AA
        )
        if kind != 5 and rng.random() < 0.3:  # serifs
            y = (n + h) // 2
            cv2.line(sign, (n // 2 - w // 2, y), (n // 2 + w // 2, y), 255, max(2, thick // 2))
        face = cv2.subtract(frame, sign) if filled else cv2.max(frame, sign)
        found.append(face.astype(np.float32) / 255)
    return found


def pips(rng: np.random.Generator) -> list[np.ndarray]:
    """One to six pips, (TEXTURE, TEXTURE) each."""
    radius, spread = rng.uniform(7, 11), rng.uniform(22, 28)
    rows = {1: [(0, 0)], 2: [(-1, -1), (1, 1)]}
    rows[3] = rows[1] + rows[2]
    rows[4] = [*rows[2], (-1, 1), (1, -1)]
    rows[5] = rows[4] + rows[1]
    rows[6] = [*rows[4], (-1, 0), (1, 0)]
    found = []
    for value in range(1, 7):
        face = np.zeros((TEXTURE, TEXTURE), np.uint8)
        for u, v in rows[value]:
            at = (round(48 + u * spread), round(48 + v * spread))
            cv2.circle(face, at, round(radius), 255, -1, cv2.LINE_AA)
        found.append(face.astype(np.float32) / 255)
    return found


def pictogram(rng: np.random.Generator, ink: np.ndarray, style: float, share: float) -> np.ndarray:
    """An icon as it may be printed: filled or as lines, `share` of the face wide, turned."""
    if style > 0.7:
        k = int(rng.integers(2, 4)) * 2 + 1
        edge = cv2.morphologyEx(ink, cv2.MORPH_GRADIENT, np.ones((k, k), np.uint8))
        ink = edge if edge.mean() > 10 else ink
    turn = rng.choice([0, 90, 180, 270]) + (rng.choice([0, 45]) if rng.random() < 0.3 else 0)
    m = cv2.getRotationMatrix2D((47.5, 47.5), turn, share)
    if rng.random() < 0.2:
        m[0] *= rng.uniform(0.75, 1)
    return cv2.warpAffine(ink, m, (TEXTURE, TEXTURE)).astype(np.float32) / 255


def draw_art(rng: np.random.Generator, icons: np.ndarray) -> np.ndarray:
    """The six faces of a set, (6, TEXTURE, TEXTURE)."""
    kind = rng.random()
    if kind < 0.12:
        return np.stack(pips(rng))
    faces = framed(rng) if kind < 0.75 else []
    style = rng.random()
    while len(faces) < 6:
        share = rng.uniform(0.6, 0.92)
        faces.append(pictogram(rng, icons[rng.integers(len(icons))], style, share))
    return np.stack(faces[:6])[rng.permutation(6)]


def draw_make(rng: np.random.Generator, art: np.ndarray, edge: float) -> Make:
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
    return Make(
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


# How dice are traced.


def distance(p: np.ndarray, r: float) -> np.ndarray:
    """Signed distance of local points (n, 3), in half edges, to a cube rounded by `r`."""
    q = np.abs(p) - (1 - r)
    out = np.maximum(q, 0)
    inner = np.minimum(q.max(1), 0)
    return np.sqrt(np.einsum("ij,ij->i", out, out)) + inner - r


def trace(
    image: np.ndarray,
    owner: np.ndarray,
    camera: Camera,
    die: Pose,
    number: int,
    lights: Lights,
    dim: float,
    bare: np.ndarray | None = None,
) -> None:
    """Draws a die into `image`; `dim`: how much lamps reach it; `bare`: the same without ink."""
    make, half = die.make, die.make.edge / 2
    signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), -1).reshape(-1, 3)
    corners = camera.project(die.where + half * signs @ die.turn.T)
    size = np.array(camera.size)
    x0, y0 = np.clip(np.floor(corners.min(0)).astype(int) - 1, 0, size)
    x1, y1 = np.clip(np.ceil(corners.max(0)).astype(int) + 2, 0, size)
    if x1 <= x0 or y1 <= y0:
        return
    yy, xx = np.mgrid[y0:y1, x0:x1]
    rays = (camera.rays(xx.ravel() + 0.0, yy.ravel() + 0.0) @ die.turn).astype(np.float32)
    start = ((camera.centre - die.where) @ die.turn / half).astype(np.float32)
    far = float(np.linalg.norm(start))
    pixel = far / camera.focal
    r = np.float32(2 * make.rounding)
    t = np.full(len(rays), far - 1.74, np.float32)
    closest = np.full(len(rays), 9, np.float32)
    for _ in range(11):
        d = distance(start + rays * t[:, None], r)
        closest = np.minimum(closest, d)
        t += d
    alpha = np.clip(0.6 - closest / pixel, 0, 1)
    hit = np.flatnonzero((alpha > 0) & (t < far + 2))
    if not len(hit):
        return
    ray = rays[hit]
    p = start + ray * t[hit][:, None]
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
        u, v = u.astype(np.float32)[None], v.astype(np.float32)[None]
        ink[here] = cv2.remap(art[k], u, v, cv2.INTER_LINEAR)[0]
        if make.engraved:
            lamp = die.turn.T @ lights.lamps[0][0]
            shift = np.float32(n / 24) * np.float32(lamp[[a, b]])
            moved = cv2.remap(art[k], u + shift[0], v + shift[1], cv2.INTER_LINEAR)[0]
            slope[here] = moved - ink[here]
    albedo = np.repeat(make.body[None], len(p), 0)
    if make.grain:
        wave = np.sin(p @ die.noise[:, :3].T * 3 + die.noise[:, 3]).sum(1)
        albedo = albedo * (1 + make.grain * wave[:, None] / 2)
    brightness = np.full(len(p), lights.ambient) * (0.72 + 0.28 * (normal @ die.turn[2]))
    gloss = np.zeros(len(p))
    for lamp, power in lights.lamps:
        local = die.turn.T @ lamp
        brightness += dim * power * np.maximum(normal @ local, 0)
        mirror = local - ray
        mirror /= np.linalg.norm(mirror, axis=1, keepdims=True)
        gloss += power * make.shine * np.maximum((normal * mirror).sum(1), 0) ** make.gloss
    brightness = brightness * (1 + make.engraved * slope)
    weight = alpha[hit][:, None]
    rows, cols = yy.ravel()[hit], xx.ravel()[hit]
    for target, amount in ((image, ink), (bare, np.zeros_like(ink))):
        if target is None:
            continue
        paint = albedo + (make.ink - albedo) * amount[:, None]
        shine = gloss * (1 + (make.ink_shine - 1) * amount)
        seen = paint * brightness[:, None] + shine[:, None]
        target[rows, cols] = target[rows, cols] * (1 - weight) + np.maximum(seen, 0) * weight
    solid = weight[:, 0] > 0.5
    owner[rows[solid], cols[solid]] = number


def fallen(camera: Camera, die: Pose, lamp: np.ndarray) -> np.ndarray:
    """The outline of a die's shadow on the floor, pixels."""
    signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), -1).reshape(-1, 3)
    corners = die.where + die.make.edge / 2 * 0.94 * signs @ die.turn.T
    down = corners - lamp * np.maximum(corners[:, 2:], 0) / max(lamp[2], 0.3)
    return cv2.convexHull(camera.project(down).astype(np.float32)).astype(np.int32)


def truth_of(camera: Camera, die: Pose, owner: np.ndarray, number: int) -> Truth:
    up = die.turn.T @ UP
    axis = int(np.argmax(np.abs(up)))
    normal = die.turn[:, axis] * np.sign(up[axis])
    u, v = die.turn[:, (axis + 1) % 3], die.turn[:, (axis + 2) % 3]
    half = die.make.edge / 2
    centre = die.where + half * normal
    steps = (-0.8, -0.4, 0, 0.4, 0.8)
    ring = np.array([centre + half * (a * u + b * v) for a in steps for b in steps])
    at = np.rint(camera.project(ring)).astype(int)
    inside = ((at >= 0) & (at < camera.size)).all(1)
    seen = np.mean([ok and owner[y, x] == number for ok, (x, y) in zip(inside, at, strict=True)])
    c, pu, pv, below = camera.project(
        np.array([centre, centre + half * u, centre + half * v, centre - 2 * half * normal])
    )
    axes = np.stack([pu - c, pv - c], 1)
    lean = (below - c) / (2 * np.sqrt(abs(np.linalg.det(axes))))
    tilted = np.degrees(np.arccos(min(1.0, abs(up[axis])))) > COCKED / 2
    face = face_up(die.turn)
    return Truth(float(c[0]), float(c[1]), axes, lean, bool(tilted), face, float(seen))


# Where dice lie.


def face_up(turn: np.ndarray) -> int:
    up = turn.T @ UP
    axis = int(np.argmax(np.abs(up)))
    return axis * 2 + int(up[axis] < 0)


def flat(
    rng: np.random.Generator, make: Make, x: float, y: float, yaw: float, face: int | None = None
) -> Pose:
    ways = CUBE if face is None else [turn for turn in CUBE if face_up(turn) == face]
    turn = rotation(2, yaw) @ ways[int(rng.integers(len(ways)))]
    noise = np.concatenate([rng.normal(0, 2.5, (3, 3)), rng.uniform(0, 6, (3, 1))], 1)
    return Pose(make, np.array([x, y, make.edge / 2]), turn, noise)


def leaning(
    rng: np.random.Generator, make: Make, x: float, y: float, yaw: float, lean: float
) -> Pose:
    """As `flat`, but tilted by `lean` degrees so that the side towards `yaw` is raised."""
    turn = rotation(2, yaw) @ rotation(1, -np.radians(lean))
    if rng.random() < 0.25:
        turn = turn @ rotation(2, rng.uniform(-0.8, 0.8))
    turn = turn @ CUBE[int(rng.integers(24))]
    low = make.edge / 2 * np.abs(turn[2]).sum()
    noise = np.concatenate([rng.normal(0, 2.5, (3, 3)), rng.uniform(0, 6, (3, 1))], 1)
    return Pose(make, np.array([x, y, low * 0.97]), turn, noise)


def corners_of(die: Pose, grow: float = 1) -> np.ndarray:
    signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), -1).reshape(-1, 3)
    points = die.where + die.make.edge / 2 * grow * signs @ die.turn.T
    return cv2.convexHull(points[:, :2].astype(np.float32))


def overlap(one: Pose, other: Pose, grow: float = 1) -> bool:
    return cv2.intersectConvexConvex(corners_of(one, grow), corners_of(other, grow))[0] > 1e-3


class Tray(NamedTuple):
    """`floor`: (n, 2), its corners, anticlockwise; `wall`: its height; `thick`: of its rim; `box`:
    (4, 2), the inner corners of a square frame around it whose own corners are empty.
    """

    floor: np.ndarray
    wall: float
    thick: float
    box: np.ndarray | None = None

    @property
    def rim(self) -> np.ndarray:
        """(n, 2), the outline of all of it."""
        inner = self.floor if self.box is None else self.box
        centre = inner.mean(0)
        spokes = inner - centre
        return centre + spokes * (1 + self.thick / np.linalg.norm(spokes, axis=1, keepdims=True))

    def holds(self, die: Pose) -> bool:
        outline = self.floor.astype(np.float32)
        corners = corners_of(die).reshape(-1, 2)
        return all(
            cv2.pointPolygonTest(outline, (float(x), float(y)), False) > 0 for x, y in corners
        )


def draw_tray(rng: np.random.Generator, height: float) -> Tray:
    grow = rng.uniform(0.75, 1.15) * min(height, 32) / 28
    w, h = 12.5 * grow, 8.8 * grow * rng.uniform(0.85, 1.15)
    kind, box = rng.random(), None
    if kind < 0.62:
        floor = np.array([(-w, -h), (w, -h), (w, h), (-w, h)])
    elif kind < 0.85:
        cut = rng.uniform(0.25, 0.6) * h
        floor = np.array(
            [
                *((-w + cut, -h), (w - cut, -h), (w, -h + cut), (w, h - cut)),
                *((w - cut, h), (-w + cut, h), (-w, h - cut), (-w, -h + cut)),
            ]
        )
        if rng.random() < 0.5:
            box = np.array([(-w, -h), (w, -h), (w, h), (-w, h)])
    else:
        t = np.linspace(0, 2 * np.pi, 33)[:-1]
        floor = np.stack([h * 1.1 * np.cos(t), h * 1.1 * np.sin(t)], 1)
    off = rng.normal(0, 0.7, 2)
    box = None if box is None else box + off
    return Tray(floor + off, rng.uniform(1.2, 4), rng.uniform(0.3, 1.6), box)


def lay_dice(
    rng: np.random.Generator, make: Make, tray: Tray, count: int, cocked: bool
) -> list[Pose]:
    dice: list[Pose] = []
    low, high = tray.floor.min(0), tray.floor.max(0)
    together = rng.choice([0.0, 0.75, 0.97], p=[0.45, 0.35, 0.2])
    for _ in range(400):
        if len(dice) == count:
            break
        yaw = rng.uniform(0, 2 * np.pi)
        x, y = rng.uniform(low, high)
        if dice and rng.random() < together:  # against another: flush, skew or corner
            other = dice[int(rng.integers(len(dice)))]
            away = rng.uniform(0, 2 * np.pi)
            if rng.random() < 0.6:
                heading = np.arctan2(other.turn[1], other.turn[0])[
                    int(np.argmin(np.abs(other.turn[2])))
                ]
                away = heading + rng.integers(4) * np.pi / 2
                yaw = away + (0 if rng.random() < 0.6 else rng.normal(0, 0.3))
            step = np.array([np.cos(away), np.sin(away)])
            side = rng.uniform(-0.7, 0.7) * make.edge * np.array([-step[1], step[0]])
            for reach in np.linspace(0.96, 1.5, 12):
                x, y = other.where[:2] + step * reach * make.edge + side
                if not overlap(flat(rng, make, x, y, yaw), other, 0.995):
                    break
        elif rng.random() < 0.15:  # at the wall
            a = int(rng.integers(len(tray.floor)))
            p, q = tray.floor[a], tray.floor[(a + 1) % len(tray.floor)]
            along = (q - p) / np.linalg.norm(q - p)
            yaw = np.arctan2(along[1], along[0]) + (rng.normal(0, 0.2) if rng.random() < 0.5 else 0)
            x, y = (
                p
                + (q - p) * rng.uniform(0.1, 0.9)
                + np.array([-along[1], along[0]]) * make.edge * 0.52
            )
        die = flat(rng, make, x, y, yaw)
        if tray.holds(die) and not any(overlap(die, other, 0.99) for other in dice):
            dice.append(die)
    if cocked and dice:
        lean_one(rng, make, tray, dice)
    return dice


def lean_one(rng: np.random.Generator, make: Make, tray: Tray, dice: list[Pose]) -> None:
    """Replaces the last die by one that leans on the wall or on another."""
    dice.pop()
    for _ in range(60):
        lean = rng.uniform(COCKED, 44)
        reach = make.edge / 2 * (np.cos(np.radians(lean)) + np.sin(np.radians(lean)))
        if dice and rng.random() < 0.5:
            other = dice[int(rng.integers(len(dice)))]
            away = rng.uniform(0, 2 * np.pi)
            step = np.array([np.cos(away), np.sin(away)])
            x, y = other.where[:2] + step * (make.edge * rng.uniform(0.42, 0.56) + reach)
            die = leaning(rng, make, x, y, away + np.pi + rng.normal(0, 0.25), lean)
            rivals = [d for d in dice if d is not other]
        else:
            a = int(rng.integers(len(tray.floor)))
            p, q = tray.floor[a], tray.floor[(a + 1) % len(tray.floor)]
            along = (q - p) / np.linalg.norm(q - p)
            inward = np.array([-along[1], along[0]])
            x, y = p + (q - p) * rng.uniform(0.12, 0.88) + inward * reach * rng.uniform(0.96, 1.08)
            away = np.arctan2(inward[1], inward[0])
            die = leaning(
                rng, make, x, y, away + rng.choice([0, np.pi]) + rng.normal(0, 0.15), lean
            )
            rivals = dice
        inside = (
            cv2.pointPolygonTest(tray.floor.astype(np.float32), (float(x), float(y)), False) > 0
        )
        if inside and not any(overlap(die, r, 0.9) for r in rivals):
            dice.append(die)
            return


def strays(rng: np.random.Generator, camera: Camera, make: Make, tray: Tray) -> list[Pose]:
    """One to three dice on the table beside the tray, where it hides none of them."""
    dice: list[Pose] = []
    tops = camera.project(at_height(tray.rim, tray.wall)).astype(np.float32)
    wanted = int(rng.choice([1, 2, 3], p=[0.65, 0.25, 0.1]))
    for _ in range(60):
        x, y = rng.uniform((-10, -10), np.array(camera.size) + 10)
        at = camera.ground(x, y, -0.5)
        die = flat(rng, make, at[0], at[1], rng.uniform(0, 6.3))
        die = die._replace(where=die.where - [0, 0, 0.5])
        edge = make.edge * camera.focal / camera.height
        gap = -cv2.pointPolygonTest(tops, (float(x), float(y)), True) / edge
        near = rng.random() < 0.5
        if 0.75 < gap < (1.8 if near else 99) and not any(overlap(die, d) for d in dice):
            dice.append(die)
        if len(dice) == wanted:
            break
    return dice


# What lies below and around.


def cloth(rng: np.random.Generator, h: int, w: int, pitch: float) -> np.ndarray:
    """A flat surface of any kind, (h, w, 3); `pitch`: pixels to a centimetre."""
    base = colour(rng) if rng.random() < 0.5 else np.repeat(np.float32(rng.uniform(0.03, 0.9)), 3)
    if rng.random() < 0.25:
        base = near(rng, (0.1, 0.35, 0.08), 0.06)
    image = np.broadcast_to(base, (h, w, 3)).astype(np.float32).copy()
    kind = rng.random()
    amount = float(np.exp(rng.uniform(np.log(0.02), np.log(0.35))))
    if kind < 0.3:
        fine = smooth_noise(rng, h, w, rng.uniform(1.2, 6))
        image *= 1 + amount * (fine + smooth_noise(rng, h, w, rng.uniform(10, 90)))[..., None]
    elif kind < 0.5:
        grain = smooth_noise(rng, h, w, rng.uniform(1.5, 9), rng.uniform(6, 50))
        grain = grain + 0.6 * smooth_noise(rng, h, w, rng.uniform(6, 40), rng.uniform(3, 10))
        tone = near(rng, (0.3, 0.45, 0.62), 0.12) * np.float32(rng.uniform(0.25, 1.2))
        image[:] = np.clip(tone, 0.01, 1)
        image *= 1 + 1.5 * amount * grain[..., None]
        if rng.random() < 0.5:
            image = np.ascontiguousarray(np.rot90(cv2.resize(image, (h, w))))
    elif kind < 0.75:
        image = plaid(rng, image, pitch)
    elif kind < 0.93:
        ornaments(rng, image, pitch)
    else:
        levels = smooth_noise(rng, h, w, rng.uniform(8, 60), rng.uniform(1, 4))
        for threshold in rng.uniform(-0.6, 0.6, 3):
            image[levels > threshold] = colour(rng)
    if rng.random() < 0.5:
        image *= 1 + rng.uniform(0.02, 0.12) * smooth_noise(rng, h, w, 1.3)[..., None]
    return np.clip(image, 0, 1.2)


def plaid(rng: np.random.Generator, image: np.ndarray, pitch: float) -> np.ndarray:
    h, w = image.shape[:2]
    period = rng.uniform(0.8, 4.5) * pitch
    paints = [
        colour(rng) if rng.random() < 0.7 else near(rng, (0.8, 0.8, 0.8), 0.1) for _ in range(3)
    ]
    stripes = [(rng.uniform(0, 1), rng.uniform(0.04, 0.5), p, rng.uniform(0.3, 1)) for p in paints]
    for axis, n in ((0, h), (1, w)):
        at = np.arange(n) / period % 1
        for begin, share, paint, weight in stripes:
            mask = ((at - begin) % 1 < share).astype(np.float32) * np.float32(weight * 0.55)
            mask = mask[:, None, None] if axis == 0 else mask[None, :, None]
            image = image + (paint - image) * mask
    reach = float(np.hypot(w, h))
    scale = reach / min(w, h)
    m = cv2.getRotationMatrix2D(
        (w / 2, h / 2), rng.uniform(0, 90) if rng.random() < 0.7 else 0, scale
    )
    m[:, :2] /= scale
    return cv2.warpAffine(image, m, (w, h), borderMode=cv2.BORDER_REFLECT)


def ornaments(rng: np.random.Generator, image: np.ndarray, pitch: float) -> None:
    """Prints stars, rings, squares, dice-like boxes, letters and lines."""
    h, w = image.shape[:2]
    paints = [
        colour(rng) if rng.random() < 0.6 else np.repeat(np.float32(rng.uniform(0, 1)), 3)
        for _ in range(2)
    ]
    for _ in range(int(rng.integers(4, 40))):
        mask = np.zeros((h, w), np.uint8)
        x, y = int(rng.integers(w)), int(rng.integers(h))
        r = rng.uniform(0.4, 2.4) * pitch
        width = -1 if rng.random() < 0.4 else int(rng.integers(1, 7))
        kind = rng.integers(8)
        turn = rng.uniform(0, 2 * np.pi)
        if kind == 0:
            cv2.circle(mask, (x, y), round(r), 255, width, cv2.LINE_AA)
        elif kind == 1:
            n = int(rng.integers(4, 9)) * 2
            t = np.arange(n) * 2 * np.pi / n + turn
            reach = np.where(np.arange(n) % 2, rng.uniform(0.3, 0.6), 1) * r
            star = np.stack([x + reach * np.cos(t), y + reach * np.sin(t)], 1).astype(np.int32)
            cv2.fillPoly(mask, [star], 255, cv2.LINE_AA) if width < 0 else cv2.polylines(
                mask, [star], True, 255, width, cv2.LINE_AA
            )
        elif kind <= 3:
            box = cv2.boxPoints(
                (
                    (x, y),
                    (r * 1.4, r * (1.4 if kind == 2 else rng.uniform(0.3, 3))),
                    np.degrees(turn),
                )
            ).astype(np.int32)
            cv2.fillPoly(mask, [box], 255, cv2.LINE_AA) if width < 0 else cv2.polylines(
                mask, [box], True, 255, width, cv2.LINE_AA
            )
            if kind == 2 and rng.random() < 0.6:
                cv2.circle(
                    mask,
                    (x, y),
                    round(r * 0.35),
                    0 if width < 0 else 255,
                    int(rng.integers(-1, 4)) or 1,
                )
        elif kind == 4:
            for k in range(int(rng.integers(3, 9))):
                a = turn + k * np.pi / 4
                end = (round(x + r * np.cos(a)), round(y + r * np.sin(a)))
                cv2.line(mask, (x, y), end, 255, max(1, abs(width)), cv2.LINE_AA)
        elif kind == 5:
            text = "".join(rng.choice(list("ABCDEFGHKLMNOPRST0123456789"), int(rng.integers(1, 6))))
            cv2.putText(
                mask,
                text,
                (x, y),
                int(rng.integers(0, 6)),
                r / 18,
                255,
                max(1, abs(width)),
                cv2.LINE_AA,
            )
        elif kind == 6:
            axes = (round(r), round(r * rng.uniform(0.3, 1)))
            cv2.ellipse(
                mask,
                (x, y),
                axes,
                np.degrees(turn),
                0,
                rng.uniform(90, 360),
                255,
                max(1, abs(width)),
                cv2.LINE_AA,
            )
        else:
            cv2.circle(mask, (x, y), round(r), 255, width, cv2.LINE_AA)
            cv2.circle(mask, (x, y), round(r * 0.6), 255, max(1, abs(width) // 2), cv2.LINE_AA)
            cv2.drawMarker(mask, (x, y), 255, int(rng.integers(0, 4)), round(r), 2, cv2.LINE_AA)
        rows, cols = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
        if len(rows):
            cut = np.s_[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
            weight = mask[cut][..., None] * np.float32(rng.uniform(0.4, 1) / 255)
            image[cut] += (paints[int(rng.integers(2))] - image[cut]) * weight


def laid(camera: Camera, texture: np.ndarray, pitch: float, turn: float, z: float) -> np.ndarray:
    """A texture lying at height `z`, as the camera sees it."""
    h, w = texture.shape[:2]
    c, s = np.cos(turn), np.sin(turn)
    corners = (
        np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2 / pitch @ np.array([[c, s], [-s, c]])
    )
    seen = camera.project(np.column_stack([corners, np.full(4, z)]))
    m = cv2.getPerspectiveTransform(
        np.float32([(0, 0), (w, 0), (w, h), (0, h)]), seen.astype(np.float32)
    )
    return cv2.warpPerspective(texture, m, camera.size, borderMode=cv2.BORDER_REFLECT)


def mask_of(size: tuple[int, int], outline: np.ndarray) -> np.ndarray:
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask.astype(np.float32)[..., None] / 255


def fill(image: np.ndarray, outline: np.ndarray, paint: np.ndarray) -> None:
    """Fills an outline in pixels with a colour (3,) or what a whole picture of paint has there."""
    h, w = image.shape[:2]
    x0, y0 = np.clip(np.floor(outline.min(0)).astype(int) - 1, 0, (w, h))
    x1, y1 = np.clip(np.ceil(outline.max(0)).astype(int) + 2, 0, (w, h))
    if x1 > x0 and y1 > y0:
        mask = mask_of((x1 - x0, y1 - y0), outline - [x0, y0])
        part = image[y0:y1, x0:x1]
        part += ((paint if paint.ndim == 1 else paint[y0:y1, x0:x1]) - part) * mask


def at_height(outline: np.ndarray, z: float) -> np.ndarray:
    return np.column_stack([outline, np.full(len(outline), z)])


def draw_ground(
    rng: np.random.Generator, camera: Camera, tray: Tray | None, lights: Lights
) -> np.ndarray:
    pitch = 18.0
    table = laid(camera, cloth(rng, 500, 700, 12.0), 12.0, rng.uniform(0, 6.3), -0.5)
    image = table * np.float32(lights.ground * rng.uniform(0.5, 1))
    if tray is None:
        return image
    floor = laid(camera, cloth(rng, 480, 640, pitch), pitch, rng.normal(0, 0.03), 0)
    tone = near(rng, (0.25, 0.38, 0.5), 0.15) if rng.random() < 0.7 else colour(rng)
    tone = np.clip(tone, 0.02, 1) * np.float32(rng.uniform(0.3, 1.1))
    outer = tray.rim
    grain = 1 + 0.12 * smooth_noise(rng, HEIGHT, WIDTH, 3, 8)[..., None]
    grain = grain[: camera.size[1], : camera.size[0]]
    lamp = lights.lamps[0][0]
    if rng.random() < 0.8:  # its shadow on the table
        drop = outer - lamp[:2] * (tray.wall + 0.5) / max(lamp[2], 0.3)
        hull = cv2.convexHull(np.concatenate([outer, drop]).astype(np.float32))[:, 0]
        dark = mask_of(camera.size, camera.project(at_height(hull, -0.5)))
        share = lights.lamps[0][1] * lamp[2] / lights.ground
        image *= 1 - cv2.GaussianBlur(dark, (0, 0), lights.spill + 0.5)[..., None] * np.float32(
            share
        )
    tone = (tone * grain).astype(np.float32)
    body = tone * np.float32(lights.ground)
    fill(image, camera.project(at_height(outer, -0.5)), body * np.float32(0.5))
    fill(image, camera.project(at_height(outer, tray.wall)), body)
    if tray.box is not None:
        fill(image, camera.project(at_height(tray.box, tray.wall)), body * np.float32(0.3))
        middle = tray.floor.mean(0)
        brace = middle + (tray.floor - middle) * (1 + 0.6 * tray.thick / tray.wall / 3)
        fill(image, camera.project(at_height(brace, tray.wall)), body)
    for i in range(len(tray.floor)):
        p, q = tray.floor[i], tray.floor[(i + 1) % len(tray.floor)]
        along = (q - p) / np.linalg.norm(q - p)
        facing = np.array([-along[1], along[0], 0])
        lit = lights.ambient * 0.7 + sum(power * max(0, facing @ d) for d, power in lights.lamps)
        quad = np.concatenate(
            [at_height(np.array([p, q]), 0), at_height(np.array([q, p]), tray.wall)]
        )
        fill(image, camera.project(quad), tone * np.float32(lit))
    shade = np.ones((*camera.size[::-1], 1), np.float32)
    for lamp, power in lights.lamps:
        bright = tray.floor - lamp[:2] * tray.wall / max(lamp[2], 0.3)
        lit = mask_of(camera.size, camera.project(at_height(bright, 0)))
        lit = cv2.GaussianBlur(lit, (0, 0), lights.spill + 0.5)[..., None]
        shade -= (1 - lit) * np.float32(power * lamp[2] / lights.ground)
    floor = floor * np.float32(lights.ground) * np.maximum(shade, np.float32(0.1))
    fill(image, camera.project(at_height(tray.floor, 0)), floor)
    return image


def draw_hand(
    rng: np.random.Generator, camera: Camera, image: np.ndarray, lights: Lights, target: np.ndarray
) -> np.ndarray:
    """A hand with its arm over `target`, as its mask in [0, 1]."""
    size = camera.size
    heading = rng.uniform(0, 2 * np.pi)
    z = rng.uniform(3, 11)
    scale = rng.uniform(0.85, 1.15)
    ahead, side = (
        np.array([np.cos(heading), np.sin(heading)]),
        np.array([-np.sin(heading), np.cos(heading)]),
    )
    palm = target - ahead * rng.uniform(0, 6)
    mirror = rng.choice([-1, 1])
    spread, curl = rng.uniform(0.04, 0.3), rng.uniform(0.35, 1.1)

    def seen(points: list[np.ndarray], height: float) -> np.ndarray:
        return camera.project(at_height(np.array(points), height))

    per_cm = camera.focal / (camera.height - z)
    limbs = []  # (from, to, radius in cm)
    for k, (offset, length) in enumerate(((-3.1, 6.3), (-1.1, 7.6), (0.9, 7.2), (2.7, 5.6))):
        a = heading + mirror * (k - 1.5) * spread
        root = palm + ahead * 3.6 * scale + side * mirror * offset * scale
        tip = root + np.array([np.cos(a), np.sin(a)]) * length * scale * curl
        limbs.append((root, tip, 0.85 * scale))
    a = heading - mirror * rng.uniform(0.5, 1.2)
    root = palm - side * mirror * 3.4 * scale - ahead * 1.5
    limbs.append((root, root + np.array([np.cos(a), np.sin(a)]) * 5.5 * scale * curl, 1.0 * scale))
    for offset in (-2.2, 0, 2.2):
        limbs.append(
            (
                palm - ahead * 3 * scale + side * offset * 0.8,
                palm + ahead * 3.2 * scale + side * offset,
                2.2 * scale,
            )
        )
    arm = rng.uniform(2.3, 3.4)
    wrist = palm - ahead * 5 * scale
    elbow = wrist - ahead * 60 + side * rng.normal(0, 10)
    if rng.random() < 0.12:  # an arm or a sleeve without a hand
        limbs = []
    mask, thick = np.zeros(size[::-1], np.float32), np.zeros(size[::-1], np.float32)
    for begin, end, radius in [*limbs, (wrist, elbow, arm)]:
        one = np.zeros(size[::-1], np.uint8)
        p, q = np.round(seen([begin, end], z) * 16).astype(int)
        cv2.line(
            one, p.tolist(), q.tolist(), 255, max(1, round(2 * radius * per_cm)), cv2.LINE_AA, 4
        )
        small = cv2.resize(one, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        deep = cv2.distanceTransform((small > 127).astype(np.uint8), cv2.DIST_L2, 3) * 4 / per_cm
        bulge = np.sqrt(np.maximum(0, radius**2 - (radius - np.minimum(deep, radius)) ** 2))
        thick = np.maximum(thick, cv2.resize(bulge, size))
        mask = np.maximum(mask, one / np.float32(255))
    thick = cv2.GaussianBlur(thick, (0, 0), 0.25 * per_cm)
    gy, gx = np.gradient(thick * per_cm)
    normal = np.stack([-gx, gy, np.ones_like(gx)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    lit = lights.ambient + sum(power * np.maximum(normal @ d, 0) for d, power in lights.lamps)
    gloss, sharp = rng.uniform(0, 0.25), float(np.exp(rng.uniform(2, 4)))
    mirrors = [(d + UP) / np.linalg.norm(d + UP) for d, _ in lights.lamps]
    shine = gloss * sum(np.maximum(normal @ mirror, 0) ** sharp for mirror in mirrors)
    skin = np.float32([0.55, 0.68, 0.88]) * np.float32(rng.uniform(0.25, 1.1))
    skin = np.clip(skin + rng.normal(0, 0.06, 3), 0.03, 1.1) if rng.random() < 0.85 else colour(rng)
    tone = np.broadcast_to(skin, image.shape).astype(np.float32).copy()
    if rng.random() < 0.6:
        cuff = wrist - ahead * rng.uniform(-1, 12)
        far = cuff - ahead * 80
        wide = side * 12
        quad = mask_of(size, seen([cuff - wide, cuff + wide, far + wide, far - wide], z))
        fabric = colour(rng) * (
            1 + 0.2 * smooth_noise(rng, HEIGHT, WIDTH, 4)[: size[1], : size[0], None]
        )
        tone += (fabric - tone) * quad
    for lamp, power in lights.lamps:
        away = -lamp[:2] * z / max(lamp[2], 0.35)
        shift = camera.project(np.array([*(target + away), 0.0])) - camera.project(
            np.array([*target, z])
        )
        moved = cv2.warpAffine(mask, np.float32([[1, 0, shift[0]], [0, 1, shift[1]]]), size)
        soft = cv2.GaussianBlur(moved, (0, 0), lights.spill * 2 + 2)
        image *= 1 - (soft * power * lamp[2] / lights.ground * 0.9)[..., None]
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 2))[..., None]
    image += (tone * lit[..., None] + shine[..., None] - image) * soft
    return mask


def draw_thing(
    rng: np.random.Generator, camera: Camera, image: np.ndarray, lights: Lights, target: np.ndarray
) -> np.ndarray:
    """A card, a phone, a cup or a pen in the tray, as its mask."""
    turn = rng.uniform(0, 360)
    kind = rng.integers(4)
    per_cm = camera.focal / camera.height
    at = camera.project(np.array([*target, 0.5]))
    mask = np.zeros(camera.size[::-1], np.uint8)
    if kind == 0:
        cv2.circle(
            mask,
            tuple(np.round(at).astype(int).tolist()),
            round(rng.uniform(2.5, 5) * per_cm),
            255,
            -1,
            cv2.LINE_AA,
        )
    else:
        wide, long = ((6, 9), (7, 15), (1.0, 14))[kind - 1]
        box = cv2.boxPoints(
            (at.tolist(), (wide * per_cm * rng.uniform(0.85, 1.2), long * per_cm), turn)
        )
        cv2.fillPoly(mask, [box.astype(np.int32)], 255, cv2.LINE_AA)
    soft = mask[..., None] / np.float32(255)
    tone = cloth(rng, camera.size[1], camera.size[0], 30) if rng.random() < 0.5 else colour(rng)
    shift = -lights.lamps[0][0][:2] * 0.5 * per_cm
    dark = cv2.warpAffine(mask, np.float32([[1, 0, shift[0]], [0, 1, -shift[1]]]), camera.size)
    image *= 1 - cv2.GaussianBlur(dark, (0, 0), 2)[..., None] / np.float32(255) * 0.4
    image += (tone * lights.ground - image) * soft
    return soft[..., 0]


def glare_on(rng: np.random.Generator, camera: Camera, die: Pose, lights: Lights) -> Lights:
    """One more lamp, mirrored towards the camera by the top of the die."""
    top = die.where + UP * die.make.edge / 2
    eye = camera.centre - top
    eye /= np.linalg.norm(eye)
    lamp = np.array([-eye[0], -eye[1], eye[2]]) + rng.normal(0, 0.05, 3)
    lamp /= np.linalg.norm(lamp)
    die.make.shine = max(die.make.shine, rng.uniform(0.4, 1.5))
    die.make.gloss = float(np.exp(rng.uniform(3.5, 8.5)))
    return Lights(lights.ambient, [*lights.lamps, (lamp, rng.uniform(0.4, 1.2))], lights.spill)


class Film(NamedTuple):
    """What lens, sensor and compression of one camera do to a picture."""

    gain: np.ndarray
    gamma: float
    vignette: float
    blur: float
    sharpen: float
    noise: float
    grain: float
    quality: int
    grey: bool

    def develop(
        self, rng: np.random.Generator, image: np.ndarray, compress: bool = True
    ) -> np.ndarray:
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
        blur=float(np.exp(rng.uniform(np.log(0.45), np.log(1.1))))
        if rng.random() < 0.8
        else rng.uniform(1, 2),
        sharpen=rng.uniform(0.2, 1.3) if rng.random() < 0.5 else 0.0,
        noise=rng.uniform(0.02, 0.06)
        if dim
        else float(np.exp(rng.uniform(np.log(0.003), np.log(0.03)))),
        grain=rng.uniform(0, 1.6),
        quality=int(rng.integers(60, 96)),
        grey=rng.random() < 0.06,
    )


def draw_scene(
    rng: np.random.Generator, icons: np.ndarray, make: Make | None = None, face: int | None = None
) -> Scene:
    """A scene of any dice, or of those of `make`; with `face` one die alone, as it is shown to
    teach the reader, which has no glare and no hand in it.
    """
    camera = Camera(rng)
    tray = draw_tray(rng, camera.height) if rng.random() < 0.93 else None
    room = tray or Tray(np.array([(-11, -8), (11, -8), (11, 8), (-11, 8.0)]), 0, 0)
    make = make or draw_make(rng, draw_art(rng, icons), rng.uniform(1.4, 1.95))
    make = replace(make)  # glare makes it shine
    lights = draw_lights(rng)
    count = int(rng.choice([0, 1, 3, 4, 5, 6, 7], p=[0.05, 0.04, 0.05, 0.12, 0.55, 0.14, 0.05]))
    alone = face is not None
    cocked = rng.random() < 0.5 and not alone
    dice = lay_dice(rng, make, room, 1 if alone else count, cocked)
    if face is not None:
        x, y = dice[0].where[:2]
        dice = [flat(rng, make, x, y, rng.uniform(0, 2 * np.pi), face)]
    image = draw_ground(rng, camera, tray, lights)
    inside = np.ones((*camera.size[::-1], 1), np.float32)
    if tray:
        inside = mask_of(camera.size, camera.project(at_height(tray.floor, make.edge)))
        if rng.random() < 0.45 and not alone:
            dice += strays(rng, camera, make, tray)
    film = draw_film(rng, float(np.median(image)))
    empty = image.copy()
    if dice and rng.random() < 0.35 and not alone:
        lights = glare_on(rng, camera, dice[int(rng.integers(len(dice)))], lights)
    for lamp, power in lights.lamps:
        dark = np.zeros(camera.size[::-1], np.uint8)
        for die in dice:
            cv2.fillConvexPoly(dark, fallen(camera, die, lamp), 255)
        share = power * lamp[2] / lights.ground
        image *= (
            1
            - cv2.GaussianBlur(dark, (0, 0), lights.spill + 0.4)[..., None]
            / np.float32(255)
            * share
        )
    touch = np.zeros(camera.size[::-1], np.uint8)
    for die in dice:  # where dice stand it is darker
        outline = camera.project(at_height(corners_of(die, 1.08).reshape(-1, 2), 0.0))
        cv2.fillPoly(touch, [np.round(outline).astype(np.int32)], 255)
    image *= 1 - 0.35 * cv2.GaussianBlur(touch, (0, 0), 3)[..., None] / np.float32(255)
    owner = np.zeros(camera.size[::-1], np.int32)
    farness = [float(np.linalg.norm(die.where - camera.centre)) for die in dice]
    for number in np.argsort(farness)[::-1]:
        die = dice[number]
        dim = 1.0
        if tray and die.where[2] > 0.4 * make.edge and rng.random() < 0.8:
            lamp = lights.lamps[0][0]
            foot = die.where[:2] + lamp[:2] / max(lamp[2], 0.3) * max(0.0, tray.wall - die.where[2])
            gap = cv2.pointPolygonTest(tray.floor.astype(np.float32), tuple(map(float, foot)), True)
            dim = float(np.clip(0.5 + gap, 0, 1))
        trace(image, owner, camera, die, int(number) + 1, lights, dim)
    other = np.zeros(camera.size[::-1], np.float32)
    kind = rng.random()
    if kind < 0.38 and not alone:
        target = rng.uniform(room.floor.min(0), room.floor.max(0))
        which = draw_hand if kind < 0.32 else draw_thing
        other = which(rng, camera, image, lights, target)
        owner[other > 0.5] = -1
    truths = [truth_of(camera, die, owner, i + 1) for i, die in enumerate(dice)]
    small = (camera.size[0] // 8 + 1, camera.size[1] // 8)
    shrunk = [cv2.resize(m, small, interpolation=cv2.INTER_AREA) for m in (inside, other)]
    picture = film.develop(rng, image)
    before = film._replace(gain=film.gain * np.float32(rng.uniform(0.97, 1.03)))
    return Scene(picture, before.develop(rng, empty), truths, shrunk[0], shrunk[1])


class View(NamedTuple):
    """One face seen: `crop` (CROP, CROP, 3), rectified, FACE pixels of it the face; `legible`: how
    much of the ink can still be told from the bare face, in [0, 1].
    """

    crop: np.ndarray
    legible: float


CROP, FACE = 72, 48
WINDOW = 120


def draw_view(rng: np.random.Generator, make: Make, face: int, glare: float = 0.2) -> View:
    """One die of a set with `face` up, somewhere in the tray, perhaps beside others.

    glare: in what share of the views it mirrors a lamp.
    """
    make = replace(make)  # glare makes it shine
    camera = Camera(rng)
    at = camera.ground(*(rng.uniform(0.04, 0.96, 2) * camera.size))
    die = flat(rng, make, at[0], at[1], rng.uniform(0, 2 * np.pi), face)
    seen = camera.project(die.where)
    camera.middle = camera.middle + (WINDOW - 1) / 2 - seen
    camera.size = (WINDOW, WINDOW)
    lights = draw_lights(rng)
    dice = [die]
    if rng.random() < 0.3:
        away = rng.uniform(0, 2 * np.pi)
        x, y = die.where[:2] + make.edge * rng.uniform(1.0, 1.5) * np.array(
            [np.cos(away), np.sin(away)]
        )
        other = flat(rng, make, x, y, rng.uniform(0, 2 * np.pi))
        if not overlap(die, other, 0.98):
            dice.insert(int(rng.integers(2)), other)
    ground = cloth(rng, WINDOW, WINDOW, 18) * np.float32(lights.ground * rng.uniform(0.4, 1))
    film = draw_film(rng, float(np.median(ground)))
    if rng.random() < glare:
        lights = glare_on(rng, camera, die, lights)
    dim = 1.0 if rng.random() < 0.8 else rng.uniform(0, 1)
    image, bare = ground.copy(), ground.copy()
    owner = np.zeros((WINDOW, WINDOW), np.int32)
    for number, each in enumerate(dice):
        trace(image, owner, camera, each, number + 1, lights, dim, bare)
    if rng.random() < 0.1:  # the edge of a shadow across the face
        blob = (smooth_noise(rng, WINDOW, WINDOW, 60) > 0)[..., None].astype(np.float32)
        shade = 1 - cv2.GaussianBlur(blob, (0, 0), rng.uniform(0.5, 4))[..., None] * rng.uniform(
            0.2, 0.6
        )
        image, bare = image * shade, bare * shade
    if rng.random() < 0.04:  # a finger, a thing
        p, q = rng.uniform(20, WINDOW - 20, (2, 2)).astype(int)
        paint = colour(rng).tolist()
        for target in (image, bare):
            cv2.line(target, p.tolist(), q.tolist(), paint, int(rng.integers(6, 24)), cv2.LINE_AA)
    truth = truth_of(camera, die, owner, 1 if dice[0] is die else 2)
    axes = truth.axes if np.linalg.det(truth.axes) > 0 else truth.axes[:, ::-1]
    back = axes * 2 / FACE
    matrix = np.column_stack([back, [truth.x, truth.y] - back.sum(1) * (CROP - 1) / 2])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    quiet = film._replace(noise=0.0)
    both = [quiet.develop(rng, i, compress=False).astype(np.float32).mean(2) for i in (image, bare)]
    rect = [cv2.warpAffine(i, matrix, (CROP, CROP), flags=flags) for i in both]
    low = (CROP - FACE) // 2
    change = np.abs(rect[0] - rect[1])[low : low + FACE, low : low + FACE]
    art = cv2.resize(make.art[face], (FACE, FACE), interpolation=cv2.INTER_AREA)
    step = max(10.0, 3 * 255 * film.noise * 0.6)
    # How the art lies on the face does not matter for how much of it is left.
    legible = min(1.0, float((change > step).sum()) / max(1.0, float((art > 0.35).sum())))
    picture = film.develop(rng, image)
    crop = cv2.warpAffine(
        picture, matrix, (CROP, CROP), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return View(crop, legible)
