"""Tell whether the camera has moved since it saw the tray before."""

import cv2
import numpy as np

from vision.imaging.geometry import Array, Image

_WIDTH = 320  # pixels of the pictures that are compared
MOST_SHIFT = 0.005
"""Share of the picture's width by which a camera, or what lies still, may seem to have moved."""
LEAST_LIKENESS = 0.06
"""Response of the phase correlation below which a picture shows another view of the tray.

Of the renders' trays with dice and without it is 0.12 at least, 0.05 at most when turned by five
degrees or enlarged by a tenth.
"""


def has_camera_moved(before: Image, now: Image) -> bool:
    """Return whether the camera has moved between two pictures of a tray, BGR, of one size.

    By phase correlation of edges: dice that lie in one of them, and other light, matter little.
    """
    one, other = _edges(before), _edges(now)
    window = cv2.createHanningWindow((one.shape[1], one.shape[0]), cv2.CV_32F)
    (x, y), likeness = cv2.phaseCorrelate(one, other, window)
    return likeness < LEAST_LIKENESS or float(np.hypot(x, y)) > MOST_SHIFT * _WIDTH


def _edges(image: Image) -> Array:
    height, width = image.shape[:2]
    size = (_WIDTH, max(2, round(height * _WIDTH / width)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    # Of the logarithm, so that half the light makes the same edges.
    soft = np.log(cv2.GaussianBlur(grey, (0, 0), 1.0) + 8)
    slope = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    edges = np.minimum(slope, np.percentile(slope, 95))
    return np.asarray(edges - edges.mean(), np.float32)
