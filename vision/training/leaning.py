"""Lay dice that lean: in true contact with what they lean on, several in one throw."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.training.cubes import COCKED, CORNERS
from vision.training.trays.dice import DiceMake, MadeDie, leaning_die, overlap
from vision.training.trays.tray import DrawnTray

STEP = 0.02  # edges by which a die is moved until it touches
SUNK = 0.985  # of their size that dice keep apart: their edges are rounded


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
