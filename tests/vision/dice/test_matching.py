"""Which die of a reading is which: pure values, no pictures."""

import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from vision.dice.matching import is_same_die, lies_there, match_dice, shows_same
from vision.dice.reading import FACES, Die


def die(face: str, x: float, y: float = 100.0, angle: float = 10.0, sure: bool = True) -> Die:
    likely = (face, *(other for other in FACES if other != face))
    return Die(face, x, y, 40.0, angle, 0.99 if sure else 0.6, sure, likely)


FIVE = {number: die(face, 100.0 * (number + 1)) for number, face in enumerate(FACES[:5])}


def numbers(dice: Sequence[Die], away: Iterable[int] = (), before: dict[int, Die] = FIVE) -> list:
    return list(match_dice(before, dice, frozenset(away)))


def shifted(number: int, x: float = 0.0, y: float = 0.0, **change: object) -> Die:
    old = FIVE[number]
    return replace(old, x=old.x + x, y=old.y + y, **change)


def test_new_dice_are_numbered_from_the_left_in_the_order_of_the_reading():
    dice = [die("beer", x, y) for x, y in [(300, 10), (100, 50), (500, 60), (200, 70), (400, 80)]]
    assert numbers(dice, before={}) == [(2, True), (0, True), (4, True), (1, True), (3, True)]


def test_dice_that_lie_where_they_lay_keep_their_numbers_whatever_is_thrown_beside_them():
    dice = [die("beer", 20, 300), shifted(3, 5, -5), shifted(1), die("arrow", 700), shifted(4, 9)]
    assert numbers(dice) == [(0, True), (3, False), (1, False), (2, True), (4, False)]


@pytest.mark.parametrize("angle", [0, 50, 89])
def test_a_kept_die_may_have_been_turned(angle):
    assert numbers([shifted(2, 6, angle=angle)]) == [(2, False)]


def test_a_kept_die_bumped_aside_keeps_its_number_and_has_moved():
    dice = [shifted(0), shifted(1, 30, 40), *(die("beer", x, 400) for x in (50, 60, 70))]
    others = [(2, True), (3, True), (4, True)]
    assert numbers(dice, away=(2, 3, 4)) == [(0, False), (1, True), *others]


@pytest.mark.parametrize("move", [(0, 0), (45, 0), (10, -50)])
def test_a_kept_die_bumped_to_another_face_keeps_its_number_and_has_moved(move):
    bumped = shifted(1, *move, face="gatling")
    dice = [bumped, shifted(0), *(die("beer", x, 400) for x in (50, 60, 70))]
    assert numbers(dice, away=(2, 3, 4))[0] == (1, True)


def test_a_die_thrown_beside_a_kept_one_that_was_bumped_takes_another_number():
    dice = [die("gatling", 330, 120), *(FIVE[number] for number in (0, 1, 3, 4))]
    assert numbers(dice, away=(2,))[0] == (2, True)
    both = [die("gatling", 330, 170), shifted(2, 50), *(FIVE[number] for number in (0, 1, 4))]
    assert numbers(both, away=(3,))[:2] == [(3, True), (2, True)]


def test_a_die_that_was_away_lies_where_it_lay_only_if_it_lies_exactly_so():
    hidden, thrown = shifted(2, 1, 1), shifted(2, 8, 3, angle=40.0)
    assert numbers([hidden], away=(2,)) == [(2, False)]
    kept = [FIVE[number] for number in (0, 1, 3, 4)]
    assert numbers([thrown, *kept], away=(2,))[0] == (2, True)


def test_a_doubtful_face_is_the_die_that_lay_there_if_that_is_likely():
    doubtful = replace(die("gatling", 300, sure=False), likely=("gatling", "bullseye1", "beer"))
    assert numbers([doubtful]) == [(2, False)]
    assert numbers([replace(doubtful, likely=("gatling", "beer", "bullseye1"))]) == [(2, True)]
    was = {2: replace(doubtful, likely=("gatling", "arrow"))}
    assert numbers([die("arrow", 300)], before=was) == [(2, False)]


def test_something_of_another_size_is_another_die():
    assert numbers([replace(FIVE[2], size=60.0)]) == [(2, True)]


@pytest.mark.parametrize("push", [(25, -12), (-60, 30)])
def test_a_tray_that_was_pushed_moves_no_die(push):
    dice = [shifted(number, *push) for number in (3, 0, 4, 2, 1)]
    assert numbers(dice) == [(3, False), (0, False), (4, False), (2, False), (1, False)]
    dice[0] = replace(dice[0], face="beer")
    assert all(moved for _, moved in numbers(dice)), "then nobody knows"


def test_dice_beyond_five_have_no_number():
    found = numbers([*FIVE.values(), die("beer", 900), die("beer", 20)])
    assert found[:5] == [(number, False) for number in range(5)]
    assert found[5:] == [(None, True), (None, True)]


def test_dice_thrown_beside_others_kept_next_to_the_tray_take_free_numbers():
    dice = [die("beer", 400, 400), die("arrow", 20, 300), FIVE[4]]
    assert numbers(dice, away=(0, 1, 2, 3)) == [(1, True), (0, True), (4, False)]


def test_a_die_is_the_same_where_it_lies_there_and_shows_the_same():
    old = FIVE[2]
    assert is_same_die(shifted(2, 10), old)
    assert not is_same_die(shifted(2, 20), old)
    assert lies_there(shifted(2, 10, face="beer"), old)
    assert not is_same_die(shifted(2, 10, face="beer"), old)
    assert not lies_there(replace(old, size=2 * old.size), old)
    doubtful = replace(old, face="beer", likely=("beer", old.face), sure=False)
    assert shows_same(doubtful, old)
    assert shows_same(old, doubtful)
    assert not shows_same(replace(doubtful, sure=True), old)


def test_matching_imports_neither_numpy_nor_opencv():
    code = "import sys, vision.dice.matching; print(sorted({'numpy', 'cv2'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
