"""Opens a camera by the name of its source."""

import re
from pathlib import Path

from hardware.camera.folder import FolderCamera
from hardware.camera.interface import FPS, Camera, CameraError
from hardware.camera.pi import PiCamera
from hardware.camera.pictures import PICTURE_SUFFIXES, pictures
from hardware.camera.usb import open_usb
from hardware.camera.video import VideoCamera


def open_camera(source: str, *, dwell: float | None = None, fps: float = FPS) -> Camera:
    """Open a camera. Raises CameraError.

    source: `picamera`, `usb:N` (N as in /dev/videoN), a folder of pictures, one picture, a video
    file, or `auto`, which is the first of `picamera` and `usb:0` that delivers a picture.
    fps: frames a second. USB cameras may exceed it, and videos have their own rate.
    dwell: for pictures, see `FolderCamera`.
    """
    if source == "auto":
        return _open_first(fps)
    if source == "picamera":
        return PiCamera(fps=fps)
    if match := re.fullmatch(r"usb:(\d{1,3})", source):
        return open_usb(int(match[1]), fps=fps)
    path = Path(source).expanduser()
    if path.is_dir():
        return FolderCamera(source, pictures(path), dwell=dwell, fps=fps)
    if not path.is_file():
        raise CameraError(f"{source}: no such file or folder, nor is it picamera, usb:0 or auto")
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return FolderCamera(source, [path], dwell=dwell, fps=fps)
    return VideoCamera(path)


def _open_first(fps: float) -> Camera:
    reasons = []
    for source in ("picamera", "usb:0"):
        try:
            return open_camera(source, fps=fps)
        except CameraError as error:
            reasons.append(str(error))
    raise CameraError("auto: no camera works: %(reasons)s", reasons="; ".join(reasons))
