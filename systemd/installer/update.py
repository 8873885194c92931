"""Does what the table asks for on the host's page: install an upload, or go back a version.

Whatever lies in the folder of the table's service may be anything: an upload is copied to where
only root writes, and only the copy is checked and unpacked. The version that it holds then installs
itself, as from a terminal. `STATUS` says how it ended, `WAY_BACK` what the version before can open.
"""

import hmac
import json
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from installer import places
from installer.archive import MOST_UPLOAD, ArchiveError, Fault, inspect, numbers, unpack
from installer.change import (
    BEFORE,
    WAY_BACK,
    change_over,
    data_folder,
    finish,
    installed_version,
    kept_data,
)
from installer.files import Content, remove, write_whole
from installer.hotspot import LETTERS
from installer.machine import InstallError, Machine, say
from installer.version import try_version

ASKED = Path("/run/bang-companion")
"""The folder of the service; everything in it is gone when that ends."""

REQUEST, UPLOAD = "update", "release.tar.gz"
"""In there: what is to be done, and the archive."""

STATUS = places.PROGRAM / "update.json"
WORK = places.PROGRAM / "update-work"
"""Where an upload is checked and unpacked. What a pulled plug leaves goes with the next one."""

STEPS = ("checking the upload", "building", "changing over")
"""How lines begin that tell how far it is."""

MOST_REQUEST = 10_000
"""The most bytes that the table asks with."""


def update(machine: Machine) -> None:
    """Do what is asked for; say in STATUS how it ended. Raises nothing but OSError."""
    asked = take_request(machine, REQUEST)
    wanted = asked.get("version", "")
    told = _Status(machine, wanted)
    try:
        told.step(STEPS[0])
        finish(machine)
        if asked.get("do") == "back":
            _go_back(machine, wanted, told.step)
        else:
            _install(machine, asked, told.step)
        told.end()
    except ArchiveError as error:
        say(f"refused: {error}")
        told.end(fault=error.fault)
    except (InstallError, OSError) as error:
        say(str(error))
        told.end(fault="failed", why=str(error)[-400:])
    finally:
        remove(machine.path(WORK))


class _Status:
    """What the page shows of an update, written whole at each step."""

    def __init__(self, machine: Machine, wanted: str) -> None:
        self._machine, self._wanted = machine, wanted

    def step(self, line: str) -> None:
        """Tell how far it is, if a line says so."""
        step = next((step for step in STEPS if line.startswith(step)), "")
        if step:
            say(line)
            self._write(step=step)

    def end(self, *, fault: str = "", why: str = "") -> None:
        """Tell how it ended. fault: why nothing has changed, in a word."""
        self._write(fault=fault, why=why)

    def _write(self, *, step: str = "", fault: str = "", why: str = "") -> None:
        said = {"version": self._wanted, "step": step, "fault": fault, "why": why}
        write_json(self._machine, STATUS, said)


def write_json(machine: Machine, place: Path, said: Mapping[str, object]) -> None:
    """Leave word for the table."""
    write_whole(machine.path(place), Content(json.dumps(said), 0o644, machine.owner()))


def read_json(machine: Machine, place: Path) -> dict[str, Any]:
    """Return the word that was left there; empty if there is none."""
    with suppress(OSError, ValueError):
        found: dict[str, Any] = json.loads(machine.path(place).read_text())
        return found
    return {}


def take_request(machine: Machine, name: str) -> dict[str, str]:
    """Return what is asked for, and take it away, so that it is done once. Raises OSError."""
    with _open_folder(machine) as folder:
        try:
            text = _read(folder, name, MOST_REQUEST)
        except ArchiveError:
            text = b""
        finally:
            # systemd would start us for ever.
            os.unlink(name, dir_fd=folder)
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    found = asked.items() if isinstance(asked, dict) else ()
    return {key: value for key, value in found if isinstance(value, str) and value.isprintable()}


