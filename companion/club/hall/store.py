"""What the hall keeps: results and the tournament, in a log.

Each message that counts is a line of the log, on the disk before anybody is told. Each start reads
all of it, into a database that is gone when the hall stops. A line has a checksum; one that was
damaged or cut off costs itself alone. A second file says how long the log was: it shows that the
log is older than it was, or another hall's.
"""

import json
import os
import secrets
import sqlite3
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from companion.base import set_aside
from companion.base.whole_file import sync
from companion.club.hall.scoring import PlayedSeat
from companion.club.hall.tournament import TableGame

LOG = "hall.log"
"""The name of the log in the data folder."""

WITNESS = "-last-save"
"""Added to the folder's name: the file beside it that says how long the log was. It is written
without waiting for the disk, so the log may be longer."""

MOST_UNDONE = 50
"""How many changes of the tournament can be undone."""

MOST_BYTES = 256 << 20
"""How large the log may get: made-up results must not fill the disk."""

_TABLE = """
CREATE TABLE result (
    table_id TEXT NOT NULL, game INTEGER NOT NULL, events INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL, name TEXT NOT NULL, at TEXT NOT NULL, side TEXT NOT NULL,
    ruleset TEXT NOT NULL, kind TEXT NOT NULL, seats TEXT NOT NULL,
    PRIMARY KEY (name, table_id, game)) WITHOUT ROWID;
CREATE INDEX result_at ON result (at, name, game);
"""


class StoreError(Exception):
    """Nothing can be kept; the text names the file and says why."""


class DocumentStep(StrEnum):
    """Where a state of the tournament comes from."""

    CHANGE = "change"
    """From the one before; this can be undone."""
    UNDO = "undo"
    """From undoing the last change."""
    ELSEWHERE = "elsewhere"
    """From another hall; nothing before it can be undone."""


class ToldResult(NamedTuple):
    """A result as a table told it."""

    name: str
    """The table's name on the broker."""
    at: str
    """When the game was played, or else when the result came, in UTC (ISO 8601)."""
    message: Mapping[str, Any]
    """The message."""


class KeptResult(NamedTuple):
    """A result that counts."""

    at: str
    """When the game was played, or else when the result came, in UTC (ISO 8601)."""
    game: TableGame
    """The game."""
    kind: str
    """Which game was played, by the name in its records."""
    ruleset: str
    """By which ruleset."""
    stand_ins: frozenset[str]
    """The names of the players whom stand-ins played."""


