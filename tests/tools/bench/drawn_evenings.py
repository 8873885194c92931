"""Draws evenings: one table, one camera, one lamp and one set of dice, throw after throw.

The sets are among those that nothing was trained on or fitted to, see vision/training/own_sets.py.
"""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple
from zlib import crc32

import cv2
import numpy as np

from vision.dice.profile import Profile
from vision.dice.reading import DICE, FACES
from vision.dice.teach import ProfileTrainer, build_profile
from vision.training.cubes import top_face
from vision.training.drawing import rotation
from vision.training.own_sets import (
    AROUND,
    DESIGNS,
    NEAR,
    NEAREST,
    SHOWN,
    drawn_shots,
    film_of,
    is_in_view,
)
from vision.training.trays.camera import Film, Lights, TrayCamera, named_lights
from vision.training.trays.dice import DiceMake, MadeDie, flat_die, glare_on
from vision.training.trays.ground import draw_ground
from vision.training.trays.scenes import put_dice
from vision.training.trays.tray import DrawnTray, draw_tray, lay_dice

LEANS = 5
"""Each so many throws a die leans."""
FLICKER = 0.02
"""By how much the light of one throw differs from the next one's."""


class TableLook(NamedTuple):
    """What is special about a table."""

    name: str
    dice: str
    """A set of DESIGNS."""
    floor: str
    """One of MATERIALS."""
    light: str
    """One of those that `named_lights` knows, or `glare`."""


TABLES = (
    TableLook("hard lamp", "box", "felt", "lamp"),
    TableLook("plaid", "wine", "plaid", "window"),
    TableLook("terrazzo", "jade", "terrazzo", "room"),
    TableLook("glare", "steel", "leather", "glare"),
    TableLook("television", "box-two", "wood", "television"),
)

CHANGES = ("camera", "lamp", "dice", "tray")
"""What may change in the middle of an evening: the camera is pushed by some centimetres and
degrees, the lamp goes off and the television stays on or the other way round, other dice or another
tray come."""


class Throw(NamedTuple):
    """A picture of five dice, and what lies there."""

    picture: np.ndarray
    """BGR."""
    boxes: list[tuple[float, float, float, str]]
    """Centre and edge of each top face in pixels, and the face; `cocked` for a die that leans."""

    @property
    def leans(self) -> bool:
        """Whether one of the dice leans."""
        return any(face == "cocked" for *_, face in self.boxes)


@dataclass(frozen=True)
class DrawnTable:
    """A table at which dice are thrown for an evening."""

    look: TableLook
    camera: TrayCamera
    tray: DrawnTray
    lights: Lights
    film: Film
    make: DiceMake
    ground: np.ndarray
    """Without dice, (h, w, 3), linear light."""
    seed: int
    rest: np.random.Generator
    """The chance by which the ground was drawn and then the film chosen."""

    def empty(self) -> np.ndarray:
        """Return the picture of the empty tray."""
        return self.film.develop(np.random.default_rng([self.seed, 1]), self.ground)

    def throw(self, number: int) -> Throw:
        """Return a throw of the evening, numbered from 0; the same one for a seed."""
        rng = np.random.default_rng([self.seed, 2, number])
        return self._develop(rng, self._throw_dice(rng, number % LEANS == LEANS - 1))

    def _throw_dice(self, rng: np.random.Generator, leans: bool) -> list[MadeDie]:
        while True:
            dice = lay_dice(rng, self.make, self.tray, DICE, leans)
            if len(dice) == DICE and is_in_view(self.camera, dice):
                return dice

    def _develop(self, rng: np.random.Generator, dice: list[MadeDie]) -> Throw:
        image = self.ground.copy()
        owner = put_dice(rng, image, self.camera, self.tray, dice, self.lights)
        gain = self.film.gain * np.float32(1 + rng.uniform(-FLICKER, FLICKER))
        boxes = []
        for number, die in enumerate(dice, 1):
            truth = top_face(self.camera, die.cube(), owner, number)
            face = "cocked" if truth.cocked else FACES[truth.face]
            boxes.append((truth.x, truth.y, truth.edge, face))
        return Throw(self.film._replace(gain=gain).develop(rng, image), boxes)


