"""What docs/build.md says is what its generator works out, and that is physics."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import astuple
from math import atan, degrees

import numpy as np
import pytest
from gpiozero.pins.pi import PiBoardInfo
from places import ROOT

from companion.settings import PinNumbers
from docs.generate import build, mats
from docs.generate.build import CAMERAS, COLOURS, DICE, TRAYS
from hardware.pins import GROUND_PINS, HEADER_PINS
from vision.dice.aim import LEAST_EDGE
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.dice.tray import SimulatedDiceTray
from vision.simulate.settings import RenderSettings

DOCS = ROOT / "docs"
FILES = build.files()


def test_the_pictures_are_those_that_are_drawn():
    drawn = {path.name: path.read_bytes() for path in (DOCS / "build").iterdir()}
    assert drawn.keys() == FILES.keys()
    assert [name for name in FILES if drawn[name] != FILES[name]] == []


def test_the_tables_are_those_worked_out():
    page = (DOCS / "build.md").read_text("utf-8")
    assert build.filled(page) == page


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".svg")])
def test_pictures_are_whole_and_ask_for_nothing(name):
    picture = ElementTree.fromstring(FILES[name])
    width, height = map(float, picture.get("viewBox", "").split()[2:])
    for element in picture.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(element.get("x", "-1")) <= width
        assert 0 <= float(element.get("y", "-1")) <= height
    assert b"href" not in FILES[name]


# The wiring


def test_the_header_is_that_of_the_pi():
    """https://pinout.xyz: 28 GPIO pins, 8 grounds, and 2 of 3.3 V and of 5 V each make 40."""
    assert sorted([*HEADER_PINS.values(), *GROUND_PINS, 1, 17, 2, 4]) == list(range(1, 41))
    assert sorted(HEADER_PINS) == list(range(28))
    # And gpiozero's table of the Pi 4 (revision c03114) agrees.
    header = PiBoardInfo.from_revision(0xC03114).headers["J8"].pins.values()
    named = {pin.number: pin.name for pin in header}
    assert {place: f"GPIO{bcm}" for bcm, place in HEADER_PINS.items()}.items() <= named.items()
    assert {named[place] for place in GROUND_PINS} == {"GND"}


def test_the_drawing_names_every_pin_that_a_table_without_lamps_has():
    drawing, pins = FILES["wiring.svg"].decode(), PinNumbers()
    for pin in (pins.green, pins.red, *pins.light):
        assert f"GPIO {pin} (pin {HEADER_PINS[pin]})" in drawing
    for place in (*build.BUTTON_GROUNDS.values(), build.LIGHT_GROUND):
        assert f"ground (pin {place})" in drawing
    wiring = (DOCS / "hardware.md").read_text("utf-8")
    for pin in astuple(PinNumbers()):
        assert f"GPIO {pin} ({HEADER_PINS[pin]})" in wiring


def test_no_colour_asks_more_of_its_pin_than_it_gives():
    for colour in COLOURS:
        assert 0 < colour.current(colour.volts[0]) <= build.MOST_MA
        sizes = (value * 10**decade for decade in (0, 1, 2) for value in build.E12)
        smaller = max(size for size in sizes if size < colour.resistor)
        assert (build.SUPPLY - colour.volts[0]) / smaller * 1000 > build.MOST_MA


# The camera


@pytest.mark.parametrize(
    ("camera", "focal_mm", "sensor_mm"),
    [(CAMERAS[0], 3.04, (3280 * 1.12e-3, 2464 * 1.12e-3)),
     (CAMERAS[1], 4.74, (4608 * 1.4e-3, 2592 * 1.4e-3))],
)  # fmt: skip
def test_published_views_agree_with_focal_length_and_sensor(camera, focal_mm, sensor_mm):
    """To a twentieth; the Wide one's lens bends too much for a formula without distortion."""
    for angle, length in zip(camera.view, sensor_mm, strict=True):
        assert degrees(2 * atan(length / 2 / focal_mm)) == pytest.approx(angle, rel=0.05)


def test_a_diagonal_gives_the_views_that_were_measured():
    """Of the C920: 70.42 and 43.30 degrees."""
    assert build.from_diagonal(78.0, (16, 9)) == pytest.approx((70.42, 43.30), abs=0.01)


@pytest.mark.parametrize("height", [30.0, 45.0])
def test_sizes_are_those_of_the_simulated_camera(height):
    camera = CAMERAS[0]
    look = RenderSettings(height=height, tilt=0, field_of_view=camera.view[0], edge=1.6)
    tray = SimulatedDiceTray(size=camera.size, seed=1, settings=look)
    tray.place([PlacedDie("beer", 0.0, 0.0, 0.0)])
    assert tray.sizes[0] == pytest.approx(camera.pixels(1.6, height), rel=0.01)


def test_heights_keep_what_they_promise():
    for camera in CAMERAS:
        for edge in DICE:
            pixels = camera.pixels(edge, camera.highest(edge)) * 820 / camera.size[0]
            assert pixels == pytest.approx(LEAST_EDGE)
        for tray in TRAYS:
            wide, deep = camera.seen(camera.lowest(tray, 16.0) - build.WALL)
            assert wide >= tray[0] + 2 * build.RIM
            assert deep >= tray[1] + 2 * build.RIM


def test_a_lamp_that_stands_far_enough_is_mirrored_beside_the_tray():
    half, lens, lamp = 13.0, 35.0, 30.0
    far = build.glare_free(half, lens, lamp)
    # The lamp's mirror image lies as deep below the tray as the lamp stands above it.
    crossing = far * lens / (lens + lamp)
    assert crossing == pytest.approx(half)


# The mats


@pytest.mark.parametrize("paper", mats.PAPERS)
@pytest.mark.parametrize("mat", mats.MATS, ids=lambda mat: mat.id)
def test_a_mat_is_a_page_with_a_ground_and_a_border(mat, paper):
    width, height = mats.PAPERS[paper]
    svg = FILES[f"mat-{mat.id}-{paper}.svg"].decode()
    pdf = FILES[f"mat-{mat.id}-{paper}.pdf"].decode("ascii")
    assert f'width="{width:g}mm" height="{height:g}mm"' in svg
    (box,) = re.findall(r"/MediaBox \[0 0 (\S+) (\S+)\]", pdf)
    assert [float(points) * 25.4 / 72 for points in box] == pytest.approx([width, height])
    assert svg.count('class="mat"') == 2
    assert "/XObject << " in pdf
    picture = mats.painted(mat, paper)
    assert picture.shape == (round(height * 4), round(width * 4), 3)
    levels = [picture[picture.shape[0] // 2, round(x * 4), 0] / 255 for x in (3.0, 8.0, 60.0)]
    assert levels == pytest.approx([245 / 255, mat.border, mat.ground], abs=0.01)
    assert np.ptp(picture[200:-200, 200:-200]) == 0
