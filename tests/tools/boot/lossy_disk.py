"""A disk that loses its cache: what is written to it is noted, and cut off anywhere afterwards."""

import random
import shutil
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

START_S = 30

SECTOR = 512
FLUSH, FUA, DISCARD = 1, 2, 4
"""Flags of an entry of the log (Linux, drivers/md/dm-log-writes.c)."""


@contextmanager
def noted(disk: Path, log: Path) -> Iterator[Path]:
    """Mount a disk; all that is written to it, and each flush, goes into `log`."""
    shown = disk.with_suffix(".shown")
    for file in (log, shown):
        file.unlink(missing_ok=True)
        file.touch()
    daemon = subprocess.Popen(
        ["qemu-storage-daemon",
         "--blockdev", f"driver=file,filename={disk},node-name=disk",
         "--blockdev", f"driver=file,filename={log},node-name=log",
         "--blockdev", "driver=blklogwrites,file=disk,log=log,node-name=noted",
         "--export", f"fuse,id=shown,node-name=noted,mountpoint={shown},writable=on"]
    )  # fmt: skip
    try:
        begun = time.monotonic()
        while not shown.stat().st_size:
            assert time.monotonic() - begun < START_S, "the disk does not appear"
            time.sleep(0.1)
        with mount(shown) as mounted:
            yield mounted
    finally:
        daemon.terminate()
        daemon.wait()


@contextmanager
def attached(disk: Path, begin: int) -> Iterator[str]:
    """Give a disk that is a file, from there on, a device of its own.

    `mount` itself would take one that is still attached, and may remember what was overwritten.
    """
    attach = ["losetup", "--find", "--show", f"--offset={begin}", str(disk)]
    device = subprocess.run(attach, check=True, capture_output=True, text=True).stdout.strip()
    try:
        yield device
    finally:
        subprocess.run(["losetup", "--detach", device], check=True)


@contextmanager
def mount(disk: Path, begin: int = 0) -> Iterator[Path]:
    """Mount a disk that is a file. begin: where its file system is, in bytes."""
    mounted = disk.with_suffix(".mounted")
    mounted.mkdir(exist_ok=True)
    with attached(disk, begin) as device:
        subprocess.run(["mount", device, mounted], check=True)
        try:
            yield mounted
        finally:
            subprocess.run(["umount", mounted], check=True)


class Write(NamedTuple):
    """An entry of the log: where its data lies in the log, and where it went on the disk."""

    flags: int
    at: int
    data: int
    length: int
    end: int


def writes(log: Path) -> Iterator[Write]:
    """The entries of a log, in their order; one that was cut off is the end.

    A superblock, then for each entry a block with its head and blocks with its data (Linux,
    Documentation/admin-guide/device-mapper/log-writes.rst). The number of entries in the
    superblock is not up to date in a log whose writer was killed.
    """
    size = log.stat().st_size
    with log.open("rb") as file:
        _, _, _, sector = struct.unpack("<QQQI", file.read(28))
        place = sector
        while place + sector <= size:
            file.seek(place)
            at, count, flags = struct.unpack("<QQQ", file.read(24))
            if not count and not flags:
                return
            held = 0 if flags & DISCARD else count * SECTOR
            end = place + sector + held
            if end > size:
                return
            yield Write(flags, at * SECTOR, place + sector, held, end)
            place = -(-end // sector) * sector


def replay(before: Path, log: Path, cut: int, disk: Path, lost: random.Random) -> None:
    """Write to `disk` what a disk with a cache of its own may hold when the plug is pulled.

    cut: how far into the log, in bytes. What was flushed is there; of what was written since, each
    write is there or not, by chance.
    """
    # Another file: what another container still has mounted writes to the one before.
    disk.unlink(missing_ok=True)
    subprocess.run(["cp", "--sparse=always", before, disk], check=True)
    cached: list[Write] = []
    with log.open("rb") as source, disk.open("r+b") as target:

        def put(write: Write) -> None:
            source.seek(write.data)
            target.seek(write.at)
            target.write(source.read(write.length))

        for write in writes(log):
            if write.end > cut:
                break
            if write.flags & FLUSH:
                for waiting in cached:
                    put(waiting)
                cached.clear()
            if write.flags & FUA:
                put(write)
            elif write.length:
                cached.append(write)
        for write in cached:
            if lost.random() < 0.5:
                put(write)


def check_disk(disk: Path, begin: int = 0) -> None:
    """Mend the file system as a boot does; raises where that needs a person."""
    # e2fsck takes an offset itself, but forgets it once it has replayed the file system's journal.
    with attached(disk, begin) as device:
        done = subprocess.run(["e2fsck", "-p", device], capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(f"e2fsck: {done.stdout}{done.stderr}")


def take(disk: Path, path: str, folder: Path) -> None:
    """Copy the files of a folder from a disk."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    subprocess.run(
        ["debugfs", "-R", f"rdump {path} {folder}", disk], check=True, capture_output=True
    )
    with suppress(FileNotFoundError):
        inner = folder / Path(path).name
        for file in inner.iterdir():
            file.rename(folder / file.name)