@contextmanager
def _open_folder(machine: Machine) -> Iterator[int]:
    number = os.open(machine.path(ASKED), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield number
    finally:
        os.close(number)


def _read(folder: int, name: str, most: int) -> bytes:
    """Return the content of a file that may be a link, a pipe or far too large. Raises OSError."""
    number = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with open(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise ArchiveError(Fault.DAMAGED, name)
        content = file.read(most + 1)
    if len(content) > most:
        raise ArchiveError(Fault.SIZE, name)
    return content


def _install(machine: Machine, asked: Mapping[str, str], told: Callable[[str], None]) -> None:
    work = machine.path(WORK)
    remove(work)
    work.mkdir(mode=0o700)
    archive, source = work / UPLOAD, work / "source"
    with _open_folder(machine) as folder:
        archive.write_bytes(_read(folder, UPLOAD, MOST_UPLOAD))
    current = installed_version(machine)
    release = inspect(archive, machine.path(places.VERSIONS / current / places.KEY))
    if not hmac.compare_digest(release.sha256, asked.get("sha256", "")):
        raise ArchiveError(Fault.CHANGED)
    if numbers(release.version) <= numbers(version_of(current)):
        raise ArchiveError(Fault.OLDER)
    if not release.signed:
        use_code(machine, asked.get("code", ""))
    unpack(archive, source)
    machine.install(source, told)


def version_of(name: str) -> str:
    """Return the version in the name of an installation's folder."""
    return name.rsplit("-", 2)[0]


def write_code(machine: Machine, *, anew: bool) -> None:
    """Write a code for unsigned releases, which only root reads, and copy it to the memory card.

    anew: in place of another.
    """
    path = machine.path(places.CODE)
    if anew or not path.exists():
        code = "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))
        write_whole(path, Content(code + "\n", 0o600, machine.owner()))
    copy = machine.path(places.CODE_ON_CARD)
    if copy.parent.parent.is_dir():
        # The partition knows no owners of files. A code that isn't there can be read on the Pi.
        with suppress(OSError):
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(path.read_text())


def check_code(machine: Machine, given: str) -> None:
    """Compare the owner's code. Raises ArchiveError."""
    path = machine.path(places.CODE)
    code = path.read_text().strip() if path.exists() else ""
    if not code or not hmac.compare_digest(code.encode(), given.strip().lower().encode()):
        raise ArchiveError(Fault.CODE)


def use_code(machine: Machine, given: str) -> None:
    """Take the owner's code, which works once. Raises ArchiveError."""
    check_code(machine, given)
    write_code(machine, anew=True)


def _go_back(machine: Machine, wanted: str, told: Callable[[str], None]) -> None:
    before, current = machine.path(BEFORE), installed_version(machine)
    way = read_json(machine, WAY_BACK)
    if not before.is_symlink() or not way or way["version"] != wanted:
        raise ArchiveError(Fault.CHANGED)
    folder = machine.path(places.VERSIONS / before.readlink().name)
    told("changing over")
    change_over(machine, folder, None if way["opens"] == "all" else kept_data(machine, current))
    note_way_back(machine)


def note_way_back(machine: Machine) -> None:
    """Note whether the version before can take over again, and what it can open then.

    It must be able to come back from there, and be tried on a copy of the data.
    """
    remove(machine.path(WAY_BACK))
    before = machine.path(BEFORE)
    if not before.is_symlink():
        return
    name = before.readlink().name
    folder = machine.path(places.VERSIONS / name)
    if not (folder / places.UPDATE_PATH).exists():
        return
    kept = kept_data(machine, installed_version(machine))
    for opens, data in (("all", data_folder(machine)), ("earlier", kept)):
        if data.is_dir() and _opens(machine, folder, data):
            games = len(list((data / "games").glob("*.jsonl")))
            way = {"version": version_of(name), "opens": opens, "games": games}
            # Without room for that there is no way back, but all else is well.
            with suppress(OSError):
                write_json(machine, WAY_BACK, way)
            return


def _opens(machine: Machine, folder: Path, data: Path) -> bool:
    try:
        try_version(machine, folder, data)
    except (InstallError, OSError):
        return False
    return True
