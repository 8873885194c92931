"""Set damaged files aside in a folder of their own; never delete them."""

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

from companion.table.whole_file import sync

DAMAGED = "damaged-%Y-%m-%d"
"""The name of the folder, with the date of the find."""


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
