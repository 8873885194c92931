"""The reader on dice with symbols that it was taught: path-traced pictures of two sets."""

import cv2
import numpy as np
import pytest
from places import RENDERS
from tiers import later
from trays import rest

from tests.tools.bench.changed import CHANGES, grey, in_place, moved
from tests.tools.bench.changed import levels as changed_levels
from tests.tools.bench.ornaments import portraits
from tests.tools.bench.ornaments import profile_of as ornate_profile
from tests.tools.bench.sizes import outcome, part, small_tray, throws
from tests.tools.bench.symbols import Picture, Score, pictures, profile_of, wrong
from vision.dice.find.tray_model import MOST, TrayModel
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import FACES, DiceReading, LyingDie, TrayVerdict
from vision.simulate.dice.tray import SimulatedDiceTray
from vision.simulate.settings import RenderSettings

pytestmark = pytest.mark.pictures

SETS = ("D", "E")
Read = dict[str, tuple[Picture, DiceReading]]


@pytest.fixture(scope="module")
def readers() -> dict[str, DiceReader]:
    return {name: DiceReader(profile_of(RENDERS / name)) for name in SETS}


@pytest.fixture(scope="module")
def read(readers: dict[str, DiceReader]) -> Read:
    return {
        picture.name: (picture, readers[name].read(picture.image, TrayModel(picture.tray)))
        for name in SETS
        for picture in pictures(RENDERS / name)
    }


def score(read: Read, *kinds: str) -> Score:
    total = Score()
    for picture, reading in read.values():
        if picture.truth["kind"] in kinds:
            total.add(picture, reading)
    assert total.pictures
    return total


def test_no_die_is_sure_and_wrong(read):
    every = score(read, "normal", "touching", "cocked", "empty")
    assert (every.silent, every.ok_wrong) == (0, 0)


def test_most_throws_are_read_right_and_need_no_question_also_where_dice_touch(read):
    for kind, right, ok in (("normal", 0.9, 0.8), ("touching", 0.8, 0.75)):
        found = score(read, kind)
        assert found.right >= right * found.pictures
        assert found.ok >= ok * found.pictures


@pytest.mark.parametrize("light", [1.3, 1.4, 1.6])
def test_a_burnt_out_face_is_never_sure_and_wrong(readers, read, light):
    picture, _ = read["D/normal/005.jpg"]
    brighter = changed_levels(light, light, light)
    reading = readers["D"].read(brighter(picture.image), TrayModel(brighter(picture.tray)))
    assert not any(wrong(die, picture.truth) for die in reading.dice if die.sure)


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_number_in_ornaments_is_never_sure_and_wrong_and_sure_where_it_is_clear(number):
    reader = DiceReader(ornate_profile(list(portraits(number, 0.4, shown=True))))
    sure = [
        (die.face, FACES[truth.face])
        for picture, truth in portraits(number, 0.4, shown=False)
        for die in reader.read(picture).dice
        if die.sure
    ]
    assert sure
    assert all(named == shown for named, shown in sure)


FOREIGN = {
    "of another table": (
        lambda die: die._replace(right=die.right + 0.3, down=die.down - 0.2),
        lambda tray: 255 - tray,
    ),
    "mirrored": (
        lambda die: die._replace(x=1 - die.x, right=-die.right),
        lambda tray: tray[:, ::-1].copy(),
    ),
    "turned": (
        lambda die: LyingDie(0.75 - die.y, die.x, -die.down, die.right),
        lambda tray: tray[::-1, ::-1].copy(),
    ),
    "of a heap": (lambda die: LyingDie(0.5, 0.5, die.right, die.down), lambda tray: tray),
}


@pytest.mark.parametrize(("change", "show"), FOREIGN.values(), ids=FOREIGN)
def test_a_model_of_another_camera_makes_no_throw_surer(readers, read, change, show):
    every = [each for each in read.values() if each[0].name.startswith("D/")]
    own = [each for _, each in every if each.verdict is TrayVerdict.OK]
    size = every[0][0].image.shape[1::-1]
    dice = tuple(change(die) for reading in own for die in reading.lying)[:MOST]
    for picture, plain in every:
        tray = None if picture.tray is None else show(picture.tray)
        reading = readers["D"].read(picture.image, TrayModel(tray, size, dice))
        assert plain.verdict is TrayVerdict.OK or reading.verdict is not TrayVerdict.OK
        assert not any(wrong(die, picture.truth) for die in reading.dice if die.sure)


def test_what_is_no_reading_is_said(read):
    for kind, most in (("cocked", 1), ("count", 1), ("blocked", 1), ("empty", 0)):
        failed = [picture.name for picture, _ in score(read, kind).failed]
        assert len(failed) <= most, failed


