"""Tell halves of dominoes from dice: the stone goes on beside them."""

from collections.abc import Sequence

import numpy as np

from vision.imaging.geometry import FaceBox, Image
from vision.imaging.pyramid import rectify_face

# Pixels of a face's edge, of what is compared, and half of the latter.
_EDGE, _SIDE, _MIDDLE = 16, 56, 28
# Pixels from the middle of the face along which it is compared with what lies beside it, and how
# far away its two borders are, each with a little of what is within and beyond.
_FACE, _BESIDE = slice(_MIDDLE - 5, _MIDDLE + 5), slice(_MIDDLE + 11, _MIDDLE + 21)
_BORDERS = np.r_[_MIDDLE - 13 : _MIDDLE - 5, _MIDDLE + 5 : _MIDDLE + 13]
# Difference between both, in the mean contrast of the borders, up to which they go on straight: for
# 95 halves of drawn dominoes it is at most 0.23, and for 528 of 534 dice in photographs more.
_ALIKE = 0.25
_LEAST_CONTRAST = 8.0  # grey levels


def is_domino_half(levels: Sequence[Image], box: FaceBox) -> bool:
    """Return whether two borders of a face go on straight along another one beside it.

    Those of two dice that touch rarely do. levels: the picture's pyramid.
    """
    seen = rectify_face(levels, box, _EDGE, _SIDE)
    turned = np.stack([np.rot90(seen, quarter) for quarter in range(4)])[:, :, _BORDERS]
    rows = np.stack([turned[:, _FACE], turned[:, _BESIDE]])
    face, beside = np.median(
        rows, 2
    )  # (4, 16, 3): beyond the face, at its border, within; mirrored
    contrast = np.abs(face[:, [0, 1, 14, 15]] - face[:, [6, 7, 8, 9]]).mean((1, 2))
    differ = np.abs(face - beside).mean((1, 2))
    return bool((differ < _ALIKE * np.maximum(contrast, _LEAST_CONTRAST)).any())
