"""The sheets of dice to print: their sizes, what they hold, and that cameras can tell it apart."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from places import ROOT
from test_card_sheets import rendered
from tiers import later

from docs.generate.print_sheets import BARE, NET, SIDES, TABS, files
from docs.generate.sheets import RULER
from vision.dice.reading import FACES
from vision.simulate.dice.art import ART, MARGIN, draw_face

pytestmark = pytest.mark.pictures

FOLDER = ROOT / "docs" / "print"
SHEETS = {
    "dice-16mm-a4": (16.0, (210.0, 297.0)),
    "dice-16mm-letter": (16.0, (215.9, 279.4)),
    "dice-19mm-a4": (19.0, (210.0, 297.0)),
    "dice-19mm-letter": (19.0, (215.9, 279.4)),
}
EACH_ONCE = ("dice-16mm-a4", "dice-19mm-letter")
"""Sheets with each paper and each size of dice, for what takes long."""
SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]


def page(name: str) -> ET.Element:
    return ET.parse(FOLDER / f"{name}.svg").getroot()


def paths(name: str, kind: str) -> list[ET.Element]:
    """The lines of a kind on a sheet."""
    return page(name).findall(f".//{SVG}path[@class='{kind}']")


def box(path: ET.Element) -> Box:
    """Left, top, right and bottom of a path without arcs that leave their end points' box."""
    numbers = np.array(re.findall(r"-?[\d.]+", path.attrib["d"]), float).reshape(-1, 2)
    return (*numbers.min(axis=0).tolist(), *numbers.max(axis=0).tolist())


def faces(name: str) -> list[tuple[str, float, float, float]]:
    """The faces on a sheet, with their left, top and width, in millimetres."""
    found = []
    for use in page(name).iter(f"{SVG}use"):
        place = r"translate\((\S+) (\S+)\) scale\((\S+)\)"
        x, y, scale = map(float, re.fullmatch(place, use.attrib["transform"]).groups())
        found.append((use.attrib["href"].removeprefix("#"), x, y, 100 * scale))
    return found


def test_the_sheets_are_those_that_the_symbols_give():
    drawn = files()
    assert sorted(drawn) == sorted(path.name for path in FOLDER.glob("dice-*"))
    for name, content in drawn.items():
        assert (FOLDER / name).read_bytes() == content, f"make sheets: {name} is out of date"


@pytest.mark.parametrize("name", SHEETS)
def test_both_formats_have_the_size_of_the_paper_to_a_micrometre(name):
    _, paper = SHEETS[name]
    root = page(name)
    assert [root.attrib["width"], root.attrib["height"]] == [f"{length:g}mm" for length in paper]
    assert root.attrib["viewBox"] == f"0 0 {paper[0]:g} {paper[1]:g}"
    (media,) = re.findall(rb"/MediaBox \[0 0 (\S+) (\S+)\]", (FOLDER / f"{name}.pdf").read_bytes())
    assert [float(points) / 72 * 25.4 for points in media] == pytest.approx(paper, abs=0.001)


@pytest.mark.parametrize("name", SHEETS)
def test_five_dice_to_fold_and_five_to_stick_are_on_a_sheet(name):
    edge, _ = SHEETS[name]
    placed = faces(name)
    assert Counter(face for face, *_ in placed) == dict.fromkeys(FACES, 10)
    assert [width for *_, width in placed] == pytest.approx([edge * 0.75] * 60, abs=0.002)
    for one, other in combinations(placed, 2):
        assert max(abs(one[1] - other[1]), abs(one[2] - other[2])) >= edge - BARE
    squares = [box(path) for path in paths(name, "cut") if "C" in path.attrib["d"]]
    assert len(squares) == 30
    stuck = []
    for left, top, right, bottom in squares:
        assert (right - left, bottom - top) == pytest.approx((edge - BARE, edge - BARE), abs=0.002)
        stuck += [
            face
            for face, x, y, width in placed
            if min(x - left, y - top, right - x - width, bottom - y - width) > 0.45
        ]
    assert Counter(stuck) == dict.fromkeys(FACES, 5)


@pytest.mark.parametrize("name", SHEETS)
def test_the_ruler_and_the_folds_are_as_long_as_they_say(name):
    def lengths(kind: str) -> list[float]:
        boxes = map(box, paths(name, kind))
        return [right - left + bottom - top for left, top, right, bottom in boxes]

    assert max(lengths("ruler")) == RULER == 50
    assert lengths("fold") == pytest.approx([SHEETS[name][0]] * 5 * 12, abs=0.002)


