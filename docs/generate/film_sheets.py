"""Film whole games on the television, as sheets of small pictures: make film

python -m docs.generate.film_sheets docs/gallery/films

Play a game of each kind by chance on a real table, and take a picture of each moment that the
television plays, where it has come true, but of turns. A sheet shows pictures at even distances
from its whole game, in rows, and stays under 300 kB.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from browser import Screens, chromium
from card_table import CardTable
from playwright.sync_api import Browser, Page
from served import FACES, Served

from companion.games.cards.players import random_move
from companion.table import rounds
from companion.table.scene import Phase

SEED = 5
COLUMNS, ROWS = 5, 9
SIZE = (384, 216)
"""Of a small picture, in pixels."""
MOST_BYTES = 300_000

SHOWN = """
() => [
  document.getElementById("stage").dataset.kind ?? "",
  document.getElementById("stage").dataset.numbers ?? "",
  document.querySelector("[data-version]").dataset.version,
]
"""
HALFWAY = """
() => document.getAnimations().forEach((animation) => {
  animation.pause();
  animation.currentTime = 0.55 * animation.effect.getComputedTiming().endTime;
})
"""
ENDED = "() => document.getAnimations().forEach((animation) => animation.finish())"
WINNERS = """
() => document.getAnimations().forEach((animation) => {
  animation.pause();
  animation.currentTime = Math.min(12_000, animation.effect.getComputedTiming().endTime);
})
"""
"""Before who shot whom takes the place of the awards."""

Picture = npt.NDArray[np.uint8]


class Film(NamedTuple):
    """A game to film."""

    name: str
    """The name of its sheet."""
    table: type[Served]
    """The table on which it is played."""
    ruleset: str
    """By which rules."""
    move: Callable[[Served, Random], None]
    """Makes a move by chance."""


def _move_dice(table: Served, chance: Random) -> None:
    table.play_on("".join(chance.choices([*FACES], k=5)), chance)


def _move_card(table: Served, chance: Random) -> None:
    assert isinstance(table, CardTable)
    table.make(random_move(table.state, chance))


FILMS = (
    Film("base", Served, "base", _move_dice),
    Film("walking-dead", Served, "walking-dead", _move_dice),
    Film("cards", CardTable, "base", _move_card),
)


def take(page: Page) -> Picture:
    """Return what the television shows, small."""
    shot = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    return cv2.resize(shot, SIZE, interpolation=cv2.INTER_AREA)


def follow(page: Page, version: int) -> list[Picture]:
    """Return a picture of each moment until the television shows this version of the table."""
    pictures, taken = [], ""
    while True:
        kind, numbers, shown = page.evaluate(SHOWN)
        if numbers and numbers != taken:
            page.evaluate(HALFWAY)
            if kind != "turn":
                pictures.append(take(page))
            page.evaluate(ENDED)
            taken = numbers
        elif not numbers and shown == str(version):
            return pictures
        page.wait_for_timeout(20)


def film(browser: Browser, game: Film, folder: Path) -> list[Picture]:
    """Play a game and return its pictures, from the lobby to the winners."""
    chance, screens = Random(SEED), Screens(browser)
    table = game.table(folder, screens)
    if game.table is Served:
        table.play_by(game.ruleset)
    table.seat(5)
    page = table.television()
    table.dealer.roles = "soord"
    table.dealer.characters = (
        "lucky_duke",
        "el_gringo",
        "jourdonnais",
        "kit_carlson",
        "rose_doolan",
    )
    pictures = [take(page)]
    table.do(rounds.start_game)
    page.wait_for_selector("#stage[data-kind=deal] > *", state="attached")
    while True:
        pictures += follow(page, table.view.version)
        if table.view.phase is not Phase.PLAYING:
            break
        game.move(table, chance)
    page.evaluate(WINNERS)
    pictures.append(take(page))
    table.end()
    return pictures


def write(pictures: list[Picture], file: Path) -> None:
    """Write a sheet of pictures at even distances, as small as it must be."""
    chosen = np.linspace(0, len(pictures) - 1, COLUMNS * ROWS).round().astype(int)
    rows = [
        np.hstack([pictures[number] for number in row]) for row in chosen.reshape(ROWS, COLUMNS)
    ]
    for quality in range(60, 0, -5):
        cv2.imwrite(str(file), np.vstack(rows), [cv2.IMWRITE_WEBP_QUALITY, quality])
        if file.stat().st_size < MOST_BYTES:
            break
    print(f"{file}: {len(pictures)} moments, {file.stat().st_size / 1000:.0f} kB")


def main(folder: str) -> None:
    """Film each game."""
    for game in FILMS:
        with chromium() as browser, tempfile.TemporaryDirectory() as data:
            write(film(browser, game, Path(data)), Path(folder) / f"{game.name}.webp")


if __name__ == "__main__":
    main(*sys.argv[1:])
