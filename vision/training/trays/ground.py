"""Paint floors, walls, cloth and printed ornaments."""

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from vision.simulate.camera import lift
from vision.training.drawing import colour, fill, log_uniform, mask_of, near, smooth_noise
from vision.training.trays.camera import HEIGHT, WIDTH, Lights, TrayCamera
from vision.training.trays.tray import DrawnTray

PITCH = 18.0
"""Pixels to a centimetre of a tray's floor."""


def cloth(rng: np.random.Generator, h: int, w: int, pitch: float) -> np.ndarray:
    """A flat surface of any kind, (h, w, 3); `pitch`: pixels to a centimetre."""
    base = colour(rng) if rng.random() < 0.5 else np.repeat(np.float32(rng.uniform(0.03, 0.9)), 3)
    if rng.random() < 0.25:
        base = near(rng, (0.1, 0.35, 0.08), 0.06)
    image = np.broadcast_to(base, (h, w, 3)).astype(np.float32).copy()
    kind = rng.random()
    amount = log_uniform(rng, 0.02, 0.35)
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


def felt(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return green or blue felt."""
    tone = near(rng, (0.12, 0.3, 0.1) if rng.random() < 0.5 else (0.35, 0.15, 0.08), 0.06)
    return (
        tone
        * (1 + 0.12 * smooth_noise(rng, h, w, 1.3) + 0.1 * smooth_noise(rng, h, w, 40))[..., None]
    )


def planks(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return planks of wood."""
    tone = near(rng, (0.2, 0.36, 0.55), 0.08) * np.float32(rng.uniform(0.4, 1.2))
    grain = smooth_noise(rng, h, w, 2, 30) + 0.7 * smooth_noise(rng, h, w, 12, 12)
    wide = int(rng.integers(60, 160))
    shade = np.repeat(rng.uniform(0.8, 1.1, h // wide + 1), wide)[:h, None]
    shade = np.where(np.arange(h)[:, None] % wide < 2, 0.4, shade)
    return tone * (shade * (1 + 0.25 * grain))[..., None]


def cork(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return cork."""
    crumbs = smooth_noise(rng, h, w, 5) + 0.6 * smooth_noise(rng, h, w, 2.5)
    dark = (smooth_noise(rng, h, w, 4, 1.6) > 0.75) * 0.45
    return near(rng, (0.3, 0.5, 0.7), 0.04) * (1 + 0.3 * crumbs - dark)[..., None]


def cardboard(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return cardboard with its flutes."""
    flutes = 0.04 * np.sin(np.arange(h) * 2 * np.pi / rng.uniform(6, 12))[:, None]
    fibres = smooth_noise(rng, h, w, 1.2, 4)
    return near(rng, (0.42, 0.58, 0.7), 0.04) * (1 + flutes + 0.1 * fibres)[..., None]


def marble(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return dark or bright marble with veins."""
    base = rng.uniform(0.12, 0.25) if rng.random() < 0.4 else rng.uniform(0.7, 0.85)
    veins = np.abs(smooth_noise(rng, h, w, 90) + 0.5 * smooth_noise(rng, h, w, 30))
    veins = np.exp(-veins * 14) * (0.6 if base < 0.5 else -0.35)
    level = base * (1 + 0.12 * smooth_noise(rng, h, w, 60)) + veins * 0.6
    return near(rng, (1, 0.98, 0.96), 0.02) * level[..., None]


def leather(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return red leather."""
    bumps = np.abs(smooth_noise(rng, h, w, 6)) + 0.5 * np.abs(smooth_noise(rng, h, w, 3))
    relief = cv2.Sobel(bumps, cv2.CV_32F, 1, 1, ksize=3)
    tone = near(rng, (0.07, 0.06, 0.42), 0.03)
    return tone * (1 + 0.35 * np.clip(relief, -1, 1) - 0.2 * np.exp(-bumps * 8))[..., None]


FLOORS: dict[str, Callable[[np.random.Generator, int, int], np.ndarray]] = {
    "felt": felt,
    "wood": planks,
    "cork": cork,
    "cardboard": cardboard,
    "marble": marble,
    "leather": leather,
}
"""Materials, each as a function of chance and the size in pixels."""


def tartan(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return a woven cloth with stripes across each other."""
    return plaid(rng, np.broadcast_to(colour(rng), (h, w, 3)).astype(np.float32), PITCH)


def terrazzo(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return a floor of chips of stone, some as large as a die."""
    image = np.broadcast_to(near(rng, (0.7, 0.72, 0.74), 0.1), (h, w, 3)).astype(np.float32).copy()
    paints = [colour(rng).tolist() for _ in range(4)]
    for _ in range(240):
        reach = log_uniform(rng, 0.1, 0.9) * PITCH
        turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 7))))
        corners = np.stack([np.cos(turns), np.sin(turns)], 1) * reach + rng.uniform((0, 0), (w, h))
        cv2.fillPoly(image, [corners.astype(np.int32)], paints[int(rng.integers(4))], cv2.LINE_AA)
    return image


MATERIALS = FLOORS | {"plaid": tartan, "terrazzo": terrazzo}
"""Those, and patterns that look like dice."""


def plaid(rng: np.random.Generator, image: np.ndarray, pitch: float) -> np.ndarray:
    """Return a surface with woven stripes; pitch: pixels to a centimetre."""
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
    degrees = rng.uniform(0, 90) if rng.random() < 0.7 else 0
    m = np.asarray(cv2.getRotationMatrix2D((w / 2, h / 2), degrees, scale), np.float64)
    m[:, :2] /= scale
    return cv2.warpAffine(image, m, (w, h), borderMode=cv2.BORDER_REFLECT)


def ornaments(rng: np.random.Generator, image: np.ndarray, pitch: float) -> None:
    """Print stars, rings, squares, dice-like boxes, letters and lines."""
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
            draw_polygon(mask, star, width)
        elif kind <= 3:
            sides = (r * 1.4, r * (1.4 if kind == 2 else rng.uniform(0.3, 3)))
            box = cv2.boxPoints(((x, y), sides, np.degrees(turn)))
            draw_polygon(mask, box.astype(np.int32), width)
            if kind == 2 and rng.random() < 0.6:
                inner, ink = int(rng.integers(-1, 4)) or 1, 0 if width < 0 else 255
                cv2.circle(mask, (x, y), round(r * 0.35), ink, inner)
        elif kind == 4:
            for k in range(int(rng.integers(3, 9))):
                a = turn + k * np.pi / 4
                end = (round(x + r * np.cos(a)), round(y + r * np.sin(a)))
                cv2.line(mask, (x, y), end, 255, max(1, abs(width)), cv2.LINE_AA)
        elif kind == 5:
            text = "".join(rng.choice(list("ABCDEFGHKLMNOPRST0123456789"), int(rng.integers(1, 6))))
            font, thick = int(rng.integers(0, 6)), max(1, abs(width))
            cv2.putText(mask, text, (x, y), font, r / 18, 255, thick, cv2.LINE_AA)
        elif kind == 6:
            axes = (round(r), round(r * rng.uniform(0.3, 1)))
            sweep, thick = rng.uniform(90, 360), max(1, abs(width))
            cv2.ellipse(mask, (x, y), axes, np.degrees(turn), 0, sweep, 255, thick, cv2.LINE_AA)
        else:
            cv2.circle(mask, (x, y), round(r), 255, width, cv2.LINE_AA)
            cv2.circle(mask, (x, y), round(r * 0.6), 255, max(1, abs(width) // 2), cv2.LINE_AA)
            cv2.drawMarker(mask, (x, y), 255, int(rng.integers(0, 4)), round(r), 2, cv2.LINE_AA)
        rows, cols = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
        if len(rows):
            cut = np.s_[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
            weight = mask[cut][..., None] * np.float32(rng.uniform(0.4, 1) / 255)
            image[cut] += (paints[int(rng.integers(2))] - image[cut]) * weight


def draw_polygon(mask: np.ndarray, corners: np.ndarray, width: int) -> None:
    """Draw a polygon (n, 2) with a line of this width; filled if that is negative."""
    if width < 0:
        cv2.fillPoly(mask, [corners], 255, cv2.LINE_AA)
    else:
        cv2.polylines(mask, [corners], True, 255, width, cv2.LINE_AA)


def lay_texture(
    camera: TrayCamera, texture: np.ndarray, pitch: float, turn: float, z: float
) -> np.ndarray:
    """A texture lying at height `z`, as the camera sees it."""
    h, w = texture.shape[:2]
    c, s = np.cos(turn), np.sin(turn)
    corners = (
        np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2 / pitch @ np.array([[c, s], [-s, c]])
    )
    seen = camera.project(np.column_stack([corners, np.full(4, z)]))
    m = cv2.getPerspectiveTransform(
        np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32), seen.astype(np.float32)
    )
    return cv2.warpPerspective(texture, m, camera.size, borderMode=cv2.BORDER_REFLECT)


def draw_ground(
    rng: np.random.Generator,
    camera: TrayCamera,
    tray: DrawnTray | None,
    lights: Lights,
    material: str | None = None,
) -> np.ndarray:
    """The ground without dice; the tray's floor is of a material of MATERIALS, or of any."""
    table = lay_texture(camera, cloth(rng, 500, 700, 12.0), 12.0, rng.uniform(0, 6.3), -0.5)
    image = table * np.float32(lights.ground * rng.uniform(0.5, 1))
    if tray is None:
        return image
    make = MATERIALS[material] if material else partial(cloth, pitch=PITCH)
    cover = np.float32(make(rng, 480, 640)).clip(0.01, 1.2)
    floor = lay_texture(camera, cover, PITCH, rng.normal(0, 0.03), 0)
    tone = near(rng, (0.25, 0.38, 0.5), 0.15) if rng.random() < 0.7 else colour(rng)
    tone = np.clip(tone, 0.02, 1) * np.float32(rng.uniform(0.3, 1.1))
    outer = tray.rim
    grain = 1 + 0.12 * smooth_noise(rng, HEIGHT, WIDTH, 3, 8)[..., None]
    grain = grain[: camera.size[1], : camera.size[0]]
    lamp = lights.lamps[0][0]
    if rng.random() < 0.8:  # its shadow on the table
        drop = outer - lamp[:2] * (tray.wall + 0.5) / max(lamp[2], 0.3)
        hull = cv2.convexHull(np.concatenate([outer, drop]).astype(np.float32))[:, 0]
        dark = mask_of(camera.size, camera.project(lift(hull, -0.5)))
        share = lights.lamps[0][1] * lamp[2] / lights.ground
        image *= 1 - cv2.GaussianBlur(dark, (0, 0), lights.spill + 0.5)[..., None] * np.float32(
            share
        )
    tone = (tone * grain).astype(np.float32)
    body = tone * np.float32(lights.ground)
    fill(image, camera.project(lift(outer, -0.5)), body * np.float32(0.5))
    fill(image, camera.project(lift(outer, tray.wall)), body)
    if tray.box is not None:
        fill(image, camera.project(lift(tray.box, tray.wall)), body * np.float32(0.3))
        fill(image, camera.project(lift(tray.frames[0][1], tray.wall)), body)
    for i in range(len(tray.floor)):
        p, q, inward = tray.side(i)
        facing = np.array([*inward, 0])
        lit = lights.ambient * 0.7 + sum(power * max(0, facing @ d) for d, power in lights.lamps)
        quad = np.concatenate([lift(np.array([p, q]), 0), lift(np.array([q, p]), tray.wall)])
        fill(image, camera.project(quad), tone * np.float32(lit))
    shade = np.ones((*camera.size[::-1], 1), np.float32)
    for lamp, power in lights.lamps:
        bright = tray.floor - lamp[:2] * tray.wall / max(lamp[2], 0.3)
        lit = mask_of(camera.size, camera.project(lift(bright, 0)))
        lit = cv2.GaussianBlur(lit, (0, 0), lights.spill + 0.5)[..., None]
        shade -= (1 - lit) * np.float32(power * lamp[2] / lights.ground)
    floor = floor * np.float32(lights.ground) * np.maximum(shade, np.float32(0.1))
    fill(image, camera.project(lift(tray.floor, 0)), floor)
    return image
