"""The file of a backup: a ZIP archive whose last entry, `backup.json`, lists all others.

`backup.json` has the format (`backup`), the version of the program (`companion`), the time in UTC
(`made`), and the SHA-256 of each file by its name (`files`). So half a file, an edited one and one
of a newer version are recognised before anything is restored.
"""

import hashlib
import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Annotated, Any, NamedTuple

from companion import __version__
from companion.base import codec
from companion.base.refused import Message
from companion.games.common.texts import is_text, load_json

FORMAT = 3
"""The format that this version writes, and the newest that it reads.

Format 1 had no notes on games and no list of players, format 2 no decks of cards.
"""

CONTENTS = "backup.json"
"""The entry that lists all others."""

SETTINGS = "settings.json"
"""The entry with the options of the lobby, the dice and deck in use, and the mains' frequency."""

GAMES, TAUGHT = "games/", "profiles/"
"""Where the archive has the records of games, with the notes on them, and taught dice and decks."""

DICE, DECK = ".dice", ".cards"
"""How the names of sets of dice end, and those of decks."""

RECORD, NOTES = ".jsonl", ".notes.json"
"""How the names of records end, and those of notes."""

PLAYERS = "players.json"
"""The entry that says who is who."""

MOST_UPLOAD = 32 << 20
"""The most bytes of a backup. Ten years of ten games a week take 8 MB."""

MOST_BYTES = 256 << 20
"""The most bytes of all its files, unpacked."""

MOST_FILE = 8 << 20
"""The most bytes of one of them, unpacked. Dice have less than 1 MB, a deck less than 5."""

_MOST_LIST = 4 << 20
"""The most bytes of the list of files at its end, which has to fit in memory: some 50,000 files."""

_END = b"PK\x05\x06"
_END_BYTES = 22
"""How a ZIP archive without a comment ends, and the length of that."""

_STEM = r"[^/\\\x00-\x1f.][^/\\\x00-\x1f]{0,60}"
_NAME = re.compile(
    rf"{SETTINGS}|{PLAYERS}|{GAMES}{_STEM}(\.jsonl|\.notes\.json)|{TAUGHT}{_STEM}\.(dice|cards)"
)

# What a damaged or forged ZIP raises; RecursionError and NotImplementedError are RuntimeErrors.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, KeyError, ValueError, EOFError, RuntimeError,
)  # fmt: skip


class BackupError(Exception):
    """A file is no backup, or can't be read; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        """Refuse the file for a reason that pages translate."""
        super().__init__(str(reason))
        self.reason = reason


class Contents(NamedTuple):
    """What a backup says of itself."""

    companion: str
    """The version of the program that made it."""
    made: str
    """When it was made, in UTC."""
    digests: Mapping[str, str]
    """The SHA-256 of each file, by its name in the archive."""

    @property
    def games(self) -> tuple[str, ...]:
        """The names of the games' records, without folder and suffix."""
        names = (name.removeprefix(GAMES) for name in self.digests if name.startswith(GAMES))
        return tuple(name.removesuffix(RECORD) for name in names if name.endswith(RECORD))

    @property
    def dice(self) -> tuple[str, ...]:
        """The names of the sets of dice."""
        return self._taught_names(DICE)

    @property
    def decks(self) -> tuple[str, ...]:
        """The names of the decks of cards."""
        return self._taught_names(DECK)

    def _taught_names(self, suffix: str) -> tuple[str, ...]:
        taught = (name for name in self.digests if name.startswith(TAUGHT))
        return tuple(Path(name).stem for name in taught if name.endswith(suffix))


_Text = Annotated[str, re.compile(".{0,40}", re.DOTALL)]


@codec.growing
@dataclass(frozen=True)
class _Listed:
    """How a backup lists its files."""

    backup: int
    companion: _Text
    made: _Text
    files: Any = None


def check(name: str, content: bytes) -> None:
    """Raise BackupError if a backup can't hold a file, because of its name or size."""
    if not _NAME.fullmatch(name) or not is_text(name):
        raise _damage_error(name)
    _check_size(name, content)


def write(out: IO[bytes], made: str, files: Iterable[tuple[str, bytes]]) -> None:
    """Write a backup. made: the time in UTC; files: names in the archive, with their contents."""
    digests = {}
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files:
            archive.writestr(_entry(name, made), content, zipfile.ZIP_DEFLATED)
            digests[name] = hashlib.sha256(content).hexdigest()
        listed = {"backup": FORMAT, "companion": __version__, "made": made, "files": digests}
        archive.writestr(_entry(CONTENTS, made), json.dumps(listed, indent=1), zipfile.ZIP_DEFLATED)


def _entry(name: str, made: str) -> zipfile.ZipInfo:
    """Return the head of a file in the archive, which has the backup's time."""
    time = datetime.fromisoformat(made)
    return zipfile.ZipInfo(name, max((1980, 1, 1, 0, 0, 0), time.timetuple()[:6]))


def contents(path: Path) -> Contents:
    """Return what a backup says of itself. Raises BackupError, and OSError."""
    _check_end(path)
    try:
        with zipfile.ZipFile(path) as archive:
            return _contents(archive)
    except _DAMAGE as error:
        raise _damage_error() from error


def files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield each file of a backup, after comparing it with its digest.

    Raises BackupError, and OSError.
    """
    _check_end(path)
    try:
        with zipfile.ZipFile(path) as archive:
            for name, digest in _contents(archive).digests.items():
                content = _content(archive, name)
                if hashlib.sha256(content).hexdigest() != digest:
                    raise _damage_error(name)
                yield name, content
    except _DAMAGE as error:
        raise _damage_error() from error


def _check_end(path: Path) -> None:
    """Raise BackupError unless the file ends as an archive does, with a list that isn't huge."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _END_BYTES))
        end = file.read()
    if len(end) < _END_BYTES or not end.startswith(_END):
        raise BackupError(Message("it is not a backup, or only a part of one"))
    if int.from_bytes(end[12:16], "little") > _MOST_LIST:
        raise BackupError(Message("it is too large for a backup"))


def _contents(archive: zipfile.ZipFile) -> Contents:
    try:
        listed = load_json(_content(archive, CONTENTS))
    except KeyError as error:
        raise BackupError(Message("it is not a backup, or only a part of one")) from error
    try:
        found = codec.read(_Listed, listed)
        if found.backup > FORMAT:
            raise BackupError(
                Message("version %(version)s made it: update this table", version=found.companion)
            )
        files = codec.read(dict[str, str], found.files)
    except codec.MisfitError as error:
        raise _damage_error(CONTENTS) from error
    for name in files:
        if not _NAME.fullmatch(name):
            raise _damage_error(name)
    if sum(archive.getinfo(name).file_size for name in files) > MOST_BYTES:
        raise BackupError(Message("it is too large for a backup"))
    return Contents(found.companion, found.made, files)


def _content(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a file of the archive. Raises KeyError if there is none."""
    with archive.open(name) as file:
        content = file.read(MOST_FILE + 1)
    _check_size(name, content)
    return content


def _check_size(name: str, content: bytes) -> None:
    if len(content) > MOST_FILE:
        raise BackupError(Message("%(name)s in it is too large", name=name))


def _damage_error(name: str = "") -> BackupError:
    if name:
        return BackupError(Message("%(name)s in it is damaged", name=name))
    return BackupError(Message("it is damaged"))
