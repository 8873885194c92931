"""Where a tray changed since it was empty: dice may lie there alone."""

import numpy as np
import pytest

from vision.dice.find.background import find_changes

DIE = slice(40, 45), slice(60, 65)
PRINT = slice(15, 20), slice(20, 25)


@pytest.fixture
def tray() -> np.ndarray:
    """A noisy ground with a printed square."""
    rng = np.random.default_rng(3)
    empty = rng.normal((60, 90, 120), 0.5, (78, 104, 3))
    empty[PRINT] = 200
    return empty


def seen(picture: np.ndarray) -> np.ndarray:
    return np.clip(picture, 0, 255).round().astype(np.uint8)


def with_die(tray: np.ndarray, beside: float = 30) -> np.ndarray:
    """Return the tray with a die that is lighter than the ground by so many grey levels."""
    thrown = tray.copy()
    thrown[DIE] += beside
    return thrown


def test_a_die_is_a_change_and_a_print_is_none(tray):
    changed = find_changes(seen(with_die(tray)), seen(tray))
    assert changed[DIE].all()
    assert not changed[PRINT].any()
    assert changed.mean() < 0.05


@pytest.mark.parametrize("light", [(0.5, 0.5, 0.5), (1.2, 1.2, 1.2), (0.7, 1.0, 1.2)])
def test_light_of_another_strength_or_colour_is_no_change(tray, light):
    changed = find_changes(seen(with_die(tray) * light), seen(tray))
    assert changed[DIE].all()
    assert changed.mean() < 0.05


def test_a_die_in_hardly_any_light_is_a_change(tray):
    assert find_changes(seen(with_die(tray) * 0.1), seen(tray * 0.1))[DIE].all()


def test_where_light_falls_otherwise_a_die_is_still_a_change(tray):
    falls = np.linspace(0.6, 1.4, tray.shape[1])[:, None]
    changed = find_changes(seen(with_die(tray) * falls), seen(tray))
    assert changed[DIE].all()
    assert changed.mean() > 0.5
