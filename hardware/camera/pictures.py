"""Reads picture files: one, or those of a folder in their order."""

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.headers import PNG, TIFF, declared_size, is_cut_off_jpeg, is_whole_png
from hardware.camera.interface import CameraError, Frame

MAX_PIXELS = 50_000_000
"""Larger pictures are refused, because they would fill the memory of a small Pi."""

LEAST_SIDE, LONGEST_SHAPE = 24, 6
"""Limits of a picture: the fewest pixels of the shorter side, into which a die of 20 fits, and how
many times as long the longer side can be. Others show no tray and would be read as empty."""

PICTURE_SUFFIXES = {".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"}


def pictures(folder: Path) -> list[Path]:
    """Return the pictures in a folder, 2.jpg before 10.jpg. Raises CameraError without any."""
    try:
        found = [
            path
            for path in folder.iterdir()
            if path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".")
        ]
    except OSError as error:
        raise CameraError(f"{folder}: {error.strerror}") from error
    if not found:
        raise CameraError(f"{folder}: the folder holds no pictures ({_suffixes()})")
    return sorted(found, key=_natural_order)


def _suffixes() -> str:
    return ", ".join(sorted(PICTURE_SUFFIXES))


def _natural_order(path: Path) -> tuple[list[tuple[int, str]], str]:
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts], path.name


def load_picture(path: Path) -> Frame:
    """Return the picture in a file, turned as its EXIF data says; the array is read-only.

    Raises CameraError if the file is unreadable, damaged or truncated, or if its size is outside
    the limits.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CameraError(f"{path}: {error.strerror}") from error
    return decode_picture(data, str(path))


def decode_picture(data: bytes, path: str) -> Frame:
    """Decode the bytes of a picture file, as `load_picture` does; `path`: its name, for errors."""
    if not data:
        raise CameraError(f"{path}: the file is empty")
    # Before decoding, because a few bytes may declare a picture that fills the memory.
    declared = declared_size(data)
    if declared is not None:
        _check_size(path, *declared)
    if is_cut_off_jpeg(data):
        raise CameraError(f"{path}: the picture is cut off")
    if data.startswith(PNG) and not is_whole_png(data):
        raise CameraError(f"{path}: the picture is cut off or damaged")
    if declared is None:
        raise CameraError(f"{path}: no picture that can be read, or damaged ({_suffixes()} can)")
    if data.startswith(TIFF):
        # Some versions of OpenCV read fractions as whole numbers, and some don't read them.
        kept = _decode(data, cv2.IMREAD_UNCHANGED)
        if kept is not None and kept.dtype.kind == "f":
            raise CameraError(
                f"{path}: its pixels are fractions; 8 or 16 bits a colour can be read"
            )
    image = _decode(data, cv2.IMREAD_COLOR)
    if image is None:
        raise CameraError(f"{path}: no picture that can be read, or damaged ({_suffixes()} can)")
    _check_size(path, image.shape[1], image.shape[0])
    picture = np.asarray(image, dtype=np.uint8)
    picture.setflags(write=False)
    return picture


def _decode(data: bytes, flags: int) -> npt.NDArray[Any] | None:
    try:
        return cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None


def _check_size(path: str, width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise CameraError(
            f"{path}: {width} x {height} pixels are too many "
            f"(at most {MAX_PIXELS // 1_000_000} million)"
        )
    short, long = sorted((width, height))
    if short < LEAST_SIDE:
        raise CameraError(
            f"{path}: {width} x {height} pixels are too few (at least {LEAST_SIDE} each way)"
        )
    if long > LONGEST_SHAPE * short:
        raise CameraError(
            f"{path}: {width} x {height} pixels are a strip, not a picture of a tray "
            f"(at most {LONGEST_SHAPE} times as long as wide)"
        )
