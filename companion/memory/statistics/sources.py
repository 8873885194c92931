"""Find the records in a data folder."""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from companion.base.whole_file import read_whole
from companion.memory.statistics import notes
from companion.memory.statistics.database import Source, table_stamp
from companion.memory.statistics.notes import GameNotes, NotesError
from companion.table.journal.journal import GAMES

_RECORD = ".jsonl"


def records(folder: Path) -> Mapping[str, Source]:
    """Return the records in a data folder, by name. Raises OSError."""
    games = folder / GAMES
    if not games.is_dir():
        return {}
    stamps = {}
    with os.scandir(games) as entries:
        for entry in entries:
            if entry.name.endswith((_RECORD, notes.SUFFIX)):
                stamps[entry.name] = _stamp(entry)
    return {
        _printable(name): Source(
            f"{stamp} {stamps.get(name + notes.SUFFIX, '')}",
            partial(_read, games / file),
        )
        for file, stamp in stamps.items()
        if file.endswith(_RECORD) and (name := file.removesuffix(_RECORD))
    }


def _stamp(entry: os.DirEntry[str]) -> str:
    try:
        found = entry.stat()
    except OSError:
        # A link that leads nowhere.
        found = entry.stat(follow_symlinks=False)
    return f"{found.st_size} {found.st_mtime_ns}"


def _printable(name: str) -> str:
    """Return the name of a file as text, whatever bytes it is made of."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _read(path: Path) -> tuple[bytes, GameNotes]:
    record = read_whole(path)
    try:
        said = read_whole(notes.beside(path))
    except FileNotFoundError:
        return record, GameNotes()
    except OSError as error:
        raise NotesError(error.strerror) from error
    return record, notes.read(said)


def on_table(record: str, noted: GameNotes) -> Source:
    """Return the game that is over and still on the table."""
    content = record.encode()
    return Source(table_stamp(content, noted), lambda: (content, noted))
