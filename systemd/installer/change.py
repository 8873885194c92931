"""Lets a new version take the place of the one that runs, or puts everything back.

A change is begun by a link, `change-undecided`, which points to the new version. From then on it is
up to `settle`, which systemd runs until it has succeeded, also after a pulled plug:

1. The table stops, and its data are copied; the copy gets its name once it is proven.
2. `current` points to the new version, which must answer for a minute, and again after a restart.
3. The link is renamed to `change-stays`, or to `change-back`: from here on there is one way only.
4. Either the versions before the last go, and copies older than this one, or the older version and
   its data come back. What the new version wrote meanwhile is kept beside them.
5. The link goes.

Each step can be repeated. Going back only renames and removes, so that it works on a full disk.
"""

import tomllib
from contextlib import suppress
from enum import StrEnum
from itertools import count
from pathlib import Path

from installer import places
from installer.files import Content, copy_whole, inventory, link, remove, sync, write_whole
from installer.machine import InstallError, Machine, say

SETTLE = "bang-companion-settle.service"
WANTED = Path("multi-user.target.wants")
"""In the folder of units: what starts with the system."""

PROOF_S = (60, 10)
"""Seconds for which a new version must answer: when it is started, and when it is restarted."""

ATTEMPTS = 3
"""How often systemd is asked to start something before that is given up."""

BEFORE = places.PROGRAM / "before"
"""The link to the version to go back to; there is none if nothing was installed."""

WAY_BACK = places.PROGRAM / "way-back.json"
"""What that version can open, for the page that offers to go back to it."""

EARLIER, TAKEN = places.PROGRAM / "earlier-data", places.PROGRAM / "earlier-data-taken"
"""The link to the copy that a version begins with which can't open the data; once it has it."""


class State(StrEnum):
    """How far a change is, by the name of the link to the new version."""

    UNDECIDED = "change-undecided"
    STAYS = "change-stays"
    BACK = "change-back"


def state(machine: Machine) -> State | None:
    """Return how far a change is; None if there is none."""
    return next((one for one in State if _link(machine, one).is_symlink()), None)


def _link(machine: Machine, one: State) -> Path:
    return machine.path(places.PROGRAM / one)


def installed_version(machine: Machine) -> str:
    """Return the name of the version that is installed; empty if there is none."""
    current = machine.path(places.CURRENT)
    name = current.readlink().name if current.is_symlink() else ""
    return name if name and machine.path(places.VERSIONS / name).is_dir() else ""


def change_over(machine: Machine, folder: Path, earlier: Path | None = None) -> None:
    """Let the version in a folder take over. Raises InstallError if it doesn't.

    earlier: the copy of the data that it begins with; None: with those that are there.
    """
    say("changing over; this takes two minutes")
    machine.run("sync", "-f", folder)
    for left in (WAY_BACK, BEFORE, EARLIER, TAKEN):
        remove(machine.path(left))
    if old := installed_version(machine):
        link(machine.path(BEFORE), Path(places.VERSIONS.name, old))
    if earlier is not None:
        link(machine.path(EARLIER), earlier)
    try:
        _install_settle(machine, folder)
        link(_link(machine, State.UNDECIDED), Path(places.VERSIONS.name, folder.name))
    except BaseException:
        if state(machine) is None:
            _remove_settle(machine)
        raise
    finish(machine)
    if installed_version(machine) != folder.name:
        raise InstallError("the new version did not prove itself")


def _install_settle(machine: Machine, folder: Path) -> None:
    unit = (folder / SETTLE).read_text().replace("@VERSION@", str(places.VERSIONS / folder.name))
    write_whole(machine.path(places.UNITS / SETTLE), Content(unit, 0o644, machine.owner()))
    wanted = machine.path(places.UNITS / WANTED)
    wanted.mkdir(exist_ok=True)
    link(wanted / SETTLE, places.UNITS / SETTLE)
    machine.run("systemctl", "daemon-reload")


