"""Many tables on one broker: how soon a press is on the hall's page, and what the hall costs.

    python -m tests.tools.bench.club [--tables 10 50 200] [--moves 40] [--seconds 30]

Real tables with their journals and publishers play random card games, 25 in a process, `--moves` a
second together; Mosquitto and the hall, as `bang-companion hall` runs it, are other processes. One
page is open. Prints a Markdown table with a row for each number of tables. A press counts from
before it is made until the page that shows it has arrived.
"""

import argparse
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from people import join

from companion.club.publishing.broker import BrokerAddress, BrokerConnection
from companion.club.publishing.outbox import FILE, Outbox
from companion.club.publishing.publisher import Publisher
from companion.club.publishing.topics import Topics
from companion.games.cards.game import CARD_GAME
from companion.games.cards.players import random_move
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press
from companion.table.journal.journal import Journal
from companion.table.scene import Phase
from companion.table.table import Table
from tests.tools.bench.machine import machine

HOST, PREFIX = "127.0.0.1", "club"
CARD = re.compile(r'id="table-Table/(\d+)" data-events="(\d+)\.(\d+)"')
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE_S = 240.0
EACH = 25
"""Tables in a process: in a single one they would wait for each other more than for the broker."""


class Member:
    """A table of the club."""

    def __init__(self, number: int, folder: Path, port: int) -> None:
        self.number, self.chance = number, random.Random(number)
        self.journal = Journal(folder)
        self.table = Table(self.journal, GAMES, CARD_GAME.select("base"), chance=self.chance)
        address = BrokerAddress(HOST, port)
        self.publisher = Publisher(
            self.table,
            partial(Outbox, folder / FILE, 1 << 24),
            Topics(PREFIX, f"Table {number}"),
            partial(BrokerConnection, address),
        )
        self.table.follow(lambda *_: self.publisher.look())
        self.publisher.start()
        join(self.table, "Ann", self.table.scene.code)
        for name in ("Bob", "Cleo", "Dan", "Eve"):
            self.table.do(seats.add_person, self.press, name)
        self.table.do(rounds.start_game, self.press)

    @property
    def press(self) -> Press:
        view = self.table.view(1)
        return Press(1, view.version, view.reading)

    @property
    def shown(self) -> tuple[int, int]:
        view = self.table.view()
        return view.game_number, len(view.story)

    def move(self) -> None:
        scene = self.table.scene
        if scene.phase is Phase.OVER:
            self.table.do(rounds.new_game, self.press)
            self.table.do(rounds.start_game, self.press)
        elif scene.history is not None:
            state: Any = scene.history.state
            self.table.do(moves.move, self.press, random_move(state, self.chance))

    def close(self) -> None:
        self.publisher.stop()
        self.journal.close()


