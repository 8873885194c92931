"""Crop faces: as the embedder sees them, and as profiles keep them."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice.profile import FACE_EDGE, PICTURE
from vision.imaging.geometry import FaceBox, Image
from vision.imaging.pyramid import rectify_face

SIDE = 48
"""Pixels of a crop for the embedder."""
WHOLE, INNER = 1.04, 0.6
"""Edges of the face that a crop shows: all of it, or what a frame or ring encloses."""


def embedder_crop(levels: Sequence[Image], box: FaceBox, share: float = WHOLE) -> Image:
    """Return a face as the embedder sees it, (SIDE, SIDE, 3).

    levels: the picture's pyramid. share: edges of the face to show, WHOLE or INNER.
    """
    return rectify_face(levels, box, SIDE / share, SIDE)


def profile_picture(levels: Sequence[Image], box: FaceBox) -> Image:
    """Return a face as a profile keeps it, (PICTURE, PICTURE, 3); levels: the picture's pyramid."""
    return rectify_face(levels, box, FACE_EDGE, PICTURE)


def turned_crop(picture: Image, degrees: float, share: float = WHOLE) -> Image:
    """Return the face in a profile's picture, turned; otherwise as `embedder_crop`."""
    scale = SIDE / share / FACE_EDGE
    middle = ((PICTURE - 1) / 2, (PICTURE - 1) / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, degrees, scale), np.float64)
    matrix[:, 2] += (SIDE - PICTURE) / 2
    return np.asarray(cv2.warpAffine(picture, matrix, (SIDE, SIDE)), np.uint8)
