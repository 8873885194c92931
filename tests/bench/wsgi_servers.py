"""Compares web servers for one table: pages, moves, and an event stream for every page.

    python -m tests.bench.wsgi_servers [waitress cheroot gevent]

Prints a Markdown table; takes some a minute a server. cheroot and gevent are no dependencies
of the product: `pip install cheroot gevent` for this comparison.

Each server runs in a process of its own beside a thread that works like the camera's (OpenCV, 15
pictures a second) and one that pushes a new state of 4 kB ten times a second. A move holds the
table's lock for as long as an SD card takes to write it. Eight phones and the table page listen
and send four moves a second in all; then come spectators, a third of whom never read, and
connections whose request is never finished (opened again when the server closes them). Latencies
are those of the phones. At the end the spectators' process is killed, and the server is asked to
stop while sixty others listen.
"""

import argparse
import contextlib
import http.client
import json
import os
import random
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import flask
import numpy as np

from web.server import IDLE_S, SEND_BUFFER, STUCK_S, WORKERS, serve
from web.stream import Broadcast

HOST = "127.0.0.1"
PHONES = 9
PUSHES_PER_S = 10
MOVES_PER_S = 4
COMMIT_S = 0.02
STATE_BYTES = 4000
LOADS = (
    ("phones alone", 0, 0, 10),
    ("60 more", 60, 0, 10),
    ("300 more, 200 half open", 300, 200, 40),
)

Stop = Callable[[], None]


# The server's process


class Table:
    """What the application shares with ordinary threads: a lock, a state, somebody to tell."""

    def __init__(self, notify: Callable[[], None]):
        self.lock = threading.Lock()
        self.notify = notify
        self.state = {"pushed": 0.0, "moves": 0, "rest": "x" * STATE_BYTES}

    def push(self) -> None:
        with self.lock:
            self.state["pushed"] = time.monotonic()
        self.notify()

    def move(self, seconds: float) -> int:
        with self.lock:
            time.sleep(seconds)
            self.state["moves"] = int(self.state["moves"]) + 1
            moves = self.state["moves"]
        self.push()
        return moves

    def render(self) -> str:
        with self.lock:
            return json.dumps(self.state)


def make_app(
    table: Table, stream: Callable[[bool], flask.Response], count: Callable[[], int]
) -> flask.Flask:
    """Serve the table; `stream` answers a player or not, `count` says how many streams are open."""
    app = flask.Flask(__name__)

    def move(seconds: float) -> dict[str, int]:
        return {"moves": table.move(seconds)}

    app.add_url_rule("/count", "count", lambda: {"streams": count()})
    app.add_url_rule("/move/<float:seconds>", "move", move, methods=["POST"])
    app.add_url_rule("/player", "player", lambda: stream(True))
    app.add_url_rule("/spectator", "spectator", lambda: stream(False))
    return app


def see(table: Table) -> None:
    """Do the camera's work, and now and then look at the table."""
    picture = np.random.default_rng(1).integers(0, 255, (616, 820, 3), np.uint8)
    while True:
        began = time.monotonic()
        grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (7, 7), 0)
        cv2.findContours(cv2.threshold(grey, 140, 255, 0)[1], cv2.RETR_LIST, 2)
        with table.lock:
            sum(range(1000))
        time.sleep(max(0.0, began + 1 / 15 - time.monotonic()))


def press(table: Table) -> None:
    while True:
        time.sleep(1 / PUSHES_PER_S)
        table.push()


def tune(listener: Any) -> None:
    """Give a listener the socket options that the product's server has."""
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STUCK_S * 1000)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


def run_waitress(port: int) -> tuple[Table, Stop]:
    broadcast = Broadcast()
    table = Table(broadcast.notify)
    app = make_app(
        table,
        lambda player: broadcast.response(table.render, player=player),
        lambda: len(broadcast),
    )
    return table, serve(app, broadcast, HOST, port).stop


def waking(table: Table, make_event: Callable[[], Any], listening: set[Any]) -> flask.Response:
    """Answer with a stream that waits in its own thread or greenlet, woken by its event."""
    woken = make_event()

    def events() -> Iterator[bytes]:
        listening.add(woken)
        try:
            while True:
                yield f"data: {table.render()}\n\n".encode()
                if not woken.wait(15):
                    yield b": heartbeat\n\n"
                woken.clear()
        finally:
            listening.discard(woken)

    return flask.Response(events(), mimetype="text/event-stream")


