"""Changes the settings as the host asks, or puts the file back if the table can't start with it.

The version that runs says what the file is to hold, by the code that reads it at the start, and
whether that takes the owner's code. The file before lies beside the new one until the table runs
with it: a pulled plug is settled at the next start, as often as it takes.
"""

import json
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from installer import places
from installer.archive import ArchiveError
from installer.files import Content, remove, sync, write_whole
from installer.hotspot import rename_hotspot
from installer.machine import InstallError, Machine, User, say
from installer.update import take_request, use_code, write_json

REQUEST = "settings"
"""In the folder of the service: what is to be changed."""

STATUS = Path("/run/bang-companion-settings/status.json")
"""Says that a change is at work, or how the last one ended."""

UPDATING = Path("/run/bang-companion-update")
"""Is there while an update runs, which starts and stops the table itself."""

BEFORE = places.SETTINGS.with_name(".settings.toml.undecided")
"""The file before, until the table runs with the new one."""


def change_settings(machine: Machine) -> None:
    """Settle what a pulled plug left, do what is asked for, and say in STATUS how it ended.

    Raises nothing but OSError.
    """
    write_json(machine, STATUS, {"step": "saving"})
    try:
        fault = "" if _settle(machine, "start") else "failed"
        with suppress(FileNotFoundError):
            fault = _change(machine, take_request(machine, REQUEST))
    except ArchiveError as error:
        fault = error.fault
    except (InstallError, OSError, ValueError) as error:
        say(str(error))
        fault = "failed"
    say(f"settings: {fault or 'saved'}")
    write_json(machine, STATUS, {"fault": fault})


def _change(machine: Machine, asked: Mapping[str, str]) -> str:
    """Return why nothing has changed, in a word; empty if the table runs with the change."""
    if machine.path(UPDATING).exists():
        return "busy"
    path, before = machine.path(places.SETTINGS), machine.path(BEFORE)
    python = machine.path(places.CURRENT) / "bin/python"
    program = (python, "-B", "-P", "-m", "companion.settings_file", path)
    wanted = json.loads(machine.run(*program, given=asked.get("changes", "")))
    if "fault" in wanted:
        return "mistake"
    if wanted["owner"]:
        use_code(machine, asked.get("code", ""))
    status = path.stat()
    before.hardlink_to(path)
    owner = User(status.st_uid, status.st_gid)
    write_whole(path, Content(wanted["text"], status.st_mode & 0o777, owner))
    return "" if _settle(machine, "restart") else "failed"


def _follow_hotspot(machine: Machine) -> None:
    """Let the Pi's Wi-Fi be called as the settings say now, if they said something else before."""
    texts = [machine.path(place).read_text(encoding="utf-8") for place in (BEFORE, places.SETTINGS)]
    try:
        old, new = (tomllib.loads(text).get("hotspot", {}) for text in texts)
        if old != new:
            rename_hotspot(machine, new.get("name", ""), new.get("key", ""))
    except (InstallError, OSError, ValueError) as error:
        say(str(error))


def _settle(machine: Machine, verb: str) -> bool:
    """Return whether the table runs with its settings; if not, it gets those of before."""
    path, before = machine.path(places.SETTINGS), machine.path(BEFORE)
    if not before.exists():
        return True
    machine.succeeds("systemctl", "reset-failed", places.SERVICE)
    if machine.succeeds("systemctl", verb, places.SERVICE):
        _follow_hotspot(machine)
        remove(before)
        return True
    say("the table doesn't start with these settings: going back")
    before.replace(path)
    sync(path.parent)
    machine.succeeds("systemctl", "reset-failed", places.SERVICE)
    machine.succeeds("systemctl", "restart", places.SERVICE)
    return False
