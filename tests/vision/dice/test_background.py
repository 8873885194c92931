"""The known empty tray: what was there before the throw is no die."""

from collections import Counter

import numpy as np
import pytest
from places import RENDERS
from tiers import later

from tests.tools.bench.changed import COLD, LIGHT, WARM, grey, printed
from tests.tools.bench.symbols import Picture, profile_of
from tests.tools.bench.symbols import pictures as rendered
from vision.dice.find.background import TrayGround
from vision.dice.find.tray_model import TrayModel
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import DiceReading, TrayVerdict
from vision.imaging.geometry import FaceBox
from vision.imaging.pyramid import build_pyramid
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.dice.tray import SimulatedDiceTray

pytestmark = pytest.mark.pictures

PRINTED = [PlacedDie("beer", -9, -5, 10), PlacedDie("gatling", 9, 5, 40)]
"""Dice glued to the tray: no ornament looks more like one."""
THROWN = [PlacedDie("arrow", x, y, 25 * x) for x, y in ((-4, 0), (-1, 5), (2, -4), (5, 1), (9, -6))]


@pytest.fixture(scope="module")
def reader():
    return DiceReader(load_profile("pips"))


@pytest.fixture
def pictures():
    tray = SimulatedDiceTray(seed=4)
    tray.place(PRINTED)
    empty = tray.frame()
    tray.place(PRINTED + THROWN)
    return empty, tray.frame()


def test_ornaments_of_the_tray_are_no_dice(reader, pictures):
    empty, thrown = pictures
    assert len(reader.read(thrown).dice) == 7
    reading = reader.read(thrown, TrayModel(empty))
    assert [die.face for die in reading.dice] == ["arrow"] * 5
    assert reading.verdict is TrayVerdict.OK


def test_a_die_in_a_corner_was_not_there_before():
    tray = np.full((200, 200, 3), 235, np.uint8)
    tray[:, :97] = tray[119:] = 40
    thrown = tray.copy()
    thrown[80:120, 98:138] = 170
    thrown[88:112, 106:130] = 220
    thrown[94:106, 112:124] = 170
    ground = TrayGround(build_pyramid(thrown), build_pyramid(tray))
    die = FaceBox(117.5, 99.5, np.eye(2, dtype=np.float32) * 20, 0.9)
    assert ground.is_changed(die)
    assert not ground.shows(die)


def test_a_tray_of_another_size_tells_nothing(reader, pictures):
    empty, thrown = pictures
    half = np.ascontiguousarray(empty[::2, ::2])
    assert reader.read(thrown, TrayModel(half)) == reader.read(thrown)
    with pytest.raises(ValueError, match="410 x 308 pixels, not 820 x 616"):
        TrayGround(build_pyramid(thrown), build_pyramid(half))


def test_a_die_in_the_empty_tray_makes_no_throw_surer(reader):
    tray = SimulatedDiceTray(seed=4)
    tray.place(THROWN)
    thrown = tray.frame()
    for there in (THROWN[0], PlacedDie("beer", -9, -6, 10)):
        tray.place([there])
        reading = reader.read(thrown, TrayModel(tray.frame()))
        if there in THROWN:
            assert reading.verdict is TrayVerdict.COUNT
        else:
            assert reading == reader.read(thrown)


@pytest.fixture(scope="module", params=["D", *later("E")])
def taught(request) -> tuple[DiceReader, list[Picture]]:
    home = RENDERS / request.param
    return DiceReader(profile_of(home)), [p for p in rendered(home) if p.tray is not None]


@pytest.fixture(scope="module")
def found(taught) -> dict[str, Counter[str]]:
    """What is read of each throw where nothing is known of the tray."""
    reader, throws = taught
    return {picture.name: faces(reader.read(picture.image)) for picture in throws}


def faces(reading: DiceReading) -> Counter[str]:
    return Counter(die.face for die in reading.dice)


@pytest.mark.parametrize("change", [WARM, COLD, grey], ids=["warm", "cold", "grey"])
def test_no_die_vanishes_where_colours_have_changed(taught, found, change):
    reader, throws = taught
    for picture in throws:
        read = faces(reader.read(picture.image, TrayModel(change(picture.tray))))
        assert read == found[picture.name], picture.name


@pytest.mark.parametrize("light", [light for light in LIGHT if "shifted" not in light])
def test_printed_dice_are_none_in_any_light(taught, light):
    reader, throws = taught
    for number, picture in enumerate(throws[:4]):
        tray = printed(picture, number)
        empty = TrayModel(LIGHT[light](tray))
        assert reader.read(tray, empty).verdict is TrayVerdict.EMPTY, picture.name
        assert len(reader.read(picture.image, empty).dice) == 3, picture.name


def test_a_face_without_contrast_is_not_what_a_floor_was():
    light = np.linspace(100, 110, 200, dtype=np.float32)[None, :, None]
    tray = np.repeat(np.repeat(light, 200, 0), 3, 2)
    thrown = tray.copy()
    thrown[80:120, 80:120] = 250 + (tray[80:120, 80:120] - 105) / 2
    box = FaceBox(100.0, 100.0, 20 * np.eye(2, dtype=np.float32), 0.9)
    levels = [build_pyramid(image.round().astype(np.uint8)) for image in (thrown, tray)]
    assert not TrayGround(*levels).shows(box)
    thrown[70:130, 70:130] = 255
    levels[0] = build_pyramid(thrown.round().astype(np.uint8))
    assert not TrayGround(*levels).shows(box)
