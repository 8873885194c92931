"""What publishing costs a press: without MQTT, with a dead broker, and with one that runs.

    python -m tests.tools.bench.publishing [--presses N] [--pause SECONDS] [--folder FOLDER]

Three tables on one disk take turns with a press each, in games that they play by themselves. Times
each press, from asking the table to its answer, and the processor time of its thread. The pause
lets a table's own thread do its work, as between presses of people; 0 lets none. Prints a Markdown
table. Needs Mosquitto.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from mosquitto import HOST, Mosquitto, free_port

from companion.club.publishing.broker import BrokerAddress, BrokerConnection
from companion.club.publishing.outbox import FILE, Outbox
from companion.club.publishing.publisher import Publisher
from companion.club.publishing.topics import Topics
from tests.tools.bench.machine import machine
from tests.tools.bench.saving import KINDS, Player

FIRST_ROUNDS = 50
"""Presses that only warm everything up."""


def published(player: Player, folder: Path, port: int, stack: ExitStack) -> Publisher:
    """Publish the table of a player on the broker at a port."""
    publisher = Publisher(
        player.table,
        partial(Outbox, folder / FILE),
        Topics("bang", f"port {port}"),
        partial(BrokerConnection, BrokerAddress(HOST, port)),
    )
    player.table.follow(lambda *_: publisher.look())
    publisher.start()
    stack.callback(publisher.stop)
    return publisher


def line(name: str, player: Player) -> str:
    took = [one for kind in KINDS for one in player.times[kind][FIRST_ROUNDS:]]
    return (
        f"| {name} | {figures([wall for wall, _ in took])} | {figures([own for _, own in took])} |"
    )


def figures(times: Sequence[float]) -> str:
    """Return mean, median and 99th percentile in milliseconds."""
    parts = statistics.quantiles(times, n=100)
    return " / ".join(f"{1000 * s:.3f}" for s in (statistics.fmean(times), parts[49], parts[98]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=3000, help="of each table")
    parser.add_argument("--pause", type=float, default=0.01, help="seconds after each press")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=arguments.folder)))
        broker = Mosquitto(folder / "broker")
        broker.start()
        stack.callback(broker.stop)
        # The same games at all three.
        names = ("without MQTT", "with a dead broker", "with a broker")
        players = {name: Player(folder / name, 1) for name in names}
        for name, port in zip(names[1:], (free_port(), broker.port), strict=True):
            published(players[name], folder / name, port, stack)
        for number in range(1, arguments.presses + 1):
            order = list(players.values())
            for player in order[number % 3 :] + order[: number % 3]:
                player.go_on(number)
                time.sleep(arguments.pause)
        print(f"{arguments.presses} presses each, {arguments.pause} s apart, {machine()}\n")
        print("| | ms until the answer: mean / median / p99 | ms of processor: the same |")
        print("|---|---|---|")
        for name, player in players.items():
            print(line(name, player))


if __name__ == "__main__":
    main()
