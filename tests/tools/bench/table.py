"""The running table: start-up, memory, idle processor time, and button to page.

    python -m tests.tools.bench.table [--presses N]

Prints a Markdown table. Start-up, memory and idle time are those of a process of its own; button
to page is measured in this one, from the edge at a mock pin to the last byte of the new page at
eight phones and the table page, over real sockets.
"""

import argparse
import http.client
import http.cookiejar
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from companion.app.build import RunningTable, start_table
from companion.settings import Settings
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark, TrayStatus
from tests.tools.bench.machine import machine
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import TrayVerdict
from vision.simulate.dice.tray import SimulatedDiceTray

PLAYERS = 8
IDLE_S = 10.0
THROWS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=100)
    arguments = parser.parse_args()
    rows = [*process_figures(), *reading_figures(), *latency_figures(arguments.presses)]
    print(f"\nThe running table, simulated tray, {machine()}\n")
    print("| figure | value |\n|---|---|")
    for name, value in rows:
        print(f"| {name} | {value} |")


def process_figures() -> list[tuple[str, str]]:
    figures = []
    for profile in ("pips", "print"):
        with tempfile.TemporaryDirectory() as data:
            figures += one_process(profile, Path(data))
    return figures


def one_process(profile: str, data: Path) -> list[tuple[str, str]]:
    """Figures of a table with eight phones in the middle of a game, once it has read dice."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--camera", "simulated", "--profile", profile,
         "--host", "127.0.0.1", "--port", "0", "--data", data],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        url = json.loads(process.stdout.readline())["url"]
        urllib.request.urlopen(url).read()
        start = time.perf_counter() - begun
        time.sleep(3)
        alone = resident_mb(process.pid)
        phones = [sit_down(url, f"Player{number}") for number in range(PLAYERS)]
        screens = [Screen(url, "seat", phone.cookies) for phone in phones]
        for screen in [*screens, Screen(url, "table", "")]:
            screen.start()
        throw_first(phones[0])
        phones[0].wait_for_dice()
        read = resident_mb(process.pid)
        time.sleep(3)
        before = processor_time(process.pid)
        time.sleep(IDLE_S)
        idle = (processor_time(process.pid) - before) / IDLE_S
    finally:
        process.kill()
        process.wait()
    return [
        (f"`{profile}`: start to first page", f"{start:.2f} s"),
        (f"`{profile}`: memory (RSS), nobody there", f"{alone:.0f} MB"),
        (f"`{profile}`: memory, eight phones and the table page, dice read", f"{read:.0f} MB"),
        (f"`{profile}`: processor, watching at 12 frames a second", f"{idle:.1%} of one core"),
    ]


class Phone:
    """A phone of a table in another process."""

    def __init__(self, url: str) -> None:
        self._url, self._jar = url, http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))
        self.page = ""

    @property
    def cookies(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._jar)

    def load(self, path: str) -> str:
        self.page = self._opener.open(self._url + path).read().decode()
        return self.page

    def press(self, path: str, **fields: str) -> None:
        page = self.load("seat" if fields.get("code") is None else "")
        found = dict(re.findall(r'data-(version|reading)="(\d+)"', page))
        proof = re.search('name="page" content="([^"]+)"', page)
        assert proof
        form = urllib.parse.urlencode({**found, "page": proof[1], **fields})
        self._opener.open(self._url + path.lstrip("/"), data=form.encode())

    def wait_for_dice(self) -> None:
        """Wait until the dice that were thrown are read."""
        while re.search("nothing thrown|still rolling", self.load("seat")):
            time.sleep(0.2)


def throw_first(host: Phone) -> None:
    """Begin a game and throw; deal again where a character decides something before the roll."""
    host.press("/game/start")
    while '<p class="guide"></p>' in host.load("table"):
        host.press("/game/new")
        host.press("/game/start")
    host.press("/dice/throw")


def sit_down(url: str, name: str) -> Phone:
    """Join with the code that the table page shows."""
    phone = Phone(url)
    code = re.search(r'class="code">([A-Z]{4})<', phone.load("table"))
    phone.press("/join", name=name, code=code[1] if code else "")
    return phone


def reading_figures() -> list[tuple[str, str]]:
    """Drawn trays: no evidence of how well real dice are read, but always the same ones."""
    reader, times, right = DiceReader(load_profile("pips")), [], 0
    for seed in range(THROWS):
        tray = SimulatedDiceTray(seed=seed)
        tray.throw()
        while not tray.at_rest:
            tray.frame()
        picture = tray.frame()
        begun = time.perf_counter()
        reading = reader.read(picture)
        times.append((time.perf_counter() - begun) * 1000)
        faces = sorted(die.face for die in reading.dice)
        right += faces == sorted(tray.faces) and reading.verdict is TrayVerdict.OK
    return [
        ("reading a drawn tray of 820 x 616, median", f"{statistics.median(times):.0f} ms"),
        ("drawn trays read right and certain", f"{right} of {THROWS}"),
    ]


def processor_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int, field: str = "VmRSS") -> float:
    """The resident memory of a process; `field` VmHWM: the most that it ever was."""
    status = Path(f"/proc/{pid}/status").read_text()
    match = re.search(rf"{field}:\s+(\d+) kB", status)
    assert match
    return int(match[1]) / 1024


class Screen(threading.Thread):
    """A page's stream: `arrived` tells when the page showed each version."""

    def __init__(self, url: str, page: str, cookies: str) -> None:
        super().__init__(daemon=True)
        host = url.removeprefix("http://").rstrip("/")
        self._connection = http.client.HTTPConnection(host, timeout=60)
        self._connection.request("GET", f"/live/{page}", headers={"Cookie": cookies})
        self._answer = self._connection.getresponse()
        self.arrived: dict[int, float] = {}
        self.news = threading.Event()

    def run(self) -> None:
        while line := self._answer.readline():
            match = re.search(rb'data-version="(\d+)"', line)
            if match:
                version = int(match[1])
            if line == b"\n":
                self.arrived.setdefault(version, time.perf_counter())
                self.news.set()

    def wait(self, version: int) -> float:
        while version not in self.arrived:
            self.news.clear()
            if version not in self.arrived:
                self.news.wait(1)
        return self.arrived[version]


