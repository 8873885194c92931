"""The SQLite file of the statistics: worked out from the records, and worth nothing without them.

So it is simply made anew if it is missing, damaged or of another version. Each record is read once:
it has a row in `file` with a stamp that changes with the file.
"""

import logging
import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from companion.base.names import key_of
from companion.games.common.lines import RecordError
from companion.games.common.texts import is_text
from companion.games.summary import GameSummary
from companion.memory.statistics import notes
from companion.memory.statistics.notes import GameNotes, NotesError
from companion.memory.statistics.players import PlayerNames, is_deleted
from companion.memory.statistics.rating import Handicap, RatedSeat, Rating, rate
from companion.memory.statistics.summary import FACES, RATED, summarise

FILE = "statistics.sqlite3"
"""The name of the file in the data folder."""

VERSION = 6
"""The version of the tables. A file of any other is made anew."""

BATCH = 100
"""How many games are added at once; whatever is interrupted goes on behind them."""

COUNTS = tuple(f"f{place}" for place in range(len(FACES)))
"""The columns with how often each face came up, in the order of FACES; NULL without dice."""

_log = logging.getLogger(__name__)

_FACES = ", ".join(f"{count} INTEGER" for count in COUNTS)

_TABLES = Path(__file__).with_name("tables.sql").read_text("utf-8").format(faces=_FACES)

_EVERY_TABLE = re.findall(r"CREATE TABLE (\w+)", _TABLES)


_ON_TABLE = "table "


class Source(NamedTuple):
    """A record that statistics are made from."""

    stamp: str
    """Changes whenever the record or its notes change."""
    read: Callable[[], tuple[bytes, GameNotes]]
    """Returns both. Raises OSError, and NotesError."""


def table_stamp(record: bytes, said: GameNotes) -> str:
    """Return the stamp of a game that is still on the table: its record is no file yet."""
    return _ON_TABLE + sha256(record + notes.to_json(said)).hexdigest()


class UncountedRecord(NamedTuple):
    """A record that doesn't count."""

    name: str
    """Its name."""
    line: int | None
    """The first wrong line; 0 if the file can't be read, None if it isn't a line that is wrong."""
    what: str
    """What is wrong with it; the name of another record if it is the same game as that."""
    copy: bool
    """Whether it is only the same game as another."""

    @property
    def where(self) -> str:
        """The file in the data folder, with the first wrong line: `games/ABCD-1.jsonl:7`."""
        if self.line:
            return f"games/{self.name}.jsonl:{self.line}"
        whole = self.copy or self.line == 0
        return f"games/{self.name}{'.jsonl' if whole else notes.SUFFIX}"


class StatisticsError(Exception):
    """The file can't be read or written; the text names it and says why."""


