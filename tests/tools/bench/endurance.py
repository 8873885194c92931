"""A day of play and more, without its pauses: does anything grow?

    python -m tests.tools.bench.endurance [--games 5000] [--players 4] [--phones 2] [--camera none]

The service as `bang-companion run` builds it plays random games to their end: the dice are entered
as players without a camera enter them, accepted and ended by the mock pins of the two buttons, and
everything is saved and pushed to phones over real sockets, which a process of their own reads.
Prints a Markdown table: a line at the start and ten on the way.
"""

import argparse
import gc
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.app.build import RunningTable, start_table
from companion.app.progress import Progress
from companion.games.dice.players import random_move
from companion.games.dice.rules.moves import Roll, Stop
from companion.settings import Settings
from companion.table import moves, rounds, seats
from companion.table.changes import Press
from companion.table.journal.journal import BACKUP, FILE, GAMES
from companion.table.scene import Phase
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark
from tests.tools.bench.machine import machine
from tests.tools.bench.table import join, resident_mb

UNDOS = 0.02
"""Of the moves, how many are taken back."""

READER = """
import http.client, sys, threading
def read(host, page, cookies):
    connection = http.client.HTTPConnection(host)
    connection.request("GET", "/live/" + page, headers={"Cookie": cookies})
    answer = connection.getresponse()
    while answer.read1(65536):
        pass
for page, cookies in (line.split("\\t") for line in sys.argv[2:]):
    threading.Thread(target=read, args=(sys.argv[1], page, cookies)).start()
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--phones", type=int, default=2)
    parser.add_argument("--camera", default="none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, help="where to keep the data folder, such as /dev/shm")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(dir=arguments.data) as data, ExitStack() as stack:
        settings = Settings(
            host="127.0.0.1", port=0, camera=arguments.camera, data=Path(data), learn=False
        )
        running = start_table(settings, stack, seed=arguments.seed)
        host = sit(running, arguments.players, arguments.phones, stack)
        print(f"\n{arguments.games} games of {arguments.players} players, "
              f"{arguments.phones} phones and the table page, {machine()}\n")  # fmt: skip
        print("| games | moves | minutes | RSS | threads | files | objects | journal | "
              "backup | records |\n|" + "---|" * 10)  # fmt: skip
        begun, moves = time.monotonic(), 0
        progress = Progress(arguments.games)
        for game in range(arguments.games + 1):
            if game % max(1, arguments.games // 10) == 0:
                print(line(game, moves, time.monotonic() - begun, settings.data), flush=True)
            if game < arguments.games:
                moves += play_game(running, host, chance)
                progress.step()


def sit(running: RunningTable, players: int, phones: int, stack: ExitStack) -> int:
    """Let everybody sit down and the phones listen; return the host."""
    table = running.table
    cookies = [join(running, f"Player{number}") for number in range(phones)]
    host = table.view().people[0].id
    for number in range(phones, players):
        table.do(seats.add_person, Press(host, table.view().version), f"Player{number}")
    pages = [*(f"seat\t{cookie}" for cookie in cookies), "table\t"]
    address = re.sub("^http://|/$", "", running.server.url)
    reader = subprocess.Popen(
        [sys.executable, "-c", READER, address, *pages], stderr=subprocess.DEVNULL
    )
    stack.callback(reader.wait)
    stack.callback(reader.kill)
    return host


def play_game(running: RunningTable, host: int, chance: random.Random) -> int:
    """Play one game to its end and leave it; return how many moves were made."""
    table, made = running.table, 0
    table.do(rounds.start_game, Press(host, table.view().version))
    while table.view().phase is Phase.PLAYING:
        made += 1
        play(running, host, chance)
        if chance.random() < UNDOS and table.view(host).to_undo:
            table.do(moves.undo, Press(host, table.view().version))
    table.do(rounds.new_game, Press(host, table.view().version))
    return made


def play(running: RunningTable, host: int, chance: random.Random) -> None:
    table = running.table
    assert table.scene.history is not None
    state: Any = table.scene.history.state
    move = random_move(state, chance)
    if isinstance(move, Stop):
        press(running, 27)
    elif isinstance(move, Roll):
        for die in move.rerolled if move.rerolled is not None else range(5):
            view = table.view()
            table.do(
                rolling.mark,
                Press(host, view.version, view.reading),
                die,
                TrayMark(face=move.dice[die]),
            )
        press(running, 17)
    else:
        view = table.view()
        decider = view.people[move.seat]
        table.do(moves.move, Press(decider.id if decider.has_phone else host, view.version), move)


def press(running: RunningTable, number: int) -> None:
    before = running.table.view().version
    pin = running.controls.pins.factory.pin(number)
    pin.drive_low()
    pin.drive_high()
    # Mock pins remember every state that they ever had.
    for wired in running.controls.pins.factory.pins.values():
        wired.clear_states()
    if running.table.view().version == before:
        raise AssertionError(f"the press changed nothing: {running.table.view().notice}")


def line(game: int, moves: int, seconds: float, data: Path) -> str:
    gc.collect()
    process = Path("/proc/self")
    records = list((data / GAMES).glob("*")) if (data / GAMES).exists() else []
    figures = (
        game,
        moves,
        f"{seconds / 60:.1f}",
        f"{resident_mb(os.getpid()):.0f} MB",
        len(list((process / "task").iterdir())),
        len(list((process / "fd").iterdir())),
        len(gc.get_objects()),
        kilobytes(data / FILE),
        kilobytes(data / BACKUP),
        f"{sum(record.stat().st_size for record in records) / 1000:.0f} kB",
    )
    return "| " + " | ".join(map(str, figures)) + " |"


def kilobytes(path: Path) -> str:
    return f"{path.stat().st_size / 1000:.0f} kB" if path.exists() else "–"


if __name__ == "__main__":
    main()
