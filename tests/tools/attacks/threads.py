"""Puts faults into every thread of a running table, and looks what its pages say.

    python -m tests.tools.attacks.threads [--seed 1]

The service plays by itself (`faulty_service.py`). Each of its threads fails in its
work, has no memory or no files left, can't be started again, and hangs; each of its processes is
killed and stopped. Then the kernel itself gives the table no more files, memory or threads, and the
threads of a hall fail and hang. Prints a Markdown table. Exits with 1 where a fault was not told
within TOLD_S, told what nobody may know, or stopped the game; where SIGTERM did not end the table
within END_S; where a process outlived it; or where faults took more than MORE_MB of memory.
"""

import argparse
import html
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError

from many_games import fill
from places import ROOT

from companion.base.worker import HANGS, NO_THREAD
from tests.tools.bench.machine import machine
from tests.tools.bench.table import Phone, sit_down

SERVICE = "tests.tools.attacks.faulty_service"

TOLD_S, END_S, MORE_MB = 10.0, 5.0, 50
ALWAYS = {"mqtt", "lost"}
"""What is told whatever is done: no broker runs."""

PATIENCE_S = 60.0
"""How long to wait for what must come before the attack fails."""

FAULTS = ("raise", "memory", "files", "start")
PROCESSES = {"odds": "simulator_process", "statistics": "reader_process", "speaker": "aplay"}
"""Which thread has a process, and a part of its command."""

RECORDS = 3000
"""So many that the process that reads them is still there when it is looked for."""

ENVIRONMENT = {"MALLOC_TRIM_THRESHOLD_": "131072", "OPENBLAS_NUM_THREADS": "1"}
"""That of the service."""

# Python and the folders are root's, so all may be read and written.
_MAY = "-all,+dac_override,+fowner"
NOBODY = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups",
          f"--inh-caps={_MAY}", f"--ambient-caps={_MAY}", f"--bounding-set={_MAY}")  # fmt: skip
"""Begins a command that root runs as another user."""

APLAY = f"#!{sys.executable}\nimport time\ntime.sleep(2)\n"
"""A loudspeaker that takes its time."""


Row = dict[str, Any]
"""What was measured, by column."""


class Attacked:
    """A running table."""

    def __init__(
        self, process: "subprocess.Popen[str]", log: Path, user: Sequence[str] = ()
    ) -> None:
        """log: the file that it logs to; user: begins a command that its user runs."""
        assert process.stdout is not None
        self.process, self.log, self.user = process, log, user
        # A file of its own: the process's is closed at its end, while this may still be read.
        said = os.fdopen(os.dup(process.stdout.fileno()))
        self.url = json.loads(said.readline())["url"]
        # What its threads tell meanwhile comes between.
        lines = (json.loads(line) for line in said)
        self.threads: list[str] = next(names for names in lines if not isinstance(names[-1], float))
        self.struck: dict[str, float] = {}
        """When the last fault struck each thread."""
        self.told: dict[str, tuple[float, str]] = {}
        """When pages told what first after that, and what."""
        threading.Thread(target=self._hear, args=(said,), daemon=True).start()

    def _hear(self, said: IO[str]) -> None:
        with said:
            for line in said:
                thread, reason, at = json.loads(line)
                if reason:
                    self.told.setdefault(thread, (at, reason))
                else:
                    self.told.pop(thread, None)
                    self.struck[thread] = at

    def page(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.url}{path}", timeout=20) as answer:
            text: str = answer.read().decode()
            return text

    @property
    def troubles(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.page("api/state"))["health"]["troubles"]
        return found

    @property
    def stands(self) -> tuple[int, int]:
        """How far the game is."""
        game = json.loads(self.page("api/state"))["game"] or {}
        return game.get("number", 0), game.get("events", 0)

    def put(self, fault: str, thread: str) -> None:
        """Put a fault into the next work of a thread."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{fault} {thread}\n")
        self.process.stdin.flush()

    @contextmanager
    def limited(self, limit: str, most: int) -> Iterator[None]:
        """Let the kernel give the table no more of something in the block; `limit` of prlimit."""
        before = self._prlimit(f"--{limit}", "--output=SOFT", "--noheadings", "--raw")
        self._prlimit(f"--{limit}={most}:")
        try:
            yield
        finally:
            if self.process.poll() is None:
                self._prlimit(f"--{limit}={before.strip()}:")

    def _prlimit(self, *options: str) -> str:
        # Not by root: nobody but its own user may limit a process.
        command = [*self.user, "prlimit", f"--pid={self.process.pid}", *options]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def child(self, command: str) -> int | None:
        """The process of the table that runs a command."""
        for number in children(self.process.pid):
            with suppress(OSError):
                if command in Path(f"/proc/{number}/cmdline").read_text():
                    return number
        return None

    def status(self, field: str) -> int:
        """A number that the kernel tells of the table, in kB where it is memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition(f"{field}:")[2].split()[0])

    @property
    def megabytes(self) -> int:
        """The memory that the table takes."""
        return self.status("VmRSS") // 1024


