"""Saving a press: how long one takes that waits for the disk, and one that only corrects a die.

    python -m tests.tools.bench.saving [--presses N] [--rounds N] [--folder FOLDER]
                                       [--before FOLDER]

Plays games by itself and times each press, from asking the table to its answer, with the processor
time that it took. `--folder` chooses the disk. With `--before`, the table of another commit takes
turns with this one. Prints a Markdown table.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.games.dice.game import DICE_GAME
from companion.games.dice.players import random_move
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Roll, Stop
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press
from companion.table.journal.journal import Journal
from companion.table.scene import Phase
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark
from companion.table.table import Table
from tests.tools.bench.machine import machine

KINDS = ("moves", "corrections")

Times = dict[str, list[tuple[float, float]]]
"""By kind of press: seconds until the answer, and seconds of processor time."""


class Player:
    """The host, who presses everything, and how long each press took."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        selection = DICE_GAME.select("base", ())
        self.table = Table(Journal(folder), GAMES, selection, chance=self.chance)
        self.table.do(seats.join, Press(None), "Ann", "", "secret")
        self.host = self.table.view().people[0].id
        for name in ("Bob", "Cleo", "Dan"):
            self.table.do(seats.add_person, self._press(), name)
        self.times: Times = {kind: [] for kind in KINDS}

    def go_on(self, presses: int) -> None:
        """Play until so many presses were made."""
        while sum(map(len, self.times.values())) < presses:
            phase = self.table.view().phase
            if phase is Phase.LOBBY:
                self.table.do(rounds.start_game, self._press())
            elif phase is Phase.OVER:
                self.table.do(rounds.new_game, self._press())
            else:
                self._play()

    def _play(self) -> None:
        history = self.table.scene.history
        assert history is not None
        state: Any = history.state
        move = random_move(state, self.chance)
        if isinstance(move, Stop):
            self._timed("moves", rolling.stop)
        elif isinstance(move, Roll):
            for die in move.rerolled if move.rerolled is not None else range(5):
                self._timed("corrections", rolling.mark, die, TrayMark(face=Face(move.dice[die])))
            self._timed("moves", rolling.accept)
        else:
            self._timed("moves", moves.move, move)

    def _timed(self, kind: str, change: object, *given: object) -> None:
        press = self._press()
        begun, worked = time.perf_counter(), time.thread_time()
        self.table.do(change, press, *given)  # type: ignore[arg-type]
        took = time.perf_counter() - begun, time.thread_time() - worked
        self.times[kind].append(took)

    def _press(self) -> Press:
        view = self.table.view()
        return Press(self.host, view.version, view.reading)


def measured(source: Path, presses: int, disk: Path | None, seed: int) -> Times:
    """Return the times of presses with the table in a folder, in a process of its own."""
    with tempfile.TemporaryDirectory(dir=disk) as folder:
        command = [sys.executable, "-P", __file__, "--play", folder]
        output = subprocess.run(
            [*command, "--presses", str(presses), "--seed", str(seed)],
            env=os.environ | {"PYTHONPATH": f"{source}:{Path.cwd()}"},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
    found: Times = json.loads(output)
    return found


def figures(of_rounds: Sequence[Times], clock: int) -> str:
    """Return the best round's mean and the median press, of all and of each kind; clock: 0 or 1."""
    parts = []
    for kinds in (KINDS, *((kind,) for kind in KINDS)):
        means = [
            statistics.fmean(took[clock] for kind in kinds for took in times[kind])
            for times in of_rounds
        ]
        by_kind = [[took[clock] for times in of_rounds for took in times[kind]] for kind in kinds]
        # Each kind has its own: together they have two peaks.
        medians = [(statistics.median(took), len(took)) for took in by_kind]
        median = sum(each * count for each, count in medians) / sum(map(len, by_kind))
        parts.append(f"{min(means) * 1000:.3f} / {median * 1000:.3f}")
    return " | ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=1500, help="of each round")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure")
    parser.add_argument("--before", type=Path, help="folder of another commit to measure as well")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.play:
        player = Player(arguments.play / "table", arguments.seed)
        player.go_on(arguments.presses)
        print(json.dumps(player.times))
        return
    sources = {"this commit": Path.cwd()}
    if arguments.before:
        sources = {str(arguments.before): arguments.before, **sources}
    found = defaultdict(list)
    for number in range(arguments.rounds):
        # Each round begins with another one.
        for name in list(sources)[:: 1 if number % 2 else -1]:
            seed = arguments.seed + number
            found[name].append(measured(sources[name], arguments.presses, arguments.folder, seed))
    print(
        f"\nSaving, in turns, {arguments.rounds} rounds of {arguments.presses} presses, "
        f"{machine()}. ms a press: the mean of the best round / the median\n"
    )
    print("| table | all | moves | corrections |\n|---|---|---|---|")
    for name in sources:
        print(f"| {name}: until the answer | {figures(found[name], 0)} |")
        print(f"| {name}: processor time | {figures(found[name], 1)} |")


if __name__ == "__main__":
    main()
