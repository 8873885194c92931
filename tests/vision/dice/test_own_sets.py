"""Sets of dice with symbols of our own, and how those are read that were never trained on."""

import cv2
import numpy as np
import pytest
from places import PICTURES

from tests.tools.bench.symbols import THROWS, measure, profile_of
from vision.dice.reader import DiceReader
from vision.dice.reading import FACES
from vision.simulate.dice.art import draw_face
from vision.training.own_sets import DESIGNS, KINDS, SHOWN, compose, drawn_shots
from vision.training.trays.dice import overlap

pytestmark = pytest.mark.pictures

OWN = sorted(p.parent for p in (PICTURES / "own").glob("*/truth.json"))


@pytest.mark.parametrize("name", DESIGNS)
def test_no_two_faces_of_a_set_look_alike(name):
    inks = [draw_face(face, 48) for face in DESIGNS[name].faces]
    assert all(0.03 < ink.mean() < 0.7 for ink in inks)
    for one in range(len(FACES)):
        for other in range(one):
            turned = [np.rot90(inks[other], quarter) for quarter in range(4)]
            assert min(float(np.abs(inks[one] - ink).mean()) for ink in turned) > 0.01


def test_a_scene_shows_what_its_truth_says():
    _, picture, truths = next(drawn_shots("box", 1))
    assert [truth.face for truth in truths] == list(range(len(FACES)))
    assert picture.shape[2] == 3
    for x, y, *_ in truths:
        around = picture[round(y) - 9 : round(y) + 9, round(x) - 9 : round(x) + 9]
        assert cv2.meanStdDev(cv2.cvtColor(around, cv2.COLOR_BGR2GRAY))[1] > 3


def test_no_die_lies_in_another():
    for number in range(SHOWN, SHOWN + len(KINDS)):
        dice = compose("steel", number, 21).setting.dice
        assert not any(overlap(a, b, 0.85) for k, a in enumerate(dice) for b in dice[:k])


@pytest.mark.slow
def test_most_throws_of_sets_that_were_never_trained_on_are_read_right():
    every = [
        score
        for home in OWN
        for score in measure(home, DiceReader(profile_of(home)).read)[0].items()
    ]
    assert sum(score.dice for _, score in every) > 290
    assert not any(score.silent or score.ok_wrong for _, score in every)
    flat = [score for kind, score in every if kind in THROWS]
    assert sum(score.pictures for score in flat) == 48
    assert sum(score.right for score in flat) >= 41
    assert sum(score.ok for score in flat) >= 29


def test_a_small_one_and_two_in_the_same_star_are_not_told_by_edges_that_hardly_differ():
    home = PICTURES / "twins"
    (score,) = measure(home, DiceReader(profile_of(home)).read)[0].values()
    assert (score.dice, score.ok, score.silent) == (5, 0, 0)
