"""The clock of the machine jumps: nothing at the table goes by it."""

import http.client
import re
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from places import ROOT
from test_parts import begin, throw

from companion.app.build import RunningTable, start_table
from companion.settings import Settings
from web.serving.connections import FairServer


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    with ExitStack() as stack:
        settings = Settings(host="127.0.0.1", port=0, camera="none", data=tmp_path / "data")
        yield start_table(settings, stack, seed=1)


class Stream:
    """A phone that listens."""

    def __init__(self, running: RunningTable) -> None:
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


def test_a_clock_that_jumps_changes_nothing(running, monkeypatch):
    table, pin = running.table, running.pins.factory.pin(17)
    begin(table)
    stream = Stream(running)
    assert stream.version() == table.view().version
    looked, maintenance, clock = threading.Event(), FairServer.maintenance, time.time

    def maintain(server: FairServer, now: float) -> None:
        maintenance(server, now)
        if now > clock() + 3600:
            looked.set()

    monkeypatch.setattr(FairServer, "maintenance", maintain)
    for number, hours in enumerate((24 * 365 * 50, -5)):
        monkeypatch.setattr(time, "time", lambda hours=hours: clock() + 3600 * hours)
        if not number:
            assert looked.wait(60), "the server looks which connections are idle"
        throw(table, number)
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
    for path in (ROOT / package).rglob("*.py")
]


def test_nothing_measures_time_by_the_wall_clock():
    wall = re.compile(r"\btime\.time\(|\bdatetime\.(?:now|today|utcnow)\(|\bdate\.today\(")
    found = [path for path in SOURCES if wall.search(path.read_text())]
    # The doctor asks whether the clock is right.
    assert [path for path in found if "doctor" not in path.parts] == []
    assert len(SOURCES) > 50
