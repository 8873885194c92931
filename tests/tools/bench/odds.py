"""Odds: how fast games are played on, and what that costs the presses of players meanwhile.

    python -m tests.tools.bench.odds [--presses N]

Prints two Markdown tables: games a second by the number of players, and how long a press takes with
the eight pages that it changes, while nothing else runs, while a thread of the same process plays,
and while the simulator's own process plays. Each mode takes its turn, round by round.
"""

import argparse
import random
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

from sites import Site

from companion.games.dice.odds import PublicHistory, play, public_history
from companion.games.dice.players import random_move
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.roles import ROLES
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import Player, Setup
from companion.games.simulator_process import SimulatorProcess
from tests.tools.bench.machine import machine

ROUNDS = 5
SIMULATED = 200
CHARACTERS_PLAYED = sorted(CHARACTERS)

Simulate = Callable[[PublicHistory, range], Counter[str]]


def begun(players: int, moves: int = 12) -> PublicHistory:
    """A game after some random moves, as everybody saw it."""
    chance = random.Random(players)
    roles = list(ROLES[players])
    chance.shuffle(roles)
    dealt = [
        Player(f"Player {seat}", role, CHARACTERS[CHARACTERS_PLAYED[seat]])
        for seat, role in enumerate(roles)
    ]
    states, made = [start(Setup(RULESETS["base"], tuple(dealt)))], []
    for _ in range(moves):
        made.append(random_move(states[-1], chance))
        states.append(apply(states[-1], made[-1]))
    return public_history(states, made)


def speed(players: int) -> float:
    """Games a second."""
    game = begun(players)
    game.play(range(1))
    begin = time.perf_counter()
    game.play(range(SIMULATED))
    return SIMULATED / (time.perf_counter() - begin)


@contextmanager
def playing(simulate: Simulate | None) -> Iterator[None]:
    """Play on without a pause in a thread, as the worker does between its pauses."""
    ended = threading.Event()

    def play_on(simulate: Simulate) -> None:
        game = begun(6)
        for first in count(0, 10):
            if ended.is_set():
                return
            simulate(game, range(first, first + 10))

    thread = threading.Thread(target=play_on, args=(simulate,)) if simulate else None
    if thread:
        thread.start()
    yield
    ended.set()
    if thread:
        thread.join()


def presses(site: Site, number: int) -> list[float]:
    """Milliseconds from each press until all pages that it changes are drawn."""
    times = []
    chance = random.Random(1)
    for _ in range(number):
        site.throw(*chance.choices(["beer", "gatling", "bullseye1"], k=5))
        begin = time.perf_counter()
        site.table.press_green()
        for phone in site.phones:
            phone.live("seat")
        times.append(1e3 * (time.perf_counter() - begin))
        site.host.post("/game/undo")
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=40, help="of each mode, in each round")
    arguments = parser.parse_args()
    print(f"\nGames played on, {machine()}\n\n| players | games a second |\n|---|---|")
    for players in (4, 5, 6, 8):
        print(f"| {players} | {speed(players):.0f} |", flush=True)
    apart = SimulatorProcess()
    modes: dict[str, Simulate | None] = {
        "nothing": None,
        "a thread of the same process": play,
        "a process of its own": apart.play,
    }
    times: dict[str, list[float]] = {mode: [] for mode in modes}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        stack.callback(apart.rest)
        site = Site(Path(folder), "soroddor", CHARACTERS_PLAYED).start()
        presses(site, 10)
        for _ in range(ROUNDS):
            for mode, simulate in modes.items():
                with playing(simulate):
                    times[mode] += presses(site, arguments.presses)
    print("\n| what plays on | press and eight pages, median | 99th percentile |\n|---|---|---|")
    for mode, took in times.items():
        high = statistics.quantiles(took, n=100)[98]
        print(f"| {mode} | {statistics.median(took):.0f} ms | {high:.0f} ms |")


if __name__ == "__main__":
    main()
