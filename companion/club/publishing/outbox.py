"""What must still be sent, in a file: nothing is lost while the broker is away, or the power.

How far a table has been told is saved together with the messages. So after a power cut, when the
last messages may be missing in the file, the table's own journal gives them again.
"""

import json
import logging
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from companion.club.publishing.former import Presented
from companion.club.publishing.messages import encode
from companion.club.publishing.progress import Outgoing, Sent
from companion.club.publishing.topics import Topics

FILE = "outbox.sqlite3"
"""The name of the file in the data folder."""

VERSION = 1
"""The version of the tables in the file."""

MOST_BYTES = 16 << 20
"""How much may wait: the events of some hundred games. More drops the oldest."""

_log = logging.getLogger(__name__)

_TABLES = """
CREATE TABLE message (
    number INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, payload BLOB NOT NULL,
    retain INTEGER NOT NULL);
CREATE TABLE told (id TEXT NOT NULL, game INTEGER NOT NULL, events INTEGER NOT NULL,
    result INTEGER NOT NULL);
"""


# Earlier versions read the file without it, so it needs no other version.
_PRESENTED = """
CREATE TABLE IF NOT EXISTS presented (
    prefix TEXT NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL, announced TEXT NOT NULL,
    PRIMARY KEY (prefix, name))
"""


class Waiting(NamedTuple):
    """A message that waits to be sent."""

    number: int
    """Its place in the order."""
    message: Outgoing
    """The message."""


