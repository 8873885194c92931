"""Knows how the tray looks without dice, until the camera moves."""

import logging
import threading
import time
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

import cv2

from companion.base.listeners import Listeners
from companion.camera.setup_store import note_files, save_whole
from companion.camera.workers import FrameWorkers
from hardware.camera.interface import CameraError
from hardware.camera.pictures import load_picture
from vision.camera_shift import has_camera_moved
from vision.imaging.geometry import Image

DOUBTS = 4
"""Frames in a row that must show the camera moved before the empty tray is forgotten."""

_log = logging.getLogger(__name__)


class EmptyTrayState(StrEnum):
    """What is known of the tray without dice."""

    UNKNOWN = "unknown"
    KNOWN = "known"
    MOVED = "moved"
    """It was known, but the camera has moved since."""


class EmptyTray:
    """The picture of the tray without dice, kept in a file. Any thread may call."""

    def __init__(self, path: Path, workers: FrameWorkers) -> None:
        """Load the picture at `path`, a PNG, if there is one that can be read."""
        self._path, self._workers = path, workers
        self._lock = threading.Lock()
        self.listeners = Listeners()
        """Told after every change."""
        self._picture = _load(path)
        self._moved = False
        self._doubts = 0
        self._kept_at = 0

    @property
    def picture(self) -> Image | None:
        """The tray without dice, BGR; None while that is not known."""
        return self._picture

    @property
    def state(self) -> EmptyTrayState:
        """Whether it is known, and if not, why."""
        if self._picture is not None:
            return EmptyTrayState.KNOWN
        return EmptyTrayState.MOVED if self._moved else EmptyTrayState.UNKNOWN

    @property
    def time_kept(self) -> int:
        """When the picture was kept, in nanoseconds since 1970; 0: before this start."""
        return self._kept_at

    def matching(self, frame: Image) -> Image | None:
        """Return the empty tray to compare `frame` with; None if it was seen from elsewhere.

        Once the camera has moved, the picture is forgotten.
        """
        tray = self._picture
        if tray is None or tray.shape != frame.shape:
            return None
        if not has_camera_moved(tray, frame):
            self._doubts = 0
            return tray
        # A single frame may be full of hands.
        self._doubts += 1
        if self._doubts == DOUBTS:
            _log.info("the camera has moved: the picture of the empty tray is forgotten")
            self._drop(moved=True)
        return None

    def keep(self, frame: Image) -> None:
        """Take `frame` for the empty tray from now on. Raises Refused, with nothing changed."""
        png = self._workers.encode(lambda: cv2.imencode(".png", frame)[1].tobytes())
        save_whole(self._path, png)
        with self._lock:
            self._picture, self._moved, self._doubts = frame, False, 0
            self._kept_at = time.time_ns()
        self.listeners.tell()

    def forget(self) -> None:
        """Read without it from now on."""
        self._drop(moved=False)

    def _drop(self, *, moved: bool) -> None:
        with self._lock:
            with suppress(OSError):
                self._path.unlink()
            note_files(self._path.parent)
            self._picture, self._moved = None, moved
        self.listeners.tell()


def _load(path: Path) -> Image | None:
    if not path.is_file():
        # Reading from what is no file could wait for ever.
        _log.info("the empty tray is not known yet")
        return None
    try:
        return load_picture(path)
    except CameraError as error:
        _log.warning("%s; the empty tray is not known", error)
        return None
