"""Leave nothing of a picture but dice and tray, so that it can be given to others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.find.detector import INSIDE, Detections
from vision.dice.find.finder import DiceFinder
from vision.dice.reading import Die
from vision.imaging.geometry import Image
from vision.imaging.pyramid import build_pyramid

GREY = 118
"""Grey level of all that is taken out."""
MOST_SIDE = 1640
"""Pixels of the longer side, at most."""
_OBSTACLE = 0.3
"""Probability from which a cell counts as a hand or another thing."""
_AROUND = 0.85
"""Edges around a die's centre that are kept in any case: the die as a whole."""
_MOST_OBSTACLE = 0.5
"""Faces of dice that hands and other things may seem to cover; they are taken out."""


@dataclass(frozen=True, slots=True)
class RedactedPicture:
    """A part of a picture, with all but dice and tray painted grey."""

    image: Image
    """The part, BGR (H, W, 3)."""
    dice: tuple[Die, ...]
    """The dice given, where they lie in it."""


class TrayRedactor:
    """Redacts pictures with the networks that find dice. Not for two threads at a time."""

    def __init__(self) -> None:
        self._finder = DiceFinder()

    def redact(self, image: Image, dice: Sequence[Die]) -> RedactedPicture | None:
        """Return dice and tray of a picture, BGR (H, W, 3), in which these dice were read.

        None without dice, and where a hand or another thing lies over the tray.
        """
        if not dice:
            return None
        look = self._finder.find(build_pyramid(image)).detections
        edge = float(np.median([die.size for die in dice]))
        if look.obstacle_area(edge) > _MOST_OBSTACLE:
            return None
        kept = _kept_mask(look, dice, image.shape[:2])
        x, y, width, height = cv2.boundingRect(kept)
        part = np.where(kept[..., None] > 0, image, np.uint8(GREY))[y : y + height, x : x + width]
        scale = min(1.0, MOST_SIDE / max(width, height))
        if scale < 1:
            size = round(width * scale), round(height * scale)
            part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        there = (
            replace(die, x=(die.x - x) * scale, y=(die.y - y) * scale, size=die.size * scale)
            for die in dice
        )
        return RedactedPicture(np.ascontiguousarray(part), tuple(there))


def _kept_mask(look: Detections, dice: Sequence[Die], size: tuple[int, ...]) -> Image:
    """Return 1 for the pixels of the tray and the dice, (H, W), 0 for all others."""
    height, width = size
    kept = np.zeros((height, width), np.uint8)
    # A tray is convex, and no wall of it is beyond its cells.
    cells = cv2.findNonZero((look.tray > INSIDE).astype(np.uint8))
    if cells is not None:
        corners = (np.asarray(cells, np.float32).reshape(-1, 2) + 0.5) * look.cell
        cv2.fillConvexPoly(kept, cv2.convexHull(np.round(corners).astype(np.int32)), 1)
    kept[_enlarge(look.obstacle > _OBSTACLE, look.cell, height, width) > 0] = 0
    for die in dice:
        centre = round(die.x), round(die.y)
        cv2.circle(kept, centre, max(1, round(_AROUND * die.size)), 1, cv2.FILLED)
    return kept


def _enlarge(cells: npt.NDArray[np.bool_], cell: float, height: int, width: int) -> Image:
    """Return a mask of cells (h, w) in pixels (H, W), a cell wider on each side."""
    wider = cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8))
    matrix = np.array([[cell, 0, (cell - 1) / 2], [0, cell, (cell - 1) / 2]])
    return np.asarray(
        cv2.warpAffine(wider, matrix, (width, height), flags=cv2.INTER_NEAREST), np.uint8
    )
