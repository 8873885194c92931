"""Makes backups of one table, and restores them, as the host asks on the page."""

import json
import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Annotated, NamedTuple, Protocol

from companion.base import codec
from companion.base.listeners import Listeners
from companion.base.refused import Message, Problem, Refused
from companion.base.whole_file import free_place, read_whole
from companion.camera.setup_store import MAINS, SetupStore
from companion.games.common.texts import load_json
from companion.memory.backup import archive
from companion.memory.backup.archive import BackupError, Contents
from companion.memory.statistics.notes import NotesError
from companion.memory.statistics.notes import read as read_notes
from companion.memory.statistics.players import PlayerNames, PlayersError, from_json
from companion.table import rounds
from companion.table.changes import Press, check_host
from companion.table.dealing import DealOptions
from companion.table.history import UnreadableRecordError
from companion.table.journal.journal import GAMES, utc_now
from companion.table.past import opened
from companion.table.past.past_games import finished_game
from companion.table.scene import Phase
from companion.table.table import Table

RESTORING = "restoring"
"""The folder of a backup that is being uploaded and restored; nothing in it is needed later."""

SPARE = 64 << 20
"""Bytes that must stay free on the disk, for the games to come."""

_log = logging.getLogger(__name__)


class TaughtFiles(Protocol):
    """The sets of dice, or the decks, that were taught at this table."""

    def files(self) -> Mapping[str, Path]:
        """Return the file of each set, by its name."""

    def check(self, path: Path) -> None:
        """Raise Refused unless the file holds such a set."""

    def add(self, path: Path) -> str:
        """Move a set's file to the others and return the name it has there.

        If another set has its name, a number is added. Empty if the same file is already there.
        """

    def use(self, name: str) -> None:
        """Make the table read this set. Raises Refused."""


@codec.growing
@dataclass(frozen=True, slots=True)
class SavedChoices:
    """What a table has chosen, as a backup keeps it."""

    options: DealOptions
    """How cards are dealt."""
    dice: str
    """The set of dice in use."""
    mains: Annotated[int, MAINS]
    """The frequency of the mains, in Hz."""
    deck: str = ""
    """The deck in use, which earlier versions didn't know; empty if none is."""


class MadeBackup(NamedTuple):
    """A backup that was just made."""

    file: IO[bytes]
    """The file, open at its start; it has no name, and is gone once it is closed."""
    name: str
    """What to call it."""


class Uploaded(NamedTuple):
    """A backup that was uploaded and can be restored."""

    contents: Contents
    """What it says of itself."""
    new_games: int
    """How many of its games this table doesn't have."""
    settings: bool
    """Whether it has settings."""


class Restored(NamedTuple):
    """What was restored last."""

    games: int
    """How many games this table didn't have."""
    dice: tuple[str, ...]
    """The sets of dice that it didn't have, by the names that they have here."""
    decks: tuple[str, ...] = ()
    """The same of decks."""


class BackupView(NamedTuple):
    """What the page shows."""

    games: int
    """How many games a backup made now would contain."""
    dice: tuple[str, ...]
    """The sets of dice it would contain."""
    decks: tuple[str, ...]
    """The decks it would contain."""
    uploaded: Uploaded | None
    """The backup that can be restored; None before an upload."""
    restored: Restored | None
    """What was restored last; None before that."""
    left_out: tuple[str, ...]
    """Files that the backup made or restored last goes without, because they can't be read."""


