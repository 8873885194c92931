"""USB cameras, through OpenCV."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.interface import FPS, SIZE, CameraError, Frame
from hardware.camera.opencv import next_picture

FROZEN_S = 10.0
"""Seconds after which a USB camera that gives the same picture again and again counts as frozen.

A sensor's noise makes every picture different. The Pi's camera doesn't need this limit, because a
frozen one delivers no pictures at all.
"""


def open_usb(index: int, size: tuple[int, int] = SIZE, fps: float = FPS) -> "CaptureCamera":
    """Open /dev/video`index` and wait for its first picture. Raises CameraError.

    The camera chooses the nearest `size` (width, height) and `fps` that it supports.
    """
    name, device = f"usb:{index}", Path(f"/dev/video{index}")
    if not device.exists():
        raise CameraError(
            "%(where)s: no camera is plugged in (%(device)s does not exist)",
            where=name,
            device=device,
        )
    capture = cv2.VideoCapture(index)
    if not capture.isOpened():
        raise CameraError(
            "%(where)s: %(device)s does not open: it is not a camera, or it is in use",
            where=name,
            device=device,
        )
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_FPS, fps)
    # With more than one buffer, a slow reader would get old pictures.
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    camera = CaptureCamera(name, capture)
    try:
        camera.settle()
    except CameraError:
        camera.close()
        raise
    return camera


class CaptureCamera:
    """A capture device of OpenCV, which gives up after 10 s without a picture."""

    def __init__(
        self, name: str, capture: cv2.VideoCapture, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = name
        self._capture = capture
        self._clock = clock
        self._sample: Frame | None = None
        self._changed = 0.0
        # Releasing a capture while another thread reads from it crashes.
        self._lock = threading.Lock()

    def settle(self) -> None:
        """Wait for two pictures that differ. Raises CameraError if there are none."""
        self.frame()
        first = self._changed
        while self._changed == first:
            self.frame()

    def frame(self) -> Frame:
        """Return the next frame. Raises CameraError once the camera is gone or frozen."""
        with self._lock:
            image = next_picture(self._capture)
        if image is None:
            raise CameraError(
                "%(where)s: no picture came; has the camera been unplugged?", where=self.name
            )
        # An eighth of the rows is enough to see the noise of a sensor.
        sample, now = image[::8], self._clock()
        if self._sample is None or not np.array_equal(sample, self._sample):
            self._sample, self._changed = sample.copy(), now
        elif now - self._changed > FROZEN_S:
            raise CameraError(
                "%(where)s: the same picture for %(seconds)s s; is it frozen, or covered?",
                where=self.name,
                seconds=f"{FROZEN_S:g}",
            )
        return image

    def close(self) -> None:
        """Release the camera, after a `frame` call in another thread has returned."""
        with self._lock:
            self._capture.release()
