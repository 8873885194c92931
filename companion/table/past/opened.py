"""Records of other tables, opened to be watched: uploaded in pieces and kept in memory alone."""

import hashlib
import itertools
import threading
from collections import OrderedDict
from collections.abc import Mapping

from companion.base.listeners import Listeners
from companion.base.refused import Problem, Refused
from companion.games.game import Game
from companion.table.history import UnreadableRecordError
from companion.table.journal.journal import Journal, JournalError
from companion.table.past.replays import Replay, from_record

MOST_BYTES = 256 * 1024
"""The largest record that is taken: those of long games with eight players have a tenth of it."""

MOST_LINES = 3000
"""The most lines of a record."""

MOST = 4
"""How many opened records are kept, and how many uploads; the oldest makes room for the next."""


class OpenedRecords:
    """The opened records of one table. Any thread may call."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        """`games`: by the name in the headers of their records."""
        self._games = games
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._opened: OrderedDict[int, Replay] = OrderedDict()
        self._kept: set[int] = set()
        self.listeners = Listeners()
        """Told whenever one is kept."""
        self._pieces: dict[int, bytes] = {}

    def receive(self, person: int, at: int, size: int, piece: bytes) -> int | None:
        """Take a piece of a record; after the last one, open it and return its number.

        at: where the piece begins; size: of the whole file; both in bytes. Raises Refused, and
        UnreadableRecordError if the record is wrong.
        """
        if not 0 < size <= MOST_BYTES:
            raise Refused(
                Problem.ILLEGAL,
                "a record has at most %(most)s kB; this file is no record of a game",
                most=MOST_BYTES // 1024,
            )
        with self._lock:
            before = b"" if at == 0 else self._pieces.pop(person, b"")
            if len(before) != at or not piece or at + len(piece) > size:
                raise Refused(Problem.STALE, "The upload was interrupted. Choose the file again.")
            received = before + piece
            if len(received) < size:
                self._pieces[person] = received
                while len(self._pieces) > MOST:
                    self._pieces.pop(next(iter(self._pieces)))
                return None
            found = read(received, self._games)
            number = next(self._numbers)
            self._opened[number] = found
            while len(self._opened) > MOST:
                self._opened.popitem(last=False)
            return number

    def replay(self, number: int) -> Replay | None:
        """Return an opened record; None if it is gone."""
        return self._opened.get(number)

    def keep(self, number: int, journal: Journal) -> None:
        """Keep an opened record with the games of this table. Raises Refused."""
        opened = self.replay(number)
        if opened is None:
            raise Refused(Problem.STALE, "This record is gone. Open it again.")
        if opened.history.standing.outcome is None:
            raise Refused(Problem.ILLEGAL, "only games that are over can be kept")
        record = opened.history.record
        name = f"opened-{hashlib.sha256(record.encode()).hexdigest()[:12]}"
        try:
            journal.keep_record(name, record)
        except JournalError as error:
            raise Refused(
                Problem.FAILED, "nothing was changed: %(error)s", error=journal.fault
            ) from error
        self._kept.add(number)
        self.listeners.tell()

    def is_kept(self, number: int) -> bool:
        """Return whether a record is kept with the games of this table."""
        return number in self._kept


def read(record: bytes, games: Mapping[str, Game]) -> Replay:
    """Return the game of a record of another table. Raises UnreadableRecordError.

    games: by the name in the headers of their records.
    """
    lines = record.removesuffix(b"\n").count(b"\n") + 1
    if lines > MOST_LINES or len(record) > MOST_BYTES:
        raise UnreadableRecordError(MOST_LINES + 1, f"more than {MOST_LINES} lines", None)
    return from_record(record, games)
