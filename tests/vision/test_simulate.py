from collections import Counter
from itertools import pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from trays import rest

from vision.dice.reading import FACES
from vision.simulate.dice.art import ART, MARGIN, DiceKind, draw_face
from vision.simulate.dice.cube import SIDE_VALUES
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.dice.tray import SimulatedDiceTray
from vision.simulate.settings import RenderSettings

pytestmark = pytest.mark.pictures

SMALL = (410, 308)
KINDS: tuple[DiceKind, ...] = ("pips", "symbols")
VIEWS = [
    RenderSettings(height=25, tilt=0),
    RenderSettings(height=28, tilt=20, turn=-4),
    RenderSettings(height=32, tilt=10, turn=180, light=(-40, 40)),
    RenderSettings(height=40, tilt=15, floor=(30, 22)),
]


def all_faces(turn: float) -> list[PlacedDie]:
    """A die with each face, in a row."""
    rows = [(face, -9 + 3.6 * i, 5 * (-1) ** i, turn + 61 * i) for i, face in enumerate(FACES)]
    return [PlacedDie(*row) for row in rows]


def upright(picture: NDArray[np.uint8], quad: NDArray[np.float32], pixels: int = 96) -> np.ndarray:
    """The top face as its art is drawn, grey."""
    square = np.array(((0, 0), (pixels, 0), (pixels, pixels), (0, pixels)), np.float32) - 0.5
    face = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(quad, square), (pixels, pixels))
    return cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)


def likeness(one: NDArray[np.floating], other: NDArray[np.floating]) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


@pytest.mark.parametrize("dice", KINDS)
def test_a_seed_gives_the_same_pictures_and_another_seed_others(dice):
    trays = [SimulatedDiceTray(dice, (333, 241), seed) for seed in (7, 7, 8)]
    for tray in trays:
        tray.throw()
    for _ in range(15):
        one, same, other = (tray.frame() for tray in trays)
        assert (one.shape, one.dtype) == ((241, 333, 3), np.uint8)
        assert np.array_equal(one, same)
        assert not np.array_equal(one, other)
    assert trays[0].dice == trays[1].dice != trays[2].dice


@pytest.mark.parametrize(("dice", "least"), [("pips", 0.3), ("symbols", 0.75)])
@pytest.mark.parametrize("look", VIEWS)
def test_what_is_on_top_is_the_face_and_stands_upright(look, dice, least):
    tray = SimulatedDiceTray(dice, seed=2, settings=look)
    tray.place(all_faces(40))
    picture = tray.frame()
    drawn = [draw_face(shapes, 96, MARGIN[dice]) for shapes in ART[dice]]
    for face, quad in zip(tray.faces, tray.quads, strict=True):
        fits = [abs(likeness(upright(picture, quad), art)) for art in drawn]
        assert FACES[int(np.argmax(fits))] == face
        assert max(fits) > least


def test_opposite_sides_sum_to_seven():
    assert sorted(SIDE_VALUES) == [1, 2, 3, 4, 5, 6]
    assert [SIDE_VALUES[i] + SIDE_VALUES[i + 1] for i in (0, 2, 4)] == [7, 7, 7]


@pytest.mark.parametrize("look", VIEWS)
def test_thrown_dice_lie_apart_within_the_wall_and_the_picture(look):
    tray = SimulatedDiceTray("pips", SMALL, seed=3, settings=look)
    for _ in range(12):
        tray.throw()
        assert tray.quads.shape == (5, 4, 2)
        assert (tray.quads >= 0).all()
        assert (tray.quads <= np.array(SMALL) - 1).all()
        for die in tray.dice:
            reach = look.edge / 2 * sum(abs(f(np.radians(die.angle))) for f in (np.sin, np.cos))
            assert abs(die.x) + reach < look.floor[0] / 2
            assert abs(die.y) + reach < look.floor[1] / 2
        covered = np.zeros(SMALL[::-1], np.uint8)
        for quad in tray.quads:
            top = np.zeros_like(covered)
            cv2.fillConvexPoly(top, np.round(quad).astype(np.int32), 1)
            covered += top
        assert covered.max() == 1


def test_centres_and_sizes_follow_from_the_camera():
    look = RenderSettings(height=30, tilt=0, field_of_view=60)
    tray = SimulatedDiceTray("pips", (801, 601), seed=0, settings=look)
    tray.place([PlacedDie("beer", 0, 0, 30), PlacedDie("arrow", 6, -4, 0)])
    per_cm = 400.5 / np.tan(np.radians(30)) / (30 - look.edge)
    expected = np.array([(400, 300), (400 + 6 * per_cm, 300 + 4 * per_cm)])
    np.testing.assert_allclose(tray.centres, expected, atol=0.01)
    np.testing.assert_allclose(tray.sizes, look.edge * per_cm, atol=0.01)


def test_kept_dice_stay_to_the_pixel():
    tray = SimulatedDiceTray("symbols", SMALL, seed=4, settings=RenderSettings(noise=0))
    tray.throw()
    before, faces, placed = rest(tray), tray.faces, tray.dice
    quads, centres = tray.quads, tray.centres
    tray.throw(keep={1, 4})
    after = rest(tray)
    for die in range(5):
        assert (tray.dice[die] == placed[die]) == (die in {1, 4})
        top = np.zeros(before.shape[:2], np.uint8)
        within = centres[die] + 0.8 * (quads[die] - centres[die])
        cv2.fillConvexPoly(top, np.round(within).astype(np.int32), 1)
        assert np.array_equal(before[top > 0], after[top > 0]) == (die in {1, 4})
    assert (tray.faces[1], tray.faces[4]) == (faces[1], faces[4])


