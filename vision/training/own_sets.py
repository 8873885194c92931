"""Make whole sets of dice that nobody else drew: `python -m vision.training.own_sets COMMAND`.

`describe FOLDER SET...` writes the scenes of sets for vision/training/trace_in_blender.py, and
`develop FOLDER OUT SET...` makes of what it traced pictures as tests/pictures/renders holds them:
OUT/SET/teach/FACE, OUT/SET/KIND and truth.json. `draw OUT SEED SET...` draws them without Blender,
in 0.7 s a scene. With `--light SHARE` both make the same pictures darker, as a camera takes them to
read what is burnt out in others (tests/tools/bench/bracket.py). The looks are in designs.toml:
those whose names begin with `fit` are for choosing lines and weights; the others were never trained
on nor looked at for that.
"""

import argparse
import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import cv2
import numpy as np

from vision.dice.reading import FACES
from vision.simulate.dice.art import draw_face
from vision.training.cubes import FaceTruth
from vision.training.drawing import bgr, smooth_noise
from vision.training.traced_scenes import Setting, take_picture, tell_tracer
from vision.training.trays import motifs
from vision.training.trays.art import TEXTURE
from vision.training.trays.camera import Film, TrayCamera, named_lights, steady_film
from vision.training.trays.dice import DiceMake, MadeDie, flat_die
from vision.training.trays.ground import FLOORS, draw_ground
from vision.training.trays.motifs import Face
from vision.training.trays.scenes import put_dice
from vision.training.trays.tray import DrawnTray, draw_tray, lay_dice

SHOWN = 4  # pictures of each face to teach from
KINDS = ("normal",) * 8 + ("touching",) * 4 + ("cocked",) * 2 + ("count",) * 1
"""The scenes of a set, beside those to teach from."""
SEED = 20261122
QUALITY = 88  # of the pictures, as JPEG


@dataclass(frozen=True)
class Design:
    """The look of one set of dice."""

    faces: tuple[Face, ...]
    """In the order of FACES."""
    body: str
    """Colour of the plastic, RRGGBB."""
    inks: str
    """Colours of the faces' ink, one for all or six."""
    share: float = 0.82
    """Of a die's edge that the symbols take."""
    edge: float = 1.6
    """Of a die, cm."""
    look: dict[str, Any] = field(default_factory=dict)
    """Other fields of `DiceMake`."""
    worn: float = 0.0
    """Share of the ink that has gone."""

    def make(self, rng: np.random.Generator) -> DiceMake:
        """Return the look of dice of this design, with a little chance."""
        margin = (1 - self.share) / 2
        art = np.stack([draw_face(face, TEXTURE, margin) for face in self.faces])
        if self.worn:
            gone = [smooth_noise(rng, TEXTURE, TEXTURE, 5) for _ in FACES]
            level = np.quantile(gone, 1 - self.worn)
            art = art * np.clip((level - np.stack(gone)) * 6 + 0.5, 0.15, 1).astype(np.float32)
        inks = self.inks.split()
        ink = np.stack([bgr(inks[k % len(inks)]) for k in range(len(FACES))])
        return DiceMake(edge=self.edge, body=bgr(self.body), ink=ink, art=art, **self.look)


def faces_of(arrow: str, dynamite: str, target: str, beer: str, gatling: str) -> tuple[Face, ...]:
    """Return the six faces of a design, in the order of FACES."""
    around, digit = target.split(", ")
    return (
        motifs.ARROWS[arrow],
        motifs.DYNAMITES[dynamite],
        motifs.TARGETS[around] + motifs.ONES[digit],
        motifs.TARGETS[around] + motifs.TWOS[digit],
        motifs.BEERS[beer],
        motifs.GATLINGS[gatling],
    )


DESIGNS = {
    name: Design(faces_of(*drawn.pop("faces")), **drawn)
    for name, drawn in tomllib.loads(
        Path(__file__).with_name("designs.toml").read_text("utf-8")
    ).items()
}
"""By name."""

