"""The saved table: who sits there, and every press of every game, in one SQLite file.

Each change is one transaction, on the disk before anybody hears of it: a table that is killed
at any moment stands, once started again, where the last accepted press left it. Games are kept
as lines of their record; an undo is a line of its own, so that nothing is ever erased. A game that
leaves the table leaves its record in a file of its own, so that this one stays small for ever.

What was damaged is set aside, never deleted, and the table goes on with what can still be read.
"""

import contextlib
import errno
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from companion.table.migrations import (
    FORMAT,
    MEND_NEWER,
    WRITER,
    format_of,
    migrate,
    sign,
    too_new,
    transaction,
)
from companion.table.refused import Message
from companion.table.salvage import SIDE_FILES, fill, first_page, opened_copy

FILE = "table.sqlite3"

BACKUP = "table.backup.sqlite3"
"""The file as it was when the game on the table began."""

OLD_FORMAT = "table.format-{}.sqlite3"
"""The file as it was before it was brought from such a format to the next ones."""

GAMES = "games"
"""Folder of the records of games that have left the table."""

CHECKPOINT = 100
"""Pages in the write-ahead log after which they go into the file: all that damage of the log's
first page, which SQLite would take for an empty log, can cost. About twenty presses."""

SKIPPED = 1 << 20
"""Versions that are left out where a damaged file may have gone back: no page may show one of
those that come again."""

_log = logging.getLogger(__name__)


def utc_now() -> str:
    """Return the time in UTC, as records have it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class JournalError(Exception):
    """A journal that can't be opened, read or written; the text names the file."""


class NewerError(JournalError):
    """A journal that a newer version wrote; nothing of it was changed."""


class Kind(StrEnum):
    """What a line of a game is."""

    HEADER = "header"
    MOVE = "move"
    FORCED = "forced"
    """A move that the table made because all that was legal came to the same."""
    UNDO = "undo"
    GUESS = "guess"
    """Who wins, as a fallen player thinks."""


class Line(NamedTuple):
    """A line of a game.

    body: of the record; for an undo, how many moves it takes back and the seat that asked for it;
    for a guess, the seat and the side. places: JSON of where the dice lie ("" if they did not
    change). at: when it was saved, in UTC, by the machine's clock (set by `save`; "" in games of
    version 0.1.0).
    """

    kind: Kind
    body: str
    places: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table: `token` is the digest of his phone's secret, None without a phone."""

    id: int
    name: str
    token: str | None
    host: bool


@dataclass(frozen=True, slots=True)
class Saved:
    """What a journal holds.

    game: the number of the game on the table, 0 if there is none; facts: what the table keeps
    beside games and people, in its own words.
    """

    version: int
    code: str
    game: int
    people: tuple[Person, ...]
    lines: tuple[Line, ...]
    facts: Mapping[str, str] = field(default_factory=dict)


