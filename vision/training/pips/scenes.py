"""Draw scenes of dice with pips in very wide variation, with the truth about every top face.

`python -m vision.training.pips.scenes FOLDER SEED...` draws pools of them, 1,000 a seed. All chance
comes from the generator given.
"""

import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.training.cubes import FaceTruth, shadow_of, top_face, waves
from vision.training.drawing import (
    CUBE,
    colour,
    decode_picture,
    encode_picture,
    log_uniform,
    rotation,
    smooth_noise,
    write_pools,
)
from vision.training.pips.dice import SIZE, PipCamera, PipDie, draw_die, draw_make, draw_symbol

PER_SHARD = 1000


def draw_ground(rng: np.random.Generator) -> np.ndarray:
    """Return a table of any material without dice, (SIZE, SIZE, 3)."""
    base = colour(rng) if rng.random() < 0.45 else np.repeat(np.float32(rng.uniform(0.03, 0.95)), 3)
    image = np.broadcast_to(base, (SIZE, SIZE, 3)).astype(np.float32).copy()
    kind = rng.random()
    amount = log_uniform(rng, 0.02, 0.5)
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
            across = v % 1 < share
            mask = np.maximum(mask, across) if rng.random() < 0.6 else (mask + across) / 2
        grey = rng.random() >= 0.5
        other = rng.uniform(0, 1, 1).repeat(3).astype(np.float32) if grey else colour(rng)
        image += (other - image) * (
            cv2.GaussianBlur(mask, (3, 3), 0)[..., None] * rng.uniform(0.2, 1)
        )
    elif kind < 0.92:  # printed stuff in several colours
        levels = smooth_noise(rng, SIZE, SIZE, rng.uniform(6, 50), rng.uniform(1, 4))
        for threshold in rng.uniform(-0.6, 0.6, 3):
            image[levels > threshold] = colour(rng)
        image = np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.float32)
    return image


def draw_clutter(
    rng: np.random.Generator, image: np.ndarray, n: int, owner: np.ndarray | None = None
) -> None:
    """Lines, discs, boxes, letters, rows of dots: what lies about and is no die."""
    for _ in range(n):
        mask = np.zeros((SIZE, SIZE), np.uint8)
        x, y = rng.integers(0, SIZE, 2).tolist()
        reach = log_uniform(rng, 4, 120)
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
            turn, sweep, width = rng.uniform(0, 360), rng.uniform(90, 360), int(rng.integers(1, 6))
            cv2.ellipse(mask, (x, y), axes, turn, 0, sweep, 255, width)
        elif kind == 4:
            box = cv2.boxPoints(((x, y), (reach, reach * rng.uniform(0.3, 1)), rng.uniform(0, 90)))
            cv2.fillPoly(mask, [box.astype(np.int32)], 255)
        elif kind == 5:
            text = "".join(rng.choice(list("ABCDEFGHKLMNOPRST0123456789 ."), 5))
            font, size = int(rng.integers(0, 6)), rng.uniform(0.4, 2)
            width = int(rng.integers(1, 5))
            cv2.putText(mask, text, (x, y), font, size, 255, width, cv2.LINE_AA)
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


def draw_scene(rng: np.random.Generator) -> tuple[np.ndarray, list[FaceTruth]]:
    """A picture (SIZE, SIZE, 3) BGR uint8, and its top faces.

    Edges are 18 to 52 pixels in most pictures; in the others far larger or smaller.
    """
    kind = rng.random()
    low, high = (19, 50) if kind < 0.8 else (50, 240) if kind < 0.94 else (6, 18)
    scale = log_uniform(rng, low, high)
    camera = PipCamera(rng, scale)
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

    few = (2, 12) if scale < 60 else (1, 4)
    n = 0 if rng.random() < 0.04 else int(rng.integers(*few))
    shared = draw_make(rng, 1)
    one_make, symbols = rng.random() < 0.6, rng.random() < 0.12
    dice: list[PipDie] = []
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
            PipDie(
                make,
                np.array([*spot, height]),
                turn,
                draw_symbol(rng) if rng.random() < (0.6 if symbols else 0.01) else None,
                rng.random(6) < 0.5,
                waves(rng),
            )
        )
    dice.sort(key=lambda d: -float(np.linalg.norm(d.where - camera.centre)))

    ground_light = ambient + sum(power * d[2] for d, power in lights)
    image *= ground_light * (1 if rng.random() < 0.7 else rng.uniform(0.5, 1))
    softness = log_uniform(rng, 0.02, 0.4) * scale
    if rng.random() < 0.9:
        for direction, power in lights:
            dark = np.zeros((SIZE, SIZE), np.uint8)
            for die in dice:
                cv2.fillConvexPoly(dark, shadow_of(camera, die.cube(0.93), direction, 0.25), 255)
            share = power * direction[2] / ground_light
            image *= 1 - cv2.GaussianBlur(dark, (0, 0), softness + 0.3)[..., None] / 255 * share
    owner = np.zeros((SIZE, SIZE), np.int32)
    truths: list[FaceTruth] = []
    for number, die in enumerate(dice, 1):
        draw_die(image, owner, camera, die, number, lights, ambient)
    if rng.random() < 0.15:
        draw_clutter(rng, image, int(rng.integers(1, 3)), owner)

    for number, die in enumerate(dice, 1):
        face = top_face(camera, die.cube(), owner, number)
        if face.seen > 0.2:
            truths.append(face._replace(face=die.top()))
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
        image = cv2.GaussianBlur(image, (0, 0), log_uniform(rng, 0.3, 1.4))
    if rng.random() < 0.08:
        k = np.zeros((9, 9), np.float32)
        t, reach = rng.uniform(0, np.pi), rng.uniform(1, 4)
        x, y = reach * np.cos(t), reach * np.sin(t)
        cv2.line(k, (round(4 - x), round(4 - y)), (round(4 + x), round(4 + y)), 1)
        image = cv2.filter2D(image, -1, k / k.sum())
    if rng.random() < 0.2:  # over-sharpened
        image = image + rng.uniform(0.3, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    noise = log_uniform(rng, 0.002, 0.05)
    grain = rng.normal(0, noise, (SIZE, SIZE, 3 if rng.random() < 0.5 else 1)).astype(np.float32)
    out = np.clip((image + grain) * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.integers(25, 95))
        out = decode_picture(encode_picture(out, quality))
    return out


def draw_shard(seed: int) -> dict[str, Any]:
    """`images` (n, SIZE, SIZE, 3) uint8; `truths` (m, 9): scene, x, y, axes (4), face, seen."""
    rng = np.random.default_rng(seed)
    images = np.zeros((PER_SHARD, SIZE, SIZE, 3), np.uint8)
    rows = []
    for i in range(PER_SHARD):
        images[i], truths = draw_scene(rng)
        rows += [[i, t.x, t.y, *t.axes.ravel(), t.face, t.seen] for t in truths]
    return {"images": images, "truths": np.array(rows, np.float32)}


if __name__ == "__main__":
    write_pools(Path(sys.argv[1]), sys.argv[2:], draw_shard)
