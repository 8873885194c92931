"""What was there before the throw: the known empty tray tells printed ornaments from dice."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import Spot
from vision.views import rectified

# Pixels of a face's edge; of what is compared, with a little of what is around it; and by how many,
# a quarter of an edge, the camera may have been pushed to each side.
_EDGE, _SIDE, _PUSHED = 16, 19, 4
# Correlation from which a face is what was there: of thrown dice with the tray under them it is
# 0.56 at most in any light, of printed ones 0.88 at least where the camera was not pushed.
_ALIKE = 0.75
# Contrast of what was there, in that of now: a face that is burnt out all but evenly is like any
# floor on which light falls off.
_CONTRAST = (1 / 3, 3.0)


class Emptied:
    """What is new since a tray was seen empty."""

    def __init__(
        self, image: Sequence[NDArray[np.uint8]], tray: Sequence[NDArray[np.uint8]]
    ) -> None:
        """image, tray: from the same place, as `halves` gives them; ValueError if not as large."""
        (height, width, _), (tall, wide, _) = image[0].shape, tray[0].shape
        if (height, width) != (tall, wide):
            raise ValueError(
                f"the tray's picture has {wide} x {tall} pixels, not {width} x {height}"
            )
        self._image, self._tray = image, tray

    def new(self, spots: Sequence[Spot]) -> list[Spot]:
        """Return the spots that were not there.

        What looks like a die and looked just so before is none: a printed pip, a star, a knot in
        the wood. It has to be seen in the tray's picture itself. That something else is there now
        says nothing: light, its colour and the camera's settings change what is seen everywhere.
        """
        return [spot for spot in spots if not self._was_there(spot)]

    def _was_there(self, spot: Spot) -> bool:
        now = rectified(self._image, spot, _EDGE, _SIDE)
        then = rectified(self._tray, spot, _EDGE, _SIDE + 2 * _PUSHED)
        _, alike, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(then, now, cv2.TM_CCOEFF_NORMED))
        if alike < _ALIKE:
            return False
        before = _contrast(then[y : y + _SIDE, x : x + _SIDE])
        low, high = _CONTRAST
        # Below one grey level there is nothing to compare.
        return low * max(1.0, _contrast(now)) < before < high * _contrast(now)


def _contrast(face: NDArray[np.uint8]) -> float:
    return float(np.mean(cv2.meanStdDev(face)[1]))