def join(running: RunningTable, name: str) -> str:
    jar = http.cookiejar.CookieJar()
    phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    page = phone.open(running.server.url).read().decode()
    proof = re.search('name="page" content="([^"]+)"', page)
    assert proof
    form = f"name={name}&code={running.table.scene.code}&page={proof[1]}"
    phone.open(running.server.url + "join", data=form.encode())
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)


def latency_figures(presses: int) -> list[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as data, ExitStack() as stack:
        settings = Settings(host="127.0.0.1", port=0, camera="simulated", data=Path(data))
        running = start_table(settings, stack, seed=1)
        table = running.table
        cookies = [join(running, f"Player{number}") for number in range(PLAYERS)]
        host = table.view().people[0].id
        table.do(rounds.start_game, Press(host, table.view().version))
        screens = [Screen(running.server.url, "seat", cookie) for cookie in cookies]
        screens.append(Screen(running.server.url, "table", ""))
        for screen in screens:
            screen.start()
        assert running.watching.simulated is not None
        running.watching.simulated.throw([])
        while table.view().tray.status not in (TrayStatus.READY, TrayStatus.UNSURE):
            time.sleep(0.1)
        first, last = [], []
        for _ in range(presses):
            # Once the dice are accepted an undo lays the same reading before everybody again.
            for screen in screens:
                screen.wait(table.view().version)
            settle_doubts(running, host)
            pin = running.controls.pins.factory.pin(settings.pins.green)
            pressed = time.perf_counter()
            pin.drive_low()
            pin.drive_high()
            version = table.view().version
            times = sorted(screen.wait(version) - pressed for screen in screens)
            first.append(times[0] * 1000)
            last.append(times[-1] * 1000)
            table.do(moves.undo, Press(host, version))
        return [
            ("button to the first of 8 phones and the table page, median", ms(first, 50)),
            ("button to the last of them, median", ms(last, 50)),
            ("button to the last of them, p99", ms(last, 99)),
        ]


def settle_doubts(running: RunningTable, host: int) -> None:
    for number, die in enumerate(running.table.view().tray.dice):
        if not die.sure:
            view = running.table.view()
            running.table.do(
                rolling.mark,
                Press(host, view.version, view.reading),
                number,
                TrayMark(face=die.face),
            )


def ms(values: list[float], percentile: int) -> str:
    return f"{statistics.quantiles(values, n=100)[percentile - 1]:.1f} ms"


if __name__ == "__main__":
    main()
