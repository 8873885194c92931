"""Dice that are found: all of a throw are as large, and there are five."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from places import RENDERS

from tests.tools.bench.drawn_evenings import TABLES, set_table
from tests.tools.bench.symbols import Picture, pictures
from vision.dice.find.candidate import Candidate
from vision.dice.find.detector import Detections, fitting_look
from vision.dice.find.finder import DiceFinder, FoundDice, equalise_sizes
from vision.imaging.pyramid import build_pyramid

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def finder() -> DiceFinder:
    return DiceFinder()


@pytest.fixture(scope="module")
def shown() -> Picture:
    return next(p for p in pictures(RENDERS / "E") if p.name == "E/normal/000.jpg")


@pytest.fixture(scope="module")
def found(finder: DiceFinder, shown: Picture) -> FoundDice:
    return finder.find(build_pyramid(shown.image))


def misframed(die: Candidate, scale: float, logit: float) -> Candidate:
    """Return a die whose box is too large or small, and lies beside it."""
    x, axes = die.box.x + 0.15 * die.box.edge, np.asarray(die.box.axes * scale, np.float32)
    return replace(die, box=replace(die.box, x=x, axes=axes), pose_logit=logit)


@pytest.mark.parametrize("scale", [0.8, 1.25])
def test_a_die_of_another_size_is_framed_as_large_as_the_others(finder, shown, found, scale):
    dice = list(found.candidates[:5])
    seen = [misframed(dice[0], scale, 0.5), *dice[1:]]
    first, *rest = equalise_sizes(finder.pose, build_pyramid(shown.image), seen, [found.detections])
    assert rest == dice[1:]
    assert first.pose_logit > 2
    assert first.box.edge == pytest.approx(dice[0].box.edge, rel=0.08)
    assert abs(first.box.x - dice[0].box.x) < 0.06 * dice[0].box.edge


def test_a_die_that_looks_no_more_like_one_then_or_has_few_beside_it_stays(finder, shown, found):
    seen = [misframed(found.candidates[0], 1.25, 20), *found.candidates[1:5]]
    levels = build_pyramid(shown.image)
    assert equalise_sizes(finder.pose, levels, seen, [found.detections]) == seen
    # So it does where too few say how large dice are.
    seen = [misframed(found.candidates[0], 1.25, 0.5), *found.candidates[1:3]]
    assert equalise_sizes(finder.pose, levels, seen, [found.detections]) == seen


def faded(shown: Picture, die: int, left: float) -> np.ndarray:
    """Return the picture with little contrast, a share `left`, between one die and the floor."""
    x, y, edge = (round(n) for n in shown.truth["boxes"][die][:3])
    reach = 2 * edge
    around = shown.image[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
    disc = cv2.circle(np.zeros(shown.image.shape[:2], np.float32), (x, y), 7 * edge // 5, 1, -1)
    gone = cv2.GaussianBlur(disc, (0, 0), edge / 8)[..., None] * (1 - left)
    floor = np.median(around.reshape(-1, 3), 0)
    return np.asarray(shown.image * (1 - gone) + floor * gone, np.uint8)


@pytest.mark.parametrize(
    ("name", "die"), [("D/normal/004", 2), ("D/normal/013", 0), ("E/normal/005", 0)]
)
def test_the_fifth_die_is_found_as_large_as_the_others_though_it_hardly_shows(finder, name, die):
    shown = next(p for p in pictures(RENDERS / name[0]) if p.name == f"{name}.jpg")
    x, y, edge, _ = shown.truth["boxes"][die]
    levels = build_pyramid(faded(shown, die, 0.35))
    (found,) = (
        c for c in finder.find(levels).candidates if np.hypot(c.box.x - x, c.box.y - y) < 0.2 * edge
    )
    assert found.logit > 1
    assert found.box.edge == pytest.approx(edge, rel=0.08)


@pytest.mark.parametrize(("floor", "number"), [("plaid", 11), ("terrazzo", 13)])
def test_the_pattern_of_a_tray_hides_no_fifth_die(finder, floor, number):
    table = set_table(next(look for look in TABLES if look.floor == floor), seed=1)
    throw = table.throw(number)
    found = finder.find(build_pyramid(throw.picture), build_pyramid(table.empty()))
    dice = [c.box for c in found.candidates[:5]]
    for x, y, edge, _ in throw.boxes:
        assert min(np.hypot(box.x - x, box.y - y) for box in dice) < 0.15 * edge


@pytest.mark.parametrize("name", ["D", "E"])
def test_no_die_is_found_where_four_lie_alone(finder, name):
    throws = [p for p in pictures(RENDERS / name) if len(p.truth["dice"]) == 4]
    assert throws
    for shown in throws:
        # What is nearer to a die than another one can lie shows a side of it.
        places = [*shown.truth["boxes"], *(shown.truth.get("outside") or ())]
        for found in finder.find(build_pyramid(shown.image)).candidates:
            if found.logit > 0:
                apart = [np.hypot(found.box.x - x, found.box.y - y) / e for x, y, e, *_ in places]
                assert min(apart) < 0.8


def test_a_hand_beside_a_die_that_is_near_is_seen(finder):
    hand = cv2.imread(str(RENDERS / "E/blocked/002.jpg"))
    x, y, edge, _ = json.loads((RENDERS / "E/truth.json").read_text())["blocked/002.jpg"]["boxes"][
        1
    ]
    size = np.array((edge / 0.12, 0.75 * edge / 0.12))
    middle = np.clip((x, y), size / 2, np.array(hand.shape[1::-1]) - size / 2)
    near = cv2.getRectSubPix(hand, size.round().astype(int).tolist(), middle.tolist())
    assert finder.find(build_pyramid(near)).detections.obstacle_area(edge) > 5


@pytest.mark.parametrize(("edge", "hands"), [(40, 0), (50, 0), (70, 1)])
def test_hands_are_looked_for_from_nearer_than_the_tray(edge, hands):
    """From afar, a brown table may look like one."""
    nothing, all_over = (np.full((76, 104), n, np.float32) for n in (0, 1))
    near = Detections((), all_over, nothing, 4.0)
    afar = Detections((), all_over[::2, ::2] / 2, all_over[::2, ::2], 8.0)
    seen = fitting_look([near, afar], edge)
    assert (seen.obstacle == hands).all()
    assert seen.cell == (4.0 if edge < 42 else 8.0)