class Backups:
    """The backups of one table. Any thread may call."""

    def __init__(
        self,
        folder: Path,
        table: Table,
        store: SetupStore,
        dice: TaughtFiles,
        decks: TaughtFiles,
        now: Callable[[], str] = utc_now,
    ) -> None:
        """Back up the data folder `folder`, and clear what an interrupted restoring left there.

        now: returns the time in UTC, as records have it.
        """
        self._folder, self._table, self._store = folder, table, store
        self._taught = {archive.DICE: dice, archive.DECK: decks}
        self._stage = folder / RESTORING
        self._now = now
        self._lock = threading.Lock()
        self.listeners = Listeners()
        """Told whenever the page is to show something else."""
        self._uploaded: Uploaded | None = None
        self._restored: Restored | None = None
        self._left_out: list[str] = []
        shutil.rmtree(self._stage, ignore_errors=True)

    def view(self) -> BackupView:
        """Return what the backup page shows."""
        dice, decks = (tuple(sorted(taught.files())) for taught in self._taught.values())
        return BackupView(
            len(self._games()), dice, decks, self._uploaded, self._restored, tuple(self._left_out)
        )

    # Making a backup

    def make(self) -> MadeBackup:
        """Return a new backup. Raises Refused."""
        with self._alone():
            self._folder.mkdir(parents=True, exist_ok=True)
            self._left_out = []
            made = self._now()
            file = TemporaryFile(dir=self._folder)  # noqa: SIM115 (the response closes it)
            try:
                archive.write(file, made, self._readable())
            except BaseException:
                file.close()
                raise
            file.seek(0)
            if self._left_out:
                self.listeners.tell()
            return MadeBackup(file, f"bang-companion-{self._table.scene.code}-{made[:10]}.zip")

    def _readable(self) -> Iterator[tuple[str, bytes]]:
        """Yield what belongs in a backup, and can be read."""
        for name, content in self._files():
            if isinstance(content, Path):
                try:
                    content = read_whole(content)
                    archive.check(name, content)
                except FileNotFoundError:
                    continue
                except (OSError, BackupError) as error:
                    self._leave_out(name, error)
                    continue
            yield name, content

    def _files(self) -> Iterator[tuple[str, bytes | Path]]:
        """Yield what belongs in a backup, or where it lies.

        A running game doesn't: its record and its journal hold secret roles. Nor do the secrets of
        the phones, with which anybody could take a player's seat.
        """
        for name, path in self._games().items():
            yield f"{archive.GAMES}{name}.jsonl", path
            yield f"{archive.GAMES}{name}{archive.NOTES}", path.with_suffix(archive.NOTES)
        finished = finished_game(self._table.scene)
        if finished is not None and finished.name not in self._games():
            yield f"{archive.GAMES}{finished.name}.jsonl", finished.record.encode()
        for suffix, taught in self._taught.items():
            for name, path in sorted(taught.files().items()):
                yield f"{archive.TAUGHT}{name}{suffix}", path
        yield archive.PLAYERS, self._folder / archive.PLAYERS
        stored = self._store.stored
        settings = {
            "options": json.loads(self._table.scene.choices.options.to_json()),
            "dice": stored.profile,
            "deck": stored.deck or "",
            "mains": stored.mains,
        }
        yield archive.SETTINGS, json.dumps(settings, indent=1).encode()

    def _leave_out(self, name: str, why: Exception) -> None:
        """Note that a backup is made or restored without a file."""
        # A name that isn't UTF-8 can't be written as it is.
        shown, reason = (
            text.encode(errors="backslashreplace").decode() for text in (name, str(why))
        )
        _log.warning("a backup without %s: %s", shown, reason)
        self._left_out.append(shown)

    def _games(self) -> Mapping[str, Path]:
        """Return the records of the games that have left the table, by their names."""
        return {path.stem: path for path in sorted((self._folder / GAMES).glob("*.jsonl"))}

    # Uploading one

    def receive(self, person: int | None, at: int, size: int, piece: bytes) -> None:
        """Take a piece of a backup; after the last one, look what it contains. Raises Refused.

        at: where the piece begins; size: of the whole file; both in bytes.
        """
        self._check(person)
        with self._alone():
            path = self._stage / "backup.zip"
            there = path.stat().st_size if path.is_file() else 0
            if at == 0:
                self._begin(size)
            elif there == at + len(piece):
                # Sent again, because the answer was lost.
                return
            elif there != at or self._uploaded is not None:
                raise Refused(Problem.STALE, "The upload was interrupted. Choose the file again.")
            if not piece or at + len(piece) > size:
                raise Refused(Problem.ILLEGAL, "a piece of the file is missing")
            with path.open("ab") as file:
                file.write(piece)
            if at + len(piece) < size:
                return
            try:
                self._uploaded = self._inspect(path)
            except BackupError as error:
                shutil.rmtree(self._stage, ignore_errors=True)
                raise _unusable(error) from error
        self.listeners.tell()

    def discard(self, press: Press) -> None:
        """Delete what was uploaded. Raises Refused."""
        self._table.check_host(press)
        with self._alone():
            self._clear()
        self.listeners.tell()

    def _begin(self, size: int) -> None:
        """Prepare for a file of this many bytes."""
        if size > archive.MOST_UPLOAD:
            raise _unusable(BackupError(Message("it is too large for a backup")))
        self._clear()
        self._restored, self._left_out = None, []
        # The archive, what is unpacked from it, and what is kept.
        if shutil.disk_usage(self._folder).free < 12 * size + SPARE:
            raise Refused(Problem.FAILED, "there isn’t enough space on the disk for it")
        self._stage.mkdir(mode=0o700)

    def _inspect(self, path: Path) -> Uploaded:
        contents = archive.contents(path)
        here = self._games()
        new = [name for name in contents.games if name not in here]
        return Uploaded(contents, len(new), archive.SETTINGS in contents.digests)

    # Restoring it

    def restore(self, press: Press) -> None:
        """Add the games, dice and decks of the uploaded backup, and take over its settings.

        Nothing that this table has is replaced or deleted. If that is interrupted, uploading and
        restoring the same file again adds what is missing. Raises Refused.
        """
        self._table.check_host(press)
        self._check(press.person)
        with self._alone():
            if self._uploaded is None:
                raise Refused(Problem.STALE, "The upload was interrupted. Choose the file again.")
            try:
                settings = self._unpack()
            except BackupError as error:
                self._clear()
                raise _unusable(error) from error
            games = self._add_games()
            self._add_players()
            names = {
                suffix: {
                    name: taught.add(path) for name, path in self._files_in(archive.TAUGHT, suffix)
                }
                for suffix, taught in self._taught.items()
            }
            self._take_over(press.person, settings, names)
            self._clear()
            dice, decks = (tuple(filter(None, added.values())) for added in names.values())
            self._restored = Restored(games, dice, decks)
            _log.info(
                "restored %d games, %d sets of dice and %d decks", games, len(dice), len(decks)
            )
        self.listeners.tell()

    def _unpack(self) -> SavedChoices | None:
        """Unpack everything that can be read, and return the settings. Raises BackupError."""
        settings = None
        for folder in (archive.GAMES, archive.TAUGHT):
            shutil.rmtree(self._stage / folder, ignore_errors=True)
            (self._stage / folder).mkdir(mode=0o700)
        for name, content in archive.files(self._stage / "backup.zip"):
            if name == archive.SETTINGS:
                settings = _settings(content)
                continue
            path = self._stage / name
            path.touch(mode=0o600)
            path.write_bytes(content)
            try:
                self._check_file(path, content)
            except (UnreadableRecordError, NotesError, PlayersError, Refused) as error:
                self._leave_out(name, error)
                path.unlink()
        # One wait for all of them: a card takes as long for one small file as for a thousand.
        os.sync()
        return settings

    def _check_file(self, path: Path, content: bytes) -> None:
        """Raise what its reader raises for a file that can't be read."""
        if path.suffix in self._taught:
            self._taught[path.suffix].check(path)
        elif path.suffix == archive.RECORD:
            opened.read(content, self._table.scene.environment.games)
        elif path.name == archive.PLAYERS:
            from_json(content)
        else:
            read_notes(content)

    def _files_in(self, folder: str, suffix: str = "") -> list[tuple[str, Path]]:
        found = sorted((self._stage / folder).glob(f"*{suffix}"))
        return [(path.stem, path) for path in found]

    def _add_games(self) -> int:
        """Move the games that this table doesn't have to the others; return how many."""
        games, added = self._folder / GAMES, 0
        games.mkdir(exist_ok=True, mode=0o700)
        for name, path in self._files_in(archive.GAMES, archive.RECORD):
            notes = path.with_suffix(archive.NOTES)
            place, there = free_place(games, name, archive.RECORD, path.read_bytes())
            if not there:
                path.replace(place)
                added += 1
            if notes.exists() and not place.with_suffix(archive.NOTES).exists():
                notes.replace(place.with_suffix(archive.NOTES))
        return added

    def _add_players(self) -> None:
        """Add what the backup says of who is who, where this table says nothing."""
        given = self._stage / archive.PLAYERS
        if not given.exists():
            return
        path = self._folder / archive.PLAYERS
        with suppress(FileNotFoundError, PlayersError):
            here = from_json(read_whole(path))
            theirs = from_json(given.read_bytes())
            given.write_text(PlayerNames({**theirs.names, **here.names}).to_json(), "utf-8")
        given.replace(path)

    def _take_over(
        self,
        person: int | None,
        settings: SavedChoices | None,
        names: Mapping[str, Mapping[str, str]],
    ) -> None:
        """Take over settings.

        names: by suffix, under which name each set is kept; "" if as it was.
        """
        if settings is None:
            return
        options = json.loads(settings.options.to_json())
        for option, value in options.items():
            press = Press(person, self._table.scene.version)
            self._table.do(rounds.choose, press, option, value)
        self._store.save(mains=settings.mains)
        for (suffix, taught), chosen in zip(
            self._taught.items(), (settings.dice, settings.deck), strict=True
        ):
            if chosen and (chosen in names[suffix] or chosen in taught.files()):
                taught.use(names[suffix].get(chosen) or chosen)

    # Together

    def _check(self, person: int | None) -> None:
        check_host(self._table.scene, person)
        if self._table.view().phase is not Phase.LOBBY:
            raise Refused(Problem.ILLEGAL, "you can’t do that during a game")

    def _clear(self) -> None:
        self._uploaded = None
        shutil.rmtree(self._stage, ignore_errors=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Do one thing at a time. Raises Refused, also for what the disk refuses."""
        if not self._lock.acquire(blocking=False):
            raise Refused(Problem.ILLEGAL, "one moment: the last backup isn’t done yet")
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise Refused(Problem.FAILED, "the disk refuses: %(error)s", error=reason) from error
        finally:
            self._lock.release()


def _settings(content: bytes) -> SavedChoices:
    """Return the settings of a backup. Raises BackupError."""
    try:
        return codec.read(SavedChoices, load_json(content))
    except ValueError as error:
        raise BackupError(Message("%(name)s in it is damaged", name=archive.SETTINGS)) from error


def _unusable(error: BackupError) -> Refused:
    return Refused(Problem.ILLEGAL, "This file can’t be restored: %(why)s.", why=error.reason)
