"""Kills the service again and again in the middle of a game, and looks what is left.

    python -m tests.tools.attacks.kills [--kills 200] [--seed 1]

The service plays by itself (`endless_service.py`: presses over HTTP and by mock
pins, saved in a data folder). It is killed (SIGKILL) at a random moment: now while it starts, now
within the next moves. Then its folder is looked at, and it is started again. Prints a Markdown
table. Exits with 1 where an answered press was lost, a game was not whole, or a table did not come
back.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from places import ROOT
from stand_ins import dice_game

from companion.app.progress import Progress
from companion.games.dice.rules.record import replay
from companion.games.registry import GAMES
from companion.table.journal.journal import BACKUP, FILE, Journal, look
from companion.table.table import Table
from tests.tools.attacks.endless_service import digest, entered
from tests.tools.bench.machine import machine
from tests.tools.bench.table import resident_mb

SERVICE = "tests.tools.attacks.endless_service"

EARLY = 0.2
"""Of the kills, how many come while the service starts."""
START_S, MOVES_S = 2.0, 1.0
"""Seconds within which it is killed after its start, or after its first answered press."""


class AnsweredPress(NamedTuple):
    """A press that was answered; game: the digest of the game after it.

    entered: the faces that were entered for dice not accepted yet, by number of the die.
    """

    version: int
    by: str
    game: str
    entered: Mapping[str, str]


class Life(NamedTuple):
    """From a start to the kill; seconds: until a press was answered, None where none was."""

    presses: list[AnsweredPress]
    seconds: float | None
    memory_mb: float
    """The most that the service took."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = kill_often(Path(folder) / "table", arguments.kills, arguments.seed, show=True)
    print(f"\n{arguments.kills} kills, {machine()}\n\n| figure | value |\n|---|---|")
    for name, value in figures.items():
        print(f"| {name} | {value} |")
    return int(bool(figures["answered presses lost"] or figures["games not whole"]))


def kill_often(data: Path, kills: int, seed: int, *, show: bool = False) -> dict[str, object]:
    """Return the figures by name. Raises AssertionError where a table does not come back."""
    chance = random.Random(seed)
    last = AnsweredPress(0, "", "", {})
    lost = broken = unanswered = 0
    answered = dict.fromkeys(("phone", "pin"), 0)
    starts, memory_mb = [], 0.0
    progress = Progress(kills if show else 0)
    for kill in range(kills):
        life = live(data, kill, chance)
        memory_mb = max(memory_mb, life.memory_mb)
        for press in life.presses:
            answered[press.by] += 1
        if life.seconds is not None:
            starts.append(life.seconds)
        if life.presses:
            last = life.presses[-1]
        found, whole = inspect(data)
        # One press may be saved whose answer was still on its way.
        same = (found.version, found.game) == (last.version, last.game)
        same = same and last.entered.items() <= found.entered.items()
        lost += not (same or found.version > last.version)
        unanswered += found != last._replace(by="")
        broken += not whole
        # Sitting down and what followed in a start that was killed early is no press.
        last = found
        progress.step()
    return {
        "presses answered over HTTP": answered["phone"],
        "presses answered at the pins": answered["pin"],
        "answered presses lost": lost,
        "games not whole": broken,
        "saved, but killed before the answer": unanswered,
        "start to the first answered press, median": f"{statistics.median(starts):.2f} s",
        "start to the first answered press, the longest": f"{max(starts):.2f} s",
        "memory at most": f"{memory_mb:.0f} MB",
    }


def live(data: Path, seed: int, chance: random.Random) -> Life:
    """Start the service and kill it."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", SERVICE, data, str(seed)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    first, seconds = "", None
    if seed and chance.random() < EARLY:
        time.sleep(chance.uniform(0, START_S))
    else:
        first = process.stdout.readline()
        seconds = time.perf_counter() - begun
        time.sleep(chance.uniform(0, MOVES_S))
    # It has none any longer if it has ended by itself.
    memory_mb = resident_mb(process.pid, "VmHWM") if process.poll() is None else 0.0
    process.kill()
    out, errors = process.communicate()
    assert not (seconds and not first), f"the table did not come back: {errors}"
    # The last line may be cut off by the kill.
    lines = (first + out).split("\n")[:-1]
    return Life([AnsweredPress(**json.loads(line)) for line in lines], seconds, memory_mb)


def inspect(data: Path) -> tuple[AnsweredPress, bool]:
    """Return what was saved as a press left it, and whether it is a game that can be played."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "table"
        if data.exists():
            shutil.copytree(data, copy)
        version = version_in(copy)
        with closing(Journal(copy)) as journal:
            table = Table(journal, GAMES, dice_game())
            game, whole = table.scene.history, True
            if game is not None:
                states: list[Any] = list(replay(game.record.encode().splitlines()))
                whole = states[-1] == game.state
            whole = whole and not table.view().troubles
            return AnsweredPress(version, "", digest(table), entered(table)), whole


def version_in(folder: Path) -> int:
    """Return up to which version the journal alone goes: `last-save` may name a later one."""
    with tempfile.TemporaryDirectory() as alone:
        for name in (FILE, BACKUP):
            if (folder / name).exists():
                shutil.copy(folder / name, alone)
        return look(Path(alone)).saved.version


if __name__ == "__main__":
    sys.exit(main())
