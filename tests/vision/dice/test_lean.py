"""Dice that lean, told by how each looks among what is around it."""

import cv2
import numpy as np
import pytest
from places import PICTURES

from tests.tools.bench.drawn_evenings import teach
from vision.dice.find.candidate import Candidate
from vision.dice.find.lean import TERMS, LeanJudge, lean_odds
from vision.dice.reader import DiceReader
from vision.dice.reading import TrayVerdict
from vision.imaging.geometry import FaceBox
from vision.imaging.pyramid import build_pyramid
from vision.training.drawing import read_picture

QUARTER = np.array([[0, 1], [-1, 0]], np.float32)
"""What a turn of the picture by a quarter, counterclockwise, makes of places in it."""


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader(teach("box", 2))


@pytest.mark.pictures
@pytest.mark.parametrize("path", sorted((PICTURES / "leaning").glob("*.jpg")), ids=lambda p: p.stem)
def test_a_throw_in_which_a_die_leans_a_little_under_a_hard_lamp_is_not_sure(reader, path):
    assert reader.read(read_picture(path)).verdict in (TrayVerdict.UNSURE, TrayVerdict.COCKED)


def test_a_form_says_the_log_odds_for_any_lean_of_a_flat_die():
    forms = np.array([(1, 2, 3, 4, 5, 6)] * 2, np.float32)
    flat = np.array([(0, 0), (0.5, -1)], np.float32)
    assert lean_odds(forms, flat).tolist() == [1, 1 + 1 - 3 + 1 - 2.5 + 6]


def clouds() -> np.ndarray:
    noise = np.random.default_rng(1).integers(0, 256, (200, 200, 3), np.uint8)
    return cv2.GaussianBlur(noise, (0, 0), 3)


def test_a_picture_that_is_turned_says_the_same_of_its_dice():
    picture = clouds()
    turned = np.ascontiguousarray(np.rot90(picture))
    axes = np.array([[13, 2], [-2, 13]], np.float32)
    judge = LeanJudge()
    flat = np.array([[0.3, -0.1]], np.float32)
    was = lean_odds(judge.forms(build_pyramid(picture), [die_at(90, 110, axes)]), flat)
    there = die_at(110, 199 - 90, QUARTER @ axes)
    now = lean_odds(judge.forms(build_pyramid(turned), [there]), flat @ QUARTER.T)
    assert now == pytest.approx(was, abs=0.1)


def test_a_die_that_lies_flat_by_what_is_known_of_the_table_is_looked_at_once():
    levels = build_pyramid(clouds())
    dice = [die_at(90, 110, 13 * np.eye(2, dtype=np.float32))] * 2
    judge = LeanJudge()
    twice = judge.forms(levels, dice)
    places = np.stack(np.meshgrid(*[np.linspace(-3, 3, 41)] * 2), -1).reshape(-1, 2)
    odds = lean_odds(np.repeat(twice[:1], len(places), 0), places)
    flat = places[[odds.argmin(), odds.argmax()]].astype(np.float32)
    once = judge.forms(levels, dice, flat)
    assert not np.array_equal(once[0], twice[0])
    assert np.array_equal(once[1], twice[1])


def test_no_dice_have_no_forms():
    assert LeanJudge().forms([np.zeros((100, 100, 3), np.uint8)], []).shape == (0, TERMS)


def die_at(x: float, y: float, axes: np.ndarray) -> Candidate:
    return Candidate(FaceBox(x, y, axes, 0.9), np.zeros(2, np.float32), 3.0, 3.0, 1.0, 0.0)
