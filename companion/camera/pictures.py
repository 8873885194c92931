"""Makes small JPEGs for pages, which phones show while the table goes on."""

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.base.whole_file import read_whole
from companion.camera.pile_reader import PileReader
from companion.camera.watcher import Watcher
from companion.table.table import Table
from vision.dice.reading import DiceReading
from vision.imaging.geometry import Image

MOST_CORRECTIONS = 200
"""How many pictures of corrected dice are kept: those of an evening, in about a megabyte."""

_log = logging.getLogger(__name__)

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


def scale_reading(reading: DiceReading, scale: float) -> DiceReading:
    """Return a reading whose places fit a frame scaled so."""
    dice = tuple(
        replace(die, x=die.x * scale, y=die.y * scale, size=die.size * scale)
        for die in reading.dice
    )
    return replace(reading, dice=dice)


def die_jpeg(table: Table, watcher: Watcher | None, number: int) -> bytes | None:
    """Return a die of the table as the camera saw it, by its number (0-4); None if it did not."""
    view = table.view()
    dice = view.tray.counted or view.tray.cocked or view.tray.dice
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


def card_jpeg(
    table: Table, piles: PileReader, kept: Callable[[int, int], bytes | None], game: int, entry: int
) -> bytes | None:
    """Return a card that players corrected as the camera saw it; None if it is gone.

    kept: returns what was kept of it; entry: that of the story which corrected it, from 1.
    """
    view = table.view()
    said = view.story[entry - 1 : entry] if view.game_number == game and entry else ()
    picture = piles.picture(getattr(said[0], "picture", 0)) if said else None
    return kept(game, entry) if picture is None else cv2.imencode(".jpg", picture)[1].tobytes()


class CorrectionPictures:
    """Pictures of the dice whose reading players changed, in a folder; the oldest are dropped."""

    def __init__(self, folder: Path, take: Callable[[int], bytes | None]) -> None:
        """`take`: returns the picture of a die as it lies now (JPEG), by its number."""
        self._folder = folder
        self._take = take

    def keep(self, game: int, move: int, die: int) -> None:
        """Keep the picture of a die as it lies now. A full disk must not stop the game."""
        jpeg = self._take(die)
        if jpeg is None:
            return
        try:
            self._folder.mkdir(exist_ok=True, mode=0o700)
            path = self._path(game, move, die)
            # Opening a pipe that lies there would wait for ever.
            path.unlink(missing_ok=True)
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(jpeg)
            kept = sorted(self._folder.glob("*.jpg"), key=lambda each: each.lstat().st_mtime)
            for old in kept[:-MOST_CORRECTIONS]:
                old.unlink()
        except OSError as error:
            _log.warning("%s: a die's picture can't be kept: %s", self._folder, error)

    def picture(self, game: int, move: int, die: int) -> bytes | None:
        """Return a picture that was kept, or None."""
        with suppress(OSError):
            return read_whole(self._path(game, move, die))
        return None

    def _path(self, game: int, move: int, die: int) -> Path:
        return self._folder / f"{game}-{move}-{die}.jpg"