def wake(listening: set[Any]) -> None:
    for woken in list(listening):
        woken.set()


def run_cheroot(port: int) -> tuple[Table, Stop]:
    from cheroot import wsgi

    listening: set[threading.Event] = set()
    table = Table(lambda: wake(listening))
    app = make_app(
        table, lambda player: waking(table, threading.Event, listening), lambda: len(listening)
    )
    threads = WORKERS + Broadcast().capacity
    server = wsgi.Server((HOST, port), app, numthreads=threads, request_queue_size=1024)
    server.shutdown_timeout = 0.5
    server.prepare()
    tune(server.socket)
    threading.Thread(target=server.serve, daemon=True).start()

    return table, server.stop


def run_gevent(port: int) -> tuple[Table, Stop]:
    """Gevent's hub in a thread of its own, nothing patched; other threads wake it by a watcher."""
    import gevent
    import gevent.event
    import gevent.pywsgi
    import gevent.socket

    listening: set[gevent.event.Event] = set()
    ready = threading.Event()
    hub_side: dict[str, Any] = {}

    def run() -> None:
        loop = gevent.get_hub().loop
        hub_side["news"] = loop.async_()
        hub_side["news"].start(wake, listening)
        end = gevent.event.Event()
        hub_side["end"] = loop.async_()
        hub_side["end"].start(end.set)
        with socket.create_server((HOST, port), backlog=1024) as plain:
            tune(plain)
            plain.setblocking(False)
            listener = gevent.socket.socket(fileno=plain.detach())
        server = gevent.pywsgi.WSGIServer(listener, app, log=None)
        server.start()
        ready.set()
        end.wait()
        server.stop(timeout=0.5)

    table = Table(lambda: hub_side["news"].send())
    app = make_app(
        table, lambda player: waking(table, gevent.event.Event, listening), lambda: len(listening)
    )
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait()

    def stop() -> None:
        hub_side["end"].send()
        thread.join(2)

    return table, stop


SERVERS = {"waitress": run_waitress, "cheroot": run_cheroot, "gevent": run_gevent}


def be_server(name: str, port: int) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    table, stop = SERVERS[name](port)
    for work in (see, press):
        threading.Thread(target=work, args=(table,), daemon=True).start()
    print("ready", flush=True)
    signal.sigwait({signal.SIGTERM})
    stop()
    # What a server's own threads do after this is not the table's affair.
    os._exit(0)


# The clients


def connect(port: int, address: str = HOST) -> socket.socket:
    return socket.create_connection((HOST, port), timeout=60, source_address=(address, 0))


def open_stream(port: int, path: str, address: str = HOST) -> socket.socket:
    client = connect(port, address)
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: table\r\n\r\n".encode())
    return client


def be_spectators(port: int, streams: int, half_open: int) -> None:
    """Hold `streams`, every third never read, and `half_open` unfinished requests, until killed.

    They come from loopback addresses, as if they were devices: one may hold so many connections.
    """
    watched = selectors.DefaultSelector()
    unread = []

    def half(number: int) -> None:
        client = connect(port, f"127.0.3.{1 + number % 5}")
        client.sendall(b"GET / HTTP/1.1\r\nHost: tab")
        watched.register(client, selectors.EVENT_READ, partial(half, number))

    for number in range(streams):
        client = open_stream(port, "/spectator", f"127.0.{1 + number // 200}.{1 + number % 200}")
        if number % 3:
            watched.register(client, selectors.EVENT_READ)
        else:
            unread.append(client)
    for number in range(half_open):
        half(number)
    print("ready", flush=True)
    while True:
        for key, _ in watched.select():
            client = key.fileobj
            assert isinstance(client, socket.socket)
            with contextlib.suppress(ConnectionError):
                if client.recv(1 << 16):
                    continue
            watched.unregister(client)
            client.close()
            if key.data:
                key.data()


class Phones:
    """Eight phones and the table page, which listen and move; the measuring side."""

    def __init__(self, port: int):
        self.port = port
        self.pushes: list[float] = []
        self.moves: list[float] = []
        self.lost = 0
        for _ in range(PHONES):
            threading.Thread(target=self.listen, daemon=True).start()
        threading.Thread(target=self.move, daemon=True).start()

    def listen(self) -> None:
        while True:
            with contextlib.suppress(OSError), open_stream(self.port, "/player") as client:
                for line in client.makefile("rb"):
                    if line.startswith(b"data: "):
                        self.pushes.append(time.monotonic() - json.loads(line[6:])["pushed"])
            self.lost += 1
            time.sleep(0.5)

    def move(self) -> None:
        pause = random.Random(1)
        while True:
            time.sleep(pause.uniform(0.5, 1.5) / MOVES_PER_S)
            began = time.monotonic()
            try:
                ask(self.port, "POST", f"/move/{COMMIT_S}")
            except OSError:
                self.lost += 1
            self.moves.append(time.monotonic() - began)


