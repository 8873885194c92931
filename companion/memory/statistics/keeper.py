"""Keeps the statistics of one table up to date, and does what the host asks on their page."""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from companion.base import set_aside
from companion.base.listeners import Listeners
from companion.base.names import check_name, key_of
from companion.base.refused import Problem, Refused
from companion.base.worker import STOP_S, Worker, WorkerThread
from companion.camera.setup_store import note_files, save_whole
from companion.memory.statistics import deletion, players, queries
from companion.memory.statistics.database import FILE, Database, Source, StatisticsError
from companion.memory.statistics.deletion import Deletion
from companion.memory.statistics.notes import USED, DiceUsed, GameNotes, NoteKeeper, notes_on
from companion.memory.statistics.players import PlayerNames, PlayersError
from companion.memory.statistics.reader_process import MANY, ReaderProcess
from companion.memory.statistics.sources import on_table, records
from companion.table.changes import Press, check_host
from companion.table.journal.journal import GAMES, number_of
from companion.table.past.past_games import finished_game
from companion.table.scene import Phase, Scene
from companion.table.table import Table

_T = TypeVar("_T")
_P = ParamSpec("_P")

Rows = Iterable[Mapping[str, object]]
"""Rows of a table, each with its cells by their columns."""

_log = logging.getLogger(__name__)


class StatisticsWork(NamedTuple):
    """What the statistics are busy with."""

    deleting: bool
    """Whether games or players are being deleted; otherwise, records are being read."""
    done: int = 0
    """How many files were read."""
    total: int = 0
    """How many there are to read; 0 if unknown."""


