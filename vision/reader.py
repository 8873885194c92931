"""The reader: a picture in, a reading out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.profile import Profile
from vision.reading import Reading, Verdict


class Reader:
    """Reads dice of one profile in single pictures."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def read(self, image: npt.NDArray[np.uint8]) -> Reading:
        """The dice in `image` (BGR, uint8, (H, W, 3), any size)."""
        return Reading(Verdict.EMPTY, ())
