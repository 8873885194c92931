"""Let the lean network judge the dice of a throw, where flat ones would be seen otherwise."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.dice.decide import Evidence, leans_of
from vision.dice.find.lean import LeanJudge
from vision.imaging.geometry import Image


def judge_leans(judge: LeanJudge, levels: Sequence[Image], seen: Evidence) -> Evidence:
    """Return the evidence with how likely each die of the throw leans; levels: a pyramid."""
    leans = leans_of(seen)
    dice = [seen.candidates[n] for n in leans.dice]
    lean = np.array([die.lean for die in dice], np.float32).reshape(-1, 2)
    # By the others and by the table: neither makes a die surer to lie flat than the other does.
    flats = lean - np.stack([leans.tilt, leans.own])
    odds = seen.lean_odds.copy()
    odds[leans.dice] = judge.log_odds(levels, dice, flats)
    return replace(seen, lean_odds=odds)
