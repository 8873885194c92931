"""Files that a pulled plug leaves as they were or as they are to be, never half."""

import errno
import logging
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

MOST_BYTES = 16 << 20
"""The most bytes of a file that is read whole: far more than any that we write."""


class NotAFileError(OSError):
    """What lies there is a folder, a pipe, a link that leads nowhere, or far too large."""


@cache
def warn_once(log: logging.Logger, path: Path, reason: str) -> None:
    """Log what is wrong with a file, unless it was logged before.

    A phone that keeps asking for the file must not fill the log.
    """
    log.warning("%s: %s", path, reason)


def read_whole(path: Path) -> bytes:
    """Return the content of a file, which a link may lead to.

    It never waits, as for a pipe. Raises FileNotFoundError if nothing lies there, NotAFileError,
    and OSError if it can't be read.
    """
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        if os.path.lexists(path):
            raise NotAFileError(errno.ENOENT, "a link that leads nowhere", str(path)) from None
        raise
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise NotAFileError(errno.EINVAL, "this is no file", str(path))
        if found.st_size > MOST_BYTES:
            raise NotAFileError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        with open(number, "rb", closefd=False) as file:
            return file.read(MOST_BYTES)
    finally:
        os.close(number)


def holds(path: Path, content: bytes) -> bool:
    """Return whether a file has this content."""
    with suppress(OSError):
        return read_whole(path) == content
    return False


def free_place(folder: Path, stem: str, suffix: str, content: bytes) -> tuple[Path, bool]:
    """Return where a file can lie among others, with a number if another one has its name.

    Also return whether it lies there already.
    """
    place, again = folder / f"{stem}{suffix}", 1
    while place.exists():
        if holds(place, content):
            return place, True
        again += 1
        place = folder / f"{stem}-{again}{suffix}"
    return place, False


def write_whole(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file, by default for its owner alone, and wait until it is on the disk.

    Raises OSError, with the file as it was before and nothing left beside it.
    """
    # Another process or thread may be writing the same file.
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with remove_on_error(part):
        with open(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(number)
        part.replace(path)
    sync(path.parent)


@contextmanager
def remove_on_error(part: Path) -> Iterator[None]:
    """Remove a half-written file: a full disk needs the space for the next press."""
    try:
        yield
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def sync(path: Path) -> None:
    """Make sure that a file, or the names in a folder, are on the disk. Raises OSError."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
