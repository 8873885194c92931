"""The saved table in one file: the people, and every press of the game on the table.

Each change is appended as a line and is on the disk before the table shows it: a table killed at
any moment starts again after the last answered press. Each line has a checksum over itself and the
line before (`chain`), so that damage is noticed. The same lines go into a second file, from which
damaged lines are restored.

A third file says which table saved last, and up to which version; a copy of it lies with the
stories. They hold nothing of a game: they show that the other files are older than they were, or
of another table.

An undo is a line of its own: nothing is erased. When a game leaves the table, its record goes to
a file of its own, and the journal is rewritten with the current state only.

Reading changes nothing. The first save sets damaged or older files aside and
starts a new file. So a table on a full or read-only disk still shows its last state.
"""

import errno
import fcntl
import json
import logging
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from companion import __version__
from companion.base import set_aside
from companion.base.refused import Message
from companion.base.whole_file import remove_on_error, sync, write_whole
from companion.table.journal import migrations
from companion.table.journal.chain import Link, is_torn, link, proven
from companion.table.journal.saved import Line, Saved, as_json, changed, difference

FILE = "table.journal"

BACKUP = "table.backup.journal"
"""The copy of the journal, written without waiting for the disk."""

PART = "table.journal.part"
"""A new file being written; it is complete if its first line is."""

GAMES, STORIES, ROLLS = "games", "stories", "rolls"
"""The folders with the records of games that have left the table, with their stories, and with the
pictures of rolls. Their names have the games' numbers."""

WITNESS = "last-save"
"""Says which table saved last, by its join code, and up to which version. It is written without
waiting for the disk, so it may lag behind the journal; what is newer than the journal is not."""

WITNESSES = (WITNESS, f"{STORIES}/{WITNESS}")
"""Both copies of it: the second outlasts that all other files are replaced by older ones."""

FORMAT = 3
"""The format that this version writes; see `migrations` for the earlier ones."""

OLD_FORMAT = "earlier-format"
"""The folder that keeps the files of an earlier format."""

MOST_BYTES = 1 << 18
"""The size at which the journal is rewritten with the current state only. It bounds the time of a
start, however many presses there were."""

RESERVE = 1 << 12
"""Files grow in steps of this many bytes; zeros follow their lines. So a file of any other size was
cut off, which no pulled plug does."""

MEND_NEWER = "install the newer version again, or choose another data folder"
"""What to do with a file that a newer version wrote."""

_log = logging.getLogger(__name__)


def utc_now() -> str:
    """Return the time in UTC, as records have it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class JournalError(Exception):
    """A journal can't be opened, read or written; the text names the file."""


class NewerError(JournalError):
    """A newer version wrote the journal; the file was not changed."""


@dataclass(frozen=True, slots=True)
class FolderContents:
    """The contents of a data folder."""

    saved: Saved
    """The last valid state."""
    format: int = FORMAT
    """The format of the files that it was read from."""
    damaged: tuple[Path, ...] = ()
    """Files to set aside because they are damaged or in the way."""
    missing: tuple[Path, ...] = ()
    """Files that are missing."""
    old: tuple[Path, ...] = ()
    """Files of an earlier format, in the order to put them away."""
    old_damaged: bool = False
    """Whether these older files are damaged, or of another table."""
    older: bool = False
    """Whether the folder held a later state, or another table: `saved` is whole, but not that."""


def look(folder: Path) -> FolderContents:
    """Return what a folder contains, without changing it.

    Raises NewerError, and OSError if something can't be read without being damaged.
    """
    path, backup, part = folder / FILE, folder / BACKUP, folder / PART
    games = folder / GAMES
    in_the_way = (
        *([games] if os.path.lexists(games) and not games.is_dir() else []),
        *([part] if os.path.lexists(part) and not part.is_file() else []),
    )
    old = tuple(
        each
        for name in (migrations.FILE, migrations.BACKUP)
        for side in migrations.SIDE_FILES
        if (each := folder / f"{name}{side}").exists()
    )
    ours = tuple(each for each in (path, backup) if each.exists())
    witnesses = [_replay(at, proven(_content(at)))[0] for at in map(folder.joinpath, WITNESSES)]
    seen = [said for said in witnesses if said.version]
    if (folder / migrations.FILE).exists() or (old and not ours and not part.is_file()):
        # If ours are there too, an earlier version ran last.
        return _migrate(folder, (*ours, *old), in_the_way, seen)
    used = path if path.exists() or not part.is_file() else part
    content = _content(used)
    copied = _content(backup)
    chains = proven(content, copied), proven(copied, content)
    read = [(*_replay(path, chain), chain) for chain in chains]
    # Where they differ, a file is older or of another table: the latest of this table counts.
    saved, sound, chain = min(read, key=lambda one: (_foreign(one[0], seen), -one[0].version))
    mixed = len({state.code for state, lines, _ in read if lines}) > 1
    known = _above(saved, seen, folder)
    whole = b"".join(entry.line for entry in chain)
    if not used.exists() or (used == part and not sound):
        # Without an earlier table, the very first start was killed.
        missing = (path,) if ours or games.is_dir() or seen else ()
        replaced = ours if sound < len(chain) or copied != whole else ()
        return FolderContents(known, damaged=(*replaced, *in_the_way), missing=missing, old=old)
    # Earlier versions ended both files with their last line when they were stopped.
    ended = content == copied and content.endswith(b"\n")
    cut = used.stat().st_size % RESERVE != 0 and not ended
    damaged = cut or _may_have_lost(content, chain, copied=bool(copied))
    damaged = damaged or mixed or sound < len(chain) or not sound
    older = bool(_foreign(saved, seen)) or known != saved
    replaced = (*ours, *([part] if used == part else [])) if damaged or older else ()
    older = older and not damaged
    return FolderContents(known, damaged=(*replaced, *in_the_way), old=old, older=older)


