"""Check the files: settings, card, data folder, saved games, dice."""

import os
import shutil

from companion.app.doctor.findings import MB, Check, Finding, fine, note, stop, wrong
from companion.app.doctor.installation import Installation
from companion.app.stick import is_plugged_in
from companion.camera.setup_store import SetupStore
from companion.table.journal.journal import FORMAT, MEND_NEWER, NewerError, look
from hardware.machine import file_owner, is_read_only, may_write, user

LEAST_DISK = 20 * MB
FEW_DISK = 200 * MB


def _settings(examined: Installation) -> Finding:
    if examined.is_service and not os.access(examined.config or "", os.R_OK):
        return note(
            f"{user()} may not read {examined.config}, so the defaults are checked",
            "sudo bang-companion doctor",
        )
    if examined.config_error:
        return stop(examined.config_error, "correct that line; docs/settings.md lists all keys")
    return fine(str(examined.config) if examined.config else "no settings file, so the defaults")


def _card(examined: Installation) -> Finding:
    if not is_read_only(examined.folder):
        return fine("files can be written")
    return stop(
        f"the file system of {examined.folder} is read-only: nothing can be saved",
        "sudo mount -o remount,rw /; if it happens again, the SD card is dying: copy the data "
        "folder to a new card",
    )


def _disk(examined: Installation) -> Finding:
    free = shutil.disk_usage(examined.folder).free
    here = f"{free // MB} MB are free for {examined.settings.data}"
    mend = "make room: sudo apt clean; sudo journalctl --vacuum-size=20M"
    if free < LEAST_DISK:
        return stop(here, mend)
    if free < FEW_DISK:
        return note(here, mend)
    return fine(here)


def _folder(examined: Installation) -> Finding:
    data, folder, stick = examined.settings.data, examined.folder, examined.settings.stick
    if stick is not None and not is_plugged_in(stick):
        return stop(
            f"no USB stick is at {stick}: the table waits for it",
            "plug it in, or take stick out of the settings",
        )
    if not folder.is_dir():
        return stop(
            f"{folder} is a file, not a folder",
            "choose another folder, with --data or as data in the settings",
        )
    inside = folder.glob("*") if folder == data.absolute() else ()
    for path in (folder, *sorted(inside)):
        if not may_write(path, examined.user) and not is_read_only(folder):
            return stop(
                f"{path} belongs to {file_owner(path)}: {examined.user} can't write to it",
                f"sudo chown -R {examined.user} {data}",
            )
    return fine(f"games and profiles are kept in {data}")


def _journal(examined: Installation) -> Finding:
    folder = examined.settings.data
    if examined.table is not None:
        return fine("in use by the running table")
    try:
        found = look(folder)
    except NewerError as error:
        return stop(str(error), MEND_NEWER)
    except OSError as error:
        return stop(f"{error.filename}: {error.strerror}", f"let {examined.user} read that file")
    if found.missing:
        return wrong(
            f"{found.missing[0]} is missing",
            "put it back if you moved it; or start the table: it continues with what is left",
        )
    damaged = found.old if found.old_damaged else found.damaged
    if damaged:
        older = "older than the last one saved here, or another table’s"
        return wrong(
            f"{damaged[0]} is {older if found.older else 'damaged'}",
            "start the table: it continues with what it can still read, and keeps the damaged file",
        )
    if found.old:
        return fine(
            f"the saved games are intact; the next start converts them from format {found.format} "
            f"to format {FORMAT}"
        )
    if not found.saved.version:
        return fine("no game has been saved yet")
    return fine("the saved games are intact")


def _profile(examined: Installation) -> Finding:
    from vision.dice.profile import load_profile
    from vision.profile_files import ProfileError

    settings = examined.settings
    chosen = SetupStore(settings.data).stored.profile if settings.data.is_dir() else ""
    name = settings.profile or chosen or "pips"
    try:
        profile = load_profile(name, settings.data / "profiles")
    except ProfileError as error:
        if settings.profile:
            return stop(str(error), "correct profile in the settings, or remove it")
        return wrong(
            f"{error}; the table reads pips instead",
            "choose or teach the dice again on the page: Teach the dice",
        )
    return fine(f"the dice are {profile.name}")


CHECKS = (
    Check("settings", "the settings file", _settings),
    Check("card", "whether the file system can be written", _card),
    Check("disk", "room for games", _disk),
    Check("data", "whether the data folder belongs to this user", _folder),
    Check("games", "the saved games, by their checksums", _journal),
    Check("dice", "the profile of the dice", _profile),
)
"""The checks. A read-only card explains the faults after it."""