class Page(threading.Thread):
    """An open page of the hall, which notes when each table's state arrived."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.url, self.size, self.pages = url, 0, 0
        self.arrived: dict[int, list[tuple[float, tuple[int, int]]]] = {}

    def run(self) -> None:
        place = urllib.parse.urlsplit(self.url)
        with socket.create_connection((place.hostname or HOST, place.port or 80)) as here:
            here.sendall(f"GET /live/hall HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
            rest = b""
            while some := here.recv(1 << 20):
                rest += some
                *events, rest = rest.split(b"\n\n")
                for event in events:
                    self._take(event)

    def _take(self, event: bytes) -> None:
        now = time.perf_counter()
        self.size, self.pages = max(self.size, len(event)), self.pages + 1
        for table, game, events in CARD.findall(event.decode()):
            seen = self.arrived.setdefault(int(table), [])
            state = int(game), int(events)
            if not seen or seen[-1][1] != state:
                seen.append((now, state))


class Measured(NamedTuple):
    tables: int
    presses: int
    p50_ms: float
    p99_ms: float
    messages: float
    kilobytes: float
    page_kb: float
    pages: float
    hall_mb: float
    hall_cpu: float
    broker_mb: float
    broker_cpu: float


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def free_port() -> int:
    with socket.socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])


@contextmanager
def process(*command: object, read: bool = False) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    output = subprocess.PIPE if read else subprocess.DEVNULL
    running = subprocess.Popen(
        list(map(str, command)),
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield running, running.stdout.readline() if running.stdout else ""
    finally:
        running.terminate()
        running.communicate()


class Traffic:
    """Counts what a subscriber to all tables gets."""

    def __init__(self, port: int) -> None:
        self.messages = self.bytes = 0
        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.on_connect = lambda client, *_: client.subscribe(f"{PREFIX}/#", 0)
        self.client.on_message = lambda _, __, message: self._count(
            len(message.topic) + len(message.payload)
        )
        self.client.connect(HOST, port)
        self.client.loop_start()

    def _count(self, size: int) -> None:
        self.messages, self.bytes = self.messages + 1, self.bytes + size

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


def measure(count: int, per_s: float, seconds: float) -> Measured:
    mosquitto = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")
    assert mosquitto, "Mosquitto is missing: sudo apt install mosquitto"
    port = free_port()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        conf = folder / "mosquitto.conf"
        conf.write_text(f"listener {port} {HOST}\nallow_anonymous true\nmax_queued_messages 0\n")
        broker, _ = stack.enter_context(process(mosquitto, "-c", conf))
        hall, line = stack.enter_context(
            process(
                *(sys.executable, "-m", "companion", "hall", "--broker", f"{HOST}:{port}"),
                *("--prefix", PREFIX, "--host", HOST, "--port", 0, "--data", folder / "hall"),
                read=True,
            )
        )
        workers = []
        for first in range(0, count, EACH):
            worker, _ = stack.enter_context(
                process(
                    *(sys.executable, "-m", "tests.tools.bench.club", "--worker", folder, port),
                    *(first, min(EACH, count - first)),
                    read=True,
                )
            )
            workers.append(worker)
        page = Page(json.loads(line)["url"])
        page.start()
        until = time.perf_counter() + PATIENCE_S
        while len(page.arrived) < count and time.perf_counter() < until:
            time.sleep(0.1)
        assert len(page.arrived) == count, f"{len(page.arrived)} of {count} tables came"
        traffic = Traffic(port)
        stack.callback(traffic.close)
        time.sleep(2.0)
        traffic.messages = traffic.bytes = 0
        pages = page.pages
        before = cpu_s(hall.pid), cpu_s(broker.pid)
        begun = time.perf_counter()
        presses = together(workers, per_s, seconds)
        lasted = time.perf_counter() - begun
        used = cpu_s(hall.pid) - before[0], cpu_s(broker.pid) - before[1]
        drawn = page.pages - pages
        time.sleep(5.0)
        waits = sorted(waited(presses, page))
        assert len(waits) > 0.5 * len(presses), "most presses never came"
        return Measured(
            count,
            len(waits),
            1000 * waits[len(waits) // 2],
            1000 * waits[int(len(waits) * 0.99)],
            traffic.messages / lasted,
            traffic.bytes / lasted / 1000,
            page.size / 1000,
            drawn / lasted,
            memory_mb(hall.pid),
            100 * used[0] / lasted,
            memory_mb(broker.pid),
            100 * used[1] / lasted,
        )


MadePress = tuple[int, float, tuple[int, int]]


def together(
    workers: "list[subprocess.Popen[str]]", per_s: float, seconds: float
) -> list[MadePress]:
    """Let the tables of all workers play; return when each press was made."""
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write(f"{per_s / len(workers)} {seconds}\n")
        worker.stdin.flush()
    presses = []
    for worker in workers:
        assert worker.stdout is not None
        presses += [
            (table, made, (shown[0], shown[1]))
            for table, made, shown in json.loads(worker.stdout.readline())
        ]
    return presses


def work(folder: Path, port: int, first: int, count: int) -> None:
    """Open some tables, say so, and play when told."""
    members = [Member(number, folder / str(number), port) for number in range(first, first + count)]
    print("open", flush=True)
    per_s, seconds = map(float, sys.stdin.readline().split())
    print(json.dumps(play(members, per_s, seconds)), flush=True)
    sys.stdin.read()
    for member in members:
        member.close()


def play(members: list[Member], per_s: float, seconds: float) -> list[MadePress]:
    """Let tables in turn make a move, so many a second; return when each press was made."""
    presses = []
    begun = time.perf_counter()
    for number in range(int(per_s * seconds)):
        due = begun + number / per_s
        time.sleep(max(0.0, due - time.perf_counter()))
        member = members[number % len(members)]
        made = time.perf_counter()
        member.move()
        presses.append((member.number, made, member.shown))
    return presses


def waited(presses: list[MadePress], page: Page) -> Iterator[float]:
    """Yield how long each press took until a page showed it, or a later one of its table."""
    for table, made, state in presses:
        for arrived, shown in page.arrived[table]:
            if arrived > made and shown >= state:
                yield arrived - made
                break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 50, 200])
    parser.add_argument("--moves", type=float, default=40.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        folder, *numbers = arguments.worker
        work(Path(folder), *map(int, numbers))
        return
    print(f"{machine()}, load {os.getloadavg()[0]:.0f} by this and other programs\n")
    print("| tables | presses | to the page, p50 ms | p99 ms | messages/s | kB/s | page, kB |"
          " pages/s | hall, MB | hall, % of a core | broker, MB | broker, % |")  # fmt: skip
    print("|---" * len(Measured._fields) + "|")
    for count in arguments.tables:
        found = measure(count, arguments.moves, arguments.seconds)
        cells = (f"{value:.0f}" if value >= 10 else f"{value:.1f}" for value in found)
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
