"""Teach the profile of the dice to print: `python -m vision.training.print_profile OUT.dice`.

From drawn scenes of paper dice and of stickers on white ones; then reads throws of them and prints
how many dice are read right, and how many of those that are sure are wrong.
"""

import sys
from pathlib import Path

import cv2
import numpy as np

from vision.dice.profile import save_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import FACES
from vision.dice.teach import ProfileTrainer, build_profile
from vision.simulate.dice.art import ART, draw_face
from vision.training.drawing import near
from vision.training.trays.art import TEXTURE
from vision.training.trays.dice import DiceMake, draw_make
from vision.training.trays.scenes import draw_scene

SEED = 16
MARGINS = (0.06, 0.12, 0.16)  # of the art on paper dice, and of stickers smaller than the die
EACH, THROWS = 2, 25
ICONS = np.zeros((1, TEXTURE, TEXTURE), np.uint8)


def make_of(rng: np.random.Generator, margin: float) -> DiceMake:
    """White or cream dice, printed black and matt."""
    art = np.stack([draw_face(shapes, TEXTURE, margin) for shapes in ART["symbols"]])
    art[::2] = art[::2, ::-1]  # the sides of `trays` that face along an axis show art mirrored
    make = draw_make(rng, art, rng.uniform(1.55, 1.95))
    make.body = near(rng, (0.86, 0.93, 0.95), 0.03)
    make.ink = near(rng, (0.08, 0.08, 0.08), 0.03)
    make.grain, make.engraved, make.shine = 0.0, 0.0, rng.uniform(0, 0.15)
    return make


def main() -> None:
    """Draw, teach, check and write the profile."""
    cv2.setNumThreads(1)
    rng, teacher = np.random.default_rng(SEED), ProfileTrainer()
    pictures: dict[str, list[np.ndarray]] = {}
    for number, face in enumerate(FACES):
        pictures[face] = []
        for margin in MARGINS:
            good = 0
            while good < EACH:
                scene = draw_scene(rng, ICONS, make_of(rng, margin), number)
                shown = teacher.crop(scene.image)
                picture = shown.picture
                usable = shown.flaw is None and scene.truths[0].seen > 0.9
                if picture is not None and usable:
                    pictures[face].append(picture)
                    good += 1
    profile = build_profile("print", pictures, "print")
    check = teacher.check(profile)
    print(f"left out one by one, {check.accuracy:.1%} are told right; alike: {check.confused}")
    save_profile(profile, Path(sys.argv[1]))
    reader = DiceReader(profile)
    dice = right = sure = wrong = 0
    for _ in range(THROWS):
        scene = draw_scene(rng, ICONS, make_of(rng, float(rng.choice(MARGINS))))
        for die in reader.read(scene.image).dice:
            there = [t for t in scene.truths if np.hypot(t.x - die.x, t.y - die.y) < die.size / 3]
            if there and there[0].seen > 0.75 and not there[0].cocked:
                hit = FACES[there[0].face] == die.face
                dice, right = dice + 1, right + hit
                sure, wrong = sure + die.sure, wrong + (die.sure and not hit)
    print(f"{right} of {dice} dice right; {sure} sure, of these wrong: {wrong}")


if __name__ == "__main__":
    main()
