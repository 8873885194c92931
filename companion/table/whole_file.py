"""Files that a pulled plug leaves as they were or as they are to be, never half."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def write_whole(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file, by default for its owner alone, and wait until it is on the disk.

    Raises OSError, with the file as it was before and nothing left beside it.
    """
    # Another process or thread may be writing the same file.
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with removed_on_error(part):
        with open(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(number)
        part.replace(path)
    sync(path.parent)


@contextmanager
def removed_on_error(part: Path) -> Iterator[None]:
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
