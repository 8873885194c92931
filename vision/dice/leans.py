"""Let the lean network judge the dice of a throw, where flat ones would be seen otherwise."""

from collections.abc import Sequence
from dataclasses import replace

from vision.dice.decide import Evidence, leans_of
from vision.dice.find.lean import LeanJudge
from vision.imaging.geometry import Array, Image


def judge_leans(judge: LeanJudge, levels: Sequence[Image], seen: Evidence) -> Evidence:
    """Return the evidence with how each die of the throw lies, and how likely it leans.

    levels: a pyramid.
    """
    numbers = leans_of(seen).dice

    def lying(leans: Array) -> Evidence:
        candidates = list(seen.candidates)
        for n, lean in zip(numbers, leans, strict=True):
            candidates[n] = replace(candidates[n], lean=lean)
        return replace(seen, candidates=tuple(candidates))

    def flats(leans: Array) -> Array:
        # By the others and by the table: neither makes a die surer to lie flat than the other does.
        return leans - leans_of(lying(leans)).tilts

    odds, leans = judge.tell(levels, [seen.candidates[n] for n in numbers], flats)
    lean_odds = seen.lean_odds.copy()
    lean_odds[numbers] = odds
    return replace(lying(leans), lean_odds=lean_odds)
