"""Migrate a saved table from every earlier format to today's, in numbered steps.

A step is one transaction: if the program is killed in the middle of it, the file keeps the format
before. Never change a released step, because the files of earlier versions go through it.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping

from companion import __version__

Step = Callable[[sqlite3.Connection], None]


def _create_tables(base: sqlite3.Connection) -> None:
    """Create the tables as version 0.1.0 had them."""
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
    """Add to each line when it was saved; empty for the lines that are there.

    From this format on a fact names the version that writes the file, and headers may be of
    version 3 of the record format, which 0.1.0 can't read.
    """
    base.execute("ALTER TABLE line ADD COLUMN at TEXT NOT NULL DEFAULT ''")


MIGRATIONS: Mapping[int, Step] = {1: _create_tables, 2: _date_lines}
"""The step to each format from the one before. An empty file has format 0."""

FORMAT = max(MIGRATIONS)
"""The format that this version writes, as `PRAGMA user_version`."""

WRITER = "companion"
"""The name of the fact that says which version wrote the file."""


MEND_NEWER = "install the newer version again, or choose another data folder"
"""What to do about a file that is `too_new`."""


def format_of(base: sqlite3.Connection) -> int:
    """Return the format of a file. Raises sqlite3.Error."""
    (found,) = base.execute("PRAGMA user_version").fetchone()
    return int(found)


def too_new(base: sqlite3.Connection) -> str:
    """Return why this version can't read a file; empty if it can. Raises sqlite3.Error."""
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
    """Note in a file that this version writes it. Raises sqlite3.Error."""
    # If the fact is there already, SQLite writes nothing, and the start need not wait for the disk.
    base.execute(
        "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (WRITER, __version__),
    )


@contextlib.contextmanager
def transaction(base: sqlite3.Connection) -> Iterator[None]:
    """Commit the changes that the block makes, or none of them if it fails."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        # After some errors, such as a full disk, SQLite has rolled back already.
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise
