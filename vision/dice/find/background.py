"""Tell what is new in a tray from what it shows empty: a printed pip, a star, a knot."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.geometry import FaceBox, Image
from vision.imaging.pyramid import rectify_face

# Pixels of a face's edge; of what is compared, hardly more, since a wall beside a die was there
# before; and by how many, a quarter of an edge, the camera may have been pushed to each side.
_EDGE, _PUSHED = 16, 4
_SIDE = _EDGE + 1
# Correlation from which a face was there before: of 2,104 thrown dice one has more, of 56 printed
# ones one has less where the camera was pushed, and none otherwise.
_LEAST_CORRELATION = 0.75
# Contrast before, in that of now: a face that is burnt out all but evenly is like any floor on
# which light falls off.
_CONTRAST = 3.0
# A pixel of a small picture has changed by so many medians of all differences, which are at least
# and at most so many grey levels; and how many pixels around it count with it.
_NOISE, _LEAST_CHANGE, _MOST_CHANGE, _BESIDE = 8.0, 2.0, 10.0, 3


class TrayGround:
    """Knows what the empty tray already showed, and where it shows something else now."""

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
        self._changed = find_changes(_halve(levels[-1]), _halve(tray[-1]))

    def is_changed(self, box: FaceBox) -> bool:
        """Return whether anything may be new in a box."""
        scale = len(self._changed) / len(self._levels[0])
        low, high = (
            np.maximum(0, np.multiply((box.y + reach, box.x + reach), scale)).astype(int)
            for reach in (-box.edge / 2, box.edge / 2)
        )
        return bool(self._changed[low[0] : high[0] + 1, low[1] : high[1] + 1].any())

    def shows(self, box: FaceBox) -> bool:
        """Return whether the empty tray already showed what is in a box.

        Only a likeness to the tray's picture counts: light, its colour and the camera's settings
        may change what is seen everywhere.
        """
        now = rectify_face(self._levels, box, _EDGE, _SIDE)
        then = rectify_face(self._tray, box, _EDGE, _SIDE + 2 * _PUSHED)
        _, best, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(then, now, cv2.TM_CCOEFF_NORMED))
        if best < _LEAST_CORRELATION:
            return False
        before = _contrast(then[y : y + _SIDE, x : x + _SIDE])
        # Below one grey level there is nothing to compare.
        now_seen = _contrast(now)
        return max(1.0, now_seen) / _CONTRAST < before < _CONTRAST * now_seen


def _contrast(face: Image) -> float:
    return float(np.mean(cv2.meanStdDev(face)[1]))


def find_changes(now: Image, empty: Image) -> npt.NDArray[np.bool_]:
    """Return where two pictures (H, W, 3) differ, (H, W), and what is close to that.

    Both are so small that a die is some pixels wide. Light of another strength or colour everywhere
    is no change. In doubt too much counts as changed: where the light fell otherwise, all does.
    """
    seen, ground = (np.maximum(each, 1, dtype=np.float32) for each in (now, empty))
    light = np.median((seen / ground).reshape(-1, 3), 0)
    change = np.abs(seen - np.minimum(ground * light, 255)).max(2)
    least = np.clip(_NOISE * np.median(change), _LEAST_CHANGE, _MOST_CHANGE)
    around = np.ones((2 * _BESIDE + 1,) * 2, np.uint8)
    return np.asarray(cv2.dilate((change > least).astype(np.uint8), around), bool)


def _halve(image: Image) -> Image:
    return np.asarray(
        cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8
    )