def _remove_settle(machine: Machine) -> None:
    for unit in (places.UNITS / WANTED / SETTLE, places.UNITS / SETTLE):
        remove(machine.path(unit))
    machine.succeeds("systemctl", "daemon-reload")


def finish(machine: Machine) -> None:
    """Wait until a change that was begun is settled. Raises InstallError if that fails."""
    for _ in range(ATTEMPTS):
        if state(machine) is None:
            return
        machine.succeeds("systemctl", "start", SETTLE)
        # Where it failed or was ended, systemd starts it again.
        while state(machine) and _activity(machine).endswith("ing"):
            machine.pause(1)
    if state(machine):
        raise InstallError(f"the change is not finished: see journalctl -u {SETTLE}")


def _activity(machine: Machine) -> str:
    return machine.run("systemctl", "show", "-P", "ActiveState", SETTLE).strip()


def settle(machine: Machine) -> None:
    """Go on with a change until there is nothing left to do. Can be repeated from any point.

    Raises InstallError or OSError if a step fails: then it must be repeated.
    """
    begun = state(machine)
    if begun is None:
        return
    new = _link(machine, begun).readlink().name
    if begun is State.UNDECIDED:
        begun = State.STAYS if _proves_itself(machine, new) else State.BACK
        _link(machine, State.UNDECIDED).rename(_link(machine, begun))
        sync(machine.path(places.PROGRAM))
    if begun is State.STAYS:
        _stay(machine, new)
    else:
        _go_back(machine, new)
    _link(machine, begun).unlink()
    sync(machine.path(places.PROGRAM))
    _remove_settle(machine)


def _proves_itself(machine: Machine, new: str) -> bool:
    try:
        _stop(machine)
        data, kept = data_folder(machine), kept_data(machine, new)
        # A newer version may write what the older one can't read.
        if data.is_dir() and not kept.exists():
            copy_whole(machine, data, kept)
        _take_earlier_data(machine, data)
        link(machine.path(places.CURRENT), Path(places.VERSIONS.name, new))
        link(machine.path(places.UNITS / places.SERVICE), places.CURRENT / places.SERVICE)
        link(machine.path(places.COMMAND), places.CURRENT / "bin" / places.COMMAND.name)
        machine.run("systemctl", "daemon-reload")
        machine.succeeds("systemctl", "reset-failed", places.SERVICE)
        for seconds in PROOF_S:
            # Returns when its page has answered.
            machine.run("systemctl", "restart", places.SERVICE)
            _watch(machine, seconds)
    except (InstallError, OSError) as error:
        say(str(error))
        return False
    return True


def _take_earlier_data(machine: Machine, data: Path) -> None:
    earlier = machine.path(EARLIER)
    if earlier.is_symlink():
        remove(data)
        copy_whole(machine, earlier.readlink(), data)
        # From here on the version may play: it is not done again.
        earlier.rename(machine.path(TAKEN))


def _stop(machine: Machine) -> None:
    machine.succeeds("systemctl", "stop", places.SERVICE)
    if machine.succeeds("systemctl", "is-active", "--quiet", places.SERVICE):
        raise InstallError("the table does not stop")


def _watch(machine: Machine, seconds: int) -> None:
    settings = tomllib.loads(machine.path(places.SETTINGS).read_text(encoding="utf-8"))
    host = settings.get("host", "0.0.0.0")
    # Where the table listens at all addresses, one of them is this machine's own.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    for _ in range(seconds):
        machine.pause(1)
        if not machine.page_answers(host, settings.get("port", 8000)):
            raise InstallError("the new version stopped answering")