def _foreign(saved: Saved, seen: Sequence[Saved]) -> int:
    """Return how many of the witnesses are of another table."""
    return sum(said.code != saved.code for said in seen)


def _above(saved: Saved, seen: Sequence[Saved], folder: Path) -> Saved:
    """Return a save with the highest version, and number of a game, that its folder knows.

    Neither a version that pages still show nor the name of a record is given again.
    """
    numbers = [saved.last_game]
    with suppress(OSError):
        records = folder.glob(f"{GAMES}/*.jsonl")
        numbers += [number_of(path.stem, saved.code) or 0 for path in records]
        named = [path.stem for kept in (STORIES, ROLLS) for path in folder.glob(f"{kept}/*")]
        numbers += [int(name) for name in named if name.isdecimal()]
    version = max([saved.version, *(said.version for said in seen)])
    return replace(saved, version=version, last_game=max(numbers))


def number_of(name: str, code: str) -> int | None:
    """Return the number of one of a table's games, by its record's name; None of any other."""
    begins, _, number = name.rpartition("-")
    return int(number) if begins == code and number.isdecimal() else None


def _migrate(
    folder: Path, old: tuple[Path, ...], in_the_way: tuple[Path, ...], seen: Sequence[Saved]
) -> FolderContents:
    path = folder / migrations.FILE
    try:
        found = migrations.read(folder)
    except migrations.UnknownFormatError as error:
        raise _newer(path, str(error)) from error
    missing = () if path.exists() else (path,)
    # An older one of this table is what somebody needs who goes back to an earlier version.
    foreign = bool(_foreign(found.saved, seen))
    damaged = (found.damaged or foreign) and not missing
    saved = _above(found.saved, seen, folder)
    return FolderContents(saved, found.format, in_the_way, missing, old, damaged, foreign)


def _newer(path: Path, written: str) -> NewerError:
    return NewerError(f"{path}: {written}; {__version__} reads up to format {FORMAT}; {MEND_NEWER}")


def _content(path: Path) -> bytes:
    """Return a file's content without reserved space; nothing if it is missing or not a file."""
    if not path.is_file():
        return b""
    try:
        content = path.read_bytes()
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        content = _readable(path)
    return content.rstrip(b"\0")


def _readable(path: Path) -> bytes:
    """Return what can be read of a file on a failing card, with other bytes in the gaps."""
    blocks = []
    with path.open("rb", buffering=0) as file:
        for place in range(0, path.stat().st_size, RESERVE):
            try:
                blocks.append(os.pread(file.fileno(), RESERVE, place))
            except OSError:
                blocks.append(b"?" * RESERVE)
    return b"".join(blocks)


def _replay(path: Path, chain: Sequence[Link]) -> tuple[Saved, int]:
    """Return what a chain saved, and how many of its lines are valid. Raises NewerError."""
    saved = Saved()
    for sound, entry in enumerate(chain):
        try:
            change = json.loads(entry.text)
            if not sound and change["format"] > FORMAT:
                written = f"written by version {change['companion']} in format {change['format']}"
                raise _newer(path, written)
            saved = changed(saved, change)
        except (ValueError, TypeError, KeyError, RecursionError):
            return saved, sound
    return saved, len(chain)