class Database:
    """The file. Any thread may use it: each use has a connection of its own."""

    def __init__(self, path: Path) -> None:
        """path: of the file, which the first `update` makes."""
        self.path = path
        self._checked = False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open the file to read it; all that is read fits together. Raises StatisticsError."""
        if not self.path.is_file():
            raise StatisticsError(f"{self.path}: no such file")
        path = f"{self.path.absolute().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(path, uri=True, isolation_level=None)) as base:
                base.row_factory = sqlite3.Row
                base.execute("BEGIN")
                yield base
        except sqlite3.Error as error:
            raise StatisticsError(f"{self.path}: can't be read: {error}") from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open the file to change it, all or nothing. Raises StatisticsError."""
        try:
            with closing(sqlite3.connect(self.path, timeout=60, isolation_level=None)) as base:
                # Readers never wait for this. What a power cut takes is worked out again.
                base.execute("PRAGMA journal_mode = WAL")
                base.execute("PRAGMA synchronous = NORMAL")
                # A name that was deleted must not stay in the file.
                base.execute("PRAGMA secure_delete = ON")
                base.row_factory = sqlite3.Row
                base.execute("BEGIN IMMEDIATE")
                yield base
                base.execute("COMMIT")
        except sqlite3.Error as error:
            # Look once more whether the file is sound.
            self._checked = False
            raise StatisticsError(f"{self.path}: can't be written: {error}") from error

    def remove(self) -> None:
        """Delete the file. Raises StatisticsError."""
        try:
            for suffix in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        except OSError as error:
            raise StatisticsError(f"{error.filename}: {error.strerror}") from error

    def update(
        self,
        sources: Mapping[str, Source],
        names: PlayerNames,
        *,
        anew: bool = False,
        step: Callable[[int, int], None] = lambda done, total: None,
        stop: Callable[[], bool] = lambda: False,
        apart: Collection[str] = (),
    ) -> bool:
        """Bring the file in line with the records; return whether anything changed.

        sources: the records by name; names: what players are called; anew: read all of them again;
        step: told how many of the records to read have been read, and how many these are; stop:
        returns whether to stop early; apart: names of records that stay as they are. Raises
        StatisticsError.
        """
        changed = self._prepare()
        known = self._stamps()
        # What was worked out on the table counts for the file, too.
        filed_now = [
            (source.stamp, name)
            for name, source in sources.items()
            if not anew and _was_on_table(source, known.get(name, ""))
        ]
        known |= {name: stamp for stamp, name in filed_now}
        stale = [
            name
            for name, stamp in known.items()
            if name not in apart and (anew or name not in sources or sources[name].stamp != stamp)
        ]
        # What couldn't be read has no stamp, and is tried again each time.
        forgotten = [name for name in stale if known[name]]
        filed = sorted(name for name in forgotten if not known[name].startswith(_ON_TABLE))
        if filed and not anew:
            shown = ", ".join(filed[:5])
            _log.warning("%d records have changed, or are gone: %s", len(filed), shown)
        # Each time that the file is closed, whatever changed in it is written once more.
        with self.writing() as base:
            base.executemany("UPDATE file SET stamp = ? WHERE name = ?", filed_now)
            if len(stale) == len(known):
                for table in _EVERY_TABLE:
                    base.execute(f"DELETE FROM {table}")
                known = {}
            else:
                for name in {*stale, *_forget(base, stale)}:
                    del known[name]
            new = sorted(sources.keys() - known.keys() - set(apart))
            changed = changed or bool(stale or new or filed_now)
            for done in range(0, len(new), BATCH):
                if stop():
                    return True
                for name in islice(new, done, done + BATCH):
                    _add(base, name, sources[name])
                if done + BATCH < len(new):
                    base.execute("COMMIT")
                    base.execute("BEGIN IMMEDIATE")
                step(min(done + BATCH, len(new)), len(new))
            before = base.total_changes
            moved = _name_players(base, names)
            _rate(base, lambda: step(len(new), len(new)), anew=moved or bool(forgotten))
            changed = changed or base.total_changes > before
        if stale:
            self._shorten_log()
        return changed

    def count_unread(self, sources: Mapping[str, Source]) -> int:
        """Return how many records `update` would read. Raises StatisticsError."""
        if not self.path.is_file() or self._wrong_with_it():
            return len(sources)
        known = self._stamps()
        return sum(known.get(name) != source.stamp for name, source in sources.items())

    def _stamps(self) -> dict[str, str]:
        """Return the stamp of each record that was read, by its name."""
        with self.reading() as base:
            return {row["name"]: row["stamp"] for row in base.execute("SELECT * FROM file")}

    def _prepare(self) -> bool:
        """Make the file if it is missing, damaged or of another version; return whether it was."""
        if self.path.is_file():
            wrong = self._wrong_with_it()
            self._checked = True
            if not wrong:
                return False
            _log.warning("%s: %s; it is made anew from the records", self.path, wrong)
        self.remove()
        try:
            with closing(sqlite3.connect(self.path, isolation_level=None)) as base:
                base.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
            self.path.chmod(0o600)
        except (sqlite3.Error, OSError) as error:
            raise StatisticsError(f"{self.path}: can't be written: {error}") from error
        self._checked = True
        return True

    def _wrong_with_it(self) -> str:
        """Return why the file must be made anew, "" if not. Raises StatisticsError."""
        try:
            with self.reading() as base:
                (version,) = base.execute("PRAGMA user_version").fetchone()
                if version != VERSION:
                    return f"it has version {version}, not {VERSION}"
                tables = {row["name"] for row in base.execute("SELECT name FROM sqlite_master")}
                if missing := set(_EVERY_TABLE) - tables:
                    return f"the table {min(missing)} is missing"
                if self._checked:
                    return ""
                (check,) = base.execute("PRAGMA quick_check(1)").fetchone()
                return "" if check == "ok" else f"damaged: {check}"
        except StatisticsError as error:
            # SQLite opens three. While none can be opened, the file may be sound.
            try:
                with ExitStack() as opened:
                    for _ in range(3):
                        opened.enter_context(self.path.open("rb"))
            except OSError as fault:
                raise StatisticsError(f"{self.path}: can't be read: {fault.strerror}") from fault
            return f"damaged: {error.__cause__}"

    def _shorten_log(self) -> None:
        """Empty the write-ahead log, which may hold what was deleted."""
        try:
            with closing(sqlite3.connect(self.path, timeout=1)) as base:
                base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            _log.info("%s: its log is emptied later: %s", self.path, error)

    def wrong_records(self) -> Sequence[UncountedRecord]:
        """Return the records that don't count, and why. Raises StatisticsError."""
        with self.reading() as base:
            return uncounted_records(base)


