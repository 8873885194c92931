"""Touches: what players press and tap, over whole games in a real browser.

    python -m tests.tools.bench.touches [--games N] [--players 4,5,6,8] [--seed N]
                                        [--level sensible]
                                  [--camera [--pictures FOLDER]]

Prints a Markdown table, and the figure of each game. Every player has a phone, decides at random
among all that the rules allow or, with --level, as stand-ins do, and taps on their own page. Dice
are thrown by hand, which is no touch, and read for certain; each press of the green and the red
button counts as one, and so does a tap. Who is content with a roll taps *Accept and stop*. With
--camera, dice are thrown into the drawn tray and read from pictures, and taps name those that are
unsure or read wrong. --pictures keeps a picture of each throw that the table couldn't accept, named
after what the table said of it.
"""

import argparse
import tempfile
from collections import Counter
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

import cv2
from browser import Screens, chromium
from hands import BOTH, GREEN, RED

from companion.app.progress import Progress
from companion.games.dice.rules.moves import Action
from companion.table.surface.dice.state import TrayStatus
from tests.tools.bench.level_hands import LevelHands
from tests.tools.bench.machine import machine
from tests.tools.bench.watched_hands import DICE_TAP, WatchedHands

KINDS = (
    GREEN,
    RED,
    BOTH,
    DICE_TAP,
    *(f"taps: {action}" for action in Action if action not in (Action.ROLL, Action.STOP)),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20, help="of each number of players")
    parser.add_argument("--players", default="4,5,6,8")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default="", help="how stand-ins decide for the players")
    parser.add_argument("--camera", action="store_true", help="read dice from pictures")
    parser.add_argument("--pictures", type=Path, help="of throws that had to be made again")
    arguments = parser.parse_args()
    print(f"\nTouches a turn, {arguments.games} games each, {machine()}\n")
    print(f"| players | turns | all | {' | '.join(KINDS)} | turns without a choice: taps |")
    print(f"|---|---|---|{'---|' * len(KINDS)}---|", flush=True)
    for players in map(int, arguments.players.split(",")):
        touches: Counter[str] = Counter()
        turns = free = taps_without_choice = 0
        read = corrected = 0
        anew: Counter[TrayStatus] = Counter()
        each_game: list[float] = []
        progress = Progress(arguments.games)
        for game in range(arguments.games):
            # A browser of its own for each game: it gives its memory back.
            with chromium() as browser, tempfile.TemporaryDirectory() as folder:
                screens = Screens(browser)
                seed, level = arguments.seed + game, arguments.level
                hands = WatchedHands if arguments.camera else LevelHands
                table = hands(Path(folder), screens, seed, players, level=level)
                table.play()
                table.end()
                assert screens.problems == [], screens.problems
            touches += table.touches
            each_game.append(sum(table.touches.values()) / table.turns)
            turns += table.turns
            free += table.free_turns
            taps_without_choice += table.taps_without_choice
            if isinstance(table, WatchedHands):
                read += table.dice_read
                corrected += table.corrected
                anew.update(status for status, _ in table.thrown_anew)
                for number, (status, frame) in enumerate(table.thrown_anew):
                    if arguments.pictures:
                        name = f"{players}-{seed}-{number}-{status}.png"
                        cv2.imwrite(str(arguments.pictures / name), frame)
            progress.step()
        each = " | ".join(f"{touches[kind] / turns:.2f}" for kind in KINDS)
        mean = sum(touches.values()) / turns
        print(
            f"| {players} | {turns} | **{mean:.2f}** | {each} | {free}: {taps_without_choice} |",
            flush=True,
        )
        told = ", ".join(f"{one:.2f}" for one in sorted(each_game))
        print(f"\nTouches a turn of each game: {told}{_interval(each_game)}.", flush=True)
        if arguments.camera:
            why = ", ".join(f"{count} {status}" for status, count in anew.most_common()) or "none"
            print(f"\n{read} dice read, {corrected} named by hand. Thrown anew: {why}.\n")


def _interval(values: list[float]) -> str:
    """Return the interval that holds their mean 19 times in 20; empty for a single one."""
    if len(values) == 1:
        return ""
    reach = 1.96 * stdev(values) / sqrt(len(values))
    return f"; mean {mean(values):.2f} ± {reach:.2f}"


if __name__ == "__main__":
    main()
