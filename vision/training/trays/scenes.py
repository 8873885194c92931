"""Draw trays with dice whose faces carry symbols, in very wide variation, with the truth.

All chance comes from the generator given.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.simulate.camera import lift
from vision.training.cubes import FaceTruth, shadow_of, top_face
from vision.training.drawing import colour, mask_of, smooth_noise, unmirrored
from vision.training.trays.art import draw_art
from vision.training.trays.camera import Lights, TrayCamera, draw_film, draw_lights
from vision.training.trays.dice import (
    DiceMake,
    MadeDie,
    corners_of,
    draw_make,
    flat_die,
    glare_on,
    overlap,
    trace,
)
from vision.training.trays.ground import cloth, draw_ground
from vision.training.trays.things import draw_hand, draw_thing
from vision.training.trays.tray import NO_TRAY, DrawnTray, draw_tray, lay_dice, strays


@dataclass
class DrawnScene:
    """A drawn picture and what it shows. Masks are (HEIGHT // 8, WIDTH // 8 + 1), in [0, 1]."""

    image: np.ndarray
    """The picture (HEIGHT, WIDTH, 3)."""
    tray: np.ndarray
    """The same without dice."""
    truths: list[FaceTruth]
    """The top faces of the dice."""
    inside: np.ndarray
    """Mask of the tray's floor, raised to the tops of dice."""
    other: np.ndarray
    """Mask of hands and other things."""


def draw_scene(
    rng: np.random.Generator,
    icons: np.ndarray,
    make: DiceMake | None = None,
    face: int | None = None,
) -> DrawnScene:
    """A scene of any dice, or of those of `make`; with `face` one die alone, as it is shown to
    teach the reader, which has no glare and no hand in it.
    """
    camera = TrayCamera(rng)
    tray = draw_tray(rng, camera.height) if rng.random() < 0.93 else None
    room = tray or NO_TRAY
    make = make or draw_make(rng, draw_art(rng, icons), rng.uniform(1.4, 1.95))
    make = replace(make)  # glare makes it shine
    lights = draw_lights(rng)
    count = int(rng.choice([0, 1, 3, 4, 5, 6, 7], p=[0.05, 0.04, 0.05, 0.12, 0.55, 0.14, 0.05]))
    alone = face is not None
    cocked = rng.random() < 0.5 and not alone
    dice = lay_dice(rng, make, room, 1 if alone else count, cocked)
    if face is not None:
        x, y = dice[0].where[:2]
        dice = [flat_die(rng, make, x, y, rng.uniform(0, 2 * np.pi), face)]
    image = draw_ground(rng, camera, tray, lights)
    if tray and rng.random() < 0.45 and not alone:
        dice += strays(rng, camera, make, tray)
    film = draw_film(rng, float(np.median(image)))
    empty = image.copy()
    if dice and rng.random() < 0.35 and not alone:
        lights = glare_on(rng, camera, dice[int(rng.integers(len(dice)))], lights)
    owner = put_dice(rng, image, camera, tray, dice, lights)
    other = np.zeros(camera.size[::-1], np.float32)
    kind = rng.random()
    if kind < 0.38 and not alone:
        target = rng.uniform(room.floor.min(0), room.floor.max(0))
        which = draw_hand if kind < 0.32 else draw_thing
        other = which(rng, camera, image, lights, target)
        owner[other > 0.5] = -1
    truths = [top_face(camera, die.cube(), owner, i) for i, die in enumerate(dice, 1)]
    inside, other = small_masks(camera, tray, make.edge, other)
    picture = film.develop(rng, image)
    before = film._replace(gain=film.gain * np.float32(rng.uniform(0.97, 1.03)))
    return DrawnScene(picture, before.develop(rng, empty), truths, inside, other)


def put_dice(
    rng: np.random.Generator,
    image: np.ndarray,
    camera: TrayCamera,
    tray: DrawnTray | None,
    dice: Sequence[MadeDie],
    lights: Lights,
) -> np.ndarray:
    """Draw dice and their shadows on the ground; return whose each pixel is, from 1 on."""
    for lamp, power in lights.lamps:
        dark = np.zeros(camera.size[::-1], np.uint8)
        for die in dice:
            cv2.fillConvexPoly(dark, shadow_of(camera, die.cube(0.94), lamp, 0.3), 255)
        share = power * lamp[2] / lights.ground
        image *= (
            1
            - cv2.GaussianBlur(dark, (0, 0), lights.spill + 0.4)[..., None]
            / np.float32(255)
            * share
        )
    touch = np.zeros(camera.size[::-1], np.uint8)
    for die in dice:  # where dice stand it is darker
        outline = camera.project(lift(corners_of(die, 1.08).reshape(-1, 2), 0.0))
        cv2.fillPoly(touch, [np.round(outline).astype(np.int32)], 255)
    image *= 1 - 0.35 * cv2.GaussianBlur(touch, (0, 0), 3)[..., None] / np.float32(255)
    owner = np.zeros(camera.size[::-1], np.int32)
    for number, die in farthest_first(camera, dice):
        dim = 1.0
        if tray and die.where[2] > 0.4 * die.make.edge and rng.random() < 0.8:
            lamp = lights.lamps[0][0]
            foot = die.where[:2] + lamp[:2] / max(lamp[2], 0.3) * max(0.0, tray.wall - die.where[2])
            gap = cv2.pointPolygonTest(tray.floor.astype(np.float32), tuple(map(float, foot)), True)
            dim = float(np.clip(0.5 + gap, 0, 1))
        trace(image, owner, camera, die, number, lights, dim)
    return owner


def farthest_first(camera: TrayCamera, dice: Sequence[MadeDie]) -> Iterator[tuple[int, MadeDie]]:
    """Yield dice with their numbers, from 1 on, those first that are farthest from the camera."""
    away = [float(np.linalg.norm(die.where - camera.centre)) for die in dice]
    return ((int(number) + 1, dice[number]) for number in np.argsort(away)[::-1])


def small_masks(
    camera: TrayCamera, tray: DrawnTray | None, edge: float, other: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the masks of a scene; edge: of a die, cm; other: that of things, at full size."""
    inside = np.ones((*camera.size[::-1], 1), np.float32)
    if tray:
        inside = mask_of(camera.size, camera.project(lift(tray.floor, edge)))
    small = (camera.size[0] // 8 + 1, camera.size[1] // 8)
    one, two = (cv2.resize(m, small, interpolation=cv2.INTER_AREA) for m in (inside, other))
    return one, two


CROP, FACE = 72, 48  # pixels of a rectified face with the margin around it, and of the face alone
WINDOW = 120


def draw_view(
    rng: np.random.Generator, make: DiceMake, face: int, glare: float = 0.2
) -> tuple[np.ndarray, float]:
    """One die of a set with `face` up, somewhere in the tray, perhaps beside others.

    Return its rectified face (CROP, CROP), grey, and how much of the ink can be told from the bare
    face, in [0, 1]. glare: in what share of the views it mirrors a lamp.
    """
    make = replace(make)  # glare makes it shine
    camera = TrayCamera(rng)
    at = camera.ground(*(rng.uniform(0.04, 0.96, 2) * camera.size))
    die = flat_die(rng, make, at[0], at[1], rng.uniform(0, 2 * np.pi), face)
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
        other = flat_die(rng, make, x, y, rng.uniform(0, 2 * np.pi))
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
    truth = top_face(camera, die.cube(), owner, 1 if dice[0] is die else 2)
    axes = unmirrored(truth.axes)
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
    return cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), legible