@pytest.mark.parametrize("share", [0.035, 0.12, 0.25, *later(0.06, 0.085, 0.16, 0.2)])
def test_dice_of_any_size_are_read(readers, share):
    rng = np.random.default_rng(round(1000 * share))
    missed = []
    for name in SETS:
        for picture in list(throws(RENDERS / name))[:4]:
            image, boxes = part(picture, 2, share, rng)
            reading = readers[name].read(image)
            missed += ["read" not in outcome(reading, boxes, boxes[2])]
            assert reading.verdict is not TrayVerdict.EMPTY, picture.name
            assert not any(die.sure and wrong(die, {"boxes": boxes}) for die in reading.dice)
    assert sum(missed) <= 1


@pytest.mark.parametrize("share", [0.4, *later(0.5)])
def test_dice_that_fill_the_picture_are_too_near(readers, share):
    rng = np.random.default_rng(round(1000 * share))
    verdicts = [
        readers[name].read(part(picture, 2, share, rng)[0]).verdict
        for name in SETS
        for picture in list(throws(RENDERS / name))[:4]
    ]
    assert TrayVerdict.EMPTY not in verdicts
    assert verdicts.count(TrayVerdict.TOO_NEAR) >= 0.8 * len(verdicts)


@pytest.mark.parametrize("share", [0.6, 0.9])
def test_a_picture_that_one_die_fills_is_no_empty_tray(readers, read, share):
    near, _ = part(read["D/normal/002.jpg"][0], 0, share, np.random.default_rng(1))
    assert readers["D"].read(near).verdict is not TrayVerdict.EMPTY


def test_a_tray_that_fills_the_picture_needs_no_question():
    reader = DiceReader(load_profile("pips"))
    assert reader.read(small_tray("pips", 0.12, 3, FACES[:5]).frame()).verdict is TrayVerdict.OK


@pytest.mark.parametrize("name", ["D/cocked/000.jpg", "D/cocked/001.jpg"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_die_that_leans_is_never_sure(readers, read, change, name):
    picture, _ = read[name]
    image, to = CHANGES[change](picture.image)
    reading = readers["D"].read(image)
    assert reading.verdict is not TrayVerdict.OK
    ((x, y, edge, _),) = [b for b in moved(picture, to).truth["boxes"] if b[3] == "cocked"]
    near = [die for die in reading.dice if np.hypot(die.x - x, die.y - y) < edge / 2]
    assert not any(die.sure for die in near)


@pytest.mark.parametrize("change", CHANGES)
def test_a_die_beside_the_tray_is_never_the_fifth(readers, read, change):
    picture, _ = read["D/count/000.jpg"]
    image, to = CHANGES[change](picture.image)
    reading = readers["D"].read(image)
    assert reading.verdict is not TrayVerdict.OK
    assert not any(wrong(die, moved(picture, to).truth) for die in reading.dice if die.sure)


@pytest.mark.parametrize("name", ["D/normal/012.jpg", "E/normal/000.jpg"])
def test_a_mirrored_lamp_is_no_face(readers, read, name):
    picture, _ = read[name]
    burnt = picture.image.copy()
    for x, y, edge, _ in picture.truth["boxes"]:
        cv2.circle(burnt, (int(x), int(y)), int(0.42 * edge), (255, 255, 255), cv2.FILLED)
    reading = readers[name[0]].read(cv2.GaussianBlur(burnt, (0, 0), 1.5))
    assert len(reading.dice) == 5
    assert not any(die.sure for die in reading.dice)


def test_likely_faces_come_in_order(read):
    for _, reading in read.values():
        for die in reading.dice:
            assert die.likely[0] == die.face
            assert sorted(die.likely) == sorted(FACES)
            assert 0 <= die.confidence <= 1
            assert 0 <= die.angle < 90


@pytest.mark.parametrize(
    "change",
    [CHANGES["1640 x 1232"], CHANGES["turned by 90 degrees"], in_place(grey)],
    ids=["twice as large", "upright", "grey"],
)
def test_size_turn_and_colour_of_the_picture_do_not_matter(readers, read, change):
    """Each die is where it lies, and as large."""
    picture, _ = read["E/normal/000.jpg"]
    image, to = change(picture.image)
    reading = readers["E"].read(image)
    for x, y, edge, face in moved(picture, to).truth["boxes"]:
        die = min(reading.dice, key=lambda die: np.hypot(die.x - x, die.y - y))
        assert np.hypot(die.x - x, die.y - y) < 0.15 * edge
        assert die.face == face
        assert die.size == pytest.approx(edge, rel=0.2)


PAPER = RenderSettings(dice_colour=(228, 238, 242), ink_colour=(25, 24, 26))


@pytest.mark.parametrize("seed", [1, *later(0, 2)])
def test_printed_dice_are_read_with_the_profile_that_ships(seed):
    tray = SimulatedDiceTray("symbols", seed=seed, settings=PAPER)
    tray.throw()
    reading = DiceReader(load_profile("print")).read(rest(tray))
    assert sorted(die.face for die in reading.dice) == sorted(tray.faces)
