"""The saved table in one SQLite file: the people, and every press of the game on the table.

Each change is one transaction and is on the disk before anybody is told of it. A table that is
killed at any moment starts again where the last accepted press left it. A game is saved as the
lines of its record. An undo is a line of its own: nothing is erased. When a game leaves the table,
its record goes into a file of its own and its lines go, so that the journal stays small.

A damaged file is set aside, never deleted, and the table goes on with what can still be read. A
file of an earlier format is migrated (`companion.table.migrations`).
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
"""A copy of the file as it was in an earlier format, made before it was migrated."""

GAMES = "games"
"""The folder with the records of games that have left the table."""

CHECKPOINT = 100
"""Pages in the write-ahead log after which SQLite moves them into the file, about twenty presses.

If the first page of the log is damaged, SQLite takes the log for empty: so many pages are lost."""

SKIPPED = 1 << 20
"""Versions of the table to skip after damage, which may have lost some of the last ones.

A phone may still show one of those, and must not press with it once it comes again."""

_log = logging.getLogger(__name__)


def utc_now() -> str:
    """Return the time in UTC, as records have it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class JournalError(Exception):
    """A journal can't be opened, read or written; the text names the file."""


class NewerError(JournalError):
    """A newer version wrote the journal; the file was not changed."""


class Kind(StrEnum):
    """What a line of a game is."""

    HEADER = "header"
    """The header of the record; it begins the game."""
    MOVE = "move"
    """A decision that somebody made."""
    FORCED = "forced"
    """A move that the table made because every legal move came to the same."""
    UNDO = "undo"
    """The last decision was taken back, with the forced moves after it."""
    GUESS = "guess"
    """Which side an eliminated player expects to win."""


class Line(NamedTuple):
    """A line of a game."""

    kind: Kind
    """What it is."""
    body: str
    """A line of the record. Of an undo: how many moves it takes back, and the seat that asked. Of
    a guess: the seat and the side."""
    places: str = ""
    """Where the dice lie, as JSON; empty where they did not change."""
    at: str = ""
    """When it was saved, in UTC; set by `Journal.save`. Empty where version 0.1.0 saved it."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table."""

    id: int
    """A number that nobody else at this table has."""
    name: str
    """What everybody calls them."""
    token: str | None
    """The digest of their phone's token; None without a phone."""
    host: bool
    """Whether they are the host."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Everything that a table needs to stand where it stood."""

    version: int
    """The version of the table; it grows with every change."""
    code: str
    """The letters that let somebody join; empty before the first start."""
    game: int
    """The number of the game on the table; 0 if there is none."""
    people: tuple[Person, ...]
    """Everybody at the table, clockwise."""
    lines: tuple[Line, ...]
    """The lines of the game on the table, in order."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What the table keeps beside games and people, by name; the journal does not look into it."""


