"""Read one picture of any kind of dice."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.dice.decide import PIPS, TAUGHT, Evidence, decide, leans_of
from vision.dice.faces.evidence import FaceEvidence
from vision.dice.find.lean import LeanJudge
from vision.dice.find.tray_model import UNKNOWN, TrayModel
from vision.dice.pips.evidence import PipEvidence
from vision.dice.profile import Profile
from vision.dice.reading import DiceReading
from vision.imaging.geometry import Array, Image
from vision.imaging.letterbox import fill_letterbox
from vision.imaging.pyramid import build_pyramid


class DiceReader:
    """Reads dice of one profile in pictures. Only `know` may be called from another thread."""

    profile: Profile
    """The dice that it reads."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._evidence = PipEvidence() if profile.pips else FaceEvidence(profile)
        self._judge = LeanJudge()

    def read(self, image: Image, model: TrayModel = UNKNOWN) -> DiceReading:
        """Return the dice in `image` (BGR, uint8, (H, W, 3), any size).

        model: what is known of the table. What its empty tray shows doesn't count as dice, and its
        plane says which die leans. What was seen in pictures of another size doesn't count.
        """
        calibration = PIPS if self.profile.pips else TAUGHT
        return decide(self.gather(image, model), calibration, self.profile.faces)

    def gather(self, image: Image, model: TrayModel = UNKNOWN) -> Evidence:
        """Return all that may be dice in a picture; arguments as those of `read`."""
        levels = build_pyramid(fill_letterbox(image))
        return _judge_leans(
            self._judge, levels, self._evidence.gather(levels, model.fitting(image))
        )

    def know(self, profile: Profile) -> None:
        """Tell faces by another taught profile of these dice from the next picture on.

        Another thread may read meanwhile, and does not wait. Raises TypeError where pips are
        counted.
        """
        if profile.pips or isinstance(self._evidence, PipEvidence):
            raise TypeError("pips are counted, not known")
        self._evidence.know(profile)
        self.profile = profile


def _judge_leans(judge: LeanJudge, levels: Sequence[Image], seen: Evidence) -> Evidence:
    """Return the evidence with how each die of the throw lies, and how likely it leans.

    Both depend on how a flat die would be seen in its place. levels: a pyramid.
    """
    numbers = leans_of(seen).dice

    def with_leans(odds: Array, leans: Array) -> Evidence:
        candidates = list(seen.candidates)
        for n, lean_odds, lean in zip(numbers, odds, leans, strict=True):
            candidates[n] = replace(candidates[n], lean=lean, lean_odds=lean_odds)
        return replace(seen, candidates=tuple(candidates))

    def flats(leans: Array) -> Array:
        # By the others and by the table: neither makes a die surer to lie flat than the other does.
        return leans - leans_of(with_leans(np.zeros(len(leans), np.float32), leans)).tilts

    return with_leans(*judge.tell(levels, [seen.candidates[n] for n in numbers], flats))
