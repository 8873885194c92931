"""Draw trays, and lay dice in them: loose, touching, cocked, and beside the tray."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.simulate.camera import lift
from vision.training.cubes import COCKED, CORNERS
from vision.training.trays.camera import TrayCamera
from vision.training.trays.dice import DiceMake, MadeDie, corners_of, flat_die, leaning_die, overlap

STEP = 0.02  # edges by which a die is moved until it touches
SUNK = 0.985  # of their size that dice keep apart: their edges are rounded


class DrawnTray(NamedTuple):
    """A tray. Lengths are in centimetres."""

    floor: np.ndarray
    """Corners (n, 2) of the floor, counterclockwise."""
    wall: float
    """Height of the walls."""
    thick: float
    """Width of the rim."""
    box: np.ndarray | None = None
    """Inner corners (4, 2) of a square frame with empty corners around it, if any."""

    @property
    def rim(self) -> np.ndarray:
        """(n, 2), the outline of all of it."""
        inner = self.floor if self.box is None else self.box
        centre = inner.mean(0)
        spokes = inner - centre
        return centre + spokes * (1 + self.thick / np.linalg.norm(spokes, axis=1, keepdims=True))

    @property
    def frames(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The inner and the outer outline (n, 2) of each frame of walls."""
        if self.box is None:
            return [(self.floor, self.rim)]
        middle = self.floor.mean(0)
        brace = middle + (self.floor - middle) * (1 + 0.6 * self.thick / self.wall / 3)
        return [(self.floor, brace), (self.box, self.rim)]

    def side(self, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the ends of a side of the floor, and the unit vector inwards, (2,) each."""
        p, q = self.floor[number], self.floor[(number + 1) % len(self.floor)]
        along = (q - p) / np.linalg.norm(q - p)
        return p, q, np.array([-along[1], along[0]])

    def any_side(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return any side, see `side`."""
        return self.side(int(rng.integers(len(self.floor))))

    def holds(self, die: MadeDie) -> bool:
        """Return whether a die lies on the floor with all its corners."""
        outline = self.floor.astype(np.float32)
        corners = corners_of(die).reshape(-1, 2)
        return all(
            cv2.pointPolygonTest(outline, (float(x), float(y)), False) > 0 for x, y in corners
        )


NO_TRAY = DrawnTray(np.array([(-11, -8), (11, -8), (11, 8), (-11, 8.0)]), 0, 0)
"""The area in which dice lie where there is no tray."""


def draw_tray(rng: np.random.Generator, height: float) -> DrawnTray:
    """Return any tray, as wide as a camera at this height sees it."""
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
    return DrawnTray(floor + off, rng.uniform(1.2, 4), rng.uniform(0.3, 1.6), box)


def lay_dice(
    rng: np.random.Generator, make: DiceMake, tray: DrawnTray, count: int, cocked: bool
) -> list[MadeDie]:
    """Return so many dice in a tray, loose or touching; cocked: whether one of them leans."""
    dice: list[MadeDie] = []
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
                if not overlap(flat_die(rng, make, x, y, yaw), other, 0.995):
                    break
        elif rng.random() < 0.15:  # at the wall
            p, q, inward = tray.any_side(rng)
            yaw = np.arctan2(-inward[0], inward[1])
            yaw += rng.normal(0, 0.2) if rng.random() < 0.5 else 0
            x, y = p + (q - p) * rng.uniform(0.1, 0.9) + inward * make.edge * 0.52
        die = flat_die(rng, make, x, y, yaw)
        if tray.holds(die) and not any(overlap(die, other, 0.99) for other in dice):
            dice.append(die)
    if cocked and dice:
        lean_one(rng, make, tray, dice)
    return dice


def lean_one(
    rng: np.random.Generator, make: DiceMake, tray: DrawnTray, dice: list[MadeDie]
) -> None:
    """Replace the last die by one that leans on the wall or on another."""
    dice.pop()
    for _ in range(60):
        lean = rng.uniform(COCKED, 44)
        reach = make.edge / 2 * (np.cos(np.radians(lean)) + np.sin(np.radians(lean)))
        if dice and rng.random() < 0.5:
            other = dice[int(rng.integers(len(dice)))]
            away = rng.uniform(0, 2 * np.pi)
            step = np.array([np.cos(away), np.sin(away)])
            x, y = other.where[:2] + step * (make.edge * rng.uniform(0.42, 0.56) + reach)
            die = leaning_die(rng, make, x, y, away + np.pi + rng.normal(0, 0.25), lean)
            rivals = [d for d in dice if d is not other]
        else:
            p, q, inward = tray.any_side(rng)
            x, y = p + (q - p) * rng.uniform(0.12, 0.88) + inward * reach * rng.uniform(0.96, 1.08)
            away = np.arctan2(inward[1], inward[0])
            die = leaning_die(
                rng, make, x, y, away + rng.choice([0, np.pi]) + rng.normal(0, 0.15), lean
            )
            rivals = dice
        inside = (
            cv2.pointPolygonTest(tray.floor.astype(np.float32), (float(x), float(y)), False) > 0
        )
        if inside and not any(overlap(die, r, 0.9) for r in rivals):
            dice.append(die)
            return


def strays(
    rng: np.random.Generator, camera: TrayCamera, make: DiceMake, tray: DrawnTray
) -> list[MadeDie]:
    """One to three dice on the table beside the tray, where it hides none of them."""
    dice: list[MadeDie] = []
    tops = camera.project(lift(tray.rim, tray.wall)).astype(np.float32)
    wanted = int(rng.choice([1, 2, 3], p=[0.65, 0.25, 0.1]))
    for _ in range(60):
        x, y = rng.uniform((-10, -10), np.array(camera.size) + 10)
        at = camera.ground(x, y, -0.5)
        die = flat_die(rng, make, at[0], at[1], rng.uniform(0, 6.3))
        die = die._replace(where=die.where - [0, 0, 0.5])
        edge = make.edge * camera.focal / camera.height
        gap = -cv2.pointPolygonTest(tops, (float(x), float(y)), True) / edge
        near = rng.random() < 0.5
        if 0.75 < gap < (1.8 if near else 99) and not any(overlap(die, d) for d in dice):
            dice.append(die)
        if len(dice) == wanted:
            break
    return dice


# Dice in true contact with what they lean on, several in one throw


def apart(one: MadeDie, other: MadeDie) -> bool:
    """Return whether two dice don't touch, by the axes that could separate them."""
    away = other.where - one.where
    crossed = [np.cross(a, b) for a in one.turn.T for b in other.turn.T]
    axes = np.array([*one.turn.T, *other.turn.T, *crossed])
    axes = axes[np.linalg.norm(axes, axis=1) > 1e-6]
    reach = SUNK / 2 * one.make.edge * (np.abs(axes @ one.turn) + np.abs(axes @ other.turn)).sum(1)
    return bool((np.abs(axes @ away) > reach).any())


def lean_on_die(
    rng: np.random.Generator, make: DiceMake, other: MadeDie, lean: float
) -> MadeDie | None:
    """Return a die that leans on another by `lean` degrees; None if it finds no place there."""
    away = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.5:  # square to one of its sides
        side = int(np.argmin(np.abs(other.turn[2])))
        away = np.arctan2(other.turn[1, side], other.turn[0, side]) + rng.integers(4) * np.pi / 2
    way = np.array([np.cos(away), np.sin(away), 0])
    beside = rng.uniform(-0.45, 0.45) * make.edge * np.array([-way[1], way[0], 0])
    die = leaning_die(rng, make, 0, 0, away + np.pi + rng.normal(0, 0.2), lean)
    start = other.where * (1, 1, 0) + beside + die.where * (0, 0, 1)
    for reach in np.arange(0.7, 1.7, STEP):
        moved = die._replace(where=start + way * reach * make.edge)
        if apart(moved, other):
            return moved
    return None


def lean_on_wall(rng: np.random.Generator, make: DiceMake, tray: DrawnTray, lean: float) -> MadeDie:
    """Return a die that leans on a wall of the tray, or stands on its foot."""
    p, q, inward = tray.any_side(rng)
    away = np.arctan2(inward[1], inward[0]) + (np.pi if rng.random() < 0.75 else 0)
    die = leaning_die(rng, make, 0, 0, away + rng.normal(0, 0.12), lean)
    deep = float((CORNERS @ die.turn.T @ [*inward, 0]).min()) * make.edge / 2
    gap = 0.0 if rng.random() < 0.7 else rng.uniform(0, 0.06) * make.edge
    x, y = p + (q - p) * rng.uniform(0.1, 0.9) + inward * (gap - SUNK * deep)
    return die._replace(where=die.where + np.array([x, y, 0]))


def lean_some(
    rng: np.random.Generator, make: DiceMake, tray: DrawnTray, dice: Sequence[MadeDie], count: int
) -> list[MadeDie]:
    """Return the dice, so many of them leaning on the wall or on another one where that works."""
    flat, leaning = list(dice), list[MadeDie]()
    for _ in range(40 * count):
        if len(leaning) == count or not flat:
            break
        gone, rest = flat[0], flat[1:]
        lean = rng.uniform(COCKED, 24 if rng.random() < 0.5 else 44)
        on = rest[int(rng.integers(len(rest)))] if rest and rng.random() < 0.55 else None
        die = lean_on_die(rng, make, on, lean) if on else lean_on_wall(rng, make, tray, lean)
        if die is None:
            continue
        x, y = map(float, die.where[:2])
        inside = cv2.pointPolygonTest(tray.floor.astype(np.float32), (x, y), True)
        others = [each for each in (*rest, *leaning) if each is not on]
        if inside > 0.3 * make.edge and not any(overlap(die, each, 0.97) for each in others):
            flat.remove(gone)
            leaning.append(die)
    return [*flat, *leaning]