def uncounted_records(base: sqlite3.Connection, most: int = -1) -> tuple[UncountedRecord, ...]:
    """Return the records that don't count, and why; the first so many, or all."""
    rows = base.execute(
        "SELECT name, line, what, status = 'copy' FROM file WHERE status IN ('wrong', 'copy')"
        " ORDER BY name LIMIT ?",
        (most,),
    )
    return tuple(UncountedRecord(name, line, what, bool(copy)) for name, line, what, copy in rows)


def _was_on_table(source: Source, stamp: str) -> bool:
    """Return whether a file holds the game with this stamp, which was still on the table."""
    if not stamp.startswith(_ON_TABLE) or source.stamp.startswith(_ON_TABLE):
        return False
    try:
        return table_stamp(*source.read()) == stamp
    except (OSError, NotesError):
        return False


def _forget(base: sqlite3.Connection, names: Sequence[str]) -> Sequence[str]:
    """Delete what was made from these records, and their copies, which count now.

    Returns the names of the copies.
    """
    copies: list[str] = []
    for name in names:
        base.execute("DELETE FROM file WHERE name = ?", (name,))
        found = base.execute("SELECT id, digest FROM game WHERE name = ?", (name,)).fetchone()
        if found is None:
            continue
        for part in ("seat", "shot", "reading"):
            base.execute(f"DELETE FROM {part} WHERE game = ?", (found["id"],))
        base.execute("DELETE FROM game WHERE id = ?", (found["id"],))
        same = "status = 'copy' AND digest = ?"
        copies += [
            row["name"]
            for row in base.execute(f"SELECT name FROM file WHERE {same}", (found["digest"],))
        ]
        base.execute(f"DELETE FROM file WHERE {same}", (found["digest"],))
    return copies


def _add(base: sqlite3.Connection, name: str, source: Source) -> None:
    """Add a game, or note why its record doesn't count."""

    def note(status: str, what: str = "", line: int | None = None, digest: str = "") -> None:
        base.execute(
            "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?)",
            (name, "" if line == 0 else source.stamp, status, digest, line, what),
        )

    try:
        record, said = source.read()
    except OSError as error:
        note("wrong", str(error.strerror), 0)
        return
    except NotesError as error:
        note("wrong", str(error))
        return
    try:
        game = summarise(record)
    except RecordError as error:
        note("wrong", str(error), error.line)
        return
    if not all(is_text(seat.name) for seat in game.seats):
        note("wrong", "a name that no page can show", 1)
        return
    other = base.execute("SELECT name FROM game WHERE digest = ?", (game.digest,)).fetchone()
    if other is not None:
        note("copy", other["name"], digest=game.digest)
        return
    note("counted", digest=game.digest)
    _insert(base, name, game, said)


