"""Draw the art on the dice: pips, and six symbols of our own, in a square of 100 x 100."""

from pathlib import Path
from typing import Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulate.shapes import Drawing, draw_shapes, read_drawings

DiceKind = Literal["pips", "symbols"]
"""What is on the dice."""

_DRAWINGS = read_drawings(Path(__file__).with_name("drawings.toml"))

ART: dict[DiceKind, tuple[Drawing, ...]] = {
    kind: tuple(_DRAWINGS[kind].values()) for kind in get_args(DiceKind)
}
"""For each kind of dice the six faces in the order of FACES."""

MARGIN: dict[DiceKind, float] = {"pips": 0.04, "symbols": 0.125}
"""What stays bare at each side of a face, as a share of the die's edge."""

_FINE = 4
"""Pixels drawn for each that is returned."""


def draw_face(shapes: Drawing, pixels: int, margin: float = 0.0) -> NDArray[np.float32]:
    """Return the ink of a face, (pixels, pixels), 0 bare to 1 painted; margin: share of an edge."""
    fine = pixels * _FINE
    ink = np.zeros((fine, fine), np.uint8)
    edge = fine * margin
    draw_shapes(ink, shapes, fine * (1 - 2 * margin) / 100, (edge, edge), (0,), (255,))
    small = cv2.resize(ink, (pixels, pixels), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)
