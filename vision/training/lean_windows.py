"""Cut windows of flat and leaning dice: `python -m vision.training.lean_windows KIND ...`.

`traced TRACER.so ICONS.npz FOLDER SEED SCENES` traces scenes, each in THROWS throws, with a library
built from vision/training/tracer.cu; `drawn ICONS.npz FOLDER SEED SCENES` draws them as
vision/training/trays does. FOLDER/KIND-SEED.npy holds windows (n, WINDOW, WINDOW, 3), and
FOLDER/KIND-SEED.rows.npy of each how a flat die would lean there, how this one does, both in edges
as the window shows them, and whether it leans (n, 5). ICONS.npz: see vision/training/pictograms.py.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.dice.find.pose import EDGE
from vision.imaging.geometry import nearest_rotations
from vision.imaging.pyramid import build_pyramid, crop
from vision.training.cubes import FaceTruth, top_face
from vision.training.drawing import colour, turn_matrix, unmirrored
from vision.training.tracer import MOST_DICE, PathTracer, bare_ground, draw_light, tell_scene
from vision.training.trays.art import draw_art
from vision.training.trays.camera import (
    Lights,
    TrayCamera,
    direction,
    draw_film,
    draw_lights,
    named_lights,
    steady_film,
)
from vision.training.trays.dice import DiceMake, MadeDie, draw_make, glare_on
from vision.training.trays.ground import MATERIALS
from vision.training.trays.scenes import draw_scene
from vision.training.trays.tray import NO_TRAY, DrawnTray, draw_tray, lay_dice, lean_some

WINDOW = 96
SAMPLES = 12
REACH = 1.7  # edges around a die that are traced: its window, framed a little otherwise
THROWS = 2
SEEN = 0.7  # of a top face, to be shown
USUAL, WEIGHT = 1 / 0.77, 0.15  # of the focal length's inverse, and how much that counts, in dice
Scene = tuple[np.ndarray, Sequence[FaceTruth]]
"""A picture, and the dice in it."""


def any_lights(rng: np.random.Generator) -> Lights:
    """Return the light of any room, often hard or low."""
    kind = rng.random()
    if kind < 0.4:
        return draw_lights(rng)
    if kind < 0.9:
        return named_lights(rng, str(rng.choice(["lamp", "window", "television", "room"])))
    lamps = [(direction(rng, 20, 70), rng.uniform(0.4, 1.2)) for _ in range(2)]
    return Lights(rng.uniform(0.1, 0.4), lamps, 1)


def any_make(rng: np.random.Generator, icons: np.ndarray) -> DiceMake:
    """Return any look of dice, some metallic or translucent, some with a colour for each face."""
    make = draw_make(rng, draw_art(rng, icons), rng.uniform(1.4, 1.95))
    kind = rng.random()
    if kind < 0.08:
        metallic, gloss = rng.uniform(0.5, 1.0), float(np.exp(rng.uniform(2.5, 4.5)))
        make = replace(make, metallic=metallic, gloss=gloss)
    elif kind < 0.2:
        make = replace(make, translucent=rng.uniform(0.2, 0.8))
    if rng.random() < 0.3:
        inks = [colour(rng) if rng.random() < 0.6 else make.ink for _ in range(6)]
        make = replace(make, ink=np.stack(inks))
    return make


def near_dice(camera: TrayCamera, dice: Sequence[MadeDie]) -> np.ndarray:
    """Return which pixels the middles of windows of dice show, (h, w)."""
    near = np.zeros(camera.size[::-1], np.uint8)
    for die in dice:
        top = top_face(camera, die.cube(), near, 1)
        square = REACH * top.edge * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        corners = (top.x, top.y) + square @ nearest_rotations(unmirrored(top.axes)).T
        cv2.fillConvexPoly(near, np.round(corners).astype(np.int32), 1)
    return near


def throw_some(
    rng: np.random.Generator, make: DiceMake, room: DrawnTray
) -> tuple[list[MadeDie], Lights]:
    """Return dice in a tray, often with several that lean, and the light on them."""
    lights = any_lights(rng)
    count = int(rng.choice([4, 5, 6, 9, 13], p=[0.1, 0.35, 0.15, 0.2, 0.2]))
    dice = lay_dice(rng, make, room, count, False)
    leaning = int(rng.choice([0, 1, 2, 3, 4], p=[0.15, 0.3, 0.3, 0.15, 0.1]))
    some = min(leaning, max(0, len(dice) - 3))
    return lean_some(rng, make, room, dice, some)[-MOST_DICE:], lights


def traced_scenes(seed: int, number: int, icons: np.ndarray, tracer: PathTracer) -> Iterator[Scene]:
    """Yield throws of one set of dice in one tray, in other light each."""
    rng = np.random.default_rng([seed, number, 31])
    camera = TrayCamera(rng)
    tray = draw_tray(rng, camera.height) if rng.random() < 0.97 else None
    bare = any_make(rng, icons)
    material = None if rng.random() < 0.4 else str(rng.choice(sorted(MATERIALS)))
    ground = bare_ground(rng, camera, tray, material)
    if rng.random() < 0.5:
        width, height = (round(side * 0.75) for side in camera.size)
        camera.size, camera.focal = (width, height), camera.focal * 0.75
        ground = np.asarray(cv2.resize(ground, camera.size, interpolation=cv2.INTER_AREA))
        camera.middle = (np.array(camera.size) - 1) / 2
    for _ in range(THROWS):
        make = replace(bare)  # glare makes it shine
        dice, lights = throw_some(rng, make, tray or NO_TRAY)
        if not dice:
            continue
        if rng.random() < 0.25:
            lights = glare_on(rng, camera, dice[int(rng.integers(len(dice)))], lights)
        light = draw_light(rng, len(lights.lamps), SAMPLES)
        told = tell_scene(rng, camera, tray, dice, lights, light)
        near = near_dice(camera, dice)
        image, owner = tracer.trace(told, ground, make.art, near)
        level = float(np.median(image[near > 0]))
        truths = [top_face(camera, die.cube(), owner, i) for i, die in enumerate(dice, 1)]
        film = (draw_film if rng.random() < 0.5 else steady_film)(rng, level)
        yield film.develop(rng, image), truths


def flat_leans(truths: Sequence[FaceTruth], long_side: int) -> np.ndarray:
    """Return how each die would lean if it lay flat, (n, 2), in edges; NaN where nobody can say.

    As vision/dice/find/tray_model.py, by the flat dice of the throw. long_side: of the picture, in
    pixels.
    """
    at = np.array([(t.x, t.y) for t in truths]).reshape(-1, 2) / long_side
    leans = np.array([t.lean for t in truths]).reshape(-1, 2)
    flat = ~np.array([t.cocked for t in truths], bool)
    known = np.full(leans.shape, np.nan)
    known[flat] = leans[flat]
    n = int(flat.sum())
    if n >= 2:
        rows, right = np.zeros((2 * n + 1, 3)), np.zeros(2 * n + 1)
        rows[:n, 0] = rows[n:-1, 1] = 1
        rows[:-1, 2], right[:-1] = -at[flat].T.ravel(), leans[flat].T.ravel()
        rows[-1, 2], right[-1] = WEIGHT, WEIGHT * USUAL
        across, down, inverse = np.linalg.lstsq(rows, right, rcond=None)[0]
        known[~flat] = (across, down) - inverse * at[~flat]
    return known


def cut(
    rng: np.random.Generator, image: np.ndarray, truths: Sequence[FaceTruth]
) -> Iterator[tuple[np.ndarray, list[float]]]:
    """Yield windows of the dice in a picture, those that lean twice, each with its row."""
    levels = build_pyramid(image)
    for truth, flat in zip(truths, flat_leans(truths, max(image.shape[:2])), strict=True):
        if truth.seen < SEEN or np.isnan(flat[0]):
            continue
        axes = unmirrored(truth.axes)
        for _ in range(2 if truth.cocked else 1):
            edge = 2 * np.sqrt(np.linalg.det(axes))
            x, y = (truth.x, truth.y) + rng.normal(0, 0.04, 2) * edge
            edge = edge * np.exp(rng.normal(0, 0.06))
            askew = rng.normal(0, 0.08) + rng.integers(4) * np.pi / 2
            turn = nearest_rotations(axes) @ turn_matrix(askew)
            back = (turn * edge / EDGE).astype(np.float32)
            window = crop(levels, x, y, back, (WINDOW, WINDOW))
            yield window, [*(turn.T @ flat), *(turn.T @ truth.lean), float(truth.cocked)]


def main() -> None:
    """Write the windows of one seed."""
    cv2.setNumThreads(1)
    kind, *library = sys.argv[1:-4]
    icons, folder = np.load(sys.argv[-4])["ink"], Path(sys.argv[-3])
    seed, count = int(sys.argv[-2]), int(sys.argv[-1])
    tracer = PathTracer(Path(library[0])) if library else None
    windows, rows = [], []
    for number in range(count):
        rng = np.random.default_rng([seed, number, 32])
        if tracer:
            scenes: Iterator[Scene] = traced_scenes(seed, number, icons, tracer)
        else:
            drawn = draw_scene(np.random.default_rng([seed, number, 33]), icons)
            scenes = iter([(drawn.image, drawn.truths)])
        for image, truths in scenes:
            for window, row in cut(rng, image, truths):
                windows.append(window)
                rows.append(row)
    np.save(folder / f"{kind}-{seed}.rows.npy", np.array(rows, np.float32))
    np.save(folder / f"{kind}-{seed}.npy", np.array(windows, np.uint8))
    print(kind, seed, len(windows), flush=True)


if __name__ == "__main__":
    main()
