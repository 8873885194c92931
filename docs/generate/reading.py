"""Draw what the reader sees in a simulated tray: `python -m docs.generate.reading OUT.jpg`."""

import sys

import cv2

from vision.dice.draw import draw_reading
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.simulate.dice.tray import SimulatedDiceTray

SEED = 9
"""A throw in which no die hides the name of another."""


def main(path: str) -> None:
    tray = SimulatedDiceTray(seed=SEED)
    tray.throw()
    while not tray.at_rest:
        tray.frame()
    picture = tray.frame()
    cv2.imwrite(path, draw_reading(picture, DiceReader(load_profile("pips")).read(picture)))


if __name__ == "__main__":
    main(*sys.argv[1:])