def ask(port: int, method: str, path: str, timeout: float = 10) -> Any:
    connection = http.client.HTTPConnection(HOST, port, timeout=timeout)
    try:
        connection.request(method, path)
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


def start(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    if process.stdout.readline() != "ready\n":
        raise SystemExit(f"{' '.join(command)}: did not start")
    return process


def figures(values: list[float]) -> str:
    if not values:
        return "none"
    values = sorted(values)
    chosen = (values[len(values) // 2], values[len(values) * 99 // 100], values[-1])
    return " / ".join(f"{value * 1000:.0f}" for value in chosen)


def status(pid: int, key: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1])
    raise KeyError(key)


def measure(name: str) -> Iterator[tuple[str, str]]:
    """Yield what is measured and its figure, in the order of the table's rows."""
    with socket.create_server((HOST, 0)) as probe:
        port = probe.getsockname()[1]
    server = start("--serve", name, port)
    phones = Phones(port)
    time.sleep(2)
    for label, spectators, half_open, seconds in LOADS:
        crowd = start("--spectators", port, spectators, half_open) if spectators else None
        phones.pushes, phones.moves, phones.lost = [], [], 0
        time.sleep(seconds)
        yield f"{label}: push to a phone, p50 / p99 / worst ms", figures(phones.pushes)
        yield f"{label}: pushes a second and phone", f"{len(phones.pushes) / PHONES / seconds:.1f}"
        yield f"{label}: move, p50 / p99 / worst ms", figures(phones.moves)
        yield f"{label}: streams or moves lost", str(phones.lost)
        yield f"{label}: memory MB", f"{status(server.pid, 'VmRSS') / 1024:.0f}"
        yield f"{label}: threads", str(status(server.pid, "Threads"))
        try:
            streams = str(ask(port, "GET", "/count")["streams"])
        except OSError:
            streams = "no answer"
        yield f"{label}: streams open at the end", streams
        if crowd:
            crowd.kill()
            crowd.wait()
            yield f"{label}: vanished, freed after s", until_freed(port)
    with contextlib.closing(http.client.HTTPConnection(HOST, port, timeout=10)) as slow:
        slow.request("POST", "/move/1.0")
        time.sleep(0.1)
        began = time.monotonic()
        ask(port, "GET", "/count")
        yield "page while a move takes 1 s: ms", f"{(time.monotonic() - began) * 1000:.0f}"
        slow.getresponse().read()
    crowd = start("--spectators", port, 60, 0)
    began = time.monotonic()
    server.send_signal(signal.SIGTERM)
    try:
        code = str(server.wait(20))
    except subprocess.TimeoutExpired:
        server.kill()
        code = "killed"
    yield "stopping with 69 streams: s (exit status)", f"{time.monotonic() - began:.2f} ({code})"
    crowd.kill()
    crowd.wait()


def until_freed(port: int) -> str:
    began = time.monotonic()
    while time.monotonic() - began < IDLE_S:
        with contextlib.suppress(OSError):
            if ask(port, "GET", "/count")["streams"] <= PHONES:
                return f"{time.monotonic() - began:.1f}"
        time.sleep(0.05)
    return f"not in {IDLE_S}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--spectators", nargs=3, type=int, help=argparse.SUPPRESS)
    parser.add_argument("servers", nargs="*", help=f"of {', '.join(SERVERS)}; default: all")
    arguments = parser.parse_args()
    if arguments.serve:
        be_server(arguments.serve[0], int(arguments.serve[1]))
    elif arguments.spectators:
        be_spectators(*arguments.spectators)
    else:
        names = arguments.servers or list(SERVERS)
        if unknown := set(names) - set(SERVERS):
            parser.error(f"unknown server: {', '.join(unknown)}")
        columns = [dict(measure(name)) for name in names]
        print(f"| | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
        for row in columns[0]:
            print(f"| {row} | {' | '.join(column[row] for column in columns)} |")


if __name__ == "__main__":
    main()