class Journal:
    """The file. Not for several threads at once: the table's lock guards it."""

    def __init__(self, folder: Path, *, now: Callable[[], str] = utc_now) -> None:
        """Open the journal of `folder`, or begin one. Raises JournalError.

        now: returns the time in UTC, as records have it.

        A journal of an earlier format is brought to today's, and a copy of the old file is kept.
        One of a later format is left alone (NewerError). A damaged one is set aside, and a new one
        begun with what can be read of it and of its backup. On a disk that is full or read-only
        what is there can be loaded, and each `save` tries again.
        """
        self.path = folder / FILE
        self._now = now
        self.set_aside: Path | None = None
        """Where a damaged file was put at this start."""
        self.fault = ""
        """Why nothing can be saved now ("" if it can)."""
        self._stands_in = False
        """Whether a copy in memory stands in for a file that can't be written."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._base = self._opened()
        except (OSError, sqlite3.Error) as error:
            if not (_code(error) == sqlite3.SQLITE_FULL or _is_read_only(folder)):
                raise JournalError(f"{self.path}: can't be opened: {_reason(error)}") from error
            self.fault = self._why(error)
            self._stands_in = True
            self._base = _connected(":memory:")
            self._salvage(self._base)

    def _why(self, error: Exception) -> str:
        """Say in a few words why nothing can be saved."""
        # SQLite may only be told that a lock or a log can't be had.
        return _READ_ONLY if _is_read_only(self.path.parent) else _reason(error)

    def _opened(self) -> sqlite3.Connection:
        if self._part.exists():
            if self.path.exists():
                # Killed while it was being made.
                _remove(self._part)
            else:
                self._put_in_place()
        self._keep_old_format()
        try:
            return _connected(self.path)
        except sqlite3.Error as error:
            if not _is_damage(error) or self.path.is_symlink():
                raise
        return self._mended()

    def _keep_old_format(self) -> None:
        """Copy a file of an earlier format before it is migrated. Raises NewerError."""
        if not self.path.exists():
            return
        # To open the file itself changes it: what is in its log goes into it.
        with opened_copy(self.path) as copy:
            try:
                _check_known(self.path, copy)
                found = format_of(copy)
                if not 0 < found < FORMAT:
                    return
                _check_whole(copy)
            except sqlite3.Error as error:
                if _is_damage(error):
                    # What can be read of it will be, and the file is set aside.
                    return
                raise
            kept = self.path.with_name(OLD_FORMAT.format(found))
            _write_copy(copy, kept)
            _sync(kept.parent)
        _log.warning("%s: was of format %d, is of %d from now on; the old file is kept in %s",
                     self.path, found, FORMAT, kept)  # fmt: skip

    @property
    def _part(self) -> Path:
        return self.path.with_name(f"{FILE}.part")

    def _mended(self) -> sqlite3.Connection:
        _remove(self._part)
        with contextlib.closing(_connected(self._part)) as base:
            self._salvage(base)
            base.execute(
                "UPDATE fact SET value = CAST(value AS INTEGER) + ? WHERE name = 'version'",
                (SKIPPED,),
            )
        self._put_in_place()
        return _connected(self.path)

    def _salvage(self, into: sqlite3.Connection) -> None:
        backup = self.path.with_name(BACKUP)
        page = b""
        with contextlib.suppress(OSError):
            page = first_page(backup)
        for path, graft in ((self.path, b""), (self.path, page), (backup, b"")):
            with contextlib.suppress(OSError, sqlite3.Error), opened_copy(path, graft) as copy:
                _check_known(path, copy)
                # What can't be migrated for its damage may still be read.
                with contextlib.suppress(sqlite3.Error):
                    migrate(copy)
                with transaction(into):
                    whole = fill(into, copy)
                if whole:
                    break
        _cut_at_gap(into)

    def _put_in_place(self) -> None:
        """Set the damaged file aside and put what was mended in its place."""
        aside = self._new_aside()
        for side in (*SIDE_FILES, "-shm"):
            with contextlib.suppress(FileNotFoundError):
                Path(f"{self.path}{side}").rename(aside / f"{FILE}{side}")
        self._part.rename(self.path)
        _sync(self.path.parent)
        _log.warning("%s: was damaged; the damaged file is kept in %s", self.path, aside)

    def _new_aside(self) -> Path:
        """Make a folder named by today's date, with a number after it where there is one."""
        first = self.path.with_name(time.strftime("damaged-%Y-%m-%d"))
        number, path = 1, first
        while path.exists():
            number += 1
            path = first.with_name(f"{first.name}-{number}")
        path.mkdir()
        self.set_aside = path
        return path

    def cut(self, game: int, lines: int) -> None:
        """Leave of a game its first lines, so many, and set a copy of all aside.

        Raises JournalError.
        """
        try:
            aside = self._new_aside()
            with contextlib.closing(sqlite3.connect(aside / FILE)) as copy:
                self._base.backup(copy)
            with transaction(self._base):
                self._base.execute(
                    "DELETE FROM line WHERE game = ? AND id NOT IN"
                    " (SELECT id FROM line WHERE game = ? ORDER BY id LIMIT ?)",
                    (game, game, lines),
                )
                _cut_at_gap(self._base)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"{self.path}: can't be written: {_reason(error)}") from error
        _log.warning("%s: game %d is cut after line %d; all is kept in %s",
                     self.path, game, lines, aside)  # fmt: skip

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def load(self) -> Saved:
        """Return all that is needed to stand where the table stood. Raises JournalError."""
        try:
            facts = dict(self._base.execute("SELECT name, value FROM fact"))
            version, game = int(facts.pop("version", 0)), int(facts.pop("game", 0))
            code = facts.pop("code", "")
            facts.pop(WRITER, None)
            people = self._base.execute("SELECT id, name, token, host FROM person ORDER BY place")
            lines = self._base.execute(
                "SELECT kind, body, places, at FROM line WHERE game = ? ORDER BY id", (game,)
            )
            return Saved(
                version=version,
                code=code,
                game=game,
                people=tuple(
                    Person(number, name, token, bool(host)) for number, name, token, host in people
                ),
                lines=tuple(Line(Kind(kind), *rest) for kind, *rest in lines),
                facts=facts,
            )
        except (sqlite3.Error, ValueError) as error:
            raise JournalError(f"{self.path}: can't be read: {error}") from error

    def save(
        self,
        version: int,
        *,
        code: str,
        game: int,
        people: Sequence[Person] | None = None,
        lines: Sequence[Line] = (),
        facts: Mapping[str, str] | None = None,
        gone: int | None = None,
    ) -> None:
        """Write one change, whole or not at all. Raises JournalError.

        lines are added to `game`; people replace those before; of facts, those named; gone: a game
        that leaves the table, its record being kept: its lines go.
        """
        now = self._now() if lines else ""
        try:
            if self._stands_in:
                self._base, self._stands_in = self._opened(), False
            with transaction(self._base):
                if gone is not None:
                    self._base.execute("DELETE FROM line WHERE game = ?", (gone,))
                self._base.executemany(
                    "INSERT OR REPLACE INTO fact VALUES (?, ?)",
                    [
                        *(facts or {}).items(),
                        ("version", str(version)),
                        ("code", code),
                        ("game", str(game)),
                        *([("last", str(game))] if game else []),
                    ],
                )
                self._base.executemany(
                    "INSERT INTO line (game, kind, body, places, at) VALUES (?, ?, ?, ?, ?)",
                    [(game, *line._replace(at=now)) for line in lines],
                )
                if people is not None:
                    self._base.execute("DELETE FROM person")
                    self._base.executemany(
                        "INSERT INTO person VALUES (?, ?, ?, ?, ?)",
                        [
                            (person.id, place, person.name, person.token, person.host)
                            for place, person in enumerate(people)
                        ],
                    )
        except (OSError, sqlite3.Error) as error:
            self.fault = self._why(error)
            raise JournalError(f"{self.path}: can't be written: {self.fault}") from error
        self.fault = ""
        if any(line.kind is Kind.HEADER for line in lines):
            self._back_up()

    def _back_up(self) -> None:
        path = self.path.with_name(BACKUP)
        try:
            _write_copy(self._base, path)
        except (OSError, sqlite3.Error) as error:
            # The game is saved all the same.
            _log.warning("%s: no backup was made: %s", path, _reason(error))

    def keep_record(self, name: str, record: str) -> None:
        """Write the record of a game to a file of its own, whole or not at all.

        Raises JournalError. One that is there already stays, under whatever name.
        """
        folder = self.path.with_name(GAMES)
        try:
            folder.mkdir(exist_ok=True)
            path, again = folder / f"{name}.jsonl", 1
            while path.exists():
                if path.read_text("utf-8") == record:
                    return
                again += 1
                path = folder / f"{name}-{again}.jsonl"
            part = path.with_suffix(".part")
            with part.open("w", encoding="utf-8") as file:
                file.write(record)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
            _sync(folder)
        except OSError as error:
            self.fault = self._why(error)
            raise JournalError(f"{folder}: can't be written: {self.fault}") from error

    def next_game(self) -> int:
        """Return a number that no game has yet. Raises JournalError."""
        try:
            (last,) = self._base.execute(
                "SELECT max(CAST(number AS INTEGER)) FROM (SELECT 0 AS number UNION SELECT game"
                " FROM line UNION SELECT value FROM fact WHERE name = 'last')"
            ).fetchone()
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: can't be read: {error}") from error
        return int(last) + 1


