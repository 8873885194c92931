"""The reader: a picture in, a reading out."""

from __future__ import annotations

from vision.counted import PipReader
from vision.locate import Image
from vision.profile import Profile
from vision.reading import Reading
from vision.taught import TaughtReader


class Reader:
    """Reads dice of one profile in single pictures."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._how = PipReader(profile) if profile.pips else TaughtReader(profile)

    def read(self, image: Image, tray: Image | None = None) -> Reading:
        """The dice in `image` (BGR, uint8, (H, W, 3), any size), from top to bottom.

        `tray`: the same tray without dice, seen from the same place; what lies there already is
        no die. ValueError if it is not of the same size.
        """
        return self._how.read(image, tray)

    def know(self, profile: Profile) -> None:
        """Tell faces by `profile` from the next picture on; both it and the one before are taught.

        Another thread may read meanwhile, and does not wait. TypeError where pips are counted.
        """
        if profile.pips or isinstance(self._how, PipReader):
            raise TypeError("pips are counted, not known")
        self._how.know(profile)
        self.profile = profile