def test_who_keeps_all_five_throws_nothing_and_a_cleared_tray_is_an_empty_one():
    tray = SimulatedDiceTray("pips", SMALL, seed=4, settings=RenderSettings(noise=0))
    empty = tray.frame()
    assert (tray.faces, tray.quads.shape) == ((), (0, 4, 2))
    tray.throw()
    rest(tray)
    placed = tray.dice
    tray.throw(keep=range(5))
    assert (tray.at_rest, tray.dice) == (True, placed)
    tray.throw()
    tray.clear()
    assert (tray.at_rest, tray.faces) == (True, ())
    assert np.array_equal(tray.frame(), empty)
    # Any number of dice can be placed.
    tray.place(all_faces(0))
    assert (tray.at_rest, tray.faces) == (True, FACES)


def test_dice_move_for_some_frames_and_then_lie_still():
    tray = SimulatedDiceTray("pips", SMALL, seed=5, settings=RenderSettings(noise=0))
    assert tray.at_rest
    tray.throw()
    moving = []
    while not tray.at_rest:
        moving.append(tray.frame())
    assert 5 <= len(moving) <= 20
    changes = [cv2.absdiff(one, two).max(axis=2) > 20 for one, two in pairwise(moving)]
    assert min(map(np.count_nonzero, changes[2:])) > 50
    assert np.array_equal(tray.frame(), tray.frame())


def test_frames_at_rest_differ_by_the_noise_asked_for():
    tray = SimulatedDiceTray("pips", SMALL, seed=6, settings=RenderSettings(noise=5))
    tray.throw()
    one, two = rest(tray), tray.frame()
    inner = slice(100, 200)
    difference = one[inner, inner].astype(float) - two[inner, inner]
    assert difference.std() == pytest.approx(5 * np.sqrt(2), rel=0.05)


def test_faces_can_be_forced_and_otherwise_are_fair():
    tray = SimulatedDiceTray("pips", (160, 120), seed=9)
    forced = ("beer", "beer", "gatling", "arrow", "dynamite")
    tray.throw(faces=forced)
    assert tray.faces == forced
    seen: Counter[str] = Counter()
    for _ in range(60):
        tray.throw()
        seen.update(tray.faces)
    assert set(seen) == set(FACES)
    assert all(30 <= n <= 70 for n in seen.values())


def test_colours_are_those_asked_for():
    dice, ink, felt = (40, 40, 200), (230, 230, 60), (150, 60, 40)
    look = RenderSettings(dice_colour=dice, ink_colour=ink, felt_colour=felt, noise=0)
    tray = SimulatedDiceTray("pips", seed=1, settings=look)
    tray.place([PlacedDie("arrow", 0, 0, 0)])
    picture = tray.frame()
    x, y = np.round(tray.centres[0]).astype(int)
    off = int(tray.sizes[0] * 0.3)
    for colour, seen in ((ink, (y, x)), (dice, (y - off, x)), (felt, (y, x + 120))):
        assert likeness(np.array(colour, float), picture[seen].astype(float)) > 0.95


def test_what_cannot_be_is_refused():
    tray, beer = SimulatedDiceTray("pips", SMALL, seed=1), PlacedDie("beer", 0, 0, 0)
    for do, message in (
        (lambda: tray.throw(keep={0}), "die 0 is not in the tray"),
        (lambda: tray.throw(faces=("arrow",)), "1 faces for five dice"),
        (lambda: tray.throw(faces=("arrow",) * 4 + ("sword",)), "no face 'sword'"),
        (lambda: tray.place([beer._replace(x=12.9)]), "sticks in the wall"),
        (lambda: tray.place([beer, PlacedDie("beer", 1.2, 1, 45)]), "overlap"),
    ):
        with pytest.raises(ValueError, match=message):
            do()
        assert tray.faces == ()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"tilt": 50}, "tilt is 50: not between 0 and 30"), ({"height": 3}, "height is 3: "),
     ({"noise": -1}, "noise is -1: "), ({"edge": 9}, "edge is 9: "),
     ({"light": (0, 5)}, "the light's height is 5: ")],
)  # fmt: skip
def test_an_impossible_look_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        RenderSettings(**wrong)


def test_a_mat_lies_under_the_dice_and_not_beyond_the_wall():
    frames = []
    for mat in (None, np.full((190, 260, 3), (0, 0, 200), np.uint8)):
        quiet = RenderSettings(noise=0)
        tray = SimulatedDiceTray("pips", SMALL, seed=7, settings=quiet, mat=mat)
        tray.place([PlacedDie("beer", 0, 0, 0)])
        frames.append(tray.frame().astype(int))
    (felt, paper), (x, y) = frames, tray.centres[0].round().astype(int)
    floor = paper[y, x + round(3 * float(tray.sizes[0]))]
    assert floor[2] > floor[:2].sum() + 50, "the mat's red"
    assert np.abs(paper[y, x] - felt[y, x]).max() < 3, "the die's own colour"
    assert (paper[:8] == felt[:8]).all(), "the table"
