"""Pictures that show no throw: nothing in them is sure, no reading is ok, and nothing fails."""

from collections.abc import Callable, Iterable

import cv2
import numpy as np
import pytest
from places import PICTURES

from tests.tools.bench.symbols import profile_of
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import TrayVerdict
from vision.imaging.network import OnnxNetwork

pytestmark = pytest.mark.pictures

Image = np.ndarray
SET = PICTURES / "renders" / "D"
TALL, WIDE = 616, 820


def plain(grey: int) -> Image:
    return np.full((TALL, WIDE, 3), grey, np.uint8)


def noise(tall: int, wide: int) -> Image:
    return np.random.default_rng(1).integers(0, 256, (tall, wide, 3), np.uint8)


def large_print() -> Image:
    page = plain(245)
    line = "A4 ? 8 Q & the quick brown fox jumps over the lazy dog 0123456789"
    for y in range(90, TALL, 108):
        cv2.putText(page, line, (10, y), cv2.FONT_HERSHEY_SIMPLEX, 3, (20,) * 3, 1, cv2.LINE_AA)
    return page


MIDDLE, CORNERS, SIDES = [(0, 0)], [(-1, -1), (1, 1), (-1, 1), (1, -1)], [(0, 1), (0, -1)]
PIPS = (MIDDLE, CORNERS[:2], CORNERS[:2] + MIDDLE, CORNERS, CORNERS + MIDDLE, CORNERS + SIDES)
"""Of one to six, in thirds of a half from its middle."""


def dominoes() -> Image:
    """Stones that lie turned in all directions, with their shadows."""
    rng = np.random.default_rng(9)
    table = np.full((TALL, WIDE, 3), (60, 90, 40), np.float32) + rng.normal(0, 4, (TALL, WIDE, 3))
    for number in range(9):
        stone = np.full((240, 480, 3), (205, 232, 240), np.float32)
        cv2.line(stone, (240, 16), (240, 224), (40, 40, 40), 6)
        for middle in (120, 360):
            for x, y in PIPS[rng.integers(6)]:
                at = middle + 63 * x, 120 + 63 * y
                cv2.circle(stone, at, 23, (30, 30, 30), -1, cv2.LINE_AA)
        to = np.array([150 + number % 3 * 260, 110 + number // 3 * 200])
        turn = cv2.getRotationMatrix2D((239.5, 119.5), rng.uniform(0, 180), rng.uniform(0.2, 0.3))
        turn[:, 2] += to - (239.5, 119.5)
        seen = cv2.warpAffine(stone, turn, (WIDE, TALL))
        mask = cv2.warpAffine(np.ones((240, 480, 1), np.float32), turn, (WIDE, TALL))[..., None]
        table *= 1 - 0.45 * np.roll(mask, (6, 5), (0, 1))
        table += (seen - table) * mask
    return cv2.GaussianBlur(table, (3, 3), 0).clip(0, 255).astype(np.uint8)


def heap_of_dice() -> Image:
    """Dice with pips side by side, as far as the picture goes, each turned a little."""
    rng = np.random.default_rng(2)
    heap = np.full((TALL, WIDE, 3), (40, 45, 50), np.uint8)
    for row, column in np.ndindex(11, 14):
        die = np.full((120, 120, 3), rng.integers(150, 256, 3), np.uint8)
        for x, y in PIPS[rng.integers(6)]:
            cv2.circle(die, (60 + 32 * x, 60 + 32 * y), 12, (20, 20, 20), -1, cv2.LINE_AA)
        turn = cv2.getRotationMatrix2D((59.5, 59.5), rng.uniform(-20, 20), 0.42)
        turn[:, 2] += np.array([column * 60 + 20, row * 58 + 18]) - 59.5
        cv2.warpAffine(die, turn, (WIDE, TALL), dst=heap, borderMode=cv2.BORDER_TRANSPARENT)
    return heap


def table_without_tray() -> Image:
    """Boards of wood with grain and knots, from edge to edge."""
    rng = np.random.default_rng(3)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (TALL, WIDE)), (0, 0), 30, sigmaY=0.8)
    wood = (grain * 3)[..., None] + np.array((70, 110, 160))
    for y in range(0, TALL, 140):
        cv2.line(wood, (0, y), (WIDE, y), (30, 50, 80), 3)
    for x, y in rng.uniform(0.1, 0.9, (9, 2)) * (WIDE, TALL):
        at = round(x), round(y)
        for radius in (16, 10, 5):
            cv2.ellipse(wood, at, (2 * radius, radius), 0, 0, 360, (40, 70, 110), 2)
    return wood.clip(0, 255).astype(np.uint8)


