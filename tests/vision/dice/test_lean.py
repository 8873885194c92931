"""Dice that lean, told by how each looks among what is around it."""

import cv2
import numpy as np
import pytest
from places import PICTURES

from tests.tools.bench.drawn_evenings import teach
from vision.dice.find.candidate import Candidate
from vision.dice.find.lean import LeanJudge, form_matrices, lean_odds
from vision.dice.profile import load_profile
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


@pytest.fixture(scope="module")
def pips() -> DiceReader:
    return DiceReader(load_profile("pips"))


@pytest.mark.pictures
@pytest.mark.parametrize("name", ["terrazzo", "leather"])
def test_a_throw_in_which_a_die_with_pips_leans_a_little_is_not_sure(pips, name):
    picture = read_picture(PICTURES / "leaning" / "pips" / f"{name}.jpg")
    assert pips.read(picture).verdict in (TrayVerdict.UNSURE, TrayVerdict.COCKED)


@pytest.mark.pictures
def test_real_dice_with_pips_that_lie_flat_at_a_wall_are_not_cocked(pips):
    picture = read_picture(PICTURES / "gray_plate" / "00055.jpg")
    assert pips.read(picture).verdict is not TrayVerdict.COCKED


def test_a_form_says_the_log_odds_for_any_lean_of_a_flat_die():
    forms = np.array([(1, 2, 3, 4, 5, 6)] * 2, np.float32)
    flat = np.array([(0, 0), (0.5, -1)], np.float32)
    assert lean_odds(form_matrices(forms), flat).tolist() == [1, 1 + 1 - 3 + 1 - 2.5 + 6]


def clouds() -> np.ndarray:
    noise = np.random.default_rng(1).integers(0, 256, (200, 200, 3), np.uint8)
    return cv2.GaussianBlur(noise, (0, 0), 3)


def test_a_picture_that_is_turned_says_the_same_of_its_dice():
    picture = clouds()
    turned = np.ascontiguousarray(np.rot90(picture))
    axes = np.array([[13, 2], [-2, 13]], np.float32)
    judge = LeanJudge()
    flats = np.array([[[0.3, -0.1]]], np.float32)
    was, lean = judge.tell(build_pyramid(picture), [die_at(90, 110, axes)], lambda _: flats)
    there = [die_at(110, 199 - 90, QUARTER @ axes)]
    now, turned_lean = judge.tell(build_pyramid(turned), there, lambda _: flats @ QUARTER.T)
    assert now == pytest.approx(was, abs=0.1)
    assert turned_lean == pytest.approx(lean @ QUARTER.T, abs=0.03)


def test_a_die_that_leaves_no_doubt_is_looked_at_less_often_than_others():
    x, y = np.meshgrid(*[np.linspace(-3, 3, 9)] * 2)
    flats = np.stack([x.ravel(), y.ravel()], -1)[None].astype(np.float32)
    dice = [die_at(90, 110, 13 * np.eye(2, dtype=np.float32))] * flats.shape[1]
    odds, leans = LeanJudge().tell(build_pyramid(clouds()), dice, lambda _: flats)
    x, y = flats[0].T
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], 1)
    doubt = (odds > -4) & (odds < 6)
    form = np.linalg.lstsq(terms[doubt], odds[doubt], rcond=None)[0]
    assert terms[doubt] @ form == pytest.approx(odds[doubt], abs=0.01)  # the mean of all looks
    assert np.abs(terms[~doubt] @ form - odds[~doubt]).min() > 0.01
    assert np.ptp(leans[doubt], axis=0).max() < 1e-5 < np.ptp(leans, axis=0).max()


def test_the_way_to_know_by_which_a_die_leans_most_counts():
    judge, levels = LeanJudge(), build_pyramid(clouds())
    dice = [die_at(90, 110, 13 * np.eye(2, dtype=np.float32))]
    flats = np.array([[[0.3, -0.1]], [[0.3, 0.2]]], np.float32)
    each = [judge.tell(levels, dice, lambda _, n=n: flats[n : n + 1])[0] for n in range(2)]
    most, _ = judge.tell(levels, dice, lambda _: flats)
    assert most == pytest.approx(np.max(each, 0), abs=0.01)


def test_no_dice_have_no_odds():
    odds, leans = LeanJudge().tell([np.zeros((100, 100, 3), np.uint8)], [], lambda each: each)
    assert odds.shape == (0,)
    assert leans.shape == (0, 2)


def die_at(x: float, y: float, axes: np.ndarray) -> Candidate:
    return Candidate(FaceBox(x, y, axes, 0.9), np.zeros(2, np.float32), 3.0, 3.0, 1.0, 0.0)
