"""Lay pictures of one thing onto each other, to a fraction of a pixel.

By enhanced correlation (Evangelidis and Psarakis, "Parametric image alignment using enhanced
correlation coefficient maximization", 2008).
"""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.geometry import Array, Image

LIKE = 0.75
"""The correlation from which two pictures, laid onto each other, show the same. Cards that hardly
share anything but a frame have less."""


def align(
    one: Array, other: Array, start: Array, soft: int, shown: Image | None = None
) -> tuple[float, Array]:
    """Return the correlation of two contrasts (h, w), and where each place of the first is.

    start: about where it is on the other, (3, 3), or (2, 3) where it can't lean; returned where the
    two have nothing in common. soft: pixels of blur, odd. shown: 0 for pixels that don't count, of
    the other one or, in its size, of the first.
    """
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-3)
    how = cv2.MOTION_AFFINE if len(start) == 2 else cv2.MOTION_HOMOGRAPHY
    mask = np.full(other.shape, 255, np.uint8) if shown is None else shown
    try:
        score, warp = cv2.findTransformECC(one, other, start.copy(), how, stop, mask, soft)
    except cv2.error:
        return 0.0, start.copy()
    return float(score), np.asarray(warp, np.float32)


def lay(
    picture: npt.NDArray[np.integer | np.floating],
    warp: npt.NDArray[np.floating],
    size: Sequence[int],
) -> cv2.typing.MatLike:
    """Return a picture laid onto one of this size, (w, h), by where each place of that is on it."""
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(picture, warp, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