class Store:
    """The files. One thread at a time may use it."""

    def __init__(self, folder: Path) -> None:
        """Open the files in a folder, or make them. Raises StoreError."""
        self._log_path = folder / LOG
        witness = folder.with_name(folder.name + WITNESS)
        self.hall = ""
        """The hall's own number, drawn at random and kept."""
        self.damaged = 0
        """How many lines were left out because they were damaged."""
        self._document: bytes | None = None
        self._earlier: deque[bytes] = deque(maxlen=MOST_UNDONE)
        try:
            set_aside.clear_the_way([self._log_path, witness], [folder])
            known = folder.exists() and not self._log_path.exists()
            folder.mkdir(parents=True, exist_ok=True)
            # Without a buffer: what couldn't be written must not come with the next line.
            self._log = open(self._log_path, "a+b", buffering=0)  # noqa: SIM115 (stays open)
            self._log_path.chmod(0o600)
            self._witness = os.open(witness, os.O_RDWR | os.O_CREAT, 0o600)
            sync(folder)
            # SQLite keeps in memory what fits there. The hall's lock lets in one thread at a time.
            self._base = sqlite3.connect("", check_same_thread=False)
            self._base.row_factory = sqlite3.Row
            self._base.executescript(_TABLE)
            self._read_log()
            said = _read(os.pread(self._witness, _WITNESS_BYTES, 0).partition(b"\n")[0])
            self.older = known or (
                said is not None and (said["hall"] != self.hall or said["bytes"] > self._size())
            )
            """Whether the log is older than the one saved last, another hall's, or gone."""
            if not self.hall:
                self._append({"hall": secrets.token_hex(8)})
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{folder}: {error}") from error

    def close(self) -> None:
        """Close all files of the store."""
        self._log.close()
        os.close(self._witness)
        self._base.close()

    # Results

    def keep_results(self, told: Iterable[ToldResult]) -> int:
        """Keep results that tables told; return how many of them are news. Raises StoreError."""
        news: dict[tuple[str, str, int], ToldResult] = {}
        for each in told:
            message = each.message
            name = each.name, message["table"]["id"], message["game"]
            known = self._base.execute(
                "SELECT events, withdrawn FROM result WHERE name = ? AND table_id = ? AND game = ?",
                name,
            ).fetchone()
            if name in news:
                known = news[name].message["events"], news[name].message["withdrawn"]
            # A game that was resumed has more events when it ends again.
            if known is None or (message["events"], message["withdrawn"]) > tuple(known):
                news[name] = each
        if news:
            self._append(
                *({"result": each.message, "name": each.name, "at": each.at}
                  for each in news.values())
            )  # fmt: skip
        return len(news)

    def results(self, newest: int = -1, since: str = "") -> list[KeptResult]:
        """Return results that weren't withdrawn, the newest first.

        newest: at most so many; since: none before this time.
        """
        rows = self._base.execute(
            "SELECT * FROM result WHERE NOT withdrawn AND at >= ?"
            " ORDER BY at DESC, name, game DESC LIMIT ?",
            (since, newest),
        )
        return [_parse_row(row) for row in rows]

    def games_of(self, name: str) -> list[TableGame]:
        """Return the games of the tables of a name that weren't withdrawn."""
        rows = self._base.execute(
            "SELECT * FROM result WHERE NOT withdrawn AND name = ? ORDER BY at, game", (name,)
        )
        return [_parse_row(row).game for row in rows]

    def last_games(self) -> Mapping[tuple[str, str], int]:
        """Return the number of the last game of each table, by name and the table's own number."""
        rows = self._base.execute(
            "SELECT name, table_id, max(game) AS game FROM result GROUP BY name, table_id"
        )
        return {(row["name"], row["table_id"]): row["game"] for row in rows}

    # The tournament

    def keep_document(self, payload: bytes, step: DocumentStep) -> None:
        """Keep a state of the tournament; earlier ones stay in the log. Raises StoreError."""
        self._append({"document": payload.decode("utf-8"), "step": step})

    def document(self) -> bytes | None:
        """Return the newest state of the tournament; None if there never was one."""
        return self._document

    def document_before(self) -> bytes | None:
        """Return the state before the last change that can be undone; None if none can be.

        It is empty if there was no tournament yet.
        """
        return self._earlier[-1] if self._earlier else None

    # The files

    def _append(self, *entries: Mapping[str, Any]) -> None:
        lines = b"".join(map(_line, entries))
        try:
            size = self._size()
        except OSError as error:
            raise StoreError(f"{self._log_path}: {error}") from error
        if size + len(lines) > MOST_BYTES:
            raise StoreError(f"{self._log_path}: full, {MOST_BYTES >> 20} MiB of results")
        try:
            self._write(lines)
            with self._base:
                for entry in entries:
                    self._enter(entry)
        except (OSError, sqlite3.Error) as error:
            # What doesn't count must not be in the log, and half a line must not spoil the next.
            with suppress(OSError):
                os.ftruncate(self._log.fileno(), size)
            raise StoreError(f"{self._log_path}: {error}") from error
        said = _line({"hall": self.hall, "bytes": self._size()}).ljust(_WITNESS_BYTES)
        with suppress(OSError):
            os.pwrite(self._witness, said, 0)

    def _write(self, lines: bytes) -> None:
        """Add lines to the log; they are on the disk then."""
        while lines:
            lines = lines[self._log.write(lines) :]
        os.fsync(self._log.fileno())

    def _size(self) -> int:
        return os.fstat(self._log.fileno()).st_size

    def _read_log(self) -> None:
        """Read all lines."""
        content = b"\n"
        with open(self._log_path, "rb") as file, self._base:
            for content in file:
                entry = _read(content)
                try:
                    if entry is not None:
                        self._enter(entry)
                except LookupError:
                    # A later version may write lines of other kinds.
                    entry = None
                self.damaged += entry is None and bool(content.strip())
        if not content.endswith(b"\n"):
            # Whatever was cut off ends here.
            self._write(b"\n")

    def _enter(self, entry: Mapping[str, Any]) -> None:
        if "hall" in entry:
            self.hall = entry["hall"]
            return
        if "document" in entry:
            self._enter_document(entry["document"].encode("utf-8"), entry.get("step", ""))
            return
        message = entry["result"]
        rules, outcome = message.get("rules", {}), message.get("outcome", {})
        seats = [
            PlayedSeat(
                player["name"],
                player.get("role") or "",
                seat in outcome["winners"],
                player["alive"],
                outcome.get("eliminated", ())[-1:] == [seat],
            )
            for seat, player in enumerate(message.get("players", ()))
        ]
        stand_ins = [player["name"] for player in message.get("players", ()) if player["stand_in"]]
        self._base.execute(
            "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                message["table"]["id"],
                message["game"],
                message["events"],
                message["withdrawn"],
                entry["name"],
                entry["at"],
                outcome.get("side", ""),
                rules.get("ruleset", ""),
                rules.get("game", ""),
                json.dumps([seats, stand_ins]),
            ),
        )

    def _enter_document(self, payload: bytes, step: str) -> None:
        match step:
            case DocumentStep.CHANGE:
                self._earlier.append(self._document or b"")
            case DocumentStep.UNDO if self._earlier:
                self._earlier.pop()
            case _:
                self._earlier.clear()
        self._document = payload


_WITNESS_BYTES = 128
"""Within one sector of the disk, so that a pulled plug leaves no half of it."""


def _line(entry: Mapping[str, Any]) -> bytes:
    text = json.dumps(entry, separators=(",", ":"))
    return f"{_checksum(text)} {text}\n".encode()


def _checksum(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _read(line: bytes) -> Mapping[str, Any] | None:
    """Return what a line says; None if it is damaged."""
    try:
        checksum, text = line.decode().rstrip("\n").split(" ", 1)
    except ValueError:
        return None
    if checksum != _checksum(text):
        return None
    found: Mapping[str, Any] = json.loads(text)
    return found


def _parse_row(row: sqlite3.Row) -> KeptResult:
    seats, stand_ins = json.loads(row["seats"])
    return KeptResult(
        row["at"],
        TableGame(
            row["table_id"],
            row["name"],
            row["game"],
            row["side"],
            tuple(PlayedSeat(*seat) for seat in seats),
        ),
        row["kind"],
        row["ruleset"],
        frozenset(stand_ins),
    )
