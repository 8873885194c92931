"""What can still be read of a damaged SQLite file, and of one on a disk that can't be written."""

import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

MAGIC = b"SQLite format 3\0"
"""What a database file begins with (SQLite's documentation, "Database File Format", 1.3)."""

SIDE_FILES = ("", "-wal")
"""What a database lies in, by what is added to its name; the third, `-shm`, is made anew."""

_MEMORY = Path("/dev/shm")
"""Memory that looks like a folder: on a disk that is full or read-only nothing else is left."""


@contextmanager
def opened_copy(path: Path, first_page: bytes = b"") -> Iterator[sqlite3.Connection]:
    """Open a copy of a database with its write-ahead log, in memory; the files stay untouched.

    first_page: put in the place of the copy's own. Raises sqlite3.Error or OSError.
    """
    home = str(_MEMORY) if _MEMORY.is_dir() else None
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
    """Return the first page of a database, b"" where there is no sound one. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(18)
        if not head.startswith(MAGIC):
            return b""
        (size,) = struct.unpack(">H", head[16:18])
        file.seek(0)
        return file.read(1 << 16 if size == 1 else size)


def _graft(path: Path, page: bytes) -> None:
    """Give a database the first page of its backup, which says where its tables begin."""
    pages = path.stat().st_size // len(page)
    with path.open("r+b") as file:
        # The number of pages counts only where the two change counters agree.
        file.write(page[:28] + struct.pack(">I", pages) + page[32:92] + page[24:28] + page[96:])


def fill(into: sqlite3.Connection, source: sqlite3.Connection) -> bool:
    """Add all rows that can be read to the tables of the same names; those there already stay.

    Returns whether all could be read.
    """
    whole = True
    for (table,) in into.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        try:
            known = _columns(source, table)
            columns = ", ".join(name for name in _columns(into, table) if name in known)
            # An index may be damaged where the table is not.
            for row in source.execute(f"SELECT {columns} FROM {table} NOT INDEXED"):
                marks = ", ".join("?" * len(row))
                into.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", row)
        except sqlite3.Error:
            whole = False
    return whole


def _columns(base: sqlite3.Connection, table: str) -> Sequence[str]:
    return [name for _, name, *_ in base.execute(f"PRAGMA table_info({table})")]
