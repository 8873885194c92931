"""Keeps a small picture of each accepted roll and corrected card, to watch a finished game again.

The dice are cut out at once, since the next frame may show a hand; coding and writing them has its
own thread, so that no press waits for the disk.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from companion.base.whole_file import read_whole
from companion.base.worker import JobWorker, WorkerThread
from companion.camera.pictures import DIE_SHARE
from companion.table.surface.dice.state import DICE, Place
from vision.imaging.geometry import Image

CELL = 72
"""Pixels of a die; the dice of a roll are side by side in one picture."""

QUALITY = 70
"""Of the JPEG. A roll takes 3 to 5 kB."""

PER_GAME = 1_000_000
"""Bytes for one game, more than 200 rolls; later ones are not kept."""

TOTAL = 20_000_000
"""Bytes for all games; the oldest games' pictures are dropped for those of a new one."""

FELT = (58, 80, 20)
"""The colour (BGR) where a die lay beside the tray."""

WAITING = 64
"""Rolls that may wait for a slow disk, 60 kB each in memory; more are not kept."""

SHOWN_S = 0.2
"""How long a picture waits before it is saved: by then, every page shows the roll."""


class RollPictures(JobWorker):
    """The pictures of one table's rolls, in a folder for each game."""

    def __init__(
        self,
        folder: Path,
        frame: Callable[[], Image | None],
        per_game: int = PER_GAME,
        total: int = TOTAL,
    ) -> None:
        """Prepare the thread.

        frame: returns the frame that was read last; per_game, total: the most bytes to keep.
        """
        super().__init__("roll pictures")
        self._folder, self._frame = folder, frame
        self._per_game, self._total = per_game, total

    def keep(self, game: int, move: int, places: Sequence[Place | None]) -> None:
        """Keep the dice that a roll accepted, as they lie now; returns at once.

        It replaces pictures of this move and of later ones: they were undone, or are of an earlier
        game with the same number.
        """
        frame = self._frame()
        cuts = [] if frame is None else [_cut(frame, place) for place in places]
        if self.waiting < WAITING:
            seen = any(cut is not None for cut in cuts)
            self.add(lambda: self._save(game, move, side_by_side(cuts) if seen else b""))

    def keep_card(self, game: int, entry: int, card: Image | None) -> None:
        """Keep a card that an entry of the story corrected, in place of a roll; returns at once.

        card: None if its picture is gone.
        """
        if card is not None and self.waiting < WAITING:
            quality = [cv2.IMWRITE_JPEG_QUALITY, QUALITY]
            self.add(
                lambda: self._save(game, entry, cv2.imencode(".jpg", card, quality)[1].tobytes())
            )

    def picture(self, game: int, move: int) -> bytes | None:
        """Return the picture of a roll, or of a corrected card (JPEG), or None."""
        with suppress(OSError):
            return read_whole(self._path(game, move))
        return None

    def catch_up(self, thread: WorkerThread) -> bool:
        """Save the next picture."""
        if self.waiting:
            thread.wait(SHOWN_S)
        return super().catch_up(thread)

    def _save(self, game: int, move: int, jpeg: bytes) -> None:
        path = self._path(game, move)
        for old in path.parent.glob("*.jpg"):
            if not old.stem.isdecimal() or int(old.stem) >= move:
                old.unlink()
        if not jpeg:
            return
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, mode=0o700)
            self._make_room(path.parent)
        if (
            sum(old.stat().st_size for old in path.parent.glob("*.jpg")) + len(jpeg)
            > self._per_game
        ):
            return
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(jpeg)

    def _make_room(self, new: Path) -> None:
        """Drop the oldest games until a new one may take all that a game may."""
        games = sorted(
            (each for each in self._folder.iterdir() if each.is_dir() and each != new),
            key=lambda each: each.stat().st_mtime,
            reverse=True,
        )
        room = self._total - self._per_game
        for game in games:
            room -= sum(picture.stat().st_size for picture in game.iterdir())
            if room < 0:
                shutil.rmtree(game)

    def _path(self, game: int, move: int) -> Path:
        return self._folder / str(game) / f"{move}.jpg"


def side_by_side(cuts: Sequence[Image | None]) -> bytes:
    """Return dice side by side as a JPEG; a die without a picture leaves its place empty."""
    strip: Image = np.full((CELL, CELL * DICE, 3), FELT, np.uint8)
    for number, cut in enumerate(cuts[:DICE]):
        if cut is not None:
            shown = cv2.resize(cut, (CELL, CELL), interpolation=cv2.INTER_AREA)
            strip[:, CELL * number : CELL * (number + 1)] = shown
    return cv2.imencode(".jpg", strip, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def _cut(frame: Image, place: Place | None) -> Image | None:
    """Return a copy of a die and a little around it; None if its place is unknown."""
    if place is None:
        return None
    side = max(1, round(DIE_SHARE * place.size))
    # At an edge of the frame, its last pixels are repeated.
    return np.asarray(cv2.getRectSubPix(frame, (side, side), (place.x, place.y)), np.uint8)
