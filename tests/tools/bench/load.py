"""Load and abuse: eight players' pages beside a crowd, over loopback, for a minute.

    python -m tests.tools.bench.load [--seconds N] [--rounds N] [--one-address] [--abuse N]

Prints a Markdown table. The table runs in a process of its own, without a camera: its host enters
dice, accepts them and undoes that, about four presses a second. The crowd is another process: 300
pages of spectators, every third of which never reads; 200 requests that are never finished, begun
again when the table hangs up; and 500 requests a second that are refused: old presses with a
player's own cookie, forged ones, wrong join codes, no numbers. The crowd uses loopback addresses as
if they were devices of the network: one for each spectator, five for the unfinished requests, ten
for the others; with --one-address all of it comes from one device.

A latency is the time from sending a press to the last byte of the page that shows it, at each of
eight phones. In the end the table is killed and started again: the journal must hold each accepted
press, or the status is 1.
"""

import argparse
import contextlib
import json
import os
import random
import re
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPConnection, RemoteDisconnected
from itertools import cycle
from pathlib import Path

from companion.table.journal.journal import look
from companion.table.journal.saved import LineKind
from tests.tools.bench.machine import machine
from tests.tools.bench.table import processor_time, resident_mb

HOST = "127.0.0.1"
PLAYERS = 8
SPECTATORS = 300
UNREAD = 3
"""One spectator of so many never reads."""
HALF_OPEN = 200
ABUSE_PER_S = 500
ABUSING = 200
"""Connections for these, at most."""
PRESSES_PER_S = 4

PROGRAM = ("companion",)
"""The module that is run, and arguments that come before those of its command."""

HALF = b"GET / HTTP/1.1\r\nHost: tab"
LOST = "accepted presses lost by a kill"
STATE = re.compile(rb'data-version="(\d+)" data-reading="(\d+)"')


class Phone(threading.Thread):
    """A player's phone: it joins, follows its page, and presses."""

    def __init__(self, port: int, name: str, code: str) -> None:
        super().__init__(daemon=True)
        self.port = port
        self.cookies = ""
        self.again = 0
        self._presses = HTTPConnection(HOST, port, timeout=60)
        self.proof = self.open("/")
        self.send("/join", name=name, code=code)
        self.proof = self.open("/seat")
        self.lost = 0
        self.shown = (-1, -1)
        self.news = threading.Condition()
        self.times: dict[tuple[int, int], float] = {}
        self.start()

    def _ask(self, method: str, path: str, body: str = "") -> tuple[int, bytes]:
        headers = {"Cookie": self.cookies}
        if method == "POST":
            headers |= {
                "X-Page": self.proof,
                "Content-Type": "application/x-www-form-urlencoded",
            }
        try:
            self._presses.request(method, path, body or None, headers)
            answer = self._presses.getresponse()
        except (BrokenPipeError, ConnectionResetError, RemoteDisconnected):
            # As browsers do, where an idle connection was hung up.
            self.again += 1
            self._presses.close()
            self._presses.request(method, path, body or None, headers)
            answer = self._presses.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            pair = cookie.partition(";")[0]
            kept = [old for old in self.cookies.split("; ") if old]
            kept = [old for old in kept if old.partition("=")[0] != pair.partition("=")[0]]
            self.cookies = "; ".join([*kept, pair])
        return answer.status, answer.read()

    def open(self, path: str) -> str:
        page = self._ask("GET", path)[1].decode()
        found = re.search('name="page" content="([^"]*)"', page)
        assert found, page
        self.page = page
        return found[1]

    def send(self, path: str, **fields: object) -> int:
        return self._ask("POST", path, urllib.parse.urlencode(fields))[0]

    def press(self, path: str, **fields: object) -> int:
        version, reading = self.shown
        return self.send(path, version=version, reading=reading, **fields)

    def run(self) -> None:
        while True:
            with contextlib.suppress(OSError), self._listen() as client:
                shown = self.shown
                for line in client.makefile("rb"):
                    if found := STATE.search(line):
                        shown = int(found[1]), int(found[2])
                    elif line == b"\n" and shown != self.shown:
                        with self.news:
                            self.times[shown] = time.perf_counter()
                            self.shown = shown
                            self.news.notify_all()
            self.lost += 1
            time.sleep(0.5)

    def _listen(self) -> socket.socket:
        client = socket.create_connection((HOST, self.port), timeout=60)
        client.sendall(
            f"GET /live/seat HTTP/1.1\r\nHost: {HOST}\r\nCookie: {self.cookies}\r\n\r\n".encode()
        )
        return client

    def wait(self, after: tuple[int, int]) -> float | None:
        """When the page first showed a state newer than `after`; None if not within 30 s."""
        with self.news:
            if not self.news.wait_for(lambda: self.shown > after, 30):
                return None
            return min(time for state, time in self.times.items() if state > after)