LIGHTS = ("room", "room", "lamp", "lamp", "window", "television")
NEAR, NEAREST = 36, 66
"""Pixels of a top face's edge in a picture 820 pixels wide, about."""
CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
AROUND = 3.2
"""Edges around a die that a picture to teach from shows."""


class OwnScene(NamedTuple):
    """A scene of a set, before it is drawn."""

    setting: Setting
    """What is seen."""
    kind: str
    """One of KINDS, or `teach`."""
    light: str
    """One of LIGHTS."""


Shot = tuple[OwnScene, np.ndarray, list[FaceTruth]]
"""A scene, its picture as a camera shows it, BGR, and the dice in it."""


def compose(name: str, number: int, seed: int = SEED) -> OwnScene:
    """The same scene of a set, whenever it is asked for; the first SHOWN are to teach from."""
    rng = np.random.default_rng([seed, crc32(name.encode()), number])
    edge = DESIGNS[name].edge
    cameras = iter(lambda: TrayCamera(rng), None)
    camera = next(c for c in cameras if NEAR < edge * c.focal / c.height < NEAREST)
    material = str(rng.choice(sorted(FLOORS)))
    make = DESIGNS[name].make(np.random.default_rng([seed, crc32(name.encode())]))
    tray = hexagon(rng) if material == "leather" else draw_tray(rng, camera.height)
    light = str(rng.choice(LIGHTS))
    kind = "teach" if number < SHOWN else KINDS[(number - SHOWN) % len(KINDS)]
    if kind == "teach":
        light, tray = "room", DrawnTray(np.array(CORNERS) * (12.5, 8.8), 2.0, 0.6)
        dice = [
            flat_die(
                rng, make, 7.0 * (k % 3 - 1), 7.2 * (k // 3) - 3.6, rng.uniform(0, 6.3), face=k
            )
            for k in range(len(FACES))
        ]
    else:
        count = int(rng.choice([4, 6])) if kind == "count" else 5
        dice = next(
            dice
            for dice in iter(lambda: lay_dice(rng, make, tray, count, kind == "cocked"), None)
            if len(dice) == count and kind in ("count", kind_of(dice)) and is_in_view(camera, dice)
        )
    lights, glossy = named_lights(rng, light), rng.random() < 0.3
    setting = Setting(camera, tray, dice, lights, glossy, material)
    return OwnScene(setting, kind, light)


def hexagon(rng: np.random.Generator) -> DrawnTray:
    """Return a tray with six sides."""
    t = np.arange(6) * np.pi / 3 + rng.uniform(0, 1)
    reach = rng.uniform(9.5, 11.5)
    return DrawnTray(reach * np.stack([np.cos(t), np.sin(t)], 1), rng.uniform(1.8, 3), 0.4)


def is_in_view(camera: TrayCamera, dice: list[MadeDie]) -> bool:
    """Return whether all dice lie in the picture."""
    middles = camera.project(np.array([die.where for die in dice]))
    room = dice[0].make.edge * camera.focal / camera.height
    return bool(((middles > room) & (middles < np.array(camera.size) - room)).all())


def kind_of(dice: list[MadeDie]) -> str:
    """Return what a throw shows: `cocked`, `touching` or `normal`."""
    if any(np.abs(die.turn[2]).max() < np.cos(np.radians(5)) for die in dice):
        return "cocked"
    near = (np.linalg.norm(a.where - b.where) / a.make.edge for a, b in combinations(dice, 2))
    return "touching" if min(near) < 1.08 else "normal"


def describe(folder: Path, names: list[str]) -> None:
    """Write the scenes of sets for the path tracer into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        for number in range(SHOWN + len(KINDS)):
            rng = np.random.default_rng([SEED, crc32(name.encode()), number, 4])
            setting = compose(name, number).setting
            # Names without a point, which pictures of a scene have.
            told = tell_tracer(rng, setting, folder, f"{name}-{number:02}")
            (folder / f"{name}-{number:02}.json").write_text(json.dumps(told))


def traced_shots(folder: Path, name: str, light: float = 1) -> Iterator[Shot]:
    """Yield the scenes of a set that were traced; light: the share of the exposure."""
    for number in range(SHOWN + len(KINDS)):
        image = cv2.imread(str(folder / f"{name}-{number:02}.png"), cv2.IMREAD_UNCHANGED)
        if image is not None:
            rng = np.random.default_rng([SEED, crc32(name.encode()), number, 5])
            yield take_shot(rng, compose(name, number), image, light)


def drawn_shots(name: str, seed: int, light: float = 1) -> Iterator[Shot]:
    """Yield the scenes of a set as the quick renderer draws them."""
    for number in range(SHOWN + len(KINDS)):
        scene = compose(name, number, seed)
        camera, tray, dice, lights, _, floor = scene.setting
        rng = np.random.default_rng([seed, crc32(name.encode()), number, 5])
        image = draw_ground(rng, camera, tray, lights, floor)
        put_dice(rng, image, camera, tray, dice, lights)
        yield take_shot(rng, scene, image * 65535, light)


def take_shot(rng: np.random.Generator, scene: OwnScene, image: np.ndarray, light: float) -> Shot:
    """Return a scene that was drawn or traced, see `take_picture`, as a camera shows it."""
    film = film_of(scene.light, light)
    picture, _, _, truths = take_picture(rng, scene.setting, image, False, film)
    return scene, picture, truths


def film_of(light: str, share: float = 1) -> Callable[[np.random.Generator, float], Film]:
    """Return what develops scenes in a light; share: of the exposure."""

    def expose(rng: np.random.Generator, level: float) -> Film:
        film = steady_film(rng, level)
        if light == "television":
            tint = np.array((1.25, 1.0, 0.75), np.float32) * np.float32(rng.uniform(0.35, 0.7))
            film = film._replace(gain=film.gain * tint, noise=rng.uniform(0.015, 0.04))
        if share != 1:
            rng.random()  # another frame has other noise
        return film._replace(gain=film.gain * np.float32(share))

    return expose


def write(out: Path, name: str, shots: Iterator[Shot]) -> None:
    """Write a set as tests/pictures/renders holds them."""
    truth: dict[str, Any] = {}

    def store(path: str, picture: np.ndarray) -> None:
        (out / name / path).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(out / name / path), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])

    for scene, picture, truths in shots:
        names = ["cocked" if t.cocked else FACES[t.face] for t in truths]
        boxes = [
            (round(t.x, 1), round(t.y, 1), round(t.edge, 1), name)
            for t, name in zip(truths, names, strict=True)
        ]
        number = len(truth)
        if scene.kind == "teach":
            for x, y, edge, face in boxes:
                low = [max(0, round(v - AROUND * edge)) for v in (x, y)]
                high = [round(v + AROUND * edge) for v in (x, y)]
                store(f"teach/{face}/{number:03}.jpg", picture[low[1] : high[1], low[0] : high[0]])
        else:
            store(f"{scene.kind}/{number:03}.jpg", picture)
        truth[f"{scene.kind}/{number:03}.jpg"] = {
            "kind": scene.kind,
            "dice": names,
            "boxes": boxes,
            "visible": [round(t.seen, 2) for t in truths],
            "tray": scene.setting.floor,
            "light": scene.light,
        }
    lines = (f"{json.dumps(path)}: {json.dumps(told)}" for path, told in truth.items())
    (out / name / "truth.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    """Describe, draw or write sets."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=("describe", "develop", "draw"))
    parser.add_argument("rest", nargs="+")
    parser.add_argument("--light", type=float, default=1)
    given = parser.parse_args()
    command, rest, light = given.command, given.rest, given.light
    if command == "describe":
        describe(Path(rest[0]), rest[1:])
        return
    for name in rest[2:]:
        if command == "draw":
            write(Path(rest[0]), name, drawn_shots(name, int(rest[1]), light))
        else:
            write(Path(rest[1]), name, traced_shots(Path(rest[0]), name, light))


if __name__ == "__main__":
    main()