def _may_have_lost(content: bytes, chain: Sequence[Link], *, copied: bool) -> bool:
    """Return whether a file may have lost something that was confirmed to a player.

    copied: there is a copy. Without one, half a last line may be what is left of many.
    """
    whole = b"".join(entry.line for entry in chain)
    if content.startswith(whole):
        rest = content[len(whole) :]
        return bool(rest) and not (copied and is_torn(rest))
    if not whole.startswith(content):
        return True
    end = 0
    for entry in chain:
        end += len(entry.line)
        # A lost line feed doesn't matter. Lines without a version were not waited for.
        if end - 1 > len(content) and "version" in json.loads(entry.text):
            return True
    return False


class Journal:
    """The journal. It isn't thread-safe: the table's lock guards it."""

    def __init__(self, folder: Path, *, now: Callable[[], str] = utc_now) -> None:
        """Open the journal in `folder`. Raises JournalError.

        now: returns the time in UTC, as records have it.

        A journal of a later format is left alone (NewerError). If the disk is full or read-only,
        each `save` tries again to write.
        """
        self.path = folder / FILE
        self._folder = folder
        self.fault = ""
        """Why saving fails; empty while it works."""
        self.set_aside: Path | None = None
        """Where this start put damaged files; None if it hasn't moved any."""
        self._now = now
        self._closed = False
        self._lock: _FolderLock | None = None
        self._files: _Files | None = None
        """The open files; None if the next save must write new ones."""
        try:
            self._open(folder)
            self._found = look(folder)
        except OSError as error:
            self.close()
            raise JournalError(f"{self.path}: can't be opened: {_reason(error, folder)}") from error
        self._saved = self._found.saved
        for path in self._found.missing:
            _log.warning("%s: is missing", path)

    def _open(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = _FolderLock(folder)
        except OSError as error:
            # If it can't be written, the table shows what can be read.
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
                raise

    @property
    def saved(self) -> Saved:
        """Everything that is saved."""
        return self._saved

    @property
    def missing(self) -> str:
        """The name of a missing file; empty if none is missing."""
        return self._found.missing[0].name if self._found.missing else ""

    @property
    def older(self) -> bool:
        """Whether the folder held a later state than this start found, or another table."""
        return self._found.older

    def distrust(self) -> None:
        """Make the next save set the files aside, because they aren't what they should be."""
        files = [self.path, self.path.with_name(BACKUP)]
        damaged = {*self._found.damaged, *filter(Path.exists, files)}
        self._found = replace(self._found, damaged=tuple(sorted(damaged)), old_damaged=True)
        self._files = None

    def close(self) -> None:
        """Close the files of the journal."""
        if self._files is not None:
            self._files.close()
        if self._lock is not None:
            self._lock.close()
        self._files = self._lock = None
        self._closed = True

    def save(self, saved: Saved, *, waits: bool = True) -> None:
        """Write one change, completely or not at all. Raises JournalError.

        saved: everything after the change; a continuing game has its earlier lines, and
        new lines get the time. waits: the change must survive a power cut, not only a crash.
        """
        before = self._saved
        goes_on = saved.game == before.game and _go_on(before.lines, saved.lines)
        kept = before.lines if goes_on else ()
        new = saved.lines[len(kept) :]
        if new:
            at = self._now()
            new = tuple(line._replace(at=line.at or at) for line in new)
        saved = replace(saved, lines=kept + new)
        try:
            if self._closed:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            self._check_place()
            if self._files is None or not goes_on or self._files.long:
                self._begin(saved)
            else:
                change = difference(before, saved)
                if not waits:
                    del change["version"]
                self._files.add(as_json(change), waits=waits)
                if waits:
                    self._files.witness(_witness_line(saved))
        except OSError as error:
            if self._files is not None:
                self._files.close()
                self._files = None
            raise self._failure(self.path, error) from error
        self.fault = ""
        self._saved = saved

    def _failure(self, path: Path, error: OSError) -> JournalError:
        self.fault = _reason(error, self.path.parent)
        return JournalError(f"{path}: can't be written: {self.fault}")

    def _check_place(self) -> None:
        """Raise OSError if the folder is gone or read-only; plan new files if one was replaced."""
        folder = self._folder
        # Every press looks here: if the files are in place, so is their folder.
        in_place = self._files is not None and self._files.in_place()
        if self._lock is None:
            self._open(folder)
        elif not in_place and not self._lock.holds(folder):
            # Another folder is in its place. Don't replace its contents.
            lock = _FolderLock(folder)
            self._lock.close()
            self._lock = lock
            self._give_files_up()
        if not os.access(folder, os.W_OK | os.X_OK):
            number = errno.EROFS if _is_read_only(folder) else errno.EACCES
            raise OSError(number, os.strerror(number))
        if self._files is not None and not in_place:
            self._give_files_up()

    def _give_files_up(self) -> None:
        """Plan new files, because the old ones were replaced or removed. Replacements are kept."""
        _log.warning("%s: was replaced or removed; it is written anew", self.path)
        others = [path for path in (self.path, self.path.with_name(BACKUP)) if path.exists()]
        if self._files is not None:
            others = [path for path in others if not self._files.holds(str(path))]
            self._files.close()
            self._files = None
        if others:
            kept = set_aside.new_folder(self.path.parent)
            for path in others:
                set_aside.keep_copy(path, kept)

    def _begin(self, saved: Saved) -> None:
        """Write new files with the current state only."""
        folder = self.path.parent
        head = {"format": FORMAT, "companion": __version__}
        first = link(None, as_json(head | difference(Saved(), saved)))
        self._set_damaged_aside()
        part = folder / PART
        with remove_on_error(part):
            _write(part, first.line.ljust(_reserved_size(len(first.line)), b"\0"))
        self._put_old_away()
        part.replace(self.path)
        sync(folder)
        if self._files is not None:
            self._files.close()
        self._files = _Files(self.path, first, _witness_line(saved))

    def keep_damaged(self) -> Path | None:
        """Keep damaged files in a folder, before the next save replaces them.

        Returns the folder; None if there are none, or they are kept already. Raises JournalError.
        """
        try:
            return self._set_damaged_aside()
        except OSError as error:
            raise self._failure(self.path, error) from error

    def _set_damaged_aside(self) -> Path | None:
        found = self._found
        if not found.damaged and (self.set_aside or not (found.old and found.old_damaged)):
            return None
        kept = set_aside.new_folder(self.path.parent)
        for path in found.damaged:
            if path.name == GAMES:
                path.rename(kept / path.name)
            else:
                # It is replaced later; until then, a start still finds it.
                set_aside.keep_copy(path, kept)
        sync(kept)
        self.set_aside = kept
        self._found = replace(found, damaged=())
        what = "older, or another table's" if found.older else "damaged"
        _log.warning("%s: was %s; what was found is kept in %s", self.path, what, kept)
        return kept

    def _put_old_away(self) -> None:
        """Move the files of an earlier format into a folder. If killed, `PART` holds them all."""
        if not self._found.old:
            return
        sync(self._folder)
        damaged = self.set_aside if self._found.old_damaged else None
        kept = damaged or set_aside.new_folder(self.path.parent, OLD_FORMAT)
        for path in self._found.old:
            with suppress(FileNotFoundError):
                path.rename(kept / path.name)
        sync(kept)
        sync(self.path.parent)
        self._found = replace(self._found, old=())
        _log.warning("%s: migrated from format %d to %d; the old files are kept in %s",
                     self.path, self._found.format, FORMAT, kept)  # fmt: skip

    def keep_record(self, name: str, record: str) -> Path:
        """Write the record of a game to a file of its own, completely or not at all.

        If a record with this name exists, a number is added. Returns the file. Raises JournalError.
        """
        folder, content = self.path.with_name(GAMES), record.encode()
        try:
            folder.mkdir(exist_ok=True, mode=0o700)
            path, again = folder / f"{name}.jsonl", 1
            while path.exists():
                if _content(path) == content:
                    return path
                again += 1
                path = folder / f"{name}-{again}.jsonl"
            write_whole(path, content)
            return path
        except OSError as error:
            raise self._failure(folder, error) from error


def _go_on(before: Sequence[Line], after: Sequence[Line]) -> bool:
    """Return whether a game continues its earlier lines, ignoring their times.

    Lines are only added, unless the game was cut short, so comparing the last is enough.
    """
    last = len(before) - 1
    return last < len(after) and (not before or before[last][:-1] == after[last][:-1])


class _Files:
    """A journal's file and its copy, to which lines are appended."""

    def __init__(self, path: Path, first: Link, witnessed: bytes) -> None:
        """Open the file at `path`, which holds the line `first`, and start its copy.

        witnessed: what to write into the `WITNESSES`.
        """
        self._last = first
        self._size = len(first.line)
        # A long game must not be rewritten with every press.
        self._most = max(MOST_BYTES, 2 * self._size)
        self._reserved = _reserved_size(self._size)
        self._file = os.open(path, os.O_WRONLY)
        # As texts, because they are checked with every press.
        self._places = [(str(path), _identity(os.fstat(self._file)))]
        backup = path.with_name(BACKUP)
        self._copy = _beside(backup, first.line)
        if self._copy is not None:
            self._places.append((str(backup), _identity(os.fstat(self._copy))))
        opened = [_beside(path.parent / name, witnessed) for name in WITNESSES]
        self._witnesses = [number for number in opened if number is not None]

    @property
    def long(self) -> bool:
        """Whether the file is long enough to be rewritten."""
        return self._size > self._most

    def add(self, text: str, *, waits: bool) -> None:
        """Append a line, completely or not at all. After an OSError, append nothing more."""
        line = link(self._last, text)
        content, end = line.line, self._size + len(line.line)
        try:
            if end > self._reserved:
                _write_at(self._file, bytes(_reserved_size(end) - self._reserved), self._reserved)
                self._reserved = _reserved_size(end)
            _write_at(self._file, content, self._size)
            if waits:
                os.fdatasync(self._file)
        except OSError:
            # Otherwise the next start might find a line that was refused.
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
                os.ftruncate(self._file, _reserved_size(self._size))
                os.fdatasync(self._file)
            raise
        if self._copy is not None:
            try:
                _write_at(self._copy, content, self._size)
            except OSError as error:
                _log.warning("the copy of the journal ends: %s", error)
                os.close(self._copy)
                self._copy = None
                self._places.pop()
        self._last, self._size = line, end

    def witness(self, content: bytes) -> None:
        """Write into the `WITNESSES` up to which version the file is on the disk."""
        for number in tuple(self._witnesses):
            try:
                _write_at(number, content, 0)
            except OSError as error:
                _log.warning("%s: no longer written: %s", WITNESS, error)
                os.close(number)
                self._witnesses.remove(number)

    def in_place(self) -> bool:
        """Return whether the files are still where they were opened."""
        return all(self.holds(path) for path, _ in self._places)

    def holds(self, path: str) -> bool:
        """Return whether the file at this path is one of those that were opened."""
        try:
            return (path, _identity(os.stat(path))) in self._places
        except FileNotFoundError:
            return False

    def close(self) -> None:
        """Close the files."""
        for number in (self._file, self._copy, *self._witnesses):
            if number is not None:
                os.close(number)


class _FolderLock:
    """Keeps a second table out of the folder, where it would overwrite this one's journal."""

    def __init__(self, folder: Path) -> None:
        """Lock the folder. Raises OSError if another program holds the lock."""
        self._number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        self._identity = _identity(os.fstat(self._number))
        try:
            fcntl.flock(self._number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.close()
            raise OSError(error.errno, "locked by another program") from error

    def holds(self, folder: Path) -> bool:
        """Return whether this is still the folder at that path. Raises OSError if there is none."""
        return _identity(os.stat(folder)) == self._identity

    def close(self) -> None:
        """Release the folder."""
        os.close(self._number)


def _identity(found: os.stat_result) -> tuple[int, int]:
    """Return what identifies a file."""
    return found.st_dev, found.st_ino


def _reserved_size(size: int) -> int:
    """Return the size to reserve for a file of this many bytes.

    Writing a line costs the disk a quarter as much if the file doesn't grow.
    """
    return -(-size // RESERVE) * RESERVE


def _witness_line(saved: Saved) -> bytes:
    """Return what the `WITNESSES` say of a save: a line like the first of a journal."""
    told = {"format": FORMAT, "companion": __version__}
    line = link(None, as_json(told | {"version": saved.version, "code": saved.code})).line
    # Within one sector of the disk, so that a pulled plug leaves no half of it.
    return line.ljust(512, b"\0")


def _beside(path: Path, content: bytes) -> int | None:
    """Write a file anew without waiting for the disk, and return it open; None if that fails.

    The journal itself is complete without it.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with remove_on_error(part):
            _write(part, content, waits=False)
            part.replace(path)
        return os.open(path, os.O_WRONLY)
    except OSError as error:
        _log.warning("%s: was not made: %s", path, _reason(error, path.parent))
        return None


def _write(path: Path, content: bytes, *, waits: bool = True) -> None:
    """Write a file from scratch. waits: until it is on the disk."""
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        _write_at(number, content, 0)
        if waits:
            os.fsync(number)
    finally:
        os.close(number)


def _write_at(number: int, content: bytes, place: int) -> None:
    while content:
        written = os.pwrite(number, content, place)
        content, place = content[written:], place + written


_FULL = Message("the disk is full")
_READ_ONLY = Message("the disk is read-only")

_REASONS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: _READ_ONLY,
    errno.EIO: Message("the disk has failed"),
}


def _reason(error: OSError, folder: Path) -> str:
    """Return why a file can't be used, in a few words."""
    if not folder.is_dir():
        return Message("the data folder is gone")
    return _REASONS.get(error.errno or 0, error.strerror or str(error))


def _is_read_only(folder: Path) -> bool:
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