@contextlib.contextmanager
def served(
    data: Path, program: tuple[str, ...] = PROGRAM, source: Path | None = None
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run the table in a process of its own; yields it and its port, and kills it.

    source: the folder of another commit to run instead of this one.
    """
    command = (sys.executable, "-P", "-m", *program, "run", "--camera", "none", "--host", HOST)
    process = subprocess.Popen(
        [*command, "--port", "0", "--data", str(data)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": str(source or Path.cwd())},
    )
    assert process.stdout is not None
    url = json.loads(process.stdout.readline())["url"]
    try:
        yield process, int(urllib.parse.urlsplit(url).port or 0)
    finally:
        process.kill()
        process.wait()


def begin(port: int) -> list[Phone]:
    """Let eight players join and begin a game in which dice are awaited."""
    host = Phone(port, "Player1", "")
    found = re.search(r'class="code">(\w+)<', host.page)
    assert found
    phones = [host, *(Phone(port, f"Player{n}", found[1]) for n in range(2, PLAYERS + 1))]
    assert host.send("/game/start", version=until(host, (0, 0))[0]) == 204
    while True:
        host.open("/seat")
        if "/dice/accept" in host.page:
            return phones
        # Somebody is asked first, as one with Sid Ketchum is: deal again.
        host.press("/game/new")
        until(host, host.shown)
        host.press("/game/start")


def until(phone: Phone, after: tuple[int, int]) -> tuple[int, int]:
    phone.wait(after)
    time.sleep(0.3)
    return phone.shown


class Play:
    """Presses of the host, one after the other, and how long all the pages take to show each."""

    def __init__(self, phones: list[Phone]) -> None:
        self.phones = phones
        self.shown: list[float] = []
        self.answered: list[float] = []
        self.accepted = self.missed = 0
        self.steps = cycle(
            [*(("/dice/mark", {"die": die, "face": "beer"}) for die in range(5)),
             ("/dice/accept", {}), ("/game/undo", {})]
        )  # fmt: skip

    def go_on(self, seconds: float) -> None:
        """Press for so long."""
        end, pause = time.monotonic() + seconds, random.Random(1)
        host = self.phones[0]
        while time.monotonic() < end:
            time.sleep(pause.uniform(0.5, 1.5) / PRESSES_PER_S)
            where, fields = next(self.steps)
            before = host.shown
            begun = time.perf_counter()
            status = host.press(where, **fields)
            self.answered.append(time.perf_counter() - begun)
            assert status == 204, f"{where}: {status}"
            self.accepted += where in ("/dice/accept", "/game/undo")
            for phone in self.phones:
                shown = phone.wait(before)
                if shown is None:
                    self.missed += 1
                else:
                    self.shown.append(shown - begun)


# The crowd's process


class Crowd:
    """Everybody else, in one loop."""

    def __init__(
        self, port: int, one_address: bool, cookies: str, proof: str, abuse_per_s: int = 0
    ) -> None:
        self.port, self.one_address, self.abuse_per_s = port, one_address, abuse_per_s
        self.selector = selectors.DefaultSelector()
        self.answers: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.unread: list[socket.socket] = []
        self.chance = random.Random(1)
        self.cookies, self.proof = cookies, proof
        self.idle: list[tuple[socket.socket, str]] = []
        self.abusing: set[socket.socket] = set()
        self.begun: dict[socket.socket, bytes] = {}

    def connect(self, address: str) -> socket.socket:
        source = "127.0.9.9" if self.one_address else address
        return socket.create_connection((HOST, self.port), timeout=10, source_address=(source, 0))

    def look(self, number: int) -> None:
        """Open a spectator's page."""
        client = self.connect(f"127.0.{1 + number // 200}.{1 + number % 200}")
        client.sendall(b"GET /live/table HTTP/1.1\r\nHost: table\r\n\r\n")
        if number % UNREAD:
            self.watch(client, lambda: None, "spectators")
        else:
            self.unread.append(client)

    def hang(self, number: int) -> None:
        """Begin a request."""
        with contextlib.suppress(OSError):
            client = self.connect(f"127.0.3.{1 + number % 5}")
            client.sendall(HALF)
            self.watch(client, lambda: self.hang(number), "half open")

    def watch(self, client: socket.socket, again: object, kind: str) -> None:
        client.setblocking(False)
        self.selector.register(client, selectors.EVENT_READ, (again, kind))

    def abuse(self) -> None:
        """Send one request that can't succeed, on any connection that waits for no answer."""
        if self.idle:
            client, address = self.idle.pop()
        elif len(self.abusing) == ABUSING:
            self.answers["not sent"] += 1
            return
        else:
            address = f"127.0.4.{self.chance.randint(1, 10)}"
            try:
                client = self.connect(address)
            except OSError:
                self.answers["no connection"] += 1
                return
            client.setblocking(False)
            self.abusing.add(client)
        try:
            client.send(self.request())
        except BlockingIOError:
            self.answers["no answer yet"] += 1
        except OSError:
            self.answers["hung up"] += 1
            self.abusing.discard(client)
            client.close()
            return
        self.selector.register(client, selectors.EVENT_READ, (address, "abuse"))

    def request(self) -> bytes:
        chance = self.chance
        where = chance.choice(["/dice/accept", "/dice/stop", "/game/undo", "/game/move", "/join"])
        body = urllib.parse.urlencode(
            {
                "version": chance.choice(["1", "2", "99999", "x", "-1"]),
                "reading": "0",
                "name": "Mallory",
                "code": "XXXX",
            }
        )
        cookies = self.cookies if chance.random() < 0.5 else "seat=forged"
        proof = self.proof if chance.random() < 0.5 else "0" * 64
        return (
            f"POST {where} HTTP/1.1\r\nHost: table\r\nCookie: {cookies}\r\nX-Page: {proof}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}"
        ).encode()

    def go_on(self, seconds: float) -> None:
        begun, sent = time.monotonic(), 0
        while (now := time.monotonic() - begun) < seconds:
            for _ in range(min(100, int(now * self.abuse_per_s) - sent)):
                sent += 1
                self.abuse()
            for key, _ in self.selector.select(0.01):
                self.read(key)
        self.answers["sent"] = sent

    def read(self, key: selectors.SelectorKey) -> None:
        client, (what, kind) = key.fileobj, key.data
        assert isinstance(client, socket.socket)
        try:
            answer = client.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            answer = b""
        if kind == "abuse":
            self.answered(client, answer, what)
            return
        if kind == "spectators" and answer.startswith(b"HTTP/1.1 503"):
            self.refused["spectators: 503"] += 1
            answer = b""
        if not answer:
            self.refused[f"{kind}: hung up"] += 1
            self.selector.unregister(client)
            client.close()
            if kind == "half open":
                what()

    def answered(self, client: socket.socket, part: bytes, address: str) -> None:
        """Count an answer once it has come whole; the connection may be used again."""
        if not part:
            self.answers["hung up"] += 1
            self.begun.pop(client, None)
            self.abusing.discard(client)
            self.selector.unregister(client)
            client.close()
            return
        answer = self.begun.pop(client, b"") + part
        head, _, body = answer.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        if length is None or len(body) < int(length[1]):
            self.begun[client] = answer
            return
        self.answers[head[9:12].decode()] += 1
        self.selector.unregister(client)
        self.idle.append((client, address))


def be_crowd(
    port: int, seconds: float, one_address: bool, cookies: str, proof: str, abuse_per_s: int
) -> None:
    crowd = Crowd(port, one_address, cookies, proof, abuse_per_s)
    for number in range(SPECTATORS):
        with contextlib.suppress(OSError):
            crowd.look(number)
    for number in range(HALF_OPEN):
        crowd.hang(number)
    print("ready", flush=True)
    crowd.go_on(seconds)
    print(json.dumps([crowd.answers, crowd.refused]), flush=True)


def watch(port: int, spectators: int) -> None:
    """Let so many spectators read, until killed."""
    crowd = Crowd(port, False, "", "")
    for number in range(spectators):
        # None of those that never read.
        crowd.look(1 + number // 2 * UNREAD + number % 2)
    print("ready", flush=True)
    while True:
        for key, _ in crowd.selector.select():
            crowd.read(key)


# The figures


def ms(values: list[float]) -> str:
    values = sorted(values)
    places = (len(values) // 2, len(values) * 99 // 100, len(values) - 1)
    return " / ".join(f"{values[place] * 1000:.0f}" for place in places)


def crowded(
    pid: int,
    phones: list[Phone],
    play: Play,
    seconds: float,
    one_address: bool,
    abuse_per_s: int,
) -> Iterator[tuple[str, str]]:
    """Let a crowd come, and yield what the players get beside it."""
    used = processor_time(pid)
    crowd = subprocess.Popen(
        [sys.executable, "-m", "tests.tools.bench.load", "--crowd", str(phones[0].port),
         "--seconds", str(seconds + 8), "--abuse", str(abuse_per_s),
         *(["--one-address"] if one_address else [])],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert crowd.stdin is not None
    assert crowd.stdout is not None
    crowd.stdin.write(json.dumps([phones[1].cookies, phones[1].proof]))
    crowd.stdin.close()
    assert crowd.stdout.readline() == "ready\n"
    time.sleep(3)
    memory = []
    sampled = threading.Event()

    def sample() -> None:
        while not sampled.wait(1):
            memory.append(resident_mb(pid))

    sampler = threading.Thread(target=sample)
    sampler.start()
    begun = time.monotonic()
    play.go_on(seconds)
    took = time.monotonic() - begun
    sampled.set()
    sampler.join()
    used = processor_time(pid) - used
    yield "with the crowd: press to all pages", ms(play.shown)
    yield "press to its answer", ms(play.answered)
    yield "presses", str(len(play.answered))
    third = max(1, len(memory) // 3)
    thirds = [sum(part) / len(part) for part in (memory[:third], memory[-third:])]
    yield "memory, MB: first third; last third", f"{thirds[0]:.1f}; {thirds[1]:.1f}"
    yield "processor, of one core", f"{used / (took + 3):.0%}"
    answers, refused = json.loads(crowd.stdout.readline())
    crowd.wait()
    yield "answers to the abuse", ", ".join(f"{k}: {v}" for k, v in answers.items())
    yield "others", ", ".join(f"{k}: {v}" for k, v in refused.items()) or "none"


def measure(
    seconds: float,
    one_address: bool = False,
    rounds: int = 1,
    abuse_per_s: int = ABUSE_PER_S,
    program: tuple[str, ...] = PROGRAM,
) -> Iterator[tuple[str, str]]:
    """Yield what is measured, and its figure."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        begun = time.monotonic()
        with served(data, program) as (process, port):
            yield "start to address, s", f"{time.monotonic() - begun:.2f}"
            phones = begin(port)
            play = Play(phones)
            play.go_on(10)
            yield "players alone: press to all pages, p50 / p99 / worst, ms", ms(play.shown)
            yield "memory, MB: alone", f"{resident_mb(process.pid):.1f}"
            missed, accepted = play.missed, play.accepted
            for _ in range(rounds):
                # Dice stay as they are meanwhile: the steps go on where they were.
                again = Play(phones)
                again.steps = play.steps
                yield from crowded(process.pid, phones, again, seconds, one_address, abuse_per_s)
                missed += again.missed
                accepted += again.accepted
            # By then the table has noticed that the crowd is gone.
            time.sleep(8)
            yield "memory, MB: after the crowd", f"{resident_mb(process.pid):.1f}"
            lost, twice = (
                sum(counts) for counts in zip(*((p.lost, p.again) for p in phones), strict=True)
            )
            yield (
                "players' streams lost; states missed; presses sent twice",
                (f"{lost}; {missed}; {twice}"),
            )
            process.send_signal(signal.SIGKILL)
            process.wait()
        with served(data, program) as (_, _):
            yield LOST, str(lost_presses(accepted, data))


def lost_presses(accepted: int, data: Path) -> int:
    """How many of the rolls and undos that were accepted in this game its journal lacks."""
    kinds = [line.kind for line in look(data).saved.lines]
    return accepted - kinds.count(LineKind.MOVE) - kinds.count(LineKind.UNDO)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=1, help="crowds, one after the other")
    parser.add_argument("--one-address", action="store_true")
    parser.add_argument(
        "--abuse", type=int, default=ABUSE_PER_S, help="bad requests a second; default: %(default)s"
    )
    parser.add_argument("--crowd", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--watch", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--spectators", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.watch:
        watch(arguments.watch, arguments.spectators)
    if arguments.crowd:
        cookies, proof = json.loads(sys.stdin.read())
        be_crowd(
            arguments.crowd,
            arguments.seconds,
            arguments.one_address,
            cookies,
            proof,
            arguments.abuse,
        )
        return 0
    crowd = "one device" if arguments.one_address else "315 devices"
    print(f"\nA crowd on {crowd}, {arguments.seconds:.0f} s, {machine()}, load {os.getloadavg()}\n")
    print("| figure | value |\n|---|---|")
    for name, value in measure(
        arguments.seconds, arguments.one_address, arguments.rounds, arguments.abuse
    ):
        print(f"| {name} | {value} |", flush=True)
    # The last figure.
    return int((name, value) != (LOST, "0"))


if __name__ == "__main__":
    sys.exit(main())
