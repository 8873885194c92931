"""Lets every step of an installation fail, and looks what is left of the games and of the program.

    python -m tests.tools.attacks.install [--only X] [--runs N] [--seed 1]

The real installer works on a machine that is a folder (`tests/support/stub_machine.py`), in a
process of its own. At one step, which is a command or a change of a file, something happens: it
fails, the disk is full from then on, a signal ends the installer, or the power goes, once or twice.
Then a version must run, and every file of the games must be there, byte for byte. At last the
installation is repeated, and must succeed. Without `--runs` every step is taken. Prints a Markdown
table. Exits with 1 if anything was lost.
"""

import argparse
import contextlib
import errno
import io
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from installer import change, places
from installer.__main__ import perform
from installer.change import state
from installer.hotspot import open_hotspot
from installer.machine import InstallError
from stub_machine import GAMES, StubMachine, make_installed, make_sources

from companion.settings import load
from tests.tools.bench.machine import machine as this_machine

KEY = 'a/b&c"d\\e f'
"""Of the hotspot: shells, TOML and key files each have something against it."""

CREATES = ("os.mkdir", "os.symlink", "open")
CHANGES = (*CREATES, "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.chown")
"""Of Python's audit events: what changes files, and what needs room on the disk."""

ROLES = ("install", "settle")


class Scenario(NamedTuple):
    """An installation. behaviour: of the new version; installed: whether there is an old one."""

    name: str
    behaviour: str = "works"
    installed: bool = True
    hotspot: bool = False


SCENARIOS = (
    Scenario("an upgrade"),
    Scenario("an upgrade with a hotspot", hotspot=True),
    Scenario("the first installation, with games of an earlier one", installed=False),
    *(
        Scenario(f"an upgrade to a version that {what}", behaviour)
        for behaviour, what in {
            "dead": "does not start",
            "spoils the games": "spoils the games and dies",
            "stops answering": "stops answering",
            "starts once": "does not start again",
        }.items()
    ),
)

TROUBLES = ("a step fails", "the disk is full", "SIGTERM", "SIGKILL", "power cut", "two power cuts")


class Trouble(NamedTuple):
    """What happens, and where: before a step of a role, counted from 0."""

    kind: str = ""
    role: str = ""
    step: int = -1


