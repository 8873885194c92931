"""Files that a pulled plug leaves as they were or as they are to be, and copies that are proven."""

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from installer.machine import InstallError, Machine, User


class Content(NamedTuple):
    """What a file is to hold, and who may read it."""

    text: str
    mode: int
    owner: User


def write_whole(path: Path, content: Content) -> None:
    """Put a file in place in one step. At no moment may others read more than they may at last."""
    _prepare(path, content).replace(path)
    sync(path.parent)


@contextmanager
def replace_files(wanted: Mapping[Path, Content | None]) -> Iterator[None]:
    """Put files in place together, or remove those for which there is None.

    If the block fails, all are as they were, even if the disk is full.
    """
    for path in wanted:
        remove(_hidden_path(path, "before"))
        if path.exists():
            _hidden_path(path, "before").hardlink_to(path)
    try:
        for path, content in wanted.items():
            if content is not None:
                _prepare(path, content)
        for path, content in wanted.items():
            if content is None:
                path.unlink(missing_ok=True)
            else:
                _hidden_path(path, "new").replace(path)
        for path in wanted:
            sync(path.parent)
        yield
    except BaseException:
        for path in wanted:
            remove(_hidden_path(path, "new"))
            if _hidden_path(path, "before").exists():
                _hidden_path(path, "before").replace(path)
            else:
                path.unlink(missing_ok=True)
        raise
    for path in wanted:
        remove(_hidden_path(path, "before"))


def _hidden_path(path: Path, what: str) -> Path:
    # NetworkManager reads every file of its folder whose name doesn't begin with a dot.
    return path.with_name(f".{path.name}.{what}")


def _prepare(path: Path, content: Content) -> Path:
    part = _hidden_path(path, "new")
    part.unlink(missing_ok=True)
    number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with open(number, "w", encoding="utf-8") as file:
            os.fchown(number, *content.owner)
            os.fchmod(number, content.mode)
            file.write(content.text)
            file.flush()
            os.fsync(number)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


def link(path: Path, target: Path) -> None:
    """Let a name point to a target, in one step."""
    part = _hidden_path(path, "new")
    part.unlink(missing_ok=True)
    part.symlink_to(target)
    part.replace(path)
    sync(path.parent)


def sync(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def remove(path: Path) -> None:
    """Remove a file, a link or a whole folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


class Entry(NamedTuple):
    """What a copy of a file must have in common with it."""

    mode: int
    """Its kind and permissions."""
    owner: User
    size: int
    content: str
    """The SHA-256 of what is in it; where a link points; empty for anything else."""


def inventory(folder: Path) -> dict[str, Entry]:
    """Return everything below a folder by its name there. Follows no link."""
    found = {}
    for parent, folders, files in os.walk(folder, onerror=_raise):
        for name in (*folders, *files):
            path = Path(parent, name)
            found[str(path.relative_to(folder))] = _entry(path)
    return found


def _raise(error: OSError) -> None:
    raise error


def _entry(path: Path) -> Entry:
    status = path.lstat()
    size, content = 0, ""
    if stat.S_ISLNK(status.st_mode):
        content = os.readlink(path)
    elif stat.S_ISREG(status.st_mode):
        # The service's user may exchange it for a link, or for a pipe that would never answer.
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(number, "rb") as file:
            size, content = status.st_size, hashlib.file_digest(file, "sha256").hexdigest()
    return Entry(status.st_mode, User(status.st_uid, status.st_gid), size, content)


def copy_whole(machine: Machine, folder: Path, copy: Path) -> None:
    """Copy a folder. The copy gets its name once it is on the disk and proven to be the same."""
    part = copy.with_name(f"{copy.name}.part")
    remove(part)
    machine.run("cp", "-a", folder, part)
    if inventory(part) != inventory(folder):
        raise InstallError(f"{folder}: the copy is not the same; does something write there?")
    machine.run("sync", "-f", part)
    part.rename(copy)
    sync(copy.parent)