def set_table(look: TableLook, seed: int) -> DrawnTable:
    """Return a table that looks so; the same one for a seed."""
    number = seed * 1000 + crc32(look.name.encode()) % 1000
    rng = np.random.default_rng([number, 0])
    make = DESIGNS[look.dice].make(rng)
    cameras = iter(lambda: TrayCamera(rng), None)
    camera = next(c for c in cameras if NEAR < make.edge * c.focal / c.height < NEAREST)
    tray = draw_tray(rng, camera.height)
    lights = named_lights(rng, "room" if look.light == "glare" else look.light)
    if look.light == "glare":
        make = replace(make)  # it shines
        lights = glare_on(rng, camera, flat_die(rng, make, 0, 0, 0), lights)
    rest = deepcopy(rng)
    ground = draw_ground(rng, camera, tray, lights, look.floor)
    film = film_of(look.light)(rng, float(np.median(ground)))
    return DrawnTable(look, camera, tray, lights, film, make, ground, number, rest)


def change_table(table: DrawnTable, change: str, seed: int) -> DrawnTable:
    """Return a table after a change of CHANGES; the same one for a seed."""
    rng = np.random.default_rng([table.seed, 3, CHANGES.index(change), seed])
    look, camera, tray, make = table.look, table.camera, table.tray, table.make
    if change == "camera":
        camera = copy(camera)
        camera.turn = rotation(2, rng.normal(0, 0.06)) @ rotation(0, rng.normal(0, 0.06))
        camera.turn = camera.turn @ table.camera.turn
        camera.centre = camera.centre + rng.normal(0, 1.0, 3)
    elif change == "lamp":
        look = look._replace(light="lamp" if look.light == "television" else "television")
    elif change == "dice":
        names = [each.dice for each in TABLES]
        look = look._replace(dice=names[(names.index(look.dice) + 1) % len(names)])
        make = DESIGNS[look.dice].make(rng)
    else:
        floors = [each.floor for each in TABLES]
        look = look._replace(floor=floors[(floors.index(look.floor) + 1) % len(floors)])
        tray = draw_tray(rng, camera.height)
    lights = named_lights(rng, look.light) if change == "lamp" else table.lights
    rest = deepcopy(table.rest)
    ground = draw_ground(rest, camera, tray, lights, look.floor)
    film = table.film
    if change == "lamp":
        film = film_of(look.light)(rest, float(np.median(ground)))
    number = table.seed + 100_000 * (1 + CHANGES.index(change))
    return DrawnTable(look, camera, tray, lights, film, make, ground, number, table.rest)


def teach(name: str, seed: int) -> Profile:
    """Return the profile that a careful player teaches: each face from SHOWN pictures."""
    trainer = ProfileTrainer()
    found: dict[str, list[np.ndarray]] = {face: [] for face in FACES}
    for _, picture, truths in islice(drawn_shots(name, seed), SHOWN):
        for truth in truths:
            reach = AROUND * truth.edge
            low, high = (
                np.maximum(0, np.rint((truth.x + s, truth.y + s))).astype(int)
                for s in (-reach, reach)
            )
            sample = trainer.crop(picture[low[1] : high[1], low[0] : high[0]])
            if sample.picture is not None:
                found[FACES[truth.face]].append(sample.picture)
    return build_profile(name, found, "base")


def contact_sheet(throws: list[Throw], columns: int = 4) -> np.ndarray:
    """Return throws beside each other."""
    tiles = [cv2.resize(each.picture, (410, 308), interpolation=cv2.INTER_AREA) for each in throws]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    return np.vstack([np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)])
