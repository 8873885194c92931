"""A video file, played as a camera."""

import os
import threading
from pathlib import Path

import cv2

from hardware.camera.interface import FPS, CameraError, Frame
from hardware.camera.opencv import next_picture
from hardware.camera.pace import Pace


class VideoCamera:
    """Plays a video file at its frame rate, and starts again after its end."""

    def __init__(self, path: Path) -> None:
        """Open the file. Raises CameraError if it contains no video."""
        self.name = str(path)
        self._path = path
        self._capture = open_video(path)
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._pace = Pace(plausible_rate(fps))
        self._lock = threading.Lock()

    def frame(self) -> Frame:
        """Return the next frame. Raises CameraError if the file was removed or damaged."""
        self._pace.wait()
        with self._lock:
            image = next_picture(self._capture)
            if image is None:
                self._capture.release()
                self._capture = open_video(self._path)
                image = next_picture(self._capture)
        if image is None:
            raise CameraError(f"{self.name}: holds no picture that can be read")
        return image

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._capture.release()


def plausible_rate(fps: float) -> float:
    """Return the frame rate that a video declares, or `FPS` if it can't be right."""
    return fps if 1 <= fps <= 240 else FPS


def open_video(path: Path) -> cv2.VideoCapture:
    """Open a video file. Raises CameraError if it contains no video."""
    # FFmpeg would print its errors to standard error, in addition to ours.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # So would OpenCV's own reader, which is tried after FFmpeg.
    has_ffmpeg = cv2.CAP_FFMPEG in cv2.videoio_registry.getStreamBackends()
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG if has_ffmpeg else cv2.CAP_ANY)
    if not capture.isOpened():
        raise CameraError(f"{path}: neither a picture nor a video that can be read")
    return capture
