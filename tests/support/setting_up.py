"""A camera, an inspector and a set-up without pictures, as far as pages see them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from sites import Site

from companion.camera.camera_lock import CameraLock
from companion.camera.empty_tray import EmptyTray
from companion.camera.frames import SharedCamera
from companion.camera.setup_store import SetupStore
from companion.camera.workers import FrameWorkers
from companion.setup.aiming import CameraSetup, Inspection, TrayInspector
from vision.dice.reading import DiceReading, TrayVerdict

HELD = {"ExposureTime": 20_000, "ColourGains": [1.9, 1.6]}


class Camera:
    """A camera that gives numbered pictures, and notes what it is told."""

    name = "picamera"

    def __init__(self) -> None:
        self.told: list[object] = []
        self.number = 0
        self.fault = ""

    def frame(self) -> np.ndarray:
        if self.fault:
            raise OSError(self.fault)
        self.number += 1
        return np.full((48, 64, 3), self.number % 256, np.uint8)

    def close(self) -> None:
        self.told.append("close")

    def lock(self) -> Mapping[str, Any]:
        self.told.append("lock")
        return HELD

    def hold(self, held: Mapping[str, Any]) -> None:
        self.told.append(held)

    def release(self, hertz: int) -> None:
        self.told.append(hertz)


class Inspector(TrayInspector):
    """Inspects frames as it is told."""

    def __init__(self) -> None:
        self.inspected: list[int] = []
        """How bright the brightest pixel of each inspected frame was."""
        self.dice = 5

    def inspect(self, frame: np.ndarray) -> Inspection:
        self.inspected.append(int(frame.max()))
        return Inspection(self.dice, self.dice, (), DiceReading(TrayVerdict.OK, ()))

    def unload(self) -> None:
        """Nothing to free."""

    def jpeg(
        self,
        frame: np.ndarray,
        inspection: Inspection | None = None,
        names: Mapping[str, str] | None = None,
    ) -> bytes:
        self.names = names
        return bytes([int(frame[0, 0, 0])])


class SetUp:
    """A table with a set-up, and the host's phone."""

    def __init__(self, site: Site, folder: Path, shared: SharedCamera) -> None:
        self.folder, self.shared, self.workers = folder, shared, FrameWorkers()
        self.site = site
        self.lock, self.tray = self.another_lock(), self.another_tray()
        self.inspector = Inspector()
        self.setup = CameraSetup(self.site.table, shared, self.lock, self.tray, self.inspector)
        self.setup.listeners.add(self.site.streams.notify)
        self.site.furnish(setup=self.setup)

    def another_lock(self) -> CameraLock:
        return CameraLock(self.shared, SetupStore(self.folder))

    def another_tray(self) -> EmptyTray:
        return EmptyTray(self.folder / "tray.png", self.workers)

    def close(self) -> None:
        self.site.journal.close()
        self.workers.close()

    def press(self, path: str, **fields: object):
        return self.site.host.post(path, **fields)
