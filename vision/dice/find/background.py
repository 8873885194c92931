"""Tell printed patterns of the tray from dice, by a picture of the empty tray."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.imaging.geometry import FaceBox, Image
from vision.imaging.pyramid import rectify_face

# Pixels of a face's edge; of what is compared, with a little of what is around it; and by how many,
# a quarter of an edge, the camera may have been pushed to each side.
_EDGE, _SIDE, _PUSHED = 16, 19, 4
# Correlation from which a face was there before: of thrown dice with the tray under them it is
# 0.56 at most in any light, of printed ones 0.88 at least where the camera was not pushed.
_LEAST_CORRELATION = 0.75
# Contrast before, in that of now: a face that is burnt out all but evenly is like any floor on
# which light falls off.
_CONTRAST = (1 / 3, 3.0)


class TrayPattern:
    """Knows what the empty tray already showed: a printed pip, a star, a knot."""

    def __init__(self, levels: Sequence[Image], tray: Sequence[Image]) -> None:
        """Compare a picture with the empty tray seen from the same place, both as pyramids.

        Raises ValueError if they differ in size.
        """
        (height, width, _), (tall, wide, _) = levels[0].shape, tray[0].shape
        if (height, width) != (tall, wide):
            raise ValueError(
                f"the tray's picture has {wide} x {tall} pixels, not {width} x {height}"
            )
        self._levels, self._tray = levels, tray

    def shows(self, box: FaceBox) -> bool:
        """Return whether the empty tray already showed what is in a box.

        Only a likeness to the tray's picture counts. A difference says nothing: light, its colour
        and the camera's settings change what is seen everywhere.
        """
        now = rectify_face(self._levels, box, _EDGE, _SIDE)
        then = rectify_face(self._tray, box, _EDGE, _SIDE + 2 * _PUSHED)
        _, best, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(then, now, cv2.TM_CCOEFF_NORMED))
        if best < _LEAST_CORRELATION:
            return False
        before = _contrast(then[y : y + _SIDE, x : x + _SIDE])
        low, high = _CONTRAST
        # Below one grey level there is nothing to compare.
        return low * max(1.0, _contrast(now)) < before < high * _contrast(now)


def _contrast(face: Image) -> float:
    return float(np.mean(cv2.meanStdDev(face)[1]))