def _insert(base: sqlite3.Connection, name: str, game: GameSummary, said: GameNotes) -> None:
    count, over = len(game.seats), bool(game.side)
    faces = [sum(of_face) for of_face in zip(*(s.thrown for s in game.seats), strict=True)]
    no_dice = [None] * len(FACES)
    number = base.execute(
        f"INSERT INTO game VALUES (NULL, {_marks(10 + len(FACES))})",
        # There is nothing to rate in a game that was stopped.
        (game.kind, name, game.digest, game.date or said.date, game.ruleset, count, game.side,
         game.turns, said.dice, not over or game.kind != RATED, *(faces or no_dice)),
    ).lastrowid  # fmt: skip
    base.executemany(
        f"INSERT INTO seat VALUES ({_marks(16 + len(FACES))})",
        [
            (number, seat, game.kind, each.name, said.stand_ins.get(seat, ""), None,
             # Roles of a game that was stopped are nobody's business.
             *((each.role, each.team) if over else ("", "")),
             each.character, each.place, each.won, each.alive, over, count, None, None,
             *(each.thrown or no_dice))
            for seat, each in enumerate(game.seats)
        ],
    )  # fmt: skip
    base.executemany(
        "INSERT INTO shot VALUES (?, ?, ?, ?)",
        [(number, *seats, shots) for seats, shots in game.shots.items()],
    )
    base.executemany(
        "INSERT INTO reading VALUES (?, ?, ?, ?)",
        [(number, *faces_read, dice) for faces_read, dice in said.readings.items()],
    )


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _name_players(base: sqlite3.Connection, names: PlayerNames) -> bool:
    """Give each seat its player; return whether one that had a player has another now."""
    spellings: dict[str, dict[str, tuple[int, int]]] = {}
    for name, rated, games in base.execute(
        "SELECT name, sum(kind = ?), count(*) FROM seat WHERE level = '' GROUP BY name", (RATED,)
    ):
        if not is_deleted(name):
            # Other games choose among spellings that no rated one has.
            spellings.setdefault(key_of(name), {})[name] = (rated, 0 if rated else games)
    given: dict[str, list[str]] = {}
    for key, found in spellings.items():
        # As the host said, or as they spelled it most often.
        called = names.name_for(key) or max(sorted(found), key=found.__getitem__)
        given.setdefault(called, []).extend(found)
    _rename_in_place(base, given)
    moved = 0
    for called, names_given in given.items():
        player = _player(base, called, "")
        for name in names_given:
            others = "level = '' AND name = ? AND player <> ?"
            (seats,) = base.execute(
                f"SELECT count(*) FROM seat WHERE {others}", (name, player)
            ).fetchone()
            moved += seats
            base.execute(
                "UPDATE seat SET player = ? WHERE level = '' AND name = ? AND player IS NOT ?",
                (player, name, player),
            )
    for (level,) in base.execute("SELECT DISTINCT level FROM seat WHERE level <> ''").fetchall():
        player = _player(base, level, level)
        base.execute(
            "UPDATE seat SET player = ? WHERE level = ? AND player IS NULL", (player, level)
        )
    base.execute("DELETE FROM player WHERE id NOT IN (SELECT player FROM seat WHERE player > 0)")
    return bool(moved)


