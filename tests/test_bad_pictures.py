"""Pictures that show no dice: nothing in them is sure, no reading is ok, and nothing fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from bench.symbols import profile_of

from vision.profile import load_profile
from vision.reader import Reader
from vision.reading import Verdict

Image = np.ndarray
SET = Path(__file__).parent / "pictures" / "renders" / "D"
TALL, WIDE = 616, 820


def plain(grey: int) -> Image:
    return np.full((TALL, WIDE, 3), grey, np.uint8)


def noise(tall: int, wide: int) -> Image:
    return np.random.default_rng(1).integers(0, 256, (tall, wide, 3), np.uint8)


def chess_board(cell: int) -> Image:
    rows, columns = np.arange(TALL)[:, None] // cell, np.arange(WIDE) // cell
    return cv2.cvtColor(((rows + columns) % 2 * 200 + 20).astype(np.uint8), cv2.COLOR_GRAY2BGR)


def draughts() -> Image:
    board = chess_board(70)
    for row in range(8):
        for column in range(row % 4, 11, 4):
            at, colour = (column * 70 + 35, row * 70 + 35), (60,) * 3 if column % 2 else (240,) * 3
            cv2.circle(board, at, 24, colour, -1)
    return board


def text(size: float) -> Image:
    page = plain(245)
    line = "A4 ? 8 Q & the quick brown fox jumps over the lazy dog 0123456789"
    for y in range(round(30 * size), TALL, round(36 * size)):
        cv2.putText(page, line, (10, y), cv2.FONT_HERSHEY_SIMPLEX, size, (20,) * 3, 1, cv2.LINE_AA)
    return page


def playing_cards() -> Image:
    table = np.full((TALL, WIDE, 3), (60, 110, 40), np.uint8)
    for card in range(5):
        left = 30 + 155 * card
        cv2.rectangle(table, (left, 150), (left + 130, 350), (250,) * 3, -1)
        for pip in range(card + 2):
            at = left + 40 + 50 * (pip % 2), 185 + 45 * (pip // 2)
            cv2.circle(table, at, 14, (30, 30, 200), -1)
    return table


def face() -> Image:
    room = np.full((TALL, WIDE, 3), (120, 140, 110), np.uint8)
    cv2.ellipse(room, (400, 300), (140, 190), 0, 0, 360, (150, 180, 220), -1)
    for x in (350, 450):
        cv2.circle(room, (x, 260), 18, (250,) * 3, -1)
        cv2.circle(room, (x, 260), 8, (40, 30, 20), -1)
    cv2.ellipse(room, (400, 380), (50, 20), 0, 0, 180, (60, 60, 160), 5)
    return room


def dominoes() -> Image:
    table = np.full((TALL, WIDE, 3), (90, 120, 150), np.uint8)
    for stone in range(12):
        left, top = 20 + stone % 4 * 200, 40 + stone // 4 * 190
        cv2.rectangle(table, (left, top), (left + 160, top + 80), (235, 240, 240), -1)
        cv2.line(table, (left + 80, top + 6), (left + 80, top + 74), (0, 0, 0), 2)
        for half in (0, 1):
            for pip in range((stone * 5 + half * 3) % 6 + 1):
                at = left + 20 + 80 * half + 20 * (pip % 3), top + 20 + 40 * (pip // 3)
                cv2.circle(table, at, 7, (10, 10, 10), -1)
    return table


PIPS = {  # by their number, in thirds of a half from its middle
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 1), (0, -1)],
}


def ivory_dominoes(stones: int) -> Image:
    """Stones that lie turned in all directions, with their shadows."""
    rng = np.random.default_rng(stones)
    table = np.full((TALL, WIDE, 3), (60, 90, 40), np.float32) + rng.normal(0, 4, (TALL, WIDE, 3))
    for number in range(stones):
        stone = np.full((240, 480, 3), (205, 232, 240), np.float32)
        cv2.line(stone, (240, 16), (240, 224), (40, 40, 40), 6)
        for middle in (120, 360):
            for x, y in PIPS[int(rng.integers(1, 7))]:
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


PICTURES: dict[str, Callable[[], Image]] = {
    "one pixel": lambda: noise(1, 1),
    "16 pixels": lambda: noise(16, 16),
    "a narrow strip": lambda: noise(3, 2000),
    "black": lambda: plain(0),
    "grey": lambda: plain(128),
    "white": lambda: plain(255),
    "noise": lambda: noise(TALL, WIDE),
    "100 megapixels": lambda: np.tile(noise(290, 290), (30, 40, 1)),
    "a fine chess board": lambda: chess_board(20),
    "a chess board": lambda: chess_board(70),
    "draughts": draughts,
    "small print": lambda: text(0.5),
    "large print": lambda: text(3.0),
    "playing cards": playing_cards,
    "a face": face,
    "dominoes": dominoes,
    "an ivory domino": lambda: ivory_dominoes(1),
    "ivory dominoes": lambda: ivory_dominoes(9),
}


@pytest.fixture(scope="module", params=["taught", "pips"])
def reader(request: pytest.FixtureRequest) -> Reader:
    return Reader(load_profile("pips") if request.param == "pips" else profile_of(SET))


@pytest.mark.parametrize("name", PICTURES)
def test_nothing_is_sure_where_no_dice_lie(reader: Reader, name: str) -> None:
    reading = reader.read(PICTURES[name]())
    assert reading.verdict is not Verdict.OK
    assert [die.face for die in reading.dice if die.sure] == []


@pytest.mark.parametrize("share", [0.6, 0.9])
def test_a_picture_that_one_die_fills_is_no_empty_tray(share: float) -> None:
    image = cv2.imread(str(SET / "normal" / "002.jpg"))
    side = round(44 / share)
    x, y = 0, 0
    for die in Reader(profile_of(SET)).read(image).dice[:1]:
        x, y = round(die.x), round(die.y)
    near = cv2.resize(
        image[y - side // 2 : y + side // 2, x - side // 2 : x + side // 2], (616, 616)
    )
    assert Reader(profile_of(SET)).read(near).verdict is not Verdict.EMPTY


@pytest.mark.parametrize("share", [0.5, 0.6, 0.7])
def test_a_die_with_pips_that_fills_the_picture_is_read(share: float) -> None:
    image = cv2.imread(str(SET.parents[1] / "gray_plate" / "00044.jpg"))
    reader = Reader(load_profile("pips"))
    (die,) = reader.read(image).dice
    side = round(die.size / share)
    part = cv2.getRectSubPix(image, (side, side * 3 // 4), (die.x, die.y))
    near = reader.read(cv2.resize(part, (820, 616), interpolation=cv2.INTER_CUBIC))
    assert [seen.face for seen in near.dice] == [die.face]
