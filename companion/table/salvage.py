"""Read what can still be read of an SQLite file that is damaged, or on a disk without room."""

import os
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

MAGIC = b"SQLite format 3\0"
"""The first bytes of a database file (SQLite's documentation, "Database File Format", 1.3)."""

SIDE_FILES = ("", "-wal")
"""The files of a database, as suffixes of its name. SQLite recreates the third one, `-shm`."""

_MEMORY = Path("/dev/shm")
"""A folder in memory, which has room when the disk is full or read-only."""


@contextmanager
def opened_copy(path: Path, first_page: bytes = b"") -> Iterator[sqlite3.Connection]:
    """Open a copy of a database and its write-ahead log, in memory; the files stay untouched.

    first_page: replaces the copy's own first page, unless empty. Raises sqlite3.Error or OSError.
    """
    home = str(_MEMORY) if os.access(_MEMORY, os.W_OK | os.X_OK) else None
    with tempfile.TemporaryDirectory(prefix="bang-companion-", dir=home) as folder:
        copy = Path(folder) / path.name
        for side in SIDE_FILES:
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{side}", f"{copy}{side}")
        if first_page:
            _graft(copy, first_page)
        with closing(sqlite3.connect(copy, isolation_level=None)) as base:
            yield base


def first_page(path: Path) -> bytes:
    """Return the first page of a database; b"" if it is damaged. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(18)
        if not head.startswith(MAGIC):
            return b""
        (size,) = struct.unpack(">H", head[16:18])
        file.seek(0)
        return file.read(1 << 16 if size == 1 else size)


def _graft(path: Path, page: bytes) -> None:
    """Replace the first page of a database by its backup's, which says where the tables begin."""
    pages = path.stat().st_size // len(page)
    with path.open("r+b") as file:
        # SQLite trusts the number of pages only if the two change counters agree.
        file.write(page[:28] + struct.pack(">I", pages) + page[32:92] + page[24:28] + page[96:])


def fill(into: sqlite3.Connection, source: sqlite3.Connection) -> bool:
    """Copy all readable rows into the tables of the same names; rows already there stay.

    Returns whether every row could be read.
    """
    whole = True
    for (table,) in into.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        try:
            known = _columns(source, table)
            columns = ", ".join(name for name in _columns(into, table) if name in known)
            # The index may be damaged even if the table is not.
            for row in source.execute(f"SELECT {columns} FROM {table} NOT INDEXED"):
                marks = ", ".join("?" * len(row))
                into.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", row)
        except sqlite3.Error:
            whole = False
    return whole


def _columns(base: sqlite3.Connection, table: str) -> Sequence[str]:
    return [name for _, name, *_ in base.execute(f"PRAGMA table_info({table})")]
