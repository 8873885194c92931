"""Turn outlines into masks, and paint inside them."""

import cv2
import numpy as np


def mask_of(size: tuple[int, int], outline: np.ndarray) -> np.ndarray:
    """Return a mask (h, w, 1) in [0, 1] of what lies in an outline; size: (w, h)."""
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask.astype(np.float32)[..., None] / 255


def fill(image: np.ndarray, outline: np.ndarray, paint: np.ndarray) -> None:
    """Fill an outline in pixels with a colour (3,) or what a whole picture of paint has there."""
    h, w = image.shape[:2]
    x0, y0 = np.clip(np.floor(outline.min(0)).astype(int) - 1, 0, (w, h))
    x1, y1 = np.clip(np.ceil(outline.max(0)).astype(int) + 2, 0, (w, h))
    if x1 > x0 and y1 > y0:
        mask = mask_of((x1 - x0, y1 - y0), outline - [x0, y0])
        part = image[y0:y1, x0:x1]
        part += ((paint if paint.ndim == 1 else paint[y0:y1, x0:x1]) - part) * mask
