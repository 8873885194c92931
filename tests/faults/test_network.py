"""Wi-Fi goes and comes back, the clock jumps: phones find the table as it is."""

import http.client
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from browser import Screens
from playwright.sync_api import expect
from test_parts import begin, throw

from companion.config import Settings
from companion.wiring import Running, start_table

HOUR = 3600.0


class Way:
    """The way between phones and table, which can swallow everything without a word."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.open = threading.Event()
        self.open.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                phone, _ = self._listener.accept()
            except OSError:
                return
            table = socket.create_connection(("127.0.0.1", self._port))
            for pair in ((phone, table), (table, phone)):
                threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with one, other:
            try:
                while data := one.recv(65536):
                    if not self.open.is_set():
                        # What was sent meanwhile is lost: this connection never speaks again.
                        threading.Event().wait()
                    other.sendall(data)
            except OSError:
                return

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with ExitStack() as stack:
        settings = Settings(host="127.0.0.1", port=0, camera="none", data=tmp_path / "data")
        yield start_table(settings, stack, seed=1)


def test_a_phone_whose_connection_died_silently_looks_for_the_table(
    running: Running, screens: Screens
) -> None:
    table = running.table
    way = Way(running.server.port)
    television = screens.television("about:blank")
    television.clock.install()
    television.goto(f"http://127.0.0.1:{way.port}/table")
    expect(television.locator(".code")).to_have_text(re.compile(table.code))
    way.open.clear()
    begin(table)
    television.clock.fast_forward(30_000)
    expect(television.locator("#lost")).to_be_hidden()
    way.open.set()
    television.clock.fast_forward(15_000)
    expect(television.get_by_text("Ann").first).to_be_visible()
    expect(television.locator("#lost")).to_be_hidden()
    way.close()


class Stream:
    """A phone that listens."""

    def __init__(self, running: Running) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", running.server.port, timeout=60)
        self._connection.request("GET", "/live/table")
        self._answer = self._connection.getresponse()

    def version(self) -> int:
        """Wait for the next page and return its version."""
        page = b""
        while line := self._answer.readline():
            page += line
            if line == b"\n" and (found := re.search(rb'data-version="(\d+)"', page)):
                return int(found[1])
        raise AssertionError("the stream ended")

    def close(self) -> None:
        self._connection.close()


@pytest.mark.parametrize("hours", [5.0, -5.0, 24.0 * 365 * 50])
def test_a_clock_that_jumps_changes_nothing(running, monkeypatch, hours):
    table = running.table
    begin(table)
    stream = Stream(running)
    assert stream.version() == table.view().version
    clock = time.time
    monkeypatch.setattr(time, "time", lambda: clock() + hours * HOUR)
    # Long enough for the server to look which connections are idle.
    time.sleep(6)
    throw(table)
    pin = running.pins.factory.pin(17)
    pin.drive_low()
    pin.drive_high()
    while stream.version() != table.view().version:
        pass
    stream.close()
    again = Stream(running)
    assert again.version() == table.view().version
    again.close()


SOURCES = [
    path
    for package in ("companion", "vision", "hardware", "web")
    for path in (Path(__file__).parents[2] / package).rglob("*.py")
]


def test_nothing_measures_time_by_the_wall_clock():
    wall = re.compile(r"\btime\.time\(|\bdatetime\.(?:now|today|utcnow)\(|\bdate\.today\(")
    found = [path for path in SOURCES if wall.search(path.read_text())]
    # The doctor asks whether the clock is right.
    assert [path for path in found if "doctor" not in path.parts] == []
    assert len(SOURCES) > 50
