"""What else is over the tray."""

import numpy as np
import pytest

from vision.finder import Survey
from vision.lying import covered

EDGE, CELL = 10.0, 4.0


def survey(other: tuple[slice, slice], inside: float = 0.4) -> Survey:
    """A tray in the middle of a picture whose surroundings look a little like one."""
    tray, hand = np.full((40, 60), inside, np.float32), np.zeros((40, 60), np.float32)
    tray[10:30, 15:45] = 0.9
    hand[other] = 0.9
    return Survey((), tray, hand, CELL)


def test_a_thing_beside_the_tray_covers_nothing() -> None:
    assert covered(survey(np.s_[0:8, 50:60]), EDGE) == 0


def test_a_hand_covers_what_of_it_is_over_the_tray() -> None:
    over = survey(np.s_[25:40, 20:30])
    assert covered(over, EDGE) == pytest.approx(5 * 10 * CELL**2 / EDGE**2)


def test_a_hand_counts_where_it_hides_the_floor_under_it() -> None:
    seen = survey(np.s_[15:20, 20:30])
    seen.inside[15:20, 20:30] = 0.4
    assert covered(seen, EDGE) == pytest.approx(5 * 10 * CELL**2 / EDGE**2)


def test_where_no_tray_is_seen_things_may_cover_all_that_may_be_one() -> None:
    nowhere = Survey((), np.full((9, 9), 0.4, np.float32), np.ones((9, 9), np.float32), CELL)
    assert covered(nowhere, EDGE) == pytest.approx(81 * CELL**2 / EDGE**2)