def _rename_in_place(base: sqlite3.Connection, given: Mapping[str, Sequence[str]]) -> None:
    """Give a player another name, if they are the same person in the same games.

    Then nothing has to be rated again. given: the names in records, by what the player is called.
    """
    whose: dict[int, set[str]] = {}
    for player, name in base.execute(
        "SELECT DISTINCT player, name FROM seat WHERE level = '' AND player IS NOT NULL"
    ):
        whose.setdefault(player, set()).add(name)
    for called, names in given.items():
        same = [player for player, theirs in whose.items() if theirs & set(names)]
        if len(same) == 1 and whose[same[0]] <= set(names):
            base.execute(
                "UPDATE OR IGNORE player SET name = ? WHERE id = ? AND name <> ?",
                (called, same[0], called),
            )


def _player(base: sqlite3.Connection, name: str, level: str) -> int:
    base.execute("INSERT OR IGNORE INTO player (name, level) VALUES (?, ?)", (name, level))
    found = "SELECT id FROM player WHERE name = ? AND level = ?"
    return int(base.execute(found, (name, level)).fetchone()[0])


def _rate(base: sqlite3.Connection, step: Callable[[], None], *, anew: bool) -> None:
    """Rate the players of games that aren't rated yet, in the order in which they were played.

    step: called now and then, to show that it goes on; anew: rate all games. That is also done if a
    game came in between.
    """
    last = base.execute("SELECT date, name FROM rated").fetchone()
    if last is not None and not anew:
        earlier = "SELECT 1 FROM game WHERE NOT rated AND (date, name) < (?, ?) LIMIT 1"
        anew = base.execute(earlier, tuple(last)).fetchone() is not None
    if anew:
        base.execute("UPDATE player SET mean = NULL, doubt = NULL")
        base.execute("UPDATE game SET rated = (side = '' OR kind <> ?)", (RATED,))
        base.execute("DELETE FROM handicap")
        base.execute("DELETE FROM rated")
    players: dict[int, Rating] = {
        row["id"]: Rating(row["mean"], row["doubt"])
        for row in base.execute("SELECT * FROM player WHERE mean IS NOT NULL")
    }
    handicaps: dict[Handicap, Rating] = {
        (row["players"], row["team"]): Rating(row["mean"], row["doubt"])
        for row in base.execute("SELECT * FROM handicap")
    }
    games: dict[int, list[sqlite3.Row]] = {}
    position: tuple[str, str] | None = None
    for row in base.execute(
        "SELECT game, seat, player, team, won, date, game.name AS record FROM game"
        " JOIN seat ON game = id WHERE NOT rated ORDER BY date, game.name, seat"
    ):
        games.setdefault(row["game"], []).append(row)
        position = row["date"], row["record"]
    if position is None:
        return
    ratings: list[tuple[float, float, int, int]] = []
    for place, (number, rows) in enumerate(games.items()):
        if place % (10 * BATCH) == 10 * BATCH - 1:
            step()
        # A player who was deleted plays as somebody new each time.
        whose = [-row["seat"] - 1 if row["player"] is None else row["player"] for row in rows]
        seats = [
            RatedSeat(player, row["team"], bool(row["won"]))
            for player, row in zip(whose, rows, strict=True)
        ]
        after, sides = rate(seats, players, handicaps)
        handicaps |= sides
        players |= {player: rating for player, rating in after.items() if player > 0}
        ratings += [
            (*after[player], number, row["seat"]) for player, row in zip(whose, rows, strict=True)
        ]
    base.executemany("UPDATE seat SET mean = ?, doubt = ? WHERE game = ? AND seat = ?", ratings)
    base.executemany(
        "UPDATE player SET mean = ?, doubt = ? WHERE id = ?",
        [(*rating, player) for player, rating in players.items()],
    )
    base.executemany(
        "INSERT OR REPLACE INTO handicap VALUES (?, ?, ?, ?)",
        [(*side, *rating) for side, rating in handicaps.items()],
    )
    base.execute("UPDATE game SET rated = 1 WHERE NOT rated")
    base.execute("DELETE FROM rated")
    base.execute("INSERT INTO rated VALUES (?, ?)", position)