class _DamagedError(sqlite3.DatabaseError):
    """A file that SQLite opens, but that is not whole."""


def _connected(path: Path | str) -> sqlite3.Connection:
    """Open a file for writing, or begin it. Raises sqlite3.Error."""
    base = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=1.0)
    try:
        _prepare(base)
    except BaseException:
        base.close()
        raise
    return base


def _prepare(base: sqlite3.Connection) -> None:
    # A second table on the same folder would overwrite what this one saves. Said first, it also
    # spares the file of shared memory, for which a full disk has no room.
    base.execute("PRAGMA locking_mode = EXCLUSIVE")
    base.execute("PRAGMA journal_mode = WAL")
    # A press that was answered must outlive a power cut, not only a crash.
    base.execute("PRAGMA synchronous = FULL")
    base.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
    _check_whole(base)
    migrate(base)
    with transaction(base):
        # Takes the lock now, so that a folder in use or without write access is found here.
        sign(base)


def _check_whole(base: sqlite3.Connection) -> None:
    (found,) = base.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise _DamagedError(found)


def _check_known(path: Path, base: sqlite3.Connection) -> None:
    reason = too_new(base)
    if reason:
        raise NewerError(f"{path}: {reason}; {MEND_NEWER}")


def _write_copy(base: sqlite3.Connection, path: Path) -> None:
    """Write a copy of a database to a file of its own, whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    _remove(part)
    try:
        with contextlib.closing(sqlite3.connect(part)) as copy:
            base.backup(copy)
        part.replace(path)
    except (OSError, sqlite3.Error):
        # On a full disk its pages would take the room for the next press.
        with contextlib.suppress(OSError):
            _remove(part)
        raise


def _cut_at_gap(base: sqlite3.Connection) -> None:
    """Leave of the game on the table what is whole from its beginning on: a game that was."""
    row = base.execute("SELECT CAST(value AS INTEGER) FROM fact WHERE name = 'game'").fetchone()
    if row is None or not row[0]:
        return
    lines = base.execute("SELECT id, kind FROM line WHERE game = ? ORDER BY id", row).fetchall()
    first = lines[0][0] if lines and lines[0][1] == Kind.HEADER else None
    if first is None:
        base.execute("DELETE FROM line WHERE game = ?", row)
        base.execute("UPDATE fact SET value = '0' WHERE name = 'game'")
        return
    gap = next((first + n for n, (number, _) in enumerate(lines) if number != first + n), None)
    if gap is not None:
        base.execute("DELETE FROM line WHERE game = ? AND id > ?", (*row, gap))


_FULL = Message("the disk is full")
_READ_ONLY = Message("the disk is read-only")

_FAILS = Message("the disk fails")

_ERRORS = {errno.ENOSPC: _FULL, errno.EDQUOT: _FULL, errno.EROFS: _READ_ONLY, errno.EIO: _FAILS}

_REASONS = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_IOERR: _FAILS,
    sqlite3.SQLITE_CORRUPT: Message("the file is damaged; a restart mends it"),
    sqlite3.SQLITE_NOTADB: Message("the file is damaged; a restart mends it"),
}


def _reason(error: Exception) -> str:
    """Say in a few words why a file can't be used."""
    if isinstance(error, OSError):
        return _ERRORS.get(error.errno or 0, error.strerror or str(error))
    return _REASONS.get(_code(error), str(error))


def _code(error: Exception) -> int:
    """SQLite's primary result code; 0 of other errors."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_damage(error: sqlite3.Error) -> bool:
    damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return isinstance(error, _DamagedError) or _code(error) in damage


def _is_read_only(folder: Path) -> bool:
    while not folder.exists():
        folder = folder.parent
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _remove(path: Path) -> None:
    """Remove a database that was left unfinished."""
    for side in (*SIDE_FILES, "-shm", "-journal"):
        Path(f"{path}{side}").unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Bring names that were changed in a folder onto the disk."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
