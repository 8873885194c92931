"""Let the lean network judge the dice of a throw, where flat ones would be seen otherwise."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.dice.decide import Evidence, leans_of
from vision.dice.find.lean import LeanJudge
from vision.imaging.geometry import Array, Image


def judge_leans(judge: LeanJudge, levels: Sequence[Image], seen: Evidence) -> Evidence:
    """Return the evidence with how each die of the throw lies, and how likely it leans.

    levels: a pyramid.
    """
    numbers = leans_of(seen).dice

    def judged(odds: Array, leans: Array) -> Evidence:
        candidates = list(seen.candidates)
        for n, lean_odds, lean in zip(numbers, odds, leans, strict=True):
            candidates[n] = replace(candidates[n], lean=lean, lean_odds=lean_odds)
        return replace(seen, candidates=tuple(candidates))

    def flats(leans: Array) -> Array:
        # By the others and by the table: neither makes a die surer to lie flat than the other does.
        return leans - leans_of(judged(np.zeros(len(leans), np.float32), leans)).tilts

    return judged(*judge.tell(levels, [seen.candidates[n] for n in numbers], flats))