@pytest.mark.parametrize("name", EACH_ONCE)
def test_what_is_printed_is_what_the_simulated_dice_show(name):
    per_mm = 12
    shot = cv2.cvtColor(rendered(page(name), SHEETS[name][1], per_mm), cv2.COLOR_BGR2GRAY)
    art = dict(zip(FACES, ART["symbols"], strict=True))
    for face, x, y, edge in faces(name):
        side, shift = round(edge * per_mm), 3  # pixels, for lengths are rounded
        left, top = round(x * per_mm) - shift, round(y * per_mm) - shift
        printed = shot[top : top + side + 2 * shift, left : left + side + 2 * shift]
        own = np.asarray(255 * (1 - draw_face(art[face], side)), np.uint8)
        assert cv2.matchTemplate(printed, own, cv2.TM_CCOEFF_NORMED).max() > 0.97


def test_a_net_folds_to_one_die_whose_opposite_faces_sum_to_seven():
    outward: dict[tuple[int, int], NDArray[np.int_]] = {}
    joints: Counter[frozenset[tuple[int, ...]]] = Counter()
    glued: Counter[frozenset[tuple[int, ...]]] = Counter()

    def fold(cell: tuple[int, int], right: NDArray[np.int_], down: NDArray[np.int_]) -> None:
        """Lay a cell on the cube and fold its neighbours on from there; y runs down."""
        outward[cell] = out = np.cross(down, right)
        for side, (x, y) in SIDES.items():
            joint = frozenset((tuple(out), tuple(x * right + y * down)))
            joints[joint] += 1
            glued[joint] += side in TABS.get(cell, "")
            beyond = (cell[0] + x, cell[1] + y)
            if beyond in NET and beyond not in outward:
                glued[joint] += 1
                fold(beyond, -x * out if x else right, -y * out if y else down)

    fold((1, 1), np.array((1, 0, 0)), np.array((0, -1, 0)))
    assert len({tuple(out) for out in outward.values()}) == 6
    assert joints == dict.fromkeys(joints, 2)
    assert len(joints) == 12
    assert glued == dict.fromkeys(joints, 1)
    for one, other in combinations(NET, 2):
        if not (outward[one] + outward[other]).any():
            assert NET[one] + NET[other] == 7


@pytest.mark.parametrize("name", SHEETS)
def test_a_pdf_is_whole(name):
    data = (FOLDER / f"{name}.pdf").read_bytes()
    table = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data).group(1))
    assert data[table:].startswith(b"xref\n")
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n", data)]
    assert len(places) == len(re.findall(rb" 0 obj\n", data)) == 12
    for number, place in enumerate(places, 1):
        assert data[place:].startswith(b"%d 0 obj\n" % number)
    for length, content in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)endstream", data, re.S):
        assert len(content) == int(length)
    height = SHEETS[name][1][1] / 25.4 * 72
    (page_scale,) = re.findall(r"\n(\S+) 0 0 (\S+) 0 (\S+) cm 1 J 1 j\n", data.decode())
    assert list(map(float, page_scale)) == pytest.approx([72 / 25.4, -72 / 25.4, height], abs=1e-3)
    placed = re.findall(r"q (\S+) 0 0 \1 (\S+) (\S+) cm /(\w+) Do Q", data.decode())
    assert [(f, float(x), float(y), 100 * float(s)) for s, x, y, f in placed] == faces(name)
    assert data.count(b"/Type /Page ") == 1


def seen(face: NDArray[np.float32], pixels: int, turn: float) -> NDArray[np.float32]:
    """A face drawn large, as a slightly blurred picture shows it `pixels` wide."""
    size = len(face)
    turned = cv2.getRotationMatrix2D(((size - 1) / 2, (size - 1) / 2), turn, 1)
    soft = cv2.GaussianBlur(cv2.warpAffine(face, turned, (size, size)), (0, 0), 0.7 * size / pixels)
    return np.asarray(cv2.resize(soft, (pixels, pixels), interpolation=cv2.INTER_AREA), np.float32)


@pytest.mark.parametrize("pixels", [25, *later(32, 40)])
def test_no_two_faces_look_alike_from_afar_however_they_are_turned(pixels):
    drawn = [draw_face(shapes, 200, MARGIN["symbols"]) for shapes in ART["symbols"]]
    for (one, first), (other, second) in combinations(enumerate(drawn), 2):
        still = seen(first, pixels, 0)
        for turn in range(0, 360, 5):
            moved = cv2.copyMakeBorder(seen(second, pixels, turn), 2, 2, 2, 2, cv2.BORDER_CONSTANT)
            alike = cv2.matchTemplate(moved, still, cv2.TM_CCOEFF_NORMED).max()
            assert alike < 0.82, f"{FACES[one]} and {FACES[other]}, turned by {turn}"