def hexagons() -> Image:
    """Tiles with six corners, a number on a round chip in the middle of each."""
    board = np.full((TALL, WIDE, 3), (170, 120, 40), np.uint8)
    rng = np.random.default_rng(5)
    corners = np.arange(6) * np.pi / 3 + np.pi / 6
    for row, column in np.ndindex(5, 6):
        at = np.array([80 + 140 * column + 70 * (row % 2), 70 + 121 * row])
        tile = (at + 78 * np.stack([np.cos(corners), np.sin(corners)], 1)).astype(np.int32)
        cv2.fillConvexPoly(board, tile, rng.integers(60, 220, 3).tolist(), cv2.LINE_AA)
        cv2.circle(board, at.tolist(), 24, (190, 225, 240), -1, cv2.LINE_AA)
        number = str(rng.integers(2, 13))
        left = int(at[0]) - 9 * len(number), int(at[1]) + 9
        cv2.putText(board, number, left, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (20, 20, 150), 2)
    return board


SIDE = 200
"""Pixels of a piece, before it is laid on the table."""


def ring_tile(rng: np.random.Generator, piece: Image) -> None:
    """Two to nine rings in three rows, as on tiles of a Chinese game."""
    piece[:] = (225, 240, 240)
    places = [(x, y) for y in (45, 100, 155) for x in (50, 100, 150)]
    for number in rng.permutation(9)[: rng.integers(2, 10)]:
        colour = ((40, 120, 30), (160, 60, 30), (40, 30, 190))[rng.integers(3)]
        cv2.circle(piece, places[number], 20, colour, -1, cv2.LINE_AA)
        cv2.circle(piece, places[number], 8, (230, 240, 240), -1, cv2.LINE_AA)


def letter_tile(rng: np.random.Generator, piece: Image) -> None:
    piece[:] = (150, 205, 230)
    letter, worth = chr(65 + int(rng.integers(26))), str(rng.integers(1, 9))
    cv2.putText(piece, letter, (35, 155), cv2.FONT_HERSHEY_SIMPLEX, 4.6, (30, 30, 40), 14)
    cv2.putText(piece, worth, (150, 185), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (30, 30, 40), 4)


def squares_code(rng: np.random.Generator, piece: Image) -> None:
    """A square of black and white squares, as phones read."""
    piece[:] = 245
    cells = rng.integers(0, 2, (21, 21)).astype(np.uint8) * 245
    code = cv2.resize(cells, (168, 168), interpolation=cv2.INTER_NEAREST)
    piece[16:184, 16:184] = code[..., None]


def button(rng: np.random.Generator, piece: Image) -> None:
    colour = rng.integers(90, 250, 3)
    cv2.circle(piece, (100, 100), 98, colour.tolist(), -1, cv2.LINE_AA)
    cv2.circle(piece, (100, 100), 80, (colour * 0.8).tolist(), 6, cv2.LINE_AA)
    for x, y in CORNERS[: rng.integers(2, 5)]:
        cv2.circle(piece, (100 + 24 * x, 100 + 24 * y), 12, (20, 20, 20), -1, cv2.LINE_AA)


def brick(rng: np.random.Generator, piece: Image) -> None:
    """Four studs of the brick's colour, which a lamp beside it shades, as if they were pips."""
    colour = rng.integers(60, 220, 3)
    piece[:] = colour
    shadow = rng.uniform(5, 12) * np.exp(1j * rng.uniform(0, 2 * np.pi))
    for x, y in CORNERS:
        stud = 100 + 50 * x, 100 + 50 * y
        shaded = round(stud[0] + shadow.real), round(stud[1] + shadow.imag)
        cv2.circle(piece, shaded, 30, (0.4 * colour).tolist(), -1, cv2.LINE_AA)
        cv2.circle(piece, stud, 28, (1.1 * colour).tolist(), -1, cv2.LINE_AA)


