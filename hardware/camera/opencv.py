"""Reads pictures from OpenCV's captures: USB cameras and video files."""

import cv2
import numpy as np

from hardware.camera.interface import Frame


def next_picture(capture: cv2.VideoCapture) -> Frame | None:
    """Return the next picture; None if none comes."""
    try:
        ok, image = capture.read()
    except cv2.error:
        return None
    return np.asarray(image, dtype=np.uint8) if ok else None