class Outbox:
    """The messages that wait. One thread at a time may use it.

    Methods raise OSError if a disk fails.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        """Open the file, or make it anew if it is missing or damaged."""
        self._path, self._most_bytes = path, most_bytes
        self.dropped = 0
        """How many messages were dropped since the start, because too many waited."""
        try:
            self._file = self._open()
        except sqlite3.OperationalError as error:
            # A disk that is full or fails says nothing about the file.
            raise OSError(f"{path}: {error}") from error
        except sqlite3.DatabaseError as error:
            _log.warning("%s: %s; it is made anew", path, error)
            self._set_aside()
            try:
                self._file = self._open()
            except sqlite3.DatabaseError as again:
                raise OSError(f"{path}: {again}") from again

    def _open(self) -> sqlite3.Connection:
        """Return the open file, and take over what is in it. Raises sqlite3.DatabaseError."""
        # Another thread goes on with it where one has ended.
        file = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            _prepare(file)
            told = file.execute("SELECT id, game, events, result FROM told").fetchone()
            size = file.execute("SELECT COALESCE(SUM(LENGTH(payload)), 0) FROM message").fetchone()
            if told is None:
                raise sqlite3.DatabaseError("is incomplete")
        except sqlite3.Error:
            file.close()
            raise
        self.id: str = told[0]
        """The table's own number."""
        self.sent = Sent(*told[1:])
        """How far the table has been told."""
        self._bytes: int = size[0]
        return file

    def _set_aside(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            path = self._path.with_name(self._path.name + suffix)
            with suppress(FileNotFoundError):
                path.replace(path.with_name(f"{path.name}.damaged"))

    def close(self) -> None:
        """Close the file; what waits in it stays."""
        self._file.close()

    def add(self, messages: Iterable[Outgoing], sent: Sent) -> None:
        """Add messages, and save how far the table is told with them; all of it or nothing."""
        added = list(messages)
        if not added and sent == self.sent:
            return
        with self._disk(), _transaction(self._file):
            self._file.executemany(
                "INSERT INTO message (topic, payload, retain) VALUES (?, ?, ?)",
                [(one.topic, one.payload, one.retain) for one in added],
            )
            self._file.execute("UPDATE told SET game = ?, events = ?, result = ?", sent)
        self.sent = sent
        self._bytes += sum(len(one.payload) for one in added)
        if self._bytes > self._most_bytes:
            with self._disk():
                self._drop()

    def _drop(self) -> None:
        """Drop the oldest messages, until a quarter of the room is free again."""
        sizes = self._file.execute(
            "SELECT number, LENGTH(payload) FROM message ORDER BY number"
        ).fetchall()
        # `redact` may have removed some.
        dropped, left = [], sum(size for _, size in sizes)
        if left <= self._most_bytes:
            self._bytes = left
            return
        for number, size in sizes:
            if left <= self._most_bytes * 3 // 4:
                break
            dropped.append(number)
            left -= size
        self._remove(dropped)
        self._bytes = left
        self.dropped += len(dropped)
        _log.warning("%s: %d messages were dropped, the oldest", self._path, len(dropped))

    @contextmanager
    def _disk(self) -> Iterator[None]:
        """Raise what SQLite can't do as an OSError."""
        try:
            yield
        except sqlite3.Error as error:
            raise OSError(f"{self._path}: {error}") from error

    def first(self, most: int, after: int = 0) -> Sequence[Waiting]:
        """Return the oldest messages whose numbers are above `after`."""
        with self._disk():
            rows = self._file.execute(
                "SELECT number, topic, payload, retain FROM message WHERE number > ? "
                "ORDER BY number LIMIT ?",
                (after, most),
            ).fetchall()
        return [
            Waiting(number, Outgoing(topic, payload, bool(retain)))
            for number, topic, payload, retain in rows
        ]

    def remove(self, numbers: Sequence[int]) -> None:
        """Remove messages that have arrived."""
        if numbers:
            marks = ",".join("?" * len(numbers))
            size = (
                f"SELECT COALESCE(SUM(LENGTH(payload)), 0) FROM message WHERE number IN ({marks})"
            )
            with self._disk():
                (arrived,) = self._file.execute(size, numbers).fetchone()
                self._remove(numbers)
            self._bytes -= arrived

    def _remove(self, numbers: Sequence[int]) -> None:
        with _transaction(self._file):
            self._file.executemany(
                "DELETE FROM message WHERE number = ?", [(number,) for number in numbers]
            )

    def published_names(self) -> Sequence[Presented]:
        """Return the names under which the broker may still keep something of this table."""
        with self._disk():
            rows = self._file.execute(
                "SELECT prefix, name, id, announced FROM presented"
            ).fetchall()
        return [
            Presented(Topics(prefix, name), number, tuple(json.loads(announced)))
            for prefix, name, number, announced in rows
        ]

    def present(self, topics: Topics, announced: Sequence[str]) -> None:
        """Note a name before anything is published under it."""
        row = topics.prefix, topics.name, self.id, json.dumps(announced)
        self._note_name("INSERT OR REPLACE INTO presented VALUES (?, ?, ?, ?)", row)

    def forget(self, topics: Topics) -> None:
        """Forget a name under which the broker keeps nothing any more."""
        self._note_name("DELETE FROM presented WHERE prefix = ? AND name = ?", tuple(topics))

    def _note_name(self, statement: str, values: Sequence[str]) -> None:
        with self._disk(), _transaction(self._file):
            self._file.execute(statement, values)

    def begin_anew(self) -> None:
        """Give the table a new number, because it no longer knows what was sent."""
        with self._disk():
            with _transaction(self._file):
                self._file.execute(
                    "UPDATE told SET id = ?, game = 0, events = 0, result = 0", (_new_id(),)
                )
            (self.id,) = self._file.execute("SELECT id FROM told").fetchone()
        self.sent = Sent()


Redaction = Callable[[Mapping[str, Any], Sent], Mapping[str, Any] | None]
"""Returns what may stay of a message, given how far the table is told; None: nothing."""


def _prepare(file: sqlite3.Connection) -> None:
    """Set a file up, with its tables. Raises sqlite3.DatabaseError."""
    # Its writes must not make presses wait for the disk. After a power cut it is as it was at some
    # moment before; the journal knows the rest.
    file.execute("PRAGMA journal_mode = WAL")
    file.execute("PRAGMA synchronous = NORMAL")
    (version,) = file.execute("PRAGMA user_version").fetchone()
    if version == VERSION:
        file.execute(_PRESENTED)
        return
    if version or file.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise sqlite3.DatabaseError("is of another version")
    with _transaction(file):
        for statement in (*_TABLES.split(";"), _PRESENTED):
            file.execute(statement)
        file.execute("INSERT INTO told VALUES (?, 0, 0, 0)", (_new_id(),))
        file.execute(f"PRAGMA user_version = {VERSION}")


def redact(path: Path, change: Redaction) -> None:
    """Change the messages that wait in a file, which an outbox may have open. Raises OSError.

    Nothing of what is changed or was sent is left in the file. One that can't be read is deleted,
    like those that were set aside.
    """
    for aside in path.parent.glob(f"{path.name}*.damaged"):
        aside.unlink(missing_ok=True)
    if not path.exists():
        return
    file = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None)
    try:
        with _transaction(file):
            sent = Sent(*file.execute("SELECT game, events, result FROM told").fetchone())
            for number, payload in file.execute("SELECT number, payload FROM message").fetchall():
                left = _redact(payload, change, sent)
                if left is None:
                    file.execute("DELETE FROM message WHERE number = ?", (number,))
                elif left != payload:
                    file.execute("UPDATE message SET payload = ? WHERE number = ?", (left, number))
        # Free pages still hold what was removed, and so does the log.
        file.execute("VACUUM")
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        raise OSError(f"{path}: {error}") from error
    except (sqlite3.DatabaseError, TypeError) as error:
        _log.warning("%s: %s; what waited there is deleted", path, error)
        for suffix in ("", "-wal", "-shm"):
            path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)
    finally:
        file.close()


def _redact(payload: bytes, change: Redaction, sent: Sent) -> bytes | None:
    """Return what stays of a message; of one that can't be understood, nothing."""
    try:
        message = json.loads(payload)
        left = change(message, sent)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
    if left is None:
        return None
    return payload if left == message else encode(left)


_PATIENCE_S = 30.0
"""How long to wait for an outbox that writes."""


def _new_id() -> str:
    # As Home Assistant's discovery topics need it: letters, digits.
    return secrets.token_hex(6)


class _transaction:  # noqa: N801 (used like a function)
    """Begin, and commit or, after an error, roll back."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file

    def __enter__(self) -> None:
        self._file.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *rest: object) -> None:
        if kind is None:
            self._file.execute("COMMIT")
        elif self._file.in_transaction:
            self._file.execute("ROLLBACK")
