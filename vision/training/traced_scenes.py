"""Describe scenes for a path tracer, and develop what it traced into a pool to train on.

`python -m vision.training.traced_scenes describe ICONS.npz FOLDER SEED COUNT [GLARE]`, then
`blender -b --factory-startup -P vision/training/trace_in_blender.py -- FOLDER` (Blender 3.4, about
ten seconds a picture on one core), then `... develop ICONS.npz FOLDER OUT.npz`. Trays, dice and
hands are those of vision/training/trays, of chance; only light is another: shadows that are soft
or hard, light that falls back from walls and dice, and gloss. In a share of the scenes, GLARE or a
quarter, a die mirrors a lamp. The pool is as vision/training/
tray_pool.py draws it, each scene as two cameras may see it. `... sets ICONS.npz FOLDER OUT FIRST`
makes of the scenes from FIRST on, which were not trained on then, sets of dice for vision/training/
calibrate.py: each is taught from drawn pictures and read in traced ones. `... faces
ICONS.npz FOLDER OUT.npz` cuts out the faces, beside drawn ones of the same dice, as tray_pool.py
has them.
"""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from vision.dice.reading import FACES
from vision.imaging.geometry import FaceBox
from vision.imaging.pyramid import rectify_face
from vision.training.calibrate import draw_teaching
from vision.training.cubes import FaceTruth, top_face
from vision.training.drawing import encode_picture, pool_of, unmirrored
from vision.training.tray_pool import VIEWS
from vision.training.trays.art import draw_art
from vision.training.trays.camera import Film, Lights, TrayCamera, draw_film, draw_lights
from vision.training.trays.dice import UP, DiceMake, MadeDie, draw_make, glare_on, trace
from vision.training.trays.ground import draw_ground
from vision.training.trays.scenes import (
    CROP,
    FACE,
    draw_view,
    farthest_first,
    small_masks,
)
from vision.training.trays.things import draw_hand, draw_thing
from vision.training.trays.tray import NO_TRAY, DrawnTray, draw_tray, lay_dice, strays

SCALE = 0.75  # of the pictures that are drawn: tracing takes its time
FILMS = 2
GLARE = 0.25
WHITE = 2.0  # what is stored as the brightest
SEEN = 0.75  # of a face, to be cut out
ALIKE = 0.35  # correlation with its art from which a face surely can be told
UNSURE = (
    0.45  # how legible others are, see train_embedder.py: they count neither as faces nor as none
)


class Setting(NamedTuple):
    """A scene before it is drawn."""

    camera: TrayCamera
    """The camera."""
    tray: DrawnTray | None
    """The tray; None without one."""
    dice: list[MadeDie]
    """The dice."""
    lights: Lights
    """The lamps."""
    glossy: bool
    """Whether the ground reflects the lamps."""
    floor: str | None = None
    """What the tray's floor is made of, one of FLOORS; None leaves it to chance."""


def compose(seed: int, number: int, icons: np.ndarray, glare: float) -> Setting:
    """The same scene of a seed, whenever it is asked for."""
    rng = np.random.default_rng([seed, number, 3])
    camera = TrayCamera(rng)
    tray = draw_tray(rng, camera.height) if rng.random() < 0.95 else None
    make = draw_make(rng, draw_art(rng, icons), rng.uniform(1.4, 1.95))
    make = replace(make)  # glare makes it shine
    lights = draw_lights(rng)
    count = int(rng.choice([0, 4, 5, 6, 9, 13], p=[0.03, 0.07, 0.35, 0.15, 0.2, 0.2]))
    dice = lay_dice(rng, make, tray or NO_TRAY, count, rng.random() < 0.4)
    if tray and rng.random() < 0.35:
        dice += strays(rng, camera, make, tray)
    if dice and rng.random() < glare:
        lights = glare_on(rng, camera, dice[int(rng.integers(len(dice)))], lights)
    return Setting(camera, tray, dice, lights, rng.random() < 0.3)


def tell_tracer(
    rng: np.random.Generator, setting: Setting, folder: Path, name: str
) -> dict[str, Any]:
    """What the path tracer is told; textures go to `folder`, their names begin with `name`."""
    camera, tray, dice = setting.camera, setting.tray, setting.dice
    bare = Lights(1.0, [(UP, 1e-6)], 1.0)  # the tracer brings its own light
    ground = draw_ground(rng, camera, tray, bare, setting.floor)
    linear = (ground.clip(0, WHITE) / WHITE * 65535).astype(np.uint16)
    cv2.imwrite(str(folder / f"{name}.ground.png"), linear)
    if dice:
        cv2.imwrite(str(folder / f"{name}.art.png"), paint_faces(dice[0].make))
    frames = [[ring.tolist() for ring in frame] for frame in tray.frames] if tray else []
    lamps = []
    for towards, power in setting.lights.lamps:
        far = rng.uniform(60, 160)
        wide = far * np.exp(rng.uniform(np.log(0.03), np.log(0.5)))
        lamps.append(
            {
                "where": (towards * far).tolist(),
                "size": float(wide),
                "energy": float(4 * np.pi * far**2 * power * rng.uniform(0.7, 1.3)),
            }
        )
    even = rng.uniform(0, 0.8)
    ambient = setting.lights.ambient
    return {
        "size": [round(side * SCALE) for side in camera.size],
        "focal": camera.focal * SCALE,
        "turn": camera.turn.tolist(),
        "centre": camera.centre.tolist(),
        "ground": f"{name}.ground.png",
        "art": f"{name}.art.png",
        "roughness": float(rng.uniform(0.3, 0.6) if setting.glossy else rng.uniform(0.7, 1)),
        "specular": float(rng.uniform(0.2, 0.6) if setting.glossy else rng.uniform(0, 0.3)),
        "tray": tray and {"floor": tray.floor.tolist(), "wall": tray.wall, "frames": frames},
        "dice": [describe_die(die, rng) for die in dice],
        "lamps": lamps,
        "sky": {
            "low": ambient * even,
            "high": ambient * (2 - even),
            "scale": float(rng.uniform(0.8, 4)),
        },
        "seed": 0,
    }


def paint_faces(make: DiceMake) -> np.ndarray:
    """The six faces side by side: the colour of the ink, and how much there is of it (BGRA)."""
    inks = np.broadcast_to(make.ink, (6, 3))
    sides = [
        np.dstack([np.broadcast_to(ink, (*art.shape, 3)), art])
        for ink, art in zip(inks, make.art, strict=True)
    ]
    return (np.hstack(sides) * 255).clip(0, 255).astype(np.uint8)


def describe_die(die: MadeDie, rng: np.random.Generator) -> dict[str, Any]:
    """Return what the path tracer is told of one die."""
    make = die.make
    return {
        "edge": make.edge,
        "rounding": make.rounding,
        "body": make.body[::-1].astype(float).tolist(),
        "grain": float(make.grain),
        "engraved": float(make.engraved),
        # Blinn's exponent as roughness: Walter et al., Microfacet Models for Refraction (2007).
        "roughness": float(np.clip((2 / (make.gloss + 2)) ** 0.25, 0.08, 0.9)),
        "specular": float(np.clip(make.shine * 0.6, 0, 1)),
        "metallic": make.metallic,
        "translucent": make.translucent,
        "where": die.where.tolist(),
        "turn": die.turn.tolist(),
        "noise": rng.uniform(0, 99, 3).tolist(),
    }


def describe(seed: int, count: int, icons: np.ndarray, glare: float, folder: Path) -> None:
    """Write the scenes of a seed, and what they are made with, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "seed").write_text(f"{seed} {glare}")
    for number in range(count):
        rng = np.random.default_rng([seed, number, 4])
        told = tell_tracer(rng, compose(seed, number, icons, glare), folder, f"{number:04d}")
        (folder / f"{number:04d}.json").write_text(json.dumps({**told, "seed": number}))


def chance(folder: Path) -> tuple[int, float]:
    """The seed of a folder's scenes, and in what share of them a die mirrors a lamp."""
    seed, glare = (folder / "seed").read_text().split()
    return int(seed), float(glare)


def traced_settings(
    folder: Path, icons: np.ndarray, use: int
) -> Iterator[tuple[str, Setting, np.ndarray, np.random.Generator]]:
    """Yield the number of each scene that was traced so far, the scene, its picture, and chance.

    use: tells apart for what the chance is.
    """
    seed, glare = chance(folder)
    for path in sorted(folder.glob("????.png")):
        traced = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if traced is not None:  # as that which is being written is
            number = int(path.stem)
            rng = np.random.default_rng([seed, number, use])
            yield path.stem, compose(seed, number, icons, glare), traced, rng


def develop(folder: Path, icons: np.ndarray) -> dict[str, Any]:
    """The pool of what was traced so far, with hands and things painted into some scenes."""
    pictures: list[np.ndarray] = []
    inside, other, rows = [], [], []
    for _, setting, traced, rng in traced_settings(folder, icons, 5):
        for film in range(FILMS):
            picture, floor, above, truths = take_picture(rng, setting, traced, film > 0)
            rows += [[len(pictures), *truth.row()] for truth in truths]
            pictures.append(encode_picture(picture))
            inside.append(floor)
            other.append(above)
    return pool_of(pictures, rows, inside=inside, other=other)


def take_picture(
    rng: np.random.Generator,
    setting: Setting,
    traced: np.ndarray,
    covered: bool,
    film: Callable[[np.random.Generator, float], Film] = draw_film,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[FaceTruth]]:
    """A traced scene as a camera shows it, perhaps under a hand; its masks and truths."""
    camera, dice = setting.camera, setting.dice
    linear = traced.astype(np.float32) / 65535
    image = np.asarray(cv2.resize(linear, camera.size, interpolation=cv2.INTER_LINEAR))
    level = float(np.median(image))
    owner = np.zeros(camera.size[::-1], np.int32)
    for number, die in farthest_first(camera, dice):
        trace(np.zeros_like(image), owner, camera, die, number, setting.lights, 1.0)
    other = np.zeros(camera.size[::-1], np.float32)
    if covered and rng.random() < 0.5:
        bright = np.float32(level / 0.3)
        floor = (setting.tray or NO_TRAY).floor
        which = draw_hand if rng.random() < 0.85 else draw_thing
        image = image / bright
        other = which(rng, camera, image, setting.lights, rng.uniform(floor.min(0), floor.max(0)))
        image = image * bright
        owner[other > 0.5] = -1
    inside, other = small_masks(camera, setting.tray, dice[0].make.edge if dice else 1.6, other)
    size = tuple(round(side * SCALE) for side in camera.size)
    image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
    picture = film(rng, level).develop(rng, image)
    tops = (top_face(camera, die.cube(), owner, number) for number, die in enumerate(dice, 1))
    return picture, inside, other, [top.scaled(SCALE) for top in tops]


def write_sets(folder: Path, icons: np.ndarray, out: Path, first: int) -> None:
    """One set a scene that has dice: what is shown to teach it, and the scene."""
    seed, _ = chance(folder)
    for number, setting, traced, rng in traced_settings(folder, icons, 6):
        home = out / f"{seed:03}-{number}"
        if int(number) < first or not setting.dice or home.exists():
            continue
        home.mkdir(parents=True)
        draw_teaching(rng, icons, setting.dice[0].make, home)
        truth = {}
        for film in range(FILMS):
            picture, _, _, truths = take_picture(rng, setting, traced, film > 0)
            cv2.imwrite(str(home / f"roll-{film}.jpg"), picture)
            truth[f"roll-{film}.jpg"] = [
                [x, y, 2 * np.sqrt(abs(a * d - b * c)), face, share, cocked]
                for x, y, ((a, b), (c, d)), _, cocked, face, share in truths
            ]
        (home / "truth.json").write_text(json.dumps(truth))


def faces(folder: Path, icons: np.ndarray) -> dict[str, Any]:
    """As tray_pool.faces, one group a scene: its dice as traced, the rest of the views drawn."""
    crops, legible = [], []
    for _, setting, traced, rng in traced_settings(folder, icons, 7):
        if not setting.dice:
            continue
        make = setting.dice[0].make
        views: list[list[tuple[np.ndarray, float]]] = [[] for _ in FACES]
        for _ in range(FILMS):
            picture, _, _, truths = take_picture(rng, setting, traced, False)
            for truth in truths:
                if truth.seen > SEEN and not truth.cocked:
                    crop = cut(picture, truth)
                    views[truth.face].append((crop, legibility(crop, make.art[truth.face])))
        for face, found in enumerate(views):
            while len(found) < VIEWS:
                found.append(draw_view(rng, make, face))
        crops.append([[crop for crop, _ in found[:VIEWS]] for found in views])
        legible.append([[clear for _, clear in found[:VIEWS]] for found in views])
    return {"crops": np.array(crops, np.uint8), "legible": np.array(legible, np.float32)}


def cut(picture: np.ndarray, truth: FaceTruth) -> np.ndarray:
    """A face from straight above: (CROP, CROP), grey."""
    box = FaceBox(truth.x, truth.y, unmirrored(truth.axes), 1.0)
    face = rectify_face([picture], box, FACE, CROP)
    return cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)


def legibility(crop: np.ndarray, art: np.ndarray) -> float:
    """1 where the crop is like its art, turned or mirrored, dark or bright; else UNSURE."""
    low = (CROP - FACE) // 2
    face = crop[low : low + FACE, low : low + FACE].astype(np.float32)
    ink = cv2.resize(art.astype(np.float32), face.shape, interpolation=cv2.INTER_AREA)
    face = face - cv2.GaussianBlur(face, (0, 0), FACE / 4)
    ink = ink - cv2.GaussianBlur(ink, (0, 0), FACE / 4)
    ways = [np.rot90(way, k) for way in (ink, ink.T) for k in range(4)]
    alike = max(abs(np.corrcoef(face.ravel(), way.ravel())[0, 1]) for way in ways)
    return 1.0 if alike > ALIKE else UNSURE


def main() -> None:
    """Describe scenes, or develop what was traced: a pool, faces or sets."""
    cv2.setNumThreads(1)
    icons = np.load(sys.argv[2])["ink"]
    folder = Path(sys.argv[3])
    if sys.argv[1] == "describe":
        glare = float(sys.argv[6]) if len(sys.argv) > 6 else GLARE
        describe(int(sys.argv[4]), int(sys.argv[5]), icons, glare, folder)
    elif sys.argv[1] == "sets":
        write_sets(folder, icons, Path(sys.argv[4]), int(sys.argv[5]))
    elif sys.argv[1] == "faces":
        np.savez(sys.argv[4], **faces(folder, icons))
    else:
        pool = develop(folder, icons)
        np.savez(sys.argv[4], **pool)
        print(len(pool["pictures"]), "pictures,", len(pool["truths"]), "dice")


if __name__ == "__main__":
    main()
