"""Find the records in a data folder."""

import hashlib
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from companion.statistics import notes
from companion.statistics.database import Source
from companion.statistics.notes import GameNotes
from companion.table.journal import GAMES

_RECORD = ".jsonl"


def records(folder: Path) -> Mapping[str, Source]:
    """Return the records in a data folder, by name. Raises OSError."""
    games = folder / GAMES
    if not games.is_dir():
        return {}
    stamps = {}
    with os.scandir(games) as entries:
        for entry in entries:
            if entry.name.endswith((_RECORD, notes.SUFFIX)) and entry.is_file():
                found = entry.stat()
                stamps[entry.name] = f"{found.st_size} {found.st_mtime_ns}"
    return {
        name: Source(
            f"{stamp} {stamps.get(name + notes.SUFFIX, '')}",
            partial(_read, games / file),
        )
        for file, stamp in stamps.items()
        if file.endswith(_RECORD) and (name := file.removesuffix(_RECORD))
    }


def _read(path: Path) -> tuple[bytes, GameNotes]:
    record = path.read_bytes()
    try:
        said = notes.beside(path).read_bytes()
    except FileNotFoundError:
        return record, GameNotes()
    return record, notes.read(said)


def on_table(record: str, noted: GameNotes) -> Source:
    """Return the game that is over and still on the table."""
    content = record.encode()
    stamp = hashlib.sha256(content + repr(noted).encode()).hexdigest()
    return Source(f"table {stamp}", lambda: (content, noted))