def five_pieces(paint: Callable[[np.random.Generator, Image], None], seed: int) -> Image:
    """Five pieces of another game as large as dice, turned and with shadows, on a table.

    paint: draws one on black, which isn't part of it.
    """
    rng = np.random.default_rng(seed)
    table = np.full((TALL, WIDE, 3), rng.uniform(40, 190, 3), np.float32)
    table += rng.normal(0, 3, table.shape)
    edge = rng.uniform(38, 60)
    for number in range(5):
        piece = np.zeros((SIDE, SIDE, 3), np.uint8)
        paint(rng, piece)
        turn = cv2.getRotationMatrix2D((99.5, 99.5), rng.uniform(0, 360), edge / SIDE)
        turn[:, 2] += rng.uniform((70, 70), (130, 500)) - (99.5 - 150 * number, 99.5)
        inked = (piece.max(2) > 0).astype(np.float32)
        whole = cv2.morphologyEx(inked, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        seen = cv2.warpAffine(piece, turn, (WIDE, TALL), flags=cv2.INTER_AREA)
        mask = cv2.warpAffine(whole, turn, (WIDE, TALL), flags=cv2.INTER_AREA)[..., None]
        shadow = cv2.GaussianBlur(np.roll(mask, (5, 5), (0, 1)), (0, 0), 3)[..., None]
        table *= 1 - 0.5 * shadow
        table += (seen - table) * mask
    return cv2.GaussianBlur(table, (0, 0), 0.8).clip(0, 255).astype(np.uint8)


PICTURES: dict[str, Callable[[], Image]] = {
    "one pixel": lambda: noise(1, 1),
    "16 pixels": lambda: noise(16, 16),
    "a narrow strip": lambda: noise(3, 2000),
    "black": lambda: plain(0),
    "grey": lambda: plain(128),
    "white": lambda: plain(255),
    "noise": lambda: noise(TALL, WIDE),
    "100 megapixels": lambda: np.tile(noise(290, 290), (30, 40, 1)),
    "large print": large_print,
    "dominoes": dominoes,
    "a table without a tray": table_without_tray,
    "hexagons with numbers": hexagons,
    "all dice": heap_of_dice,
    "tiles with rings": lambda: five_pieces(ring_tile, 1),
    "tiles with letters": lambda: five_pieces(letter_tile, 3),
    "squares that phones read": lambda: five_pieces(squares_code, 4),
    "buttons": lambda: five_pieces(button, 5),
    "bricks with studs": lambda: five_pieces(brick, 14),
}
MOST_RUNS = 400
"""Of networks for one picture: most take half a millisecond, so that no picture takes a second."""


@pytest.fixture(scope="module", params=["taught", "pips"])
def reader(request: pytest.FixtureRequest) -> DiceReader:
    return DiceReader(load_profile("pips") if request.param == "pips" else profile_of(SET))


@pytest.mark.parametrize("name", PICTURES)
def test_nothing_is_sure_where_no_throw_lies(reader, name, monkeypatch):
    runs, run = [], OnnxNetwork.__call__

    def count(network: OnnxNetwork, inputs: Iterable[np.ndarray]) -> np.ndarray:
        outputs = run(network, inputs)
        runs.append(len(outputs))
        return outputs

    monkeypatch.setattr(OnnxNetwork, "__call__", count)
    reading = reader.read(PICTURES[name]())
    assert reading.verdict is not TrayVerdict.OK
    assert [die.face for die in reading.dice if die.sure] == []
    assert sum(runs) < MOST_RUNS


@pytest.mark.parametrize("share", [0.5, 0.6, 0.7])
def test_a_die_with_pips_that_fills_the_picture_is_read(share):
    image = cv2.imread(str(SET.parents[1] / "gray_plate" / "00044.jpg"))
    reader = DiceReader(load_profile("pips"))
    (die,) = reader.read(image).dice
    side = round(die.size / share)
    part = cv2.getRectSubPix(image, (side, side * 3 // 4), (die.x, die.y))
    near = reader.read(cv2.resize(part, (820, 616), interpolation=cv2.INTER_CUBIC))
    assert [seen.face for seen in near.dice] == [die.face]
