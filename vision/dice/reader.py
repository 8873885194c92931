"""Read one picture of any kind of dice."""

from vision.dice.decide import PIPS, TAUGHT, Evidence, decide
from vision.dice.faces.evidence import FaceEvidence
from vision.dice.find.plane import TablePlane
from vision.dice.pips.evidence import PipEvidence
from vision.dice.profile import Profile
from vision.dice.reading import DiceReading
from vision.imaging.geometry import Image
from vision.imaging.letterbox import fill_letterbox
from vision.imaging.pyramid import build_pyramid


class DiceReader:
    """Reads dice of one profile in pictures. Only `know` may be called from another thread."""

    profile: Profile
    """The dice that it reads."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._evidence = PipEvidence() if profile.pips else FaceEvidence(profile)

    def read(
        self, image: Image, tray: Image | None = None, plane: TablePlane | None = None
    ) -> DiceReading:
        """Return the dice in `image` (BGR, uint8, (H, W, 3), any size).

        tray: the same tray without dice, seen from the same place. What it shows doesn't count as
        dice. Raises ValueError if it is of another size. plane: on which flat dice lie, as earlier
        throws at this table showed it; one of pictures of another size, or of too few dice, doesn't
        count.
        """
        calibration = PIPS if self.profile.pips else TAUGHT
        return decide(self.gather(image, tray, plane), calibration, self.profile.faces)

    def gather(
        self, image: Image, tray: Image | None = None, plane: TablePlane | None = None
    ) -> Evidence:
        """Return all that may be dice in a picture; arguments as those of `read`."""
        height, width = image.shape[:2]
        known = plane if plane is not None and plane.fits((width, height)) else None
        return self._evidence.gather(build_pyramid(fill_letterbox(image)), tray, known)

    def know(self, profile: Profile) -> None:
        """Tell faces by another taught profile of these dice from the next picture on.

        Another thread may read meanwhile, and does not wait. Raises TypeError where pips are
        counted.
        """
        if profile.pips or isinstance(self._evidence, PipEvidence):
            raise TypeError("pips are counted, not known")
        self._evidence.know(profile)
        self.profile = profile
