"""A machine to install on that is a folder: its systemd, apt and pip do what the tests need.

What lies in `run` is gone after a power cut, as on a real machine. A version behaves as the file
`behaviour` of its sources says.
"""

import itertools
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from installer import places
from installer.__main__ import install
from installer.change import SETTLE, WANTED, State, settle
from installer.machine import InstallError, Machine, User

ROOT = Path(__file__).parents[2]
RESTARTS = 5
"""So often systemd starts a unit again that failed, before it gives up."""

GAMES = {f"games/GAME-{number}.jsonl": f"game {number}\n".encode() * 50 for number in range(8)} | {
    "table.journal": b"the game on the table\n" * 20,
    "setup.json": b"{}",
}
"""The data of the version that is installed."""


class PlugPulledError(BaseException):
    """The power is gone."""


class StubMachine(Machine):
    """A machine below a folder.

    attempt: called before each command with its name; may raise, as if the command failed.
    begin: runs `settle` as systemd would, in a process of its own; returns whether it succeeded.
    Without it, `settle` is run at once.
    """

    def __init__(
        self,
        folder: Path,
        attempt: Callable[[str], None] = lambda name: None,
        begin: Callable[[], bool] | None = None,
    ) -> None:
        self.folder, self.attempt, self._begin = folder, attempt, begin or self._settle
        self.busy = False
        """Whether what happens now is done by a command, not by the installer."""
        self._commands: Mapping[str, Callable[[list[str]], str]] = {
            "systemctl": self._systemctl,
            "dpkg": lambda words: "arm64\n",
            "dpkg-query": lambda words: "installed",
            "cp": self._copy,
            "python": self._python,
        }

    def path(self, place: Path) -> Path:
        return self.folder / place.relative_to("/")

    def owner(self) -> User:
        return User(os.getuid(), os.getgid())

    service_user = owner

    def run(self, *command: object, env: Mapping[str, str] | None = None, given: str = "") -> str:
        words = [str(word) for word in command]
        name = "python" if "python" in Path(words[0]).name else words[0]
        self.attempt(" ".join([name, *words[1:2]]))
        self.busy = True
        try:
            return self._commands.get(name, lambda words: "")(words)
        finally:
            self.busy = False

    def first_line(
        self, command: list[object], user: User, folder: Path, timeout: float
    ) -> tuple[str, str]:
        self.attempt("the trial")
        program, data = Path(str(command[0])), Path(str(command[-1]))
        if self._opens_not(program.parents[1].name, data):
            return "", "a newer version wrote that"
        return '{"url": "http://127.0.0.1:8000/"}', ""

    def install(self, source: Path, told: Callable[[str], None]) -> None:
        told("building it")
        install(self, source, None)

    def page_answers(self, host: str, port: int) -> bool:
        self.attempt("the page")
        return bool(self.running) and self._behaviour(self.running) != "stops answering"

    def pause(self, seconds: float) -> None:
        """Nobody waits."""

    def cut(self, number: int, act: Callable[[], object], command: str = "") -> bool:
        """Act, and pull the plug at the `number`th such command; return whether it was pulled."""
        calls, before = itertools.count(1), self.attempt

        def attempt(name: str) -> None:
            if name.startswith(command) and next(calls) == number:
                raise PlugPulledError

        self.attempt = attempt
        try:
            act()
        except PlugPulledError:
            return True
        finally:
            self.attempt = before
        return False

    @property
    def code(self) -> str:
        """The owner's code."""
        return self.path(places.CODE).read_text().strip()

    # systemd

    @property
    def running(self) -> str:
        """The version that runs; empty if none does."""
        file = self._file("active")
        return file.read_text() if file.exists() else ""

    def _file(self, name: str) -> Path:
        folder = self.folder / "run/stub"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / name

    def boot(self) -> None:
        """Start what is to start, after the power came back."""
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        self.path(Path("/run/systemd/system")).mkdir(parents=True)
        if (self.path(places.UNITS) / "enabled").exists() and self.path(
            places.UNITS / places.SERVICE
        ).is_symlink():
            self._start()
        self.start_settle()

    def _settle(self) -> bool:
        settle(self)
        return True

    def start_settle(self) -> bool:
        wanted = self.path(places.UNITS / WANTED / SETTLE).is_symlink()
        changing = any(self.path(places.PROGRAM / one).is_symlink() for one in State)
        if not (wanted and self.path(places.UNITS / SETTLE).exists()):
            return False
        return not changing or any(self._begin() for _ in range(RESTARTS))

    def _systemctl(self, words: list[str]) -> str:
        verb, unit = words[1], words[-1]
        if unit == SETTLE:
            if verb == "show":
                return "inactive\n"
            if verb == "start" and not self.start_settle():
                raise InstallError("settle failed")
        elif unit == places.SERVICE:
            self._serve(verb)
        elif verb == "is-active" or unit == "NetworkManager":
            raise InstallError("inactive")
        return ""

    def _serve(self, verb: str) -> None:
        if verb in ("stop", "restart"):
            self._file("active").unlink(missing_ok=True)
        if verb in ("start", "restart") and not self._start():
            raise InstallError("the service failed")
        if verb == "is-active" and not self.running:
            raise InstallError("inactive")
        if verb == "enable":
            (self.path(places.UNITS) / "enabled").touch()

    def _start(self) -> bool:
        """Start what `current` points to. It converts the data, which older versions can't read."""
        current = self.path(places.CURRENT)
        if not current.is_symlink():
            return False
        version = current.readlink().name
        behaviour, data = self._behaviour(version), self.path(places.DATA)
        data.mkdir(exist_ok=True)
        if self._opens_not(version, data):
            return False
        if behaviour != "older":
            (data / "converted").touch()
        if behaviour == "spoils the games":
            (data / "table.journal").write_bytes(b"spoilt")
        started = data.parent / f"started-{version}"
        again = started.exists()
        started.touch()
        fails = behaviour in ("dead", "spoils the games") or (again and behaviour == "starts once")
        if not fails:
            self._file("active").write_text(version)
        return not fails

    def _opens_not(self, version: str, data: Path) -> bool:
        return self._behaviour(version) == "older" and (data / "converted").exists()

    def _behaviour(self, version: str) -> str:
        (file,) = self.path(places.VERSIONS / version).glob(
            "lib/python3*/site-packages/web/behaviour"
        )
        return file.read_text()

    # Other programs

    def _copy(self, words: list[str]) -> str:
        shutil.copytree(Path(words[-2], "games"), Path(words[-1], "games"))
        self.attempt("half of cp")
        shutil.copytree(words[-2], words[-1], symlinks=True, dirs_exist_ok=True)
        return ""

    def _python(self, words: list[str]) -> str:
        if words[1:3] == ["-m", "venv"]:
            folder = Path(words[-1])
            (folder / "bin").mkdir()
            (folder / "bin/python").symlink_to("/usr/bin/python3")
            (folder / "lib/python3.13/site-packages").mkdir(parents=True)
        return ""


