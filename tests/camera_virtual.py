"""Runs the Pi camera's adapter unchanged on the real picamera2 and libcamera, without a camera.

libcamera has a virtual camera that plays JPEG files, in Debian 13. What picamera2 expects of a Pi
beyond it (its display library, its memory, its clock) is supplied here, none of it by the adapter.
No part of the test suite: it overwrites the virtual camera's settings in /usr/share/libcamera. Run
it as root in a Debian 13 made for it, as docs/hardware.md says:

    PYTHONPATH=. python tests/camera_virtual.py
"""

import fcntl
import os
import queue
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import cv2
import libcamera
import numpy as np

sys.modules.setdefault("pykms", MagicMock())  # of the screen, for a preview that nobody opens

import picamera2.allocators.dmaallocator as dma  # noqa: E402
import picamera2.picamera2 as implementation  # noqa: E402
from picamera2.dma_heap import UniqueFD  # noqa: E402

from hardware.camera import CameraError, PiCamera  # noqa: E402

SETTINGS = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
FRAME_PERIOD = 1 / 30
COLOURS = {"blue": (255, 0, 0), "green": (0, 255, 0), "red": (0, 0, 255), "grey": (128, 128, 128)}

_generate_configuration = libcamera.Camera.generate_configuration
_start = libcamera.Camera.start
_stop = libcamera.Camera.stop
_queue_request = libcamera.Camera.queue_request


def generate_configuration(camera, roles):
    """The virtual camera knows no raw stream; picamera2 insists on asking for one."""
    raw, viewfinder = libcamera.StreamRole.Raw, libcamera.StreamRole.Viewfinder
    return _generate_configuration(camera, [viewfinder if role == raw else role for role in roles])


class SharedMemory:
    """Instead of /dev/dma_heap, which only a Pi's kernel has."""

    isValid = True  # noqa: N815

    def alloc(self, name, size):
        descriptor = os.memfd_create(name)
        os.ftruncate(descriptor, size)
        return UniqueFD(descriptor)

    def close(self):
        pass


class TwoPlaneAllocator(dma.DmaAllocator):
    """Splits each NV12 buffer in its planes; the virtual camera aborts if it finds only one."""

    def allocate(self, libcamera_config, use_case):
        super().allocate(libcamera_config, use_case)
        for stream in libcamera_config:
            buffers = self.frame_buffers[stream.stream]
            for index, whole in enumerate(buffers):
                buffers[index] = self._split(whole, stream)

    def _split(self, whole, stream):
        luma = stream.stride * stream.size.height
        shared = whole.planes[0].fd
        planes = []
        for offset, length in ((0, luma), (luma, stream.frame_size - luma)):
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = shared, offset, length
            planes.append(plane)
        split = libcamera.FrameBuffer(planes)
        self.mapped_buffers[split] = self.mapped_buffers.pop(whole)
        self.libcamera_fds.remove(shared)
        del self.mapped_buffers_used[shared]
        self.libcamera_fds.append(split.planes[0].fd)
        self.mapped_buffers_used[split.planes[0].fd] = False
        return split


class Clock(threading.Thread):
    """Hands requests to the camera one a frame: by itself it fills them the moment they come."""

    running: "Clock | None" = None

    def __init__(self, camera):
        super().__init__(daemon=True)
        self.camera = camera
        self.requests = queue.SimpleQueue()
        self.kept = []
        self.frozen = threading.Event()

    def run(self):
        while (request := self.requests.get()) is not None:
            # Requests must not be freed before the camera has stopped.
            self.kept.append(request)
            time.sleep(FRAME_PERIOD)
            if not self.frozen.is_set():
                _queue_request(self.camera, self.kept.pop())


def start(camera, *controls):
    """Starts the camera and its clock."""
    _start(camera, *controls)
    Clock.running = Clock(camera)
    Clock.running.start()


def queue_request(camera, request):
    """Leaves the request to the clock."""
    Clock.running.requests.put(request)


def stop(camera):
    """Stops the clock, then the camera; only now may the clock let go of its requests."""
    Clock.running.requests.put(None)
    Clock.running.join()
    _stop(camera)
    Clock.running = None


def prepare():
    """Puts all of it in place, with a picture of each colour for the camera to play."""
    folder = Path(tempfile.mkdtemp())
    for number, colour in enumerate(COLOURS.values()):
        cv2.imwrite(str(folder / f"{number}.jpg"), np.full((616, 820, 3), colour, np.uint8))
    SETTINGS.parent.mkdir(parents=True, exist_ok=True)
    SETTINGS.write_text(
        '"Virtual0":\n  supported_formats:\n  - {width: 820, height: 616, frame_rates: [30, 30]}\n'
        f'  frames:\n    path: "{folder}/"\n  location: "CameraLocationFront"\n  model: "Virtual"\n'
    )
    dma.DmaHeap = SharedMemory
    dma.fcntl = SimpleNamespace(**{**vars(fcntl), "ioctl": lambda *_: 0})
    implementation.DmaAllocator = TwoPlaneAllocator
    libcamera.Camera.generate_configuration = generate_configuration
    libcamera.Camera.start, libcamera.Camera.stop = start, stop
    libcamera.Camera.queue_request = queue_request


def seen(camera, frames):
    """The names of the colours in the next frames."""
    names = set()
    for _ in range(frames):
        frame = camera.frame()
        assert frame.shape == (616, 820, 3), frame.shape
        mean = frame.reshape(-1, 3).mean(axis=0)
        names.add(min(COLOURS, key=lambda name: float(np.abs(mean - COLOURS[name]).sum())))
    return names


def complaint(action):
    """The line with which the action fails."""
    try:
        action()
    except CameraError as error:
        return str(error)
    raise AssertionError("no error")


def main():
    prepare()
    camera = PiCamera()
    names = seen(camera, 60)
    assert names == set(COLOURS), names
    print("every picture is seen in its colours")

    line = complaint(PiCamera)
    assert "in use" in line, line
    print("a camera in use:", line)
    camera.close()
    camera.close()
    line = complaint(camera.frame)
    print("a closed camera:", line)

    camera = PiCamera(timeout=1)
    assert seen(camera, 5)
    print("opened again after closing")

    Clock.running.frozen.set()
    line = complaint(lambda: seen(camera, 20))
    assert "no picture for 1 s" in line, line
    print("a frozen camera:", line)
    camera.close()

    camera = PiCamera()
    assert seen(camera, 5)
    camera.close()
    print("opened again after freezing")


if __name__ == "__main__":
    main()
