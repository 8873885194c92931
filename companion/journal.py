"""The saved table: who sits there, and every press of every game, in one SQLite file.

Each change is one transaction, on the disk before anybody hears of it: a table that is killed
at any moment stands, once started again, where the last accepted press left it. Games are kept
as lines of their record; an undo is a line of its own, so that nothing is ever erased.
"""

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

FILE = "table.sqlite3"

FORMAT = 1
"""`PRAGMA user_version` of the files that this version reads and writes."""

_SCHEMA = """
CREATE TABLE person (
    id INTEGER PRIMARY KEY, place INTEGER NOT NULL, name TEXT NOT NULL,
    token TEXT, host INTEGER NOT NULL
);
CREATE TABLE line (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, places TEXT NOT NULL
);
CREATE INDEX line_of_game ON line (game, id);
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class JournalError(Exception):
    """A journal that can't be opened, read or written; the text names the file."""


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
    change).
    """

    kind: Kind
    body: str
    places: str = ""


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

    def __init__(self, folder: Path) -> None:
        """Open the journal of `folder`, or begin one. Raises JournalError."""
        self.path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(
                self.path, check_same_thread=False, isolation_level=None, timeout=1.0
            )
        except (OSError, sqlite3.Error) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise JournalError(f"{self.path}: can't be opened: {reason}") from error
        try:
            self._open()
        except sqlite3.Error as error:
            self._base.close()
            raise JournalError(f"{self.path}: can't be opened: {error}") from error

    def _open(self) -> None:
        self._base.execute("PRAGMA journal_mode = WAL")
        # A press that was answered must outlive a power cut, not only a crash.
        self._base.execute("PRAGMA synchronous = FULL")
        # A second table on the same folder would overwrite what this one saves.
        self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
        (version,) = self._base.execute("PRAGMA user_version").fetchone()
        if version not in (0, FORMAT):
            raise sqlite3.DatabaseError(f"format {version} is not known, only {FORMAT}")
        with self._transaction():
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    self._base.execute(statement)
                self._base.execute(f"PRAGMA user_version = {FORMAT}")
            # Takes the lock now, so that a folder in use or without write access is found here.
            self._base.execute("UPDATE fact SET value = value WHERE name = 'version'")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def load(self) -> Saved:
        """Return all that is needed to stand where the table stood. Raises JournalError."""
        try:
            facts = dict(self._base.execute("SELECT name, value FROM fact"))
            version, game = int(facts.pop("version", 0)), int(facts.pop("game", 0))
            code = facts.pop("code", "")
            people = self._base.execute("SELECT id, name, token, host FROM person ORDER BY place")
            lines = self._base.execute(
                "SELECT kind, body, places FROM line WHERE game = ? ORDER BY id", (game,)
            )
            return Saved(
                version=version,
                code=code,
                game=game,
                people=tuple(
                    Person(number, name, token, bool(host)) for number, name, token, host in people
                ),
                lines=tuple(Line(Kind(kind), body, places) for kind, body, places in lines),
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
    ) -> None:
        """Write one change, whole or not at all. Raises JournalError.

        lines are added to `game`; people replace those before; of facts, those named.
        """
        try:
            with self._transaction():
                self._base.executemany(
                    "INSERT OR REPLACE INTO fact VALUES (?, ?)",
                    [
                        *(facts or {}).items(),
                        ("version", str(version)),
                        ("code", code),
                        ("game", str(game)),
                    ],
                )
                self._base.executemany(
                    "INSERT INTO line (game, kind, body, places) VALUES (?, ?, ?, ?)",
                    [(game, *line) for line in lines],
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
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: can't be written: {error}") from error

    def next_game(self) -> int:
        """Return a number that no game has yet. Raises JournalError."""
        try:
            (last,) = self._base.execute("SELECT coalesce(max(game), 0) FROM line").fetchone()
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: can't be read: {error}") from error
        return int(last) + 1