class Journal:
    """The file. It must not be used by several threads at once: the table's lock guards it."""

    def __init__(self, folder: Path, *, now: Callable[[], str] = utc_now) -> None:
        """Open the journal in `folder`, or begin one. Raises JournalError.

        now: returns the time in UTC, as records have it.

        A journal of an earlier format is migrated; a copy of the old file is kept. A journal of a
        later format is left alone (NewerError). A damaged journal is set aside, and a new one takes
        over what can be read of it and of its backup. If the disk is full or read-only, the journal
        can still be loaded, and each `save` tries again to write.
        """
        self.path = folder / FILE
        self._now = now
        self.set_aside: Path | None = None
        """Where this start put a damaged file; None if there was no damage."""
        self.fault = ""
        """Why nothing can be saved now; empty while saving works."""
        self._stands_in = False
        """Whether the journal is a copy in memory, because the file can't be written."""
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
        """Return in a few words why nothing can be saved."""
        # On a read-only disk SQLite may only notice that it gets no lock or no log.
        return _READ_ONLY if _is_read_only(self.path.parent) else _reason(error)

    def _opened(self) -> sqlite3.Connection:
        if self._part.exists():
            if self.path.exists():
                # Killed while the mended file was being written.
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
        # Opening the file itself would change it: SQLite moves its log into it.
        with opened_copy(self.path) as copy:
            try:
                _check_known(self.path, copy)
                found = format_of(copy)
                if not 0 < found < FORMAT:
                    return
                _check_whole(copy)
            except sqlite3.Error as error:
                if _is_damage(error):
                    # It will be set aside whole.
                    return
                raise
            kept = self.path.with_name(OLD_FORMAT.format(found))
            _write_copy(copy, kept)
            _sync(kept.parent)
        _log.warning("%s: migrating from format %d to %d; the old file is kept as %s",
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
                # Where damage prevents migrating, some rows may still be readable.
                with contextlib.suppress(sqlite3.Error):
                    migrate(copy)
                with transaction(into):
                    whole = fill(into, copy)
                if whole:
                    break
        _cut_at_gap(into)

    def _put_in_place(self) -> None:
        """Set the damaged file aside and put the mended one in its place."""
        aside = self._new_aside()
        for side in (*SIDE_FILES, "-shm"):
            with contextlib.suppress(FileNotFoundError):
                Path(f"{self.path}{side}").rename(aside / f"{FILE}{side}")
        self._part.rename(self.path)
        _sync(self.path.parent)
        _log.warning("%s: was damaged; the damaged file is kept in %s", self.path, aside)

    def _new_aside(self) -> Path:
        """Make a folder named for today, with a number if today has one already."""
        first = self.path.with_name(time.strftime("damaged-%Y-%m-%d"))
        number, path = 1, first
        while path.exists():
            number += 1
            path = first.with_name(f"{first.name}-{number}")
        path.mkdir()
        self.set_aside = path
        return path

    def cut(self, game: int, lines: int) -> None:
        """Keep the first `lines` lines of a game, after setting a copy of the whole file aside.

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
        """Return everything that was saved. Raises JournalError."""
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
        """Write one change, completely or not at all. Raises JournalError.

        version, code, game: as in `Saved`; people: everybody, None if nobody changed; lines: to add
        to `game`; facts: those that changed; gone: a game that leaves the table, whose lines are
        deleted (`keep_record` first).
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
        """Write the record of a game to a file of its own, completely or not at all.

        If another record has this name, a number is added. Raises JournalError.
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
        """Return a number that no game of this table has had. Raises JournalError."""
        try:
            (last,) = self._base.execute(
                "SELECT max(CAST(number AS INTEGER)) FROM (SELECT 0 AS number UNION SELECT game"
                " FROM line UNION SELECT value FROM fact WHERE name = 'last')"
            ).fetchone()
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: can't be read: {error}") from error
        return int(last) + 1


class _DamagedError(sqlite3.DatabaseError):
    """SQLite opens the file, but its integrity check fails."""


def _connected(path: Path | str) -> sqlite3.Connection:
    """Open a file for writing, or create it. Raises sqlite3.Error."""
    base = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=1.0)
    try:
        _prepare(base, Path(path))
    except BaseException:
        base.close()
        raise
    return base


def _prepare(base: sqlite3.Connection, path: Path) -> None:
    # A second table on the same folder would overwrite what this one saves. Set first, this also
    # avoids the shared-memory file, for which a full disk has no room.
    base.execute("PRAGMA locking_mode = EXCLUSIVE")
    base.execute("PRAGMA journal_mode = WAL")
    # A press that was answered must outlive a power cut, not only a crash.
    base.execute("PRAGMA synchronous = FULL")
    base.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
    _check_known(path, base)
    _check_whole(base)
    migrate(base)
    with transaction(base):
        # This takes the lock now, so that a folder in use or without write access is found here.
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
    """Write a copy of a database to a file of its own, completely or not at all."""
    part = path.with_name(f"{path.name}.part")
    _remove(part)
    try:
        with contextlib.closing(sqlite3.connect(part)) as copy:
            base.backup(copy)
        part.replace(path)
    except (OSError, sqlite3.Error):
        # On a full disk, a partial copy would take the room that the next press needs.
        with contextlib.suppress(OSError):
            _remove(part)
        raise


def _cut_at_gap(base: sqlite3.Connection) -> None:
    """Cut the game on the table at the first missing line, so that it is one that was played."""
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
    """Return in a few words why a file can't be used."""
    if isinstance(error, OSError):
        return _ERRORS.get(error.errno or 0, error.strerror or str(error))
    return _REASONS.get(_code(error), str(error))


def _code(error: Exception) -> int:
    """Return SQLite's primary result code; 0 for other errors."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_damage(error: sqlite3.Error) -> bool:
    damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return isinstance(error, _DamagedError) or _code(error) in damage


def _is_read_only(folder: Path) -> bool:
    while not folder.exists():
        folder = folder.parent
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _remove(path: Path) -> None:
    """Delete a database that was left unfinished."""
    for side in (*SIDE_FILES, "-shm", "-journal"):
        Path(f"{path}{side}").unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Make sure that renamed files of a folder are on the disk."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