class Steps:
    """Counts the steps of a process, and makes the trouble at the right one."""

    def __init__(self, folder: Path, role: str, trouble: Trouble) -> None:
        self.folder, self.trouble = folder, trouble
        self.mine = trouble.role == role
        self.taken = 0
        self.machine: StubMachine | None = None

    def command(self, name: str) -> None:
        if self._take(needs_room=name.startswith(("cp", "half", "python", "apt-get"))):
            raise InstallError(f"{name}: failed for a test")

    def file(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in CHANGES or (self.machine and self.machine.busy):
            return
        if event == "open" and not (isinstance(arguments[0], str) and arguments[2] & os.O_ACCMODE):
            return
        if not str(arguments[0]).startswith(str(self.folder / "root")):
            return
        if self._take(needs_room=event in CREATES):
            raise OSError(errno.ENOSPC, "failed for a test", arguments[0])

    def _take(self, *, needs_room: bool) -> bool:
        """Take a step; return whether it fails."""
        now, self.taken = self.taken, self.taken + 1
        note_readable(self.folder)
        if not self.mine or now < self.trouble.step:
            return False
        if self.trouble.kind == "the disk is full":
            return needs_room
        if now == self.trouble.step:
            if self.trouble.kind == "SIGTERM":
                os.kill(os.getpid(), signal.SIGTERM)
            elif self.trouble.kind == "SIGKILL":
                os.kill(os.getpid(), signal.SIGKILL)
            elif "power" in self.trouble.kind:
                os.killpg(0, signal.SIGKILL)
            return self.trouble.kind == "a step fails"
        return False


def note_readable(folder: Path) -> None:
    """Note down a file with passwords that anybody may read."""
    for place in (places.SETTINGS, places.HOTSPOT):
        path = folder / "root" / place.relative_to("/")
        for file in (path, path.with_name(f".{path.name}.new")):
            with suppress(FileNotFoundError):
                if "key" in file.read_text() and file.stat().st_mode & 0o007:
                    (folder / "readable").write_text(str(file))


class Case:
    """One installation with its trouble, in a folder."""

    def __init__(self, folder: Path, scenario: Scenario, trouble: Trouble, chance: random.Random):
        self.folder, self.scenario, self.trouble, self.chance = folder, scenario, trouble, chance
        self.killed = trouble.kind in ("SIGKILL", "power cut", "two power cuts")
        self.machine = StubMachine(folder / "root", begin=self._settle)
        make_installed(self.machine, version=scenario.installed)
        if scenario.hotspot:
            self._keep_key()

    def _keep_key(self) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            open_hotspot(self.machine, make_sources(self.folder / "hotspot"))
        file = self.machine.path(places.HOTSPOT)
        (written,) = (line for line in file.read_text().splitlines() if line.startswith("psk="))
        escaped = KEY.replace("\\", "\\\\")
        file.write_text(file.read_text().replace(written, f"psk={escaped}"))

    def happens(self) -> Counter[str]:
        """Install, with trouble; return how many steps each role took."""
        sources = make_sources(self.folder / "sources", self.scenario.behaviour)
        self._alone("install", lambda: self._perform("install", sources, self.trouble), group=True)
        ended_before_it_began = self.trouble.role == "install" and "SIG" in self.trouble.kind
        if "power" in self.trouble.kind or (ended_before_it_began and state(self.machine)):
            self._boot()
        return Counter({role: self._taken(role) for role in ROLES})

    def _boot(self) -> None:
        if self.trouble.kind.startswith("two"):
            second = Trouble("power cut", "settle", self.chance.randrange(40))
            self.trouble = second
            self._alone("boot", lambda: self.machine.boot() or 0, group=True)
        self.trouble = Trouble()
        self._alone("boot", lambda: self.machine.boot() or 0, group=True)

    def _settle(self) -> bool:
        trouble, done = self.trouble, self.folder / "settled"
        if done.exists() and trouble.kind != "the disk is full":
            trouble = Trouble()
        done.touch()
        return not self._alone(
            "settle", lambda: self._perform("settle", self.folder, trouble), group=False
        )

    def again(self) -> int:
        """Install a version that works, undisturbed; return the exit status."""
        self.trouble, self.killed = Trouble(), False
        sources = make_sources(self.folder / "good sources")
        return self._alone(
            "again", lambda: self._perform("install", sources, Trouble()), group=True
        )

    def _perform(self, role: str, sources: Path, trouble: Trouble) -> int:
        steps = Steps(self.folder, role, trouble)
        steps.machine = StubMachine(self.folder / "root", steps.command, self._settle)
        sys.addaudithook(steps.file)
        arguments = argparse.Namespace(
            command=role,
            hotspot="Saloon" if self.scenario.hotspot else None,
            no_hotspot=False,
            no_packages=False,
        )
        try:
            return perform(steps.machine, sources, arguments)
        finally:
            steps.folder = Path("/nowhere")
            (self.folder / f"taken-{role}").write_text(str(steps.taken))

    def _taken(self, role: str) -> int:
        file = self.folder / f"taken-{role}"
        return int(file.read_text()) if file.exists() else 0

    def _alone(self, name: str, work: Callable[[], int], *, group: bool) -> int:
        """Work in a process of its own, and wait for it and its children; return its status."""
        reading, writing = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(reading)
            os.set_inheritable(writing, True)
            if group:
                os.setpgid(0, 0)
            with (self.folder / "messages").open("a") as messages:
                os.dup2(messages.fileno(), 1)
                os.dup2(messages.fileno(), 2)
            status = 70
            try:
                status = work()
            except SystemExit as ended:
                status = int(ended.code or 0)
            except BaseException as error:
                print(f"{name}: {error!r}", file=sys.stderr)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)
        os.close(writing)
        _, status = os.waitpid(pid, 0)
        with open(reading, "rb") as messages:
            messages.read()
        return status

    def faults(self) -> Iterator[str]:
        """Yield what is wrong after the trouble."""
        machine = self.machine
        running = machine.running
        current = machine.path(places.CURRENT)
        if state(machine) is not None:
            yield "the change is not settled"
        if not running and self.scenario.installed:
            yield "no version runs"
        if running and current.readlink().name != running:
            yield "another version runs than `current` names"
        if running and not machine.path(places.VERSIONS / running / "lib").is_dir():
            yield "the version that runs is not there"
        data = machine.path(places.DATA)
        lost = [name for name, content in GAMES.items() if _content(data / name) != content]
        if lost:
            yield f"files lost or changed: {len(lost)} of {len(GAMES)}"
        if running.startswith("0.3.0") and (data / "converted").exists():
            yield "the old version has data that it can't read"
        if (self.folder / "readable").exists():
            yield f"readable by all: {(self.folder / 'readable').read_text()}"
        # Between two names of files, a kill or a power cut can come; repeating it mends that.
        if self.scenario.hotspot and not self.killed:
            hotspot = load(machine.path(places.SETTINGS)).hotspot
            if f"ssid={hotspot.name}\n" not in machine.path(places.HOTSPOT).read_text():
                yield "pages and Wi-Fi have different names"

    def faults_at_last(self, status: int) -> Iterator[str]:
        """Yield what is wrong after the installation was repeated."""
        yield from self.faults()
        machine = self.machine
        if status:
            yield f"the installation can't be repeated: {status}"
        versions = {path.name for path in machine.path(places.VERSIONS).glob("*")}
        before = machine.path(change.BEFORE)
        kept = {before.readlink().name} if before.is_symlink() else set()
        if versions != {machine.running} | kept:
            yield f"versions are left over: {versions}"
        beside = [path.name for path in machine.path(places.DATA).parent.glob("*.before-*")]
        if beside != [change.kept_data(machine, machine.running).name]:
            yield f"other copies than that of the version before: {beside}"
        left = [path.name for path in machine.path(places.UNITS).rglob("*settle*")]
        if left:
            yield f"units are left over: {left}"
        if self.scenario.hotspot and load(machine.path(places.SETTINGS)).hotspot.key != KEY:
            yield f"another key: {load(machine.path(places.SETTINGS)).hotspot.key}"


def _described(scenario: Scenario, trouble: Trouble) -> str:
    return f"{scenario.name}: {trouble.kind} at {trouble.role} {trouble.step}"


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def count_steps(folder: Path, scenario: Scenario) -> Counter[str]:
    """Return how many steps each role takes where nothing happens."""
    case = Case(folder / "undisturbed", scenario, Trouble(), random.Random(1))
    taken = case.happens()
    shutil.rmtree(case.folder)
    return taken


def all_cases(folder: Path) -> list[tuple[Scenario, Trouble]]:
    """Return everything that can happen, with each trouble at each step."""
    return [
        (scenario, Trouble(kind, role, step))
        for scenario in SCENARIOS
        for role, steps in count_steps(folder, scenario).items()
        for step in range(steps)
        for kind in TROUBLES
    ]


def attack(folder: Path, cases: list[tuple[Scenario, Trouble]], seed: int) -> dict[str, Any]:
    """Go through cases; return the figures, and each fault with its case."""
    chance = random.Random(seed)
    faults: list[str] = []
    runs: Counter[str] = Counter()
    for number, (scenario, trouble) in enumerate(cases):
        case = Case(folder / f"case-{number}", scenario, trouble, chance)
        case.happens()
        found = list(case.faults())
        found = found or list(case.faults_at_last(case.again()))
        runs[trouble.kind] += 1
        if found:
            faults.append(f"{_described(scenario, trouble)}: {'; '.join(found)}")
        else:
            shutil.rmtree(case.folder)
    return {"runs": runs, "faults": faults}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=0, help="so many, chosen by chance; 0: all")
    parser.add_argument("--only", default="", help="cases whose description has this text")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")
    arguments = parser.parse_args()
    # A minute is as good as four seconds, where nobody waits.
    change.PROOF_S = (3, 1)
    folder = Path(tempfile.mkdtemp())
    cases = [case for case in all_cases(folder) if arguments.only in _described(*case)]
    chosen = (
        random.Random(arguments.seed).sample(cases, arguments.runs) if arguments.runs else cases
    )
    figures = attack(folder, chosen, arguments.seed)
    if arguments.json:
        print(json.dumps(figures))
    else:
        print(f"{this_machine()}\n\n| what happened | at so many steps |\n|---|---|")
        for kind, runs in figures["runs"].items():
            print(f"| {kind} | {runs} |")
        print(f"\n{len(chosen)} of {len(cases)} cases, {len(figures['faults'])} with a fault")
        print("\n".join(figures["faults"]), file=sys.stderr)
    if figures["faults"]:
        print(f"what is left: {folder}", file=sys.stderr)
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
