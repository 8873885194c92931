"""Paint hands and other things over the tray."""

import cv2
import numpy as np

from vision.simulate.camera import lift
from vision.training.drawing import colour, mask_of, smooth_noise
from vision.training.trays.camera import HEIGHT, WIDTH, Lights, TrayCamera
from vision.training.trays.dice import UP
from vision.training.trays.ground import cloth


def draw_hand(
    rng: np.random.Generator,
    camera: TrayCamera,
    image: np.ndarray,
    lights: Lights,
    target: np.ndarray,
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
        return camera.project(lift(np.array(points), height))

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
        low = palm - ahead * 3 * scale + side * offset * 0.8
        limbs.append((low, palm + ahead * 3.2 * scale + side * offset, 2.2 * scale))
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
    skin = np.array([0.55, 0.68, 0.88], np.float32) * np.float32(rng.uniform(0.25, 1.1))
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
        moved = cv2.warpAffine(
            mask, np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32), size
        )
        soft = cv2.GaussianBlur(moved, (0, 0), lights.spill * 2 + 2)
        image *= 1 - (soft * power * lamp[2] / lights.ground * 0.9)[..., None]
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 2))[..., None]
    image += (tone * lit[..., None] + shine[..., None] - image) * soft
    return mask


def draw_thing(
    rng: np.random.Generator,
    camera: TrayCamera,
    image: np.ndarray,
    lights: Lights,
    target: np.ndarray,
) -> np.ndarray:
    """A card, a phone, a cup or a pen in the tray, as its mask."""
    turn = rng.uniform(0, 360)
    kind = rng.integers(4)
    per_cm = camera.focal / camera.height
    at = camera.project(np.array([*target, 0.5]))
    mask = np.zeros(camera.size[::-1], np.uint8)
    if kind == 0:
        x, y = np.round(at).astype(int).tolist()
        cv2.circle(mask, (x, y), round(rng.uniform(2.5, 5) * per_cm), 255, -1, cv2.LINE_AA)
    else:
        wide, long = ((6, 9), (7, 15), (1.0, 14))[kind - 1]
        sides = (wide * per_cm * rng.uniform(0.85, 1.2), long * per_cm)
        box = cv2.boxPoints((at.tolist(), sides, turn))
        cv2.fillPoly(mask, [box.astype(np.int32)], 255, cv2.LINE_AA)
    soft = mask[..., None] / np.float32(255)
    tone = cloth(rng, camera.size[1], camera.size[0], 30) if rng.random() < 0.5 else colour(rng)
    shift = -lights.lamps[0][0][:2] * 0.5 * per_cm
    dark = cv2.warpAffine(
        mask, np.array([[1, 0, shift[0]], [0, 1, -shift[1]]], np.float32), camera.size
    )
    image *= 1 - cv2.GaussianBlur(dark, (0, 0), 2)[..., None] / np.float32(255) * 0.4
    image += (tone * lights.ground - image) * soft
    return soft[..., 0]
