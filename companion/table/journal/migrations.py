"""Read what earlier versions saved: an SQLite file of format 1 or 2, which is never changed.

| format | written by | what is different |
|---|---|---|
| 1 | 0.1.0 | lines of a game have no time |
| 2 | 0.2.0 | |
"""

import errno
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from companion.base import codec
from companion.table.journal.saved import Line, LineKind, Person, Saved

FILE = "table.sqlite3"

BACKUP = "table.backup.sqlite3"
"""The file as it was when the game on the table began."""

SIDE_FILES = ("", "-wal", "-shm")
"""The files of a database, as suffixes of its name."""

NEWEST = 2
"""The last format that was an SQLite file."""

_MEMORY = Path("/dev/shm")
"""A folder in memory, usable when the disk is full or read-only."""

_GUESS = "guess"
"""A line of a game that says which side an eliminated player expects to win."""

_NOT_FACTS = ("version", "code", "game", "last", "companion")
"""Names of facts that are fields of `Saved`, or say who wrote the file."""


class OldTable(NamedTuple):
    """What an SQLite file holds."""

    saved: Saved
    """The readable part of it."""
    format: int
    """The format it was written in."""
    damaged: bool
    """Whether parts of it could not be read."""


class UnknownFormatError(Exception):
    """An unknown version wrote the file; the text says which."""


def read(folder: Path) -> OldTable:
    """Return the table saved in a folder's SQLite file, or in its backup if the file is damaged.

    Raises UnknownFormatError, and OSError if a file can't be read.
    """
    found = _read(folder / FILE)
    if not found.damaged:
        return found
    backup = _read(folder / BACKUP)
    use = backup if found.saved == Saved() else found
    return use._replace(damaged=True)


def _read(path: Path) -> OldTable:
    nothing = OldTable(Saved(), NEWEST, damaged=True)
    if not path.is_file():
        return nothing
    try:
        return _read_copy(path, nothing)
    except OSError as error:
        # A failing card. Anything else isn't damage, such as a file owned by another user.
        if error.errno != errno.EIO:
            raise
        return nothing


def _read_copy(path: Path, nothing: OldTable) -> OldTable:
    with _opened_copy(path) as base:
        try:
            (found,) = base.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error:
            return nothing
        if found > NEWEST:
            raise UnknownFormatError(f"written by {_writer(base)} in format {found}")
        try:
            (check,) = base.execute("PRAGMA integrity_check(1)").fetchone()
            saved = _read_save(base)
        except (sqlite3.Error, ValueError, TypeError):
            return nothing._replace(format=found or NEWEST)
        return OldTable(saved, found, damaged=check != "ok")


def _read_save(base: sqlite3.Connection) -> Saved:
    rows = base.execute("SELECT name, value FROM fact")
    facts = {name: value for name, value in rows if isinstance(value, str)}
    game = int(facts.get("game", 0))
    dated = any(name == "at" for _, name, *_ in base.execute("PRAGMA table_info(line)"))
    columns = "id, kind, body, places" + (", at" if dated else "")
    lines = base.execute(f"SELECT {columns} FROM line WHERE game = ? ORDER BY id", (game,))
    entries = list(_up_to_gap(lines))
    said = [body.split() for kind, body, *_ in entries if kind == _GUESS]
    guesses = [[int(seat), side] for seat, side in dict(said).items()]
    people = base.execute("SELECT id, name, token, host FROM person ORDER BY place")
    (highest,) = base.execute("SELECT max(game) FROM line").fetchone()
    return Saved(
        version=int(facts.get("version", 0)),
        code=facts.get("code", ""),
        game=game,
        last_game=max(game, int(facts.get("last", 0)), highest or 0),
        people=tuple(codec.read(Person, [*person, host == 1]) for *person, host in people),
        lines=tuple(Line(LineKind(kind), *rest) for kind, *rest in entries if kind != _GUESS),
        facts={
            **{name: value for name, value in facts.items() if name not in _NOT_FACTS},
            **({"guesses": json.dumps(guesses)} if guesses else {}),
        },
    )


def _up_to_gap(rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """Return the lines of a game up to the first one missing, as in a damaged file."""
    first = None
    for count, (number, *entry) in enumerate(rows):
        first = number if first is None else first
        if number != first + count:
            return
        yield entry


def _writer(base: sqlite3.Connection) -> str:
    with suppress(sqlite3.Error):
        row = base.execute("SELECT value FROM fact WHERE name = 'companion'").fetchone()
        if row:
            return f"version {row[0]}"
    return "a newer version"


@contextmanager
def _opened_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy of a database and its write-ahead log, in memory; the files stay untouched."""
    home = str(_MEMORY) if os.access(_MEMORY, os.W_OK | os.X_OK) else None
    with tempfile.TemporaryDirectory(prefix="bang-companion-", dir=home) as folder:
        copy = Path(folder) / path.name
        for side in SIDE_FILES[:2]:
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{side}", f"{copy}{side}")
        with closing(sqlite3.connect(copy, isolation_level=None)) as base:
            yield base