def make_sources(folder: Path, behaviour: str = "works") -> Path:
    """Make sources of a version that behaves in some way."""
    for part in ("companion", "vision", "hardware", "web"):
        (folder / part).mkdir(parents=True)
        (folder / part / "__init__.py").touch()
    (folder / "companion/__init__.py").write_text('__version__ = "9.9"\n')
    (folder / "CHANGELOG.md").write_text("# Changelog\n")
    (folder / "web/behaviour").write_text(behaviour)
    shutil.copytree(ROOT / "systemd", folder / "systemd")
    wheels = folder / "systemd/wheels"
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    (wheels / f"python-{python}.txt").touch()
    return folder


def make_installed(machine: StubMachine, *, version: bool = True) -> None:
    """Put a version in place as earlier installers did, with games; without it only the games."""
    data = machine.path(places.DATA)
    for name, content in GAMES.items():
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(content)
    machine.path(places.UNITS).mkdir(parents=True)
    machine.path(Path("/usr/local/bin")).mkdir(parents=True)
    machine.path(places.SETTINGS.parent).mkdir(parents=True)
    if version:
        _make_version(machine)
    machine.boot()


def _make_version(machine: StubMachine) -> None:
    old = machine.path(places.VERSIONS / "0.3.0-20261121-abcdef")
    web = old / "lib/python3.13/site-packages/web"
    web.mkdir(parents=True)
    (web / "behaviour").write_text("older")
    for unit in (places.SERVICE, *places.HELPERS):
        (old / unit).touch()
    shutil.copy(ROOT / "systemd" / SETTLE, old)
    # By the whole path.
    machine.path(places.CURRENT).symlink_to(places.VERSIONS / old.name)
    machine.path(places.UNITS / places.SERVICE).symlink_to(places.CURRENT / places.SERVICE)
    machine.path(places.SETTINGS).write_text("port = 80\n")
    machine.path(places.SETTINGS).chmod(0o640)
    (machine.path(places.UNITS) / "enabled").touch()