def children(parent: int) -> Sequence[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, ppid = stat.read_text().rpartition(")")[2].split()[:2]
            if int(ppid) == parent and state != "Z":
                found.append(int(stat.parent.name))
    return found


def alive(number: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@contextmanager
def running(
    folder: Path, records: int = 0, program: str = "table", *, ordinary: bool = False
) -> Iterator[Attacked]:
    """A table, or a hall, in a new folder, with so many records to be read.

    ordinary: run it as a user with a limit of threads, which root has not.
    """
    user = NOBODY if ordinary and not os.geteuid() else ()
    if user:
        # What holds the folder may be root's alone.
        folder = Path(tempfile.mkdtemp())
        shutil.chown(folder, "nobody")
    programs = folder / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    (programs / "aplay").write_text(APLAY)
    (programs / "aplay").chmod(0o755)
    fill(folder / "data", records)
    if user:
        shutil.chown(folder / "data", "nobody")
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    sources = os.pathsep.join([str(ROOT), *sys.path])
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            [*user, sys.executable, "-m", SERVICE, folder / "data", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=os.environ | ENVIRONMENT | {"PATH": path, "PYTHONPATH": sources},
        ) as process,
    ):
        try:
            yield Attacked(process, folder / "log", user)
        finally:
            process.kill()
            if user:
                process.wait()
                shutil.rmtree(folder)


@contextmanager
def playing(folder: Path, *, ordinary: bool = False) -> Iterator[Attacked]:
    """A table whose game has begun."""
    with running(folder, ordinary=ordinary) as table:
        seconds_until(lambda: table.stands[1])
        yield table


def seconds_until(condition: Callable[[], object], left: object = "") -> float:
    """Wait for a condition; return how long that took. left: named where it does not come."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() < begun + PATIENCE_S, f"did not happen {left}"
        time.sleep(0.05)
    return time.monotonic() - begun


def strike(table: Attacked, threads: Sequence[str], fault: str) -> float:
    """Put a fault into threads; return the seconds from when it strikes until it is told."""
    for thread in threads:
        table.struck.pop(thread, None)
        table.told.pop(thread, None)
        table.put(fault, thread)
    left = set(threads)

    def all_told() -> bool:
        left.difference_update(table.struck.keys() & table.told.keys())
        return not left

    seconds_until(all_told, left)
    return max(table.told[each][0] - table.struck[each] for each in threads)


def attack_threads(table: Attacked, threads: Sequence[str], fault: str) -> tuple[float, float]:
    """Put a fault into threads.

    Return the seconds from when it strikes until it is told, at most, and until play goes on.
    """
    stood = table.stands
    seconds = strike(table, threads, fault)
    shown = str([table.told[each][1] for each in threads]) + table.page("table")
    assert "zebra" not in shown, "a page tells what nobody may know"
    return seconds, seconds + seconds_until(lambda: table.stands != stood)


def attack_child(table: Attacked, thread: str, how: signal.Signals) -> float:
    """Kill or stop the process of a thread; return the seconds until that was told."""
    table.page("chances")
    seconds_until(lambda: table.child(PROCESSES[thread]))
    number = table.child(PROCESSES[thread])
    assert number is not None
    table.told.pop(thread, None)
    os.kill(number, how)

    def is_told() -> bool:
        # One that had done its work is missed at the next; what works again tells no more of it.
        table.page("chances")
        return thread in table.told

    return seconds_until(is_told)


def end(table: Attacked, how: signal.Signals) -> tuple[float, int]:
    """End a table whose processes are stopped; return its seconds, and how many outlived it."""
    left = children(table.process.pid)
    for number in left:
        os.kill(number, signal.SIGSTOP)
    table.process.send_signal(how)
    seconds = seconds_until(lambda: table.process.poll() is not None)
    with suppress(AssertionError):
        begun = time.monotonic()
        while any(map(alive, left)) and time.monotonic() < begun + 5:
            time.sleep(0.05)
    return seconds, sum(map(alive, left))


def attack_each(folder: Path) -> Iterator[Row]:
    """Put each fault into each thread for itself."""
    with playing(folder / "each") as table:
        for fault in (*FAULTS, "hang"):
            for thread in table.threads:
                told, on = attack_threads(table, [thread], fault)
                yield {"thread": thread, "fault": fault, "told": told, "play goes on": on}


def attack_all(folder: Path) -> Iterator[Row]:
    """Put each fault into all threads at once."""
    with playing(folder / "all") as table:
        for fault in FAULTS[:-1]:
            told, on = attack_threads(table, table.threads, fault)
            yield {"thread": "all", "fault": fault, "told": told, "play goes on": on}


def hang_all(folder: Path) -> Iterator[Row]:
    """Let all threads hang, and end the table."""
    with playing(folder / "hanging") as table:
        before = table.megabytes
        told, on = attack_threads(table, table.threads, "hang")
        yield {"thread": "all", "fault": "hang", "told": told, "play goes on": on}
        # Once more, with those that went on.
        for thread in table.threads:
            table.put("hang", thread)
        more = table.megabytes - before
        seconds, left = end(table, signal.SIGTERM)
        yield {"thread": "all", "fault": "hang, then SIGTERM", "ends": seconds, "left": left,
               "MB": before + more, "more MB": more}  # fmt: skip


def kill_table(folder: Path, records: int = RECORDS) -> Iterator[Row]:
    """Kill a table whose processes were stopped."""
    with running(folder / "killed", records) as table:
        for thread in ("statistics", "odds"):
            table.page("chances")
            seconds_until(lambda thread=thread: table.child(PROCESSES[thread]))
        seconds, left = end(table, signal.SIGKILL)
        yield {"thread": "all", "fault": "processes stopped, then SIGKILL", "ends": seconds,
               "left": left}  # fmt: skip


def attack_children(folder: Path, records: int = RECORDS) -> Iterator[Row]:
    """Kill and stop the process of each thread that has one."""
    for how in (signal.SIGKILL, signal.SIGSTOP):
        for thread in PROCESSES:
            with running(folder / f"{thread} {how.name}", records * (thread == "statistics")) as t:
                told = attack_child(t, thread, how)
                yield {"thread": thread, "fault": f"{how.name} to its process", "told": told}


def limit_table(folder: Path) -> Iterator[Row]:
    """Let the kernel give a table that plays no more files, memory or threads, and end it so."""
    limits: dict[str, tuple[str, Callable[[Attacked], int]]] = {
        "files": ("nofile", lambda t: len(os.listdir(f"/proc/{t.process.pid}/fd"))),
        "memory": ("data", lambda t: t.status("VmData") * 1024),
        "threads": ("nproc", lambda t: 1),
    }
    for what, (limit, most) in limits.items():
        with playing(folder / f"no {what}", ordinary=what == "threads") as table:
            yield {"thread": "all", "fault": f"no more {what}, then SIGTERM",
                   **limit_running(table, limit, most)}  # fmt: skip


def end_threads(folder: Path) -> Iterator[Row]:
    """End all threads while the kernel starts none and no process, and press buttons meanwhile."""
    with playing(folder / "no thread", ordinary=True) as table:
        with table.limited("nproc", 1):
            # When they need a thread or a process is up to the game.
            seconds_until(lambda: {"light", "speaker"} <= table.troubles.keys(), "light, speaker")
            told = strike(table, table.threads, "end")
            for button in ("green", "red"):
                table.put("press", button)
            stood = table.stands
        on = seconds_until(lambda: table.stands != stood and table.troubles.keys() <= ALWAYS)
        log = table.log.read_text()
        assert "was not handled" not in log, log
        with table.limited("nproc", 1):
            strike(table, table.threads, "end")
            seconds, left = end(table, signal.SIGTERM)
        yield {"thread": "all", "fault": "ended, and none can be started, then SIGTERM",
               "told": told, "play goes on": on, "ends": seconds, "left": left}  # fmt: skip
    with running(folder / "no picture", program="alone", ordinary=True) as table:
        host = sit_down(table.url, "Ann")
        with table.limited("nproc", 1):
            seconds = ask_in_vain(lambda: host.press("/setup/tray"), NO_THREAD)
        host.press("/setup/tray")
        yield {"thread": "that encodes frames", "fault": "can't be started", "told": seconds}


def ask_in_vain(ask: Callable[[], object], why: str) -> float:
    """Ask for what is refused; return the seconds until the phone is told why."""
    begun, said = time.monotonic(), ""
    try:
        ask()
    except HTTPError as refusal:
        said = refusal.read().decode()
    assert why in html.unescape(said), said or "it was not refused"
    return time.monotonic() - begun


def hang_frames(folder: Path) -> Iterator[Row]:
    """Let the threads hang that work on frames for a page, and end the table while one does."""
    with running(folder / "frames", program="alone") as table:
        host = sit_down(table.url, "Ann")
        host.press("/setup/tray")
        for thread in ("encoding", "analysing"):
            table.put("hang", thread)
            told = ask_in_vain(lambda: host.press("/setup/tray"), HANGS)
            begun = time.monotonic()
            host.press("/setup/tray")
            yield {"thread": f"{thread} frames", "fault": "hang", "told": told,
                   "play goes on": time.monotonic() - begun}  # fmt: skip
        table.put("hang", "analysing")
        threading.Thread(target=_load_in_vain, args=(host, "setup/camera"), daemon=True).start()
        told = seconds_until(lambda: "live view" in table.troubles)
        on = seconds_until(lambda: "live view" not in table.troubles)
        yield {"thread": "live view", "fault": "hang", "told": told, "play goes on": on}
        # Once more, each while a page waits for it.
        for thread in ("encoding", "analysing"):
            table.put("hang", thread)
        threading.Thread(target=_load_in_vain, args=(host, "setup/tray.jpg"), daemon=True).start()
        seconds_until(lambda: {"encoding", "analysing"} <= table.struck.keys())
        seconds, left = end(table, signal.SIGTERM)
        yield {"thread": "both for frames", "fault": "hang, then SIGTERM", "ends": seconds,
               "left": left}  # fmt: skip


def _load_in_vain(phone: Phone, path: str) -> None:
    # What comes are pictures.
    with suppress(OSError, http.client.HTTPException, UnicodeDecodeError):
        phone.load(path)


def limit_running(table: Attacked, limit: str, most: Callable[[Attacked], int]) -> Row:
    """Take something from a table until it tells that, give it back, and take it again to end it.

    When it needs some is up to the game, so what counts is that it tells it at all.
    """
    # A phone's: no other one can be accepted meanwhile.
    phone = http.client.HTTPConnection(table.url.split("/")[2], timeout=20)

    def troubles() -> set[str]:
        try:
            phone.request("GET", "/api/state")
            health = json.loads(phone.getresponse().read())["health"]
        except (OSError, http.client.HTTPException, ValueError):
            # No answer tells nothing; without memory there may be none for a while.
            assert table.process.poll() is None, "the table has ended"
            phone.close()
            return set()
        camera = {"camera"} if health["camera"]["fault"] else set()
        return camera | set(health["troubles"])

    before = troubles()
    with table.limited(limit, most(table)):
        seconds_until(lambda: troubles() - before)
    stood = table.stands
    on = seconds_until(lambda: table.stands != stood and troubles() <= before)
    table.page("table")
    phone.close()
    with table.limited(limit, most(table)):
        seconds, left = end(table, signal.SIGTERM)
    return {"play goes on": on, "ends": seconds, "left": left}


def attack_hall(folder: Path) -> Iterator[Row]:
    """Put each fault into all threads of a hall at once, and end it while they hang."""
    with running(folder / "hall", program="hall") as hall:
        for fault in (*FAULTS, "hang"):
            # One thread at a time can't be started.
            struck = hall.threads[: 1 if fault == "start" else None]
            told = strike(hall, struck, fault)
            page = hall.page("")
            assert "notice fault" in page, "the page tells nothing"
            assert "zebra" not in page, "the page tells what nobody may know"
            yield {"thread": "all of a hall", "fault": fault, "told": told}
        # Once more, with those that went on; the feed isn't replaced.
        hall.struck.clear()
        replaced = set(hall.threads) - {"hall feed"}
        for thread in replaced:
            hall.put("hang", thread)
        seconds_until(lambda: hall.struck.keys() >= replaced, "once more")
        seconds, left = end(hall, signal.SIGTERM)
        yield {"thread": "all of a hall", "fault": "hang, then SIGTERM", "ends": seconds,
               "left": left}  # fmt: skip


def fails(row: Row) -> bool:
    return (
        row.get("told", 0) > TOLD_S
        or row.get("ends", 0) > END_S
        or row.get("left", 0) > 0
        or row.get("more MB", 0) > MORE_MB
    )


ATTACKS = (
    attack_each, attack_all, hang_all, kill_table, attack_children, limit_table, end_threads,
    hang_frames, attack_hall
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="there is no chance in it")
    parser.parse_args()
    print(f"{machine()}\n")
    columns = ("thread", "fault", "told", "play goes on", "ends", "left", "MB", "more MB")
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        for row in chain.from_iterable(made(where) for made in ATTACKS):
            bad += fails(row)
            cells = [row.get(column, "") for column in columns]
            shown = [f"{cell:.1f} s" if isinstance(cell, float) else str(cell) for cell in cells]
            print(f"| {' | '.join(shown)} |", flush=True)
    print(f"\n{bad} rows beyond what is allowed")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