class Statistics(Worker):
    """The statistics of one table, made and changed in a thread of their own. Any thread may call.

    They lag behind the table by the time that this takes, and never hold it up.
    """

    def __init__(self, folder: Path, table: Table, dice: Callable[[], str | None]) -> None:
        """Keep the statistics in the data folder `folder`.

        dice: returns the set of dice that the camera reads now.
        """
        # A second thread would wait for the database that one that hangs has locked.
        super().__init__("statistics", replaced=False)
        self._folder, self._table = folder, table
        self._used = DiceUsed(folder / USED, dice)
        self._database = Database(folder / FILE)
        self._reader = ReaderProcess(folder)
        self.listeners = Listeners()
        """Told whenever the page is to show something else."""
        self._lock = threading.Lock()
        self._shown: object = None
        self.revision = 0
        """Grows whenever the statistics change."""
        self.work: StatisticsWork | None = None
        """What they are busy with; None if they are up to date."""
        self.fault = ""
        """Why they can't be kept; empty while they can."""
        self.set_aside = ""
        """The folder that keeps a damaged list of players; empty if it wasn't damaged."""
        self._names = self._load_names()
        table.past.accompany(NoteKeeper(self._used))

    # Keeping them up to date

    def look(self) -> None:
        """Note that the table may have changed; returns immediately."""
        scene = self._table.scene
        if self._used.look(scene):
            self.wake()
        number = scene.history.number if scene.history is not None else 0
        try:
            # It changes with every record that comes or goes, also one that a person copied there.
            files = (self._folder / GAMES).stat().st_mtime_ns
        except OSError:
            files = 0
        shown = number, scene.phase is Phase.OVER, files
        if shown != self._shown:
            self._shown = shown
            self.wake()

    def reload(self) -> None:
        """Read what a backup brought, also who is who; returns immediately."""
        self._names = self._load_names()
        self.wake()

    def catch_up(self, thread: WorkerThread) -> None:
        """Carry out what is to be deleted, and read what is new."""
        self.bring_up_to_date()
        if self.fault:
            # Every page tells it, that of the statistics why; and it is tried again.
            raise StatisticsError(self.fault)

    def unblock(self) -> None:
        """End a process that hangs; the table reads what it has left."""
        self._reader.stop()

    def bring_up_to_date(self) -> None:
        """Carry out what is to be deleted, and read what is new; return when that is done.

        Or once that takes the thread too long already, which then goes on alone.
        """
        if not self._lock.acquire(timeout=STOP_S):
            self.wake()
            return
        try:
            before = self.revision, self.fault
            try:
                self._used.save()
                self._delete_pending()
                sources = self._sources()
                read_apart = self._read_many(sources)
                if read_apart | self._database.update(
                    sources,
                    self._names,
                    step=lambda done, total: self._busy(StatisticsWork(False, done, total)),
                    stop=self._stopped.is_set,
                ):
                    self.revision += 1
                self.fault = ""
            except StatisticsError as error:
                self.fault = str(error)
            except OSError as error:
                self.fault = f"{error.filename}: {error.strerror or error}"
        finally:
            busy, self.work = self.work, None
            self._lock.release()
        if self.fault and self.fault != before[1]:
            _log.warning("%s", self.fault)
        if busy is not None or (self.revision, self.fault) != before:
            self.listeners.tell()

    def _read_many(self, sources: Mapping[str, Source]) -> bool:
        """Let another process read if there is much to read; return whether there was."""
        if self._database.count_unread(sources) < MANY or self._stopped.is_set():
            return False
        self._busy(StatisticsWork(False))
        on_table = sources.keys() - records(self._folder).keys()
        self._reader.read(
            on_table, lambda done, total: self._busy(StatisticsWork(False, done, total))
        )
        if self._reader.fault and not self._stopped.is_set():
            self._say(self._reader.fault)
            # Once all is read, it has passed.
            self.wake()
        return True

    def _sources(self) -> Mapping[str, Source]:
        found = dict(records(self._folder))
        scene = self._table.scene
        finished = finished_game(scene)
        if finished is not None and finished.name not in found:
            found[finished.name] = on_table(finished.record, self._notes(scene))
        return found

    def _notes(self, scene: Scene) -> GameNotes:
        return notes_on(scene, self._used.dice_of(scene))

    def _delete_pending(self) -> None:
        due = deletion.pending(self._folder)
        if due is None:
            return
        self._busy(StatisticsWork(True))

        def step(done: int, total: int) -> None:
            if done % 100 == 0:
                self._busy(StatisticsWork(True, done, total))

        deletion.carry_out(self._folder, due, self._table.scene.code, step)
        self._names = self._load_names()
        deletion.finish(self._folder)
        note_files(self._folder)
        self._table.past.refresh()
        self.revision += 1

    def _busy(self, work: StatisticsWork) -> None:
        self.work = work
        self.progress()
        self.listeners.tell()

    # Looking

    def ask(
        self,
        query: Callable[Concatenate[sqlite3.Connection, _P], _T],
        *given: _P.args,
        **named: _P.kwargs,
    ) -> _T | None:
        """Return the answer to a query (`companion.memory.statistics.queries`).

        None if there is none: nothing was read yet, or the file can't be read.
        """
        try:
            with self._database.reading() as base:
                return query(base, *given, **named)
        except StatisticsError as error:
            if not self.work:
                _log.info("%s", error)
                self.wake()
            return None

    def page(self, page: str, name: str, level: str, before: str) -> object:
        """Return what a page of the statistics shows; None if there is nothing to show."""
        if page == "overview":
            return self.ask(queries.all_games)
        if page == "player":
            return self.ask(queries.player_games, level or name, level)
        if page == "dice":
            return self.ask(queries.dice_sets)
        return self.ask(queries.games_page, before)

    def names(self) -> Sequence[str]:
        """Return what all people are called, sorted."""
        return self.ask(queries.player_names) or ()

    def number(self, name: str) -> int | None:
        """Return the number of one of this table's games, by its record; None of any other."""
        return number_of(name, self._table.scene.code)

    # For other programs

    def every_seat(self, write: Callable[[Rows], str]) -> str:
        """Return what `write` makes of a row for each player of each game.

        It is given them one by one: all at once may be too much for a small Pi.
        """
        return self.ask(lambda base: write(queries.every_seat(base))) or ""

    def every_player(self, write: Callable[[Rows], str]) -> str:
        """Return what `write` makes of a row for each player."""
        return self.ask(lambda base: write(queries.every_player(base))) or ""

    def every_set(self, write: Callable[[Rows], str]) -> str:
        """Return what `write` makes of a row for each face of each set of dice."""
        return self.ask(lambda base: write(queries.every_set(base))) or ""

    # What the host asks

    def rename(self, press: Press, player: str, name: str) -> str:
        """Call a player something else, in all games and those to come; return the new name.

        Raises Refused.
        """
        self._check(press)
        given = self._names_of(player)
        others = set(self.names()) - {player}
        name = check_name(name, ())
        if key_of(name) in map(key_of, others):
            raise Refused(
                Problem.ILLEGAL, "somebody is called %(name)s already: merge the two", name=name
            )
        self._save(self._names.with_name([*given, name], name))
        return name

    def merge(self, press: Press, player: str, other: str) -> None:
        """Count the games of `player` as those of `other`. Raises Refused if they met in one."""
        self._check(press)
        if player == other:
            raise Refused(Problem.ILLEGAL, "choose two different players")
        given = [*self._names_of(player), *self._names_of(other)]
        if met := self.ask(queries.both_played, player, other):
            game, date = met
            raise Refused(
                Problem.ILLEGAL,
                "%(one)s and %(other)s both played in game %(game)s, so they are two people",
                one=player,
                other=other,
                game=f"{game} ({date[:10]})" if date else game,
            )
        self._save(self._names.with_name(given, other))

    def separate(self, press: Press, player: str) -> None:
        """Count the games of each name that a player gave by themselves again. Raises Refused."""
        self._check(press)
        self._save(self._names.without([*self._names_of(player), player]))

    def delete_game(self, press: Press, name: str) -> None:
        """Delete a game from all files. Raises Refused."""
        self._check(press)
        path = self._folder / GAMES / f"{name}.jsonl"
        if name not in records(self._folder) or not path.is_file():
            raise Refused(Problem.STALE, "this game is still on the table, or deleted already")
        self._delete(Deletion(games=(name,)))

    def delete_player(self, press: Press, player: str) -> None:
        """Delete a player's names from all files. Raises Refused."""
        self._check(press)
        self._delete(Deletion(names=tuple({*map(key_of, self._names_of(player)), key_of(player)})))

    def delete_everything(self, press: Press) -> None:
        """Delete all finished games from all files, and who is who. Raises Refused."""
        self._check(press)
        self._delete(Deletion(everything=True))

    def _check(self, press: Press) -> None:
        check_host(self._table.scene, press.person)

    def _names_of(self, player: str) -> Sequence[str]:
        """Return the names in records that are a player's. Raises Refused."""
        given = self.ask(queries.names_of_player, player)
        if not given:
            raise Refused(Problem.STALE, "there is no such player any more")
        return given

    def _delete(self, due: Deletion) -> None:
        if self.work is not None or deletion.pending(self._folder) is not None:
            raise Refused(Problem.ILLEGAL, "one moment: the statistics are being worked out")
        save_whole(self._folder / deletion.FILE, due.to_json().encode())
        self.work = StatisticsWork(True)
        self.listeners.tell()
        self.wake()

    def _save(self, names: PlayerNames) -> None:
        save_whole(self._folder / players.FILE, names.to_json().encode())
        self._names = names
        # The next page that the host sees must show it.
        self.bring_up_to_date()

    def _load_names(self) -> PlayerNames:
        path = self._folder / players.FILE
        try:
            return players.load(self._folder)
        except (OSError, PlayersError) as error:
            _log.warning("%s: %s", path, error)
        self.set_aside = set_aside.move(path)
        return PlayerNames()
