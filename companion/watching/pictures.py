"""Makes small JPEGs for pages, which phones show while the table goes on."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.table.table import Table
from companion.watching.watcher import Watcher
from vision.reading import Reading

Image = npt.NDArray[np.uint8]

WIDTH = 640
"""Pixels of a live view: more than a phone shows, and little work for a small Pi."""
QUALITY = 70
"""Of its JPEG."""

DIE_WIDTH = 160
"""Pixels of the picture of a single die."""
DIE_SHARE = 1.6
"""Its width in edges of the die."""


def small_jpeg(frame: Image) -> bytes:
    """Return a JPEG of a frame, at most WIDTH pixels wide."""
    return cv2.imencode(".jpg", shrunk(frame), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def shrunk(frame: Image) -> Image:
    """Return a frame at most WIDTH pixels wide."""
    height, width = frame.shape[:2]
    if width <= WIDTH:
        return frame
    size = (WIDTH, max(1, round(height * WIDTH / width)))
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)


def scaled(reading: Reading, scale: float) -> Reading:
    """Return a reading whose places fit a frame scaled so."""
    dice = tuple(
        replace(die, x=die.x * scale, y=die.y * scale, size=die.size * scale)
        for die in reading.dice
    )
    return replace(reading, dice=dice)


def die_jpeg(table: Table, watcher: Watcher | None, number: int) -> bytes | None:
    """Return a die of the table as the camera saw it, by its number (0-4); None if it did not."""
    view = table.view()
    dice = view.tray.counted or view.tray.dice
    frame = watcher.read_frame if watcher else None
    place = dice[number].place if 0 <= number < len(dice) else None
    if frame is None or place is None:
        return None
    half = round(DIE_SHARE / 2 * place.size)
    x, y = round(place.x), round(place.y)
    cut = frame[max(0, y - half) : y + half, max(0, x - half) : x + half]
    if not cut.size:
        return None
    done, coded = cv2.imencode(".jpg", cv2.resize(cut, (DIE_WIDTH, DIE_WIDTH)))
    return coded.tobytes() if done else None
