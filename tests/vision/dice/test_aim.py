"""What is said of a picture, on pictures with faults that are known."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from vision.camera_shift import has_camera_moved
from vision.dice.advice import Advice, Fault, Region
from vision.dice.aim import AimAdvisor, advise
from vision.dice.find.detector import DiceDetector
from vision.dice.reading import DiceReading, Die, TrayVerdict
from vision.imaging.pyramid import build_pyramid
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.dice.tray import SimulatedDiceTray
from vision.simulate.settings import RenderSettings

pytestmark = pytest.mark.pictures

Image = np.ndarray
SPOTS = ((-9.0, 6.0), (-3.0, -5.0), (0.0, 3.0), (5.0, -2.0), (9.0, 6.0))


def thrown(size: tuple[int, int] = (820, 616), **look: Any) -> tuple[Image, tuple[Die, ...]]:
    """Five dice in a tray, and how a perfect reader would find them."""
    tray = SimulatedDiceTray("pips", size, seed=4, settings=RenderSettings(**look))
    faces = ("arrow", "beer", "gatling", "dynamite", "bullseye1")
    tray.place(PlacedDie(f, x, y, 20.0 * x) for f, (x, y) in zip(faces, SPOTS, strict=True))
    found = zip(tray.dice, tray.centres.tolist(), tray.sizes.tolist(), strict=True)
    dice = (Die(d.face, *at, size, d.angle % 90, 1.0, True, (d.face,)) for d, at, size in found)
    return tray.frame(), tuple(dice)


def said(image: Image, dice: tuple[Die, ...]) -> tuple[Advice, ...]:
    return AimAdvisor().advise(image, DiceReading(TrayVerdict.COUNT, dice))


def faults(image: Image, dice: tuple[Die, ...]) -> list[Fault]:
    return [advice.fault for advice in said(image, dice)]


@pytest.fixture(scope="module")
def good() -> tuple[Image, tuple[Die, ...]]:
    return thrown()


def test_a_good_picture_needs_nothing(good):
    assert said(*good) == ()


def test_the_fault_of_the_whole_picture_is_named(good):
    image, dice = good
    for changed, fault in (
        ((image * 0.12).astype(np.uint8), Fault.TOO_DARK),
        (np.zeros_like(image), Fault.TOO_DARK),
        (cv2.convertScaleAbs(image, alpha=7.0), Fault.TOO_BRIGHT),
        (cv2.GaussianBlur(image, (0, 0), 4), Fault.BLURRED),
    ):
        assert faults(changed, dice)[0] is fault


def test_a_little_less_light_or_focus_is_well(good):
    image, dice = good
    assert faults((image * 0.6).astype(np.uint8), dice) == []
    assert faults(cv2.GaussianBlur(image, (0, 0), 0.7), dice) == []


@pytest.mark.parametrize(
    ("height", "size", "seen", "needed"),
    [(50.0, (820, 616), 20, 26), (50.0, (1640, 1232), 41, 52), (28.0, (410, 308), 18, 26)],
)
def test_dice_too_small_are_named_with_their_size(height, size, seen, needed):
    (advice, *_) = said(*thrown(size, height=height))
    assert advice.fault is Fault.TOO_FAR
    assert (abs(advice.seen - seen) <= 2, advice.needed) == (True, needed)


def test_a_camera_too_near_is_named_and_dice_that_cannot_be_read_are_not_asked_for(good):
    image, _ = good
    near = cv2.resize(image[255:365, 325:475], (820, 600))
    assert Fault.TOO_NEAR in faults(near, (Die("beer", 400, 300, 240, 0, 1, True, ("beer",)),))
    near = cv2.resize(image[295:345, 365:435], (820, 600))
    found = {a.fault for a in AimAdvisor().advise(near, DiceReading(TrayVerdict.TOO_NEAR, ()))}
    assert Fault.TOO_NEAR in found
    assert not {Fault.NO_DICE, Fault.NO_TRAY} & found


@pytest.mark.parametrize(
    ("side", "part"),
    [("left", np.s_[:, 205:]), ("right", np.s_[:, :-205]), ("top", np.s_[154:]),
     ("bottom", np.s_[:-154])],
)  # fmt: skip
def test_a_tray_that_is_cut_off_is_named_with_the_side(good, side, part):
    image, _ = good
    cut = [advice.region for advice in said(image[part], ()) if advice.fault is Fault.CUT_OFF]
    assert cut == [side]


def test_a_die_that_is_cut_off_is_named_with_the_side(good):
    image, dice = good
    x, y = round(dice[0].x), round(dice[0].y)
    shifted = tuple(replace(die, x=die.x - x) for die in dice)
    assert Advice(Fault.CUT_OFF, Region.LEFT) in said(image[:, x:], shifted)
    shifted = tuple(replace(die, y=die.y - y) for die in dice)
    assert Advice(Fault.CUT_OFF, Region.TOP) in said(image[y:], shifted)


@pytest.mark.parametrize(
    ("x", "y", "side"),
    [(164, 308, "left"), (656, 308, "right"), (492, 154, "top"), (312, 493, "bottom"),
     (451, 339, "middle")],
)  # fmt: skip
def test_a_mirrored_lamp_is_named_with_its_side(good, x, y, side):
    image, dice = good
    glare = cv2.circle(image.copy(), (x, y), 35, (255, 255, 255), -1)
    assert Advice(Fault.GLARE, Region(side)) in said(glare, dice)


def test_a_lamp_mirrored_in_one_die_is_named_there(good):
    image, dice = good
    at, radius = (round(dice[0].x), round(dice[0].y)), round(dice[0].size / 2)
    glare = cv2.circle(image.copy(), at, radius, (255, 255, 255), -1)
    assert Advice(Fault.GLARE, Region.LEFT) in said(glare, dice)


def test_bright_dice_are_no_glare():
    assert Fault.GLARE not in faults(*thrown(dice_colour=(252, 252, 252)))


def test_uneven_light_is_named_with_the_darkest_side(good):
    image, dice = good
    across = 2 ** np.linspace(1, -5, image.shape[1])[None, :, None]
    lit = np.clip(image * across, 0, 255).astype(np.uint8)
    assert Advice(Fault.UNEVEN, Region.RIGHT) in said(lit, dice)


def test_without_dice_they_are_asked_for_also_without_a_tray():
    assert faults(SimulatedDiceTray("pips", seed=4).frame(), ()) == [Fault.NO_DICE]
    rng = np.random.default_rng(1)
    table = np.clip(rng.normal(150, 4, (616, 820, 3)), 0, 255).astype(np.uint8)
    assert Fault.NO_DICE in faults(table, ())


def test_the_worst_comes_first():
    image, dice = thrown(height=50)
    found = faults(cv2.GaussianBlur(image, (0, 0), 2.5), dice)
    order = [list(Fault).index(fault) for fault in found]
    assert len(order) > 1
    assert order == sorted(order)


@pytest.mark.parametrize("size", [(1, 1), (2, 3), (40, 30), (3, 2000)])
def test_pictures_of_any_size_are_judged(size):
    assert faults(np.full((*size, 3), 120, np.uint8), ()) != []


def test_judging_changes_nothing(good):
    image, dice = good
    before = image.copy()
    advise(image, DiceReading(TrayVerdict.OK, dice), DiceDetector().detect(build_pyramid(image)))
    assert (image == before).all()


# Has the camera moved?


def other_view(image: Image, x: float = 0, y: float = 0, turn: float = 0, zoom: float = 1) -> Image:
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, zoom)
    matrix[:, 2] += (x, y)
    return cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)


def test_dice_and_light_are_no_motion_of_the_camera(good):
    image, _ = good
    tray = SimulatedDiceTray("pips", seed=4).frame()
    assert not has_camera_moved(tray, image)
    assert not has_camera_moved(tray, (image * 0.5).astype(np.uint8))
    assert not has_camera_moved(tray, tray)


@pytest.mark.parametrize(
    "view", [{"x": 12}, {"x": -30, "y": 20}, {"y": 80}, {"turn": 6}, {"zoom": 1.12}], ids=str
)
def test_a_moved_camera_is_noticed(good, view):
    image, _ = good
    assert has_camera_moved(SimulatedDiceTray("pips", seed=4).frame(), other_view(image, **view))
