"""Set damaged files aside in a folder of their own; never delete them."""

import logging
import os
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from companion.base.whole_file import sync

DAMAGED = "damaged-%Y-%m-%d"
"""The name of the folder, with the date of the find."""

_log = logging.getLogger(__name__)


def new_folder(folder: Path, name: str = DAMAGED) -> Path:
    """Make a folder of this name with the date filled in, and with a number if it exists."""
    first = folder / time.strftime(name)
    number, path = 1, first
    while os.path.lexists(path):
        number += 1
        path = first.with_name(f"{first.name}-{number}")
    path.mkdir(mode=0o700)
    return path


def keep_copy(path: Path, folder: Path) -> None:
    """Copy a file into a folder, or move it if it can't be copied. Raises OSError."""
    try:
        shutil.copyfile(path, folder / path.name)
        sync(folder / path.name)
    except OSError:
        with suppress(OSError):
            (folder / path.name).unlink()
        path.rename(folder / path.name)


def move(path: Path) -> str:
    """Move a file, or whatever lies in its place, into a new folder; return the folder's name.

    Empty if the disk refuses.
    """
    try:
        kept = new_folder(path.parent)
        path.rename(kept / path.name)
    except OSError as error:
        _log.warning("%s: can't be set aside: %s", path, error)
        return ""
    _log.warning("%s: set aside in %s", path, kept.name)
    return kept.name


def clear_the_way(files: Iterable[Path], folders: Iterable[Path]) -> None:
    """Set aside what lies where the table keeps a file or a folder, and is none."""
    for path in files:
        if os.path.lexists(path) and not path.is_file():
            move(path)
    for path in folders:
        if os.path.lexists(path) and not path.is_dir():
            move(path)
