"""What earlier throws at a table tell of the plane on which dice lie."""

import numpy as np
import pytest

from vision.dice.find.tray_model import MOST, UNKNOWN, TrayModel
from vision.dice.reading import LyingDie

SIZE = (820, 616)
BELOW, ELSEWHERE, FOCAL = np.array([0.55, 0.3]), np.array([0.8, 0.4]), 0.8
"""Where straight below the camera is, before and after a move, and its focal length, in longer
sides."""


def throw(seed: int, below: np.ndarray = BELOW, noise: float = 0.05) -> list[LyingDie]:
    """Return five flat dice, as a camera sees them that isn't quite certain how they lean."""
    rng = np.random.default_rng(seed)
    places = rng.uniform((0.1, 0.1), (0.9, 0.65), (5, 2))
    leans = (below - places) / FOCAL + rng.normal(0, noise, (5, 2))
    return [LyingDie(*place, *lean) for place, lean in zip(places, leans, strict=True)]


def after(throws: list[list[LyingDie]]) -> TrayModel:
    plane = UNKNOWN
    for dice in throws:
        plane = plane.add(SIZE, dice)
    return plane


def picture(height: int, width: int) -> np.ndarray:
    return np.zeros((height, width, 3), np.uint8)


def leaning(die: LyingDie, way: tuple[float, float]) -> LyingDie:
    return die._replace(right=die.right + way[0], down=die.down + way[1])


def test_two_throws_show_the_plane():
    assert not after([throw(1)]).explains(throw(3))
    plane = after([throw(1), throw(2)])
    assert plane.explains(throw(3))
    assert np.linalg.norm(plane.tilts(throw(3, noise=0)), axis=1).max() < 0.15


def test_many_throws_show_it_well_though_a_die_in_ten_leans():
    throws = [throw(n) for n in range(20)]
    for dice in throws[::2]:
        dice[0] = leaning(dice[0], (0.4, 0.2))
    assert np.linalg.norm(after(throws).tilts(throw(99, noise=0)), axis=1).max() < 0.05


def test_a_die_that_leans_does_so_alone():
    dice = throw(99, noise=0.02)
    dice[2] = leaning(dice[2], (0.3, 0.0))
    tilts = np.linalg.norm(after([throw(n) for n in range(8)]).tilts(dice), axis=1)
    assert tilts[2] == pytest.approx(0.3, abs=0.08)
    assert np.delete(tilts, 2).max() < 0.1


def test_only_the_newest_dice_are_remembered():
    assert len(after([throw(n) for n in range(40)]).dice) == MOST


def test_pictures_of_another_size_begin_anew():
    plane = after([throw(1), throw(2)])
    assert plane.fitting(picture(616, 820)) is plane
    assert plane.fitting(picture(820, 616)).dice == ()
    assert plane.add((1640, 1232), throw(3)).dice == tuple(sorted(throw(3)))


def test_a_moved_camera_is_not_explained_and_begins_anew():
    plane = after([throw(n) for n in range(6)])
    moved = [throw(n, ELSEWHERE) for n in (11, 12)]
    assert plane.explains(throw(7))
    assert not plane.explains(moved[0])
    for dice in moved:
        plane = plane.add(SIZE, dice)
    assert len(plane.dice) == 10
    assert plane.explains(throw(13, ELSEWHERE))


def test_a_throw_that_is_read_twice_counts_once():
    dice = throw(2)
    again = [die._replace(x=die.x + 0.001, down=die.down + 0.02) for die in reversed(dice)]
    plane = after([throw(1), dice])
    assert plane.add(SIZE, again).dice == (*plane.dice[:5], *sorted(again))


def test_nothing_is_explained_where_nothing_lies():
    assert not after([throw(1), throw(2)]).explains([])


def test_an_empty_tray_of_another_size_is_left_out():
    model = after([throw(1), throw(2)]).with_tray(picture(616, 820))
    assert model.fitting(picture(616, 820)) is model
    other = model.fitting(picture(308, 410))
    assert (other.tray, other.dice) == (None, ())


def test_each_model_has_a_name_of_its_own():
    one, two = after([throw(1), throw(2)]), after([throw(1), throw(3)])
    same = after([throw(1), throw(2)])
    names = [m.digest for m in (UNKNOWN, one, two, one.with_tray(picture(6, 8)))]
    assert len(set(names)) == 4
    assert same.digest == one.digest
    assert one.with_tray(picture(6, 8)).digest != one.with_tray(picture(8, 6)).digest


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -1e9])
def test_what_cannot_be_a_die_is_refused(number):
    with pytest.raises(ValueError, match="lie in a picture"):
        TrayModel(size=SIZE, dice=(LyingDie(0.1, number, 0.0, 0.0),))
    with pytest.raises(ValueError, match="lie in a picture"):
        TrayModel(size=SIZE, dice=tuple(throw(1) * 30))
