"""What else is over the tray."""

from dataclasses import replace

import numpy as np
import pytest

from vision.dice.find.candidate import Candidate
from vision.dice.find.detector import Detections
from vision.dice.find.tilt import cocked_shares, tilts
from vision.imaging.geometry import FaceBox

EDGE, CELL = 10.0, 4.0


def survey(other: tuple[slice, slice]) -> Detections:
    """A tray in the middle of a picture whose surroundings look a little like one."""
    tray, hand = np.full((40, 60), 0.4, np.float32), np.zeros((40, 60), np.float32)
    tray[10:30, 15:45] = 0.9
    hand[other] = 0.9
    return Detections((), tray, hand, CELL)


def test_a_thing_beside_the_tray_covers_nothing():
    assert survey(np.s_[0:8, 50:60]).obstacle_area(EDGE) == 0


def test_a_hand_covers_what_of_it_is_over_the_tray():
    over = survey(np.s_[25:40, 20:30])
    assert over.obstacle_area(EDGE) == pytest.approx(5 * 10 * CELL**2 / EDGE**2)


def test_a_hand_counts_where_it_hides_the_floor_under_it():
    seen = survey(np.s_[15:20, 20:30])
    seen.tray[15:20, 20:30] = 0.4
    assert seen.obstacle_area(EDGE) == pytest.approx(5 * 10 * CELL**2 / EDGE**2)


def test_where_no_tray_is_seen_things_may_cover_all_that_may_be_one():
    nowhere = Detections((), np.full((9, 9), 0.4, np.float32), np.ones((9, 9), np.float32), CELL)
    assert nowhere.obstacle_area(EDGE) == pytest.approx(81 * CELL**2 / EDGE**2)


@pytest.fixture
def tray():
    """One that fills the picture."""
    seen = survey(np.s_[0:0, 0:0])
    seen.tray[:] = 0.9
    return seen


def lying_at(*places: tuple[float, float]) -> list[Candidate]:
    """Dice that lie flat before a camera above (400, 300)."""
    axes = np.eye(2, dtype=np.float32) * 20
    return [
        Candidate(FaceBox(x, y, axes, 0.9), np.float32((400 - x, 300 - y)) / 616, 3, 3, 1, 0)
        for x, y in places
    ]


def leaning(die: Candidate, x: float, y: float) -> Candidate:
    return replace(die, lean=die.lean + np.array((x, y), np.float32))


SPREAD = ((200, 150), (600, 150), (200, 450), (600, 450), (420, 310))


def test_a_die_that_leans_is_measured_by_the_others():
    dice = lying_at(*SPREAD)
    assert tilts(dice, 800) == pytest.approx(np.zeros((5, 2)), abs=0.01)
    dice[0] = leaning(dice[0], 0.3, 0.1)
    tilt = tilts(dice, 800)
    assert tilt[0] == pytest.approx(np.array((0.3, 0.1)), abs=0.03)
    assert np.linalg.norm(tilt, axis=1).argmax() == 0


def test_dice_too_few_to_agree_lean_nowhere():
    dice = lying_at(*SPREAD[:3])
    dice[0] = leaning(dice[0], 0.3, 0.1)
    assert not tilts(dice, 800).any()
    assert tilts([], 800).shape == (0, 2)


def shares(dice: list[Candidate], detections: Detections, *tilt: tuple[float, float]) -> list:
    """How near each die is to being cocked; those without a tilt lie flat."""
    every = np.zeros((len(dice), 2), np.float32)
    every[: len(tilt)] = tilt
    return cocked_shares(dice, every, detections).tolist()


def test_a_die_that_can_lean_on_nothing_must_seem_to_lean_by_more(tray):
    free, flat = shares(lying_at((80, 80), (160, 80)), tray, (0.25, 0))
    assert 0 < free < 1
    assert flat == 0
    assert shares(lying_at((80, 80), (130, 80), (190, 110)), tray, (0.25, 0))[0] > 1


@pytest.mark.parametrize("way", [(-0.25, 0), (0, 0.25), (0, -0.25)])
def test_a_die_leans_towards_what_it_leans_on(tray, way):
    assert shares(lying_at((80, 80), (130, 80)), tray, way)[0] < 1


def test_a_die_at_the_wall_can_lean_on_it(tray):
    tray.tray[:, :15] = 0.4  # its floor begins at x = 60
    dice = lying_at((100, 80), (200, 80))
    assert shares(dice, tray, (-0.25, 0))[0] > 1
    assert shares(dice, tray, (0.25, 0))[0] > 1
    assert shares(dice, tray, (0, 0.25))[0] < 1
    assert shares(dice, tray, (0, 0), (-0.25, 0))[1] < 1


def test_the_way_out_of_the_tray_is_known_at_the_border_of_the_picture(tray):
    tray.tray[:3] = 0.1
    (die,) = lying_at((120, 16))
    assert tray.way_out(die.box, 1.3)[1] < -0.9