def data_folder(machine: Machine) -> Path:
    """Return where the data are: on the stick that the settings name, or on another disk."""
    # A table with a broken settings file doesn't start, and puts nothing anywhere.
    with suppress(FileNotFoundError, tomllib.TOMLDecodeError):
        text = machine.path(places.SETTINGS).read_text(encoding="utf-8")
        if stick := tomllib.loads(text).get("stick"):
            return machine.path(Path(stick) / places.DATA.name)
    # They may lie behind a link.
    return machine.path(places.DATA).resolve()


def kept_data(machine: Machine, new: str) -> Path:
    """Return where the data are copied to before a version takes over."""
    data = data_folder(machine)
    return data.with_name(f"{data.name}.before-{new}")


def _stay(machine: Machine, new: str) -> None:
    helpers = [unit for unit in places.HELPERS if machine.path(places.CURRENT / unit).exists()]
    for unit in helpers:
        link(machine.path(places.UNITS / unit), places.CURRENT / unit)
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "enable", "--quiet", places.SERVICE)
    # After a pulled plug, a first version that wasn't enabled yet has not begun with the system.
    machine.succeeds("systemctl", "start", places.SERVICE)
    for unit in helpers:
        if unit.endswith(".path"):
            machine.run("systemctl", "enable", "--quiet", "--now", unit)
        elif unit.endswith(".mount"):
            machine.run("systemctl", "enable", "--quiet", unit)
    # A hall beside the table still runs the version that goes now.
    machine.succeeds("systemctl", "try-restart", places.HALL_SERVICE)
    _clear_up(machine, new)


def _clear_up(machine: Machine, new: str) -> None:
    """Leave the version before and the copy of its data, for those who want to go back to it."""
    data, kept = data_folder(machine), kept_data(machine, new)
    if machine.path(TAKEN).is_symlink():
        # The version that was left has played since it was copied, and nobody else has that.
        if kept.exists():
            say(f"what is newer than that version is kept in {_set_aside(kept, data, new)}")
        machine.path(TAKEN).unlink()
    for copy in data.parent.glob(f"{data.name}.before-*"):
        if copy != kept:
            remove(copy)
    before = machine.path(BEFORE)
    left = {new, before.readlink().name if before.is_symlink() else ""}
    for version in machine.path(places.VERSIONS).iterdir():
        if version.name not in left:
            remove(version)


def _set_aside(folder: Path, data: Path, new: str) -> Path:
    """Move data aside, where no change touches them; return where they are."""
    names = (data.with_name(f"{data.name}.after-{new}-{number}") for number in count(1))
    aside = next(name for name in names if not name.exists())
    folder.rename(aside)
    return aside


def _go_back(machine: Machine, new: str) -> None:
    say("the new version does not prove itself: going back")
    machine.succeeds("systemctl", "stop", places.SERVICE)
    # First the program: after a pulled plug, the new version must not start with the data restored.
    before, current = machine.path(BEFORE), machine.path(places.CURRENT)
    if before.is_symlink():
        before.rename(current)
    elif installed_version(machine) == new:
        for made in (places.CURRENT, places.UNITS / places.SERVICE, places.COMMAND):
            remove(machine.path(made))
    sync(current.parent)
    _restore_data(machine, new)
    for left in (EARLIER, TAKEN):
        remove(machine.path(left))
    machine.succeeds("systemctl", "daemon-reload")
    machine.succeeds("systemctl", "reset-failed", places.SERVICE)
    restarted = (machine.succeeds("systemctl", "restart", places.SERVICE) for _ in range(ATTEMPTS))
    if installed_version(machine) and not any(restarted):
        say("the version before does not start either")


def _restore_data(machine: Machine, new: str) -> None:
    data, kept = data_folder(machine), kept_data(machine, new)
    for half in (kept, data):
        remove(half.with_name(f"{half.name}.part"))
    if not kept.exists():
        return
    if data.exists():
        if inventory(data) == inventory(kept):
            remove(kept)
            return
        say(f"what the new version wrote is kept in {_set_aside(data, data, new)}")
    kept.rename(data)
    sync(data.parent)
