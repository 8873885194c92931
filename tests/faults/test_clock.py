"""The clock of the machine jumps: nothing at the table goes by it."""

import html
import http.client
import json
import os
import re
import threading
import time
from calendar import timegm
from pathlib import Path

import pytest
from places import ROOT
from running import running_table
from sites import Site
from test_parts import begin, throw

from companion.app import build
from companion.app.build import RunningTable, newest_dates
from companion.base.clock import EARLIEST, SYNCHRONISED, Clock
from companion.base.refused import Refused
from web.serving.connections import FairServer


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


def test_a_clock_that_jumps_changes_nothing(tmp_path, stack, monkeypatch):
    running = stack.enter_context(running_table(tmp_path))
    table, pin = running.table, running.controls.pins.factory.pin(17)
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


def test_nothing_measures_time_by_the_wall_clock():
    wall = re.compile(r"\btime\.time\(|\bdatetime\.(?:now|today|utcnow)\(|\bdate\.today\(")
    packages = ("companion", "vision", "hardware", "web")
    sources = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    found = [path for path in sources if wall.search(path.read_text())]
    # The doctor asks whether the clock is right.
    assert [path for path in found if "doctor" not in path.parts] == []
    assert len(sources) > 50


# A machine that doesn't know the time

NOON = timegm((2026, 11, 20, 12, 0, 0))


class Machine:
    """The clocks of a machine, which a test sets."""

    def __init__(self, folder: Path, wall: float = NOON) -> None:
        self.wall, self.steady, self.folder = wall, 100.0, folder

    def clock(self, *seen: str) -> Clock:
        made = Clock(wall=lambda: self.wall, steady=lambda: self.steady, synchroniser=self.folder)
        made.know(*seen)
        return made

    def wait(self, seconds: float) -> None:
        self.wall, self.steady = self.wall + seconds, self.steady + seconds


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A Pi whose clock the internet has not set."""
    return Machine(tmp_path)


def test_no_time_is_before_the_program_or_what_this_table_has_seen(machine):
    machine.wall = 0
    assert machine.clock().seconds() == EARLIEST
    clock = machine.clock("2026-11-20T20:00:00Z", "2026-11-19", "", "nonsense")
    machine.wait(60)
    assert clock.now() == "2026-11-20T20:01:00Z"
    assert clock.is_doubtful


def test_a_clock_that_is_set_back_while_we_run_does_not_take_us_back(machine):
    clock = machine.clock()
    machine.wait(60)
    machine.wall -= 86_400
    machine.wait(60)
    assert clock.seconds() == NOON + 120
    machine.wall = NOON + 86_400
    assert clock.seconds() == NOON + 86_400


def test_the_internets_time_counts(machine):
    clock = machine.clock("2031-01-01")
    (machine.folder / SYNCHRONISED).touch()
    assert not clock.is_doubtful
    assert clock.seconds() == NOON


def test_the_host_is_asked_once_and_their_time_counts(machine):
    clock = machine.clock("2031-01-01")
    assert clock.is_doubtful
    assert clock.date() == "2031-01-01T00:00:00Z?"
    clock.set(NOON + 600)
    assert clock.date() == "2026-11-20T12:10:00Z"
    machine.wait(5)
    assert (clock.seconds(), clock.is_doubtful) == (NOON + 605, False)
    confirmed = machine.clock()
    confirmed.confirm()
    assert (confirmed.seconds(), confirmed.is_doubtful) == (NOON + 5, False)
    for wrong in (0, EARLIEST - 1, 10_000_000_000):
        with pytest.raises(Refused, match="wrong by years"):
            clock.set(wrong)


def test_a_machine_with_a_clock_is_not_doubted_unless_it_is_behind(tmp_path):
    machine = Machine(tmp_path / "no such service")
    assert not machine.clock("2026-11-20T11:00:00Z").is_doubtful
    assert machine.clock("2026-11-20T13:00:00Z").is_doubtful


def test_games_go_on_from_the_last_that_was_played_here(tmp_path, monkeypatch):
    games = tmp_path / "games"
    games.mkdir()
    record = '{"record": "bang-dice", "version": 3, "date": "2032-05-06T07:08:09Z"}'
    (games / "ABCD-1.jsonl").write_text(f"{record}\n")
    (games / "ABCD-2.jsonl").write_bytes(b"\xff\x00")
    # A pipe would never answer.
    os.mkfifo(games / "ABCD-3.jsonl")
    (games / "ABCD-4.jsonl").symlink_to("nowhere")
    (games / "ABCD-5.jsonl").mkdir()
    assert newest_dates(games) == ["2032-05-06T07:08:09Z"]
    assert newest_dates(tmp_path / "none") == []
    monkeypatch.setattr(build, "SYNCHRONISER", tmp_path)
    with running_table(tmp_path) as running:
        begin(running.table)
        header = json.loads(running.table.scene.history.record.splitlines()[0])
        assert re.fullmatch(r"2032-05-06T07:0.*Z\?", header["date"])
    # Where another game is the newest, its date counts though nobody confirmed it.
    (games / "ABCD-1.jsonl").write_text(f"{record.replace('Z', 'Z?').replace('2032', '2034')}\n")
    with running_table(tmp_path) as running:
        assert running.clock.now().startswith("2034-05-06T07:0")


def test_the_host_sets_the_time_and_is_asked_in_the_lobby(machine, tmp_path):
    site, clock = Site(tmp_path / "data"), machine.clock("2031-01-01")
    site.furnish(clock=clock)
    question = "Which day is it?"
    assert question in site.host.open("/seat").text
    assert question not in site.phones[1].open("/seat").text
    assert site.host.post("/machine/clock", now=1).status_code == 422
    assert site.host.post("/machine/clock", now=NOON).status_code == 204
    assert clock.seconds() == NOON
    assert question not in site.host.open("/seat").text
    assert re.search(r"It is 20\sNovember\s2026\.", html.unescape(site.host.open("/machine").text))
    site.journal.close()
