"""Crop faces: as the embedder sees them, and as profiles keep them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.imaging.geometry import FaceBox, Image
from vision.imaging.pyramid import rectify
from vision.profile import FACE_EDGE, PICTURE

SIDE, SHARE = 48, 1.04
"""Pixels of a crop for the embedder, and edges of the face that it shows."""


def embedder_crop(levels: Sequence[Image], box: FaceBox) -> Image:
    """Return a face as the embedder sees it, (SIDE, SIDE, 3); levels: the picture's pyramid."""
    return rectify(levels, box, SIDE / SHARE, SIDE)


def profile_picture(levels: Sequence[Image], box: FaceBox) -> Image:
    """Return a face as a profile keeps it, (PICTURE, PICTURE, 3); levels: the picture's pyramid."""
    return rectify(levels, box, FACE_EDGE, PICTURE)


def turned_crop(picture: Image, degrees: float) -> Image:
    """Return the face in a profile's picture, turned, as the embedder sees it, (SIDE, SIDE, 3)."""
    scale = SIDE / SHARE / FACE_EDGE
    middle = ((PICTURE - 1) / 2, (PICTURE - 1) / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, degrees, scale), np.float64)
    matrix[:, 2] += (SIDE - PICTURE) / 2
    return np.asarray(cv2.warpAffine(picture, matrix, (SIDE, SIDE)), np.uint8)
