"""Merge pictures of one scene that differ in exposure."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.imaging.geometry import Image


def merge_exposures(pictures: Sequence[Image]) -> Image:
    """Return one picture with what each shows best; all (H, W, 3), of one size.

    Each pixel counts by its contrast, its colour and how well it is exposed, after Mertens et al.,
    Exposure Fusion (2007).
    """
    merged = cv2.createMergeMertens().process(list(pictures))
    return np.asarray(np.clip(merged * 255, 0, 255), np.uint8)
