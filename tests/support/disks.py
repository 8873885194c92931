"""Small disks to fill and to make read-only, which takes root, and folders that a kill leaves."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount file systems")


@contextmanager
def mounted(folder: Path, *arguments: str) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", *arguments, folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", disk], check=True)


@contextmanager
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=1m", "none") as disk:
        yield disk


def fill(disk: Path) -> None:
    number = os.open(disk / "full", os.O_WRONLY | os.O_CREAT)
    try:
        while True:
            os.write(number, bytes(4096))
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
    finally:
        os.close(number)


def contents(folder: Path) -> dict[str, bytes]:
    """What a folder holds, by path; of a folder in it there is nothing to read."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
    }


def copy_in_use(folder: Path, copy: Path) -> Path:
    """Copy a folder that is being written to: what a kill at that moment leaves.

    A file that was still being written and has since got its name is left out: it came too late.
    """

    def copy_if_there(source: str, target: str) -> None:
        with suppress(FileNotFoundError):
            shutil.copy2(source, target)

    return Path(shutil.copytree(folder, copy, copy_function=copy_if_there))
