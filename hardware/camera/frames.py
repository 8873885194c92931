"""Every frame of a folder or a video, one after another and without delay."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import cv2

from hardware.camera.interface import FPS, CameraError, Frame
from hardware.camera.opencv import next_picture
from hardware.camera.pictures import PICTURE_SUFFIXES, load_picture, pictures
from hardware.camera.video import open_video, plausible_rate


def frames(path: Path) -> Iterator[tuple[int, Frame]]:
    """Yield every frame of a folder or a video once, with its number, without delay.

    Frames of a folder take the numbers in their names if these are complete and unique. Otherwise
    they are counted from 0, as in a video. Raises CameraError if a frame can't be read, and at the
    end of a truncated video.
    """
    if path.is_dir():
        found = pictures(path)
        for number, picture in zip(_numbers(found), found, strict=True):
            yield number, load_picture(picture)
        return
    capture = _open_frames(path)
    try:
        number = -1
        while (image := next_picture(capture)) is not None:
            number += 1
            yield number, image
        if number < 0:
            raise CameraError(f"{path}: holds no picture that can be read")
        _check_end(path, capture, number + 1)
    finally:
        capture.release()


def _check_end(path: Path, capture: cv2.VideoCapture, shown: int) -> None:
    """Raise CameraError if a video ended clearly before its declared end."""
    declared = round(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    # It can be computed from the duration, and the sound can outlast the last frame.
    inexact = min(declared / 10, plausible_rate(capture.get(cv2.CAP_PROP_FPS)) / 2)
    if declared - shown > max(2, inexact):
        raise CameraError(f"{path}: cut off or damaged after {shown} of {declared} frames")


def frame_rate(path: Path) -> float:
    """Return the frame rate of a video, or `FPS` for a folder. Raises CameraError."""
    if path.is_dir():
        return FPS
    capture = _open_frames(path)
    fps = capture.get(cv2.CAP_PROP_FPS)
    capture.release()
    return plausible_rate(fps)


def _open_frames(path: Path) -> cv2.VideoCapture:
    if not path.is_file():
        raise CameraError(f"{path}: no such file or folder")
    if path.suffix.lower() in PICTURE_SUFFIXES:
        # OpenCV would read the pictures beside it as a film.
        raise CameraError(f"{path}: one picture, not a folder of frames or a video")
    return open_video(path)


def _numbers(paths: Sequence[Path]) -> Sequence[int]:
    """Return the last number in each name if they ascend, otherwise numbers from 0."""
    named = [re.findall(r"\d+", path.stem) for path in paths]
    if all(named):
        numbers = [int(found[-1]) for found in named]
        if all(one < other for one, other in pairwise(numbers)):
            return numbers
    return range(len(paths))
