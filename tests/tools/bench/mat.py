"""How dice are read on the mats of docs/build, against plain felt: make bench BENCHES=mat

The mat is laid on the floor of the simulated tray, under the same light, and five dice are thrown
on it again and again, by seeds: from several heights, under several lamps.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from docs.generate.mats import MATS, PAPERS, Mat, painted
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.simulate.dice.art import DiceKind
from vision.simulate.dice.tray import SimulatedDiceTray
from vision.simulate.settings import RenderSettings

THROWS = 12
DICE = 5
WHITE, BLACK = (222, 236, 240), (30, 26, 28)
DARK, IVORY = (58, 40, 34), (208, 234, 240)


class Dice(NamedTuple):
    """Dice as a simulated tray throws them, and the profile that reads them."""

    name: str
    kind: DiceKind
    profile: str
    body: tuple[int, int, int]
    ink: tuple[int, int, int]


DICES = (
    Dice("white dice with pips", "pips", "pips", WHITE, BLACK),
    Dice("dark dice with pips", "pips", "pips", DARK, IVORY),
    Dice("white dice with our symbols", "symbols", "print", WHITE, BLACK),
)


def looks(dice: Dice, edge: float) -> Iterator[RenderSettings]:
    """Cameras from 29 to 41 cm, lamps from all sides, more and less diffuse."""
    width, height = PAPERS["a4"]
    for number in range(THROWS):
        yield RenderSettings(
            dice_colour=dice.body,
            ink_colour=dice.ink,
            floor=(width / 10, height / 10),
            edge=edge / 10,
            height=(29.0, 33.0, 37.0, 41.0)[number % 4],
            tilt=(0.0, 4.0, 8.0)[number % 3],
            turn=(0.0, 3.0, -4.0, 1.0, -2.0)[number % 5],
            light=(number * 47.0 % 360, (35.0, 50.0, 65.0)[number // 3 % 3]),
            ambient=(0.4, 0.55, 0.7)[number // 2 % 3],
            noise=3.0,
        )


def on_mat(dice: Dice, look: RenderSettings, mat: Mat | None, seed: int) -> SimulatedDiceTray:
    """A tray with a mat on its floor."""
    sheet = None if mat is None else painted(mat, "a4").astype(np.uint8)
    tray = SimulatedDiceTray(dice.kind, seed=seed, settings=look, mat=sheet)
    tray.throw()
    # Where they come to rest is known already.
    tray.place(tray.dice)
    return tray


class Score(NamedTuple):
    """Dice thrown, found where they lay, read right, sure of, and sure though wrong."""

    thrown: int
    found: int
    right: int
    sure: int
    wrong: int
    extra: int


def score(dice: Dice, edge: float, mat: Mat | None) -> Score:
    """Read `THROWS` throws of dice of `edge` millimetres."""
    reader = DiceReader(load_profile(dice.profile))
    sums: Counter[str] = Counter()
    for seed, look in enumerate(looks(dice, edge)):
        tray = on_mat(dice, look, mat, seed)
        read = list(reader.read(tray.frame()).dice)
        for face, (x, y), size in zip(tray.faces, tray.centres, tray.sizes, strict=True):
            near = [d for d in read if np.hypot(d.x - x, d.y - y) < size / 2]
            sums["thrown"] += 1
            if near:
                die = near[0]
                read.remove(die)
                sums["found"] += 1
                sums["right"] += die.face == face
                sums["sure"] += die.sure
                sums["wrong"] += die.sure and die.face != face
        sums["extra"] += len(read)
    return Score(**{field: sums[field] for field in Score._fields})


def main() -> None:
    print(f"{THROWS} throws of {DICE} dice of 16 mm each, an A4 mat in the simulated tray\n")
    print("| dice | mat | found | read right | sure | sure and wrong | not dice, taken for dice |")
    print("|---|---|---|---|---|---|---|")
    for dice in DICES:
        for mat in (None, *MATS):
            s = score(dice, 16.0, mat)
            print(
                f"| {dice.name} | {mat.name if mat else 'green felt, no mat'} | {s.found} of "
                f"{s.thrown} | {s.right} ({s.right / s.thrown:.1%}) | {s.sure} | {s.wrong} | "
                f"{s.extra} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
