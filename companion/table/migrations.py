"""The formats of the saved table: numbered steps that bring an old file to today's.

A step is one transaction, so that a file that is killed in the middle of it is still of the format
before. Steps that were released never change: files of every earlier version go through them.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping

from companion import __version__

Step = Callable[[sqlite3.Connection], None]


def _create_tables(base: sqlite3.Connection) -> None:
    """Format 1, of version 0.1.0."""
    for statement in (
        "CREATE TABLE person (id INTEGER PRIMARY KEY, place INTEGER NOT NULL, name TEXT NOT NULL,"
        " token TEXT, host INTEGER NOT NULL)",
        "CREATE TABLE line (id INTEGER PRIMARY KEY, game INTEGER NOT NULL, kind TEXT NOT NULL,"
        " body TEXT NOT NULL, places TEXT NOT NULL)",
        "CREATE INDEX line_of_game ON line (game, id)",
        "CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    ):
        base.execute(statement)


def _date_lines(base: sqlite3.Connection) -> None:
    """Format 2: a line says when it was saved ("" if before that), a fact which version wrote.

    Headers may be of version 3 of the record format, which 0.1.0 can't read.
    """
    base.execute("ALTER TABLE line ADD COLUMN at TEXT NOT NULL DEFAULT ''")


MIGRATIONS: Mapping[int, Step] = {1: _create_tables, 2: _date_lines}
"""By number, the step that leads to a format from the one before; 0 is an empty file."""

FORMAT = max(MIGRATIONS)
"""`PRAGMA user_version` of the files that this version writes."""

WRITER = "companion"
"""The fact that names the version which wrote the file."""


MEND_NEWER = "install the newer version again, or choose another data folder"
"""What to do about a file that is `too_new`."""


def format_of(base: sqlite3.Connection) -> int:
    """Return the format of a file; 0 for an empty one. Raises sqlite3.Error."""
    (found,) = base.execute("PRAGMA user_version").fetchone()
    return int(found)


def too_new(base: sqlite3.Connection) -> str:
    """Return why a file is of no use to this version; "" if it is. Raises sqlite3.Error."""
    found = format_of(base)
    if found <= FORMAT:
        return ""
    writer = "a newer version"
    with contextlib.suppress(sqlite3.Error):
        row = base.execute("SELECT value FROM fact WHERE name = ?", (WRITER,)).fetchone()
        writer = f"version {row[0]}" if row else writer
    return f"written by {writer} in format {found}; {__version__} reads up to format {FORMAT}"


def migrate(base: sqlite3.Connection) -> None:
    """Bring a file to today's format, step by step. Raises sqlite3.Error."""
    for number in range(format_of(base) + 1, FORMAT + 1):
        with transaction(base):
            MIGRATIONS[number](base)
            base.execute(f"PRAGMA user_version = {number}")


def sign(base: sqlite3.Connection) -> None:
    """Write into a file which version writes it. Raises sqlite3.Error."""
    # Where the file says so already, SQLite writes nothing, and a start waits for no disk.
    base.execute(
        "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (WRITER, __version__),
    )


@contextlib.contextmanager
def transaction(base: sqlite3.Connection) -> Iterator[None]:
    """Keep all changes within the block, or none where it fails."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        # After some errors, such as a full disk, SQLite has rolled back by itself.
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise
