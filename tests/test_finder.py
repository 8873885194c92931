"""Dice that are found: all of a throw are as large."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bench.symbols import Picture, pictures

from vision.find.candidate import Candidate
from vision.find.finder import DiceFinder, FoundDice, equally_large
from vision.imaging.pyramid import build_pyramid

RENDERS = Path(__file__).parent / "pictures" / "renders"


@pytest.fixture(scope="module")
def finder() -> DiceFinder:
    return DiceFinder()


@pytest.fixture(scope="module")
def shown() -> Picture:
    return next(p for p in pictures(RENDERS / "E") if p.name == "E/normal/000.jpg")


@pytest.fixture(scope="module")
def found(finder: DiceFinder, shown: Picture) -> FoundDice:
    return finder.find(build_pyramid(shown.image))


def misframed(die: Candidate, scale: float, logit: float) -> Candidate:
    """Return a die whose box is too large or small, and lies beside it."""
    box = replace(
        die.box,
        x=die.box.x + 0.15 * die.box.edge,
        axes=np.asarray(die.box.axes * scale, np.float32),
    )
    return replace(die, box=box, pose_logit=logit)


@pytest.mark.parametrize("scale", [0.8, 1.25])
def test_a_die_of_another_size_is_framed_as_large_as_the_others(
    finder: DiceFinder, shown: Picture, found: FoundDice, scale: float
) -> None:
    dice = list(found.candidates[:5])
    seen = [misframed(dice[0], scale, 0.5), *dice[1:]]
    first, *rest = equally_large(finder.pose, build_pyramid(shown.image), seen, [found.detections])
    assert rest == dice[1:]
    assert first.pose_logit > 2
    assert first.box.edge == pytest.approx(dice[0].box.edge, rel=0.08)
    assert abs(first.box.x - dice[0].box.x) < 0.06 * dice[0].box.edge


def test_a_die_that_looks_no_more_like_one_then_stays_as_it_was(
    finder: DiceFinder, shown: Picture, found: FoundDice
) -> None:
    dice = list(found.candidates[:5])
    seen = [misframed(dice[0], 1.25, 20), *dice[1:]]
    levels = build_pyramid(shown.image)
    assert equally_large(finder.pose, levels, seen, [found.detections]) == seen


def test_too_few_dice_say_nothing_of_their_size(
    finder: DiceFinder, shown: Picture, found: FoundDice
) -> None:
    seen = [misframed(found.candidates[0], 1.25, 0.5), *found.candidates[1:3]]
    levels = build_pyramid(shown.image)
    assert equally_large(finder.pose, levels, seen, [found.detections]) == seen
