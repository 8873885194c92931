"""Turns single bits in the files of a saved table, and looks what the next start makes of it.

    python -m tests.tools.attacks.flips [--flips 600] [--seed 1]

A table plays and is killed, and one bit of a copy of its files is turned. Prints a Markdown table.
Exits with 1 where the table did not start, or lost or changed something without a word.
"""

import argparse
import logging
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from endless_game import begin, play
from stand_ins import dice_game

from companion.games.registry import GAMES
from companion.table.journal.facts import facts
from companion.table.journal.journal import BACKUP, FILE, Journal
from companion.table.journal.saved import Saved
from companion.table.table import Table
from tests.tools.bench.machine import machine

MOVES, SEED = 40, 5
"""A deal that lasts longer than that many moves."""
TAIL = 4000
"""Bytes at the end of the file: the last presses."""

Places = Callable[[int], range]

WAYS: dict[str, tuple[str, bool, Places]] = {
    "the file": (FILE, True, range),
    "its end": (FILE, True, lambda size: range(max(0, size - TAIL), size)),
    "the file, without a copy": (FILE, False, range),
    "its end, without a copy": (FILE, False, lambda size: range(max(0, size - TAIL), size)),
    "the copy": (BACKUP, True, range),
}
"""What is damaged: a file, whether there is a copy of it, and where."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    logging.disable()
    with tempfile.TemporaryDirectory() as folder:
        figures = flip_often(Path(folder), arguments.flips, arguments.seed)
    outcomes = ("whole", "whole, told", "lost, told", "lost, silent", "did not start")
    print(f"\n{arguments.flips} single bits each, {machine()}\n")
    print(f"| bits in | {' | '.join(outcomes)} |\n|{'---|' * (len(outcomes) + 1)}")
    for way, counted in figures.items():
        print(f"| {way} | {' | '.join(str(counted[outcome]) for outcome in outcomes)} |")
    return int(any(counted[bad] for counted in figures.values() for bad in outcomes[3:]))


def flip_often(folder: Path, flips: int, seed: int) -> dict[str, Counter[str]]:
    """Return how often each start ended how, by what was damaged."""
    chance = random.Random(seed)
    killed, whole = folder / "killed", played(folder)
    return {
        way: Counter(
            outcome(damaged(folder, killed, name, copied, places, chance), whole)
            for _ in range(flips)
        )
        for way, (name, copied, places) in WAYS.items()
    }


def played(folder: Path) -> Saved:
    """Leave `folder/killed` as a kill leaves it in mid-game; return what was saved."""
    with closing(Journal(folder / "played")) as journal:
        table = Table(journal, GAMES, dice_game(), chance=random.Random(SEED))
        host, chance = begin(table), random.Random(SEED)
        for _ in range(MOVES):
            play(table, host, chance)
        shutil.copytree(folder / "played", folder / "killed")
        return content(table)


def damaged(
    folder: Path, killed: Path, name: str, copied: bool, places: Places, chance: random.Random
) -> Path:
    """Return a copy of the folder in which one bit of a line is turned."""
    copy = folder / "damaged"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(killed, copy)
    if not copied:
        (copy / BACKUP).unlink()
    # Behind the lines there is room for more: zeros.
    spoilt = bytearray((copy / name).read_bytes().rstrip(b"\0"))
    spoilt[chance.choice(places(len(spoilt)))] ^= 1 << chance.randrange(8)
    (copy / name).write_bytes(spoilt)
    return copy


def outcome(folder: Path, whole: Saved) -> str:
    """Return what the next start makes of a folder."""
    try:
        with closing(Journal(folder)) as journal:
            table = Table(journal, GAMES, dice_game())
            kept, told = content(table) == whole, bool(table.view().troubles)
    except Exception:
        return "did not start"
    if kept:
        return "whole, told" if told else "whole"
    return "lost, told" if told else "lost, silent"


def content(table: Table) -> Saved:
    """What a table holds that damage must not change without a word."""
    scene = table.scene
    lines = scene.history.lines if scene.history else ()
    return Saved(
        code=scene.code,
        people=scene.people,
        lines=tuple(line._replace(at="") for line in lines),
        facts=facts(replace(scene, troubles={})),
    )


if __name__ == "__main__":
    sys.exit(main())
