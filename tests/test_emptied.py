"""The known empty tray: what was there before the throw is no die."""

import numpy as np
import pytest

from vision.profile import load_profile
from vision.reader import Reader
from vision.reading import Verdict
from vision.simulate import Placed, SimulatedTray

PRINTED = [Placed("beer", -9, -5, 10), Placed("gatling", 9, 5, 40)]
"""Dice glued to the tray: no ornament looks more like one."""
THROWN = [Placed("arrow", x, y, 25 * x) for x, y in ((-4, 0), (-1, 5), (2, -4), (5, 1), (9, -6))]


@pytest.fixture(scope="module")
def reader():
    return Reader(load_profile("pips"))


@pytest.fixture
def pictures():
    tray = SimulatedTray(seed=4)
    tray.place(PRINTED)
    empty = tray.frame()
    tray.place(PRINTED + THROWN)
    return empty, tray.frame()


def test_ornaments_of_the_tray_are_no_dice(reader, pictures):
    empty, thrown = pictures
    assert len(reader.read(thrown).dice) == 7
    reading = reader.read(thrown, empty)
    assert [die.face for die in reading.dice] == ["arrow"] * 5
    assert reading.verdict is Verdict.OK


@pytest.mark.parametrize("light", [0.9, 1.1])
def test_the_light_may_have_changed(reader, pictures, light):
    empty, thrown = pictures
    dimmed = np.clip(empty * light, 0, 255).astype(np.uint8)
    assert [die.face for die in reader.read(thrown, dimmed).dice] == ["arrow"] * 5


def test_an_empty_tray_is_empty_whatever_is_printed_on_it(reader, pictures):
    empty, _ = pictures
    assert reader.read(empty, empty).verdict is Verdict.EMPTY


def test_a_tray_of_another_size_is_refused(reader, pictures):
    empty, thrown = pictures
    with pytest.raises(ValueError, match="410 x 308 pixels, not 820 x 616"):
        reader.read(thrown, np.ascontiguousarray(empty[::2, ::2]))
