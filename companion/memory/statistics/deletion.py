"""Delete games and players, in all files that tell of them.

What is to be deleted is written down first and crossed out last: if the plug is pulled in between,
the next start goes on. Every step can be done twice.
"""

import json
import logging
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from companion.base import codec
from companion.base.names import key_of
from companion.base.whole_file import NotAFileError, read_whole, warn_once, write_whole
from companion.club.publishing import outbox
from companion.club.publishing.progress import Sent
from companion.games.common.lines import dump
from companion.games.common.texts import load_json
from companion.memory.statistics import database, notes, players
from companion.memory.statistics.players import DELETED
from companion.table.journal.journal import GAMES, ROLLS, STORIES, number_of

FILE = "deleting.json"
"""What is being deleted."""

PICTURES = "corrections"
"""The folder with pictures of corrected dice, named after their games' numbers."""

SET_ASIDE = ("damaged-*", "earlier-format*")
"""The folders with files of earlier games that were set aside."""

_log = logging.getLogger(__name__)


class Deletion(NamedTuple):
    """What to delete."""

    games: tuple[str, ...] = ()
    """Names of records."""
    names: tuple[str, ...] = ()
    """Keys of a player's names in records."""
    everything: bool = False
    """Whether to delete all that is kept of finished games."""

    def to_json(self) -> str:
        """Return the content of the file that asks for this deletion."""
        return json.dumps(self._asdict(), ensure_ascii=False)


def pending(folder: Path) -> Deletion | None:
    """Return what a data folder says is still to be deleted; None if nothing is."""
    path = folder / FILE
    try:
        return codec.read(Deletion, load_json(read_whole(path)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        warn_once(_log, path, f"can't be understood, and nothing is deleted: {error}")
        return None


def finish(folder: Path) -> None:
    """Cross out what was deleted. Raises OSError."""
    (folder / FILE).unlink(missing_ok=True)


def carry_out(
    folder: Path,
    deletion: Deletion,
    code: str,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Delete in a data folder what is to be deleted. Raises OSError.

    code: the table's, with which the names of its own games begin; step: told how many files were
    looked through, of how many.
    """
    if deletion.everything:
        _delete_everything(folder)
    for name in deletion.games:
        _delete_game(folder, name, code)
    if deletion.names:
        _delete_player(folder, set(deletion.names), step)
    outbox.redact(folder / outbox.FILE, partial(_redact, deletion, code))
    os.sync()


def _redact(
    deletion: Deletion, code: str, message: Mapping[str, Any], sent: Sent
) -> Mapping[str, Any] | None:
    """Return what a message that waits for the broker may still say; None: nothing."""
    game = message["game"]
    runs = game == sent.game and not sent.result
    if deletion.everything and not runs:
        return None
    if game in [number_of(name, code) for name in deletion.games]:
        return None
    if "players" not in message:
        # Events name players by their seats.
        return message
    names = [player["name"] for player in message["players"]]
    left = _without(names, set(deletion.names))
    players = [
        {**player, "name": name} for player, name in zip(message["players"], left, strict=True)
    ]
    record = _record_without(message["record"].encode(), set(deletion.names)).decode()
    return {**message, "players": players, "record": record}


def _delete_everything(folder: Path) -> None:
    for name in (GAMES, STORIES, PICTURES, ROLLS):
        shutil.rmtree(folder / name, ignore_errors=True)
    for pattern in SET_ASIDE:
        for path in folder.glob(pattern):
            shutil.rmtree(path, ignore_errors=True)
    (folder / players.FILE).unlink(missing_ok=True)
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{database.FILE}{suffix}").unlink(missing_ok=True)


def _delete_game(folder: Path, name: str, code: str) -> None:
    record = folder / GAMES / f"{name}.jsonl"
    if record.parent != folder / GAMES:
        raise OSError(f"{name}: no name of a game")
    number = number_of(name, code)
    # The record tells its date, so it goes after them.
    _delete_set_aside(folder, partial(_tells_of, _dates(record), number, code))
    notes.beside(record).unlink(missing_ok=True)
    record.unlink(missing_ok=True)
    if number is not None:
        (folder / STORIES / f"{number}.json").unlink(missing_ok=True)
        for picture in (folder / PICTURES).glob(f"{number}-*.jpg"):
            picture.unlink(missing_ok=True)
        shutil.rmtree(folder / ROLLS / str(number), ignore_errors=True)


def _delete_player(folder: Path, keys: set[str], step: Callable[[int, int], None]) -> None:
    """Put DELETED in the place of a player's names, in records and stories."""
    files = [
        *((path, _record_without) for path in sorted((folder / GAMES).glob("*.jsonl"))),
        *((path, _story_without) for path in sorted((folder / STORIES).glob("*.json"))),
    ]
    parts = []
    for done, (path, without) in enumerate(files, start=1):
        with suppress(
            ValueError, TypeError, KeyError, AttributeError, RecursionError, NotAFileError
        ):
            content = read_whole(path)
            changed = without(content, keys)
            if changed != content:
                part = path.with_suffix(".part")
                with open(
                    os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb"
                ) as file:
                    file.write(changed)
                parts.append((part, path))
        step(done, len(files))
    # One wait for all of them: a card takes as long for one small file as for a thousand.
    os.sync()
    for part, path in parts:
        part.replace(path)
    names = folder / players.FILE
    with suppress(FileNotFoundError, players.PlayersError):
        left = players.from_json(read_whole(names)).without(keys)
        write_whole(names, left.to_json().encode())
    _delete_set_aside(folder, partial(_names_one, keys))


def _delete_set_aside(folder: Path, is_meant: Callable[[str], bool]) -> None:
    """Delete files that were set aside, by their text. Damaged ones can't be changed safely."""
    for pattern in SET_ASIDE:
        for path in [each for kept in folder.glob(pattern) for each in kept.rglob("*")]:
            if path.is_file() and is_meant(path.read_bytes().decode("utf-8", "replace")):
                path.unlink()


def _names_one(keys: set[str], text: str) -> bool:
    """Return whether a text names a player, by the keys of their names."""
    key = key_of(_unescape(text))
    return any(name in key for name in keys)


def _dates(record: Path) -> Sequence[str]:
    """Return when the game of a record was dealt, to the second; nothing if it can't be read."""
    with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
        date = json.loads(read_whole(record).partition(b"\n")[0])["date"]
        if isinstance(date, str) and len(date) > len("2026-11-23"):
            return (date,)
    return ()


def _tells_of(dates: Sequence[str], number: int | None, code: str, text: str) -> bool:
    """Return whether a text tells of a game: by when it was dealt, or by table and number.

    A damaged file may have lost one of them, and a journal of an earlier format writes neither in
    the same way.
    """
    if any(date in text for date in dates):
        return True
    return number is not None and bool(
        re.search(rf"\bcode\W+{re.escape(code)}\W+game\W+{number}\b", text)
    )


def _unescape(text: str) -> str:
    """Return a text, JSON or not, with the letters that JSON may write as numbers."""
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), text)
    # What lies beyond 16 bits is written as two numbers.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _record_without(content: bytes, keys: set[str]) -> bytes:
    header, feed, actions = content.partition(b"\n")
    return _header_without(header.decode(), keys).encode() + feed + actions


def _header_without(line: str, keys: set[str]) -> str:
    header = json.loads(line)
    names = [player["name"] for player in header["players"]]
    left = _without(names, keys)
    if left == names:
        return line
    for player, name in zip(header["players"], left, strict=True):
        player["name"] = name
    return dump(header)


def _without(names: Sequence[str], keys: set[str]) -> list[str]:
    """Return the names of a game's players, with different ones in the place of those deleted."""
    free = _deleted_names(names)
    return [next(free) if key_of(name) in keys else name for name in names]


def _deleted_names(taken: Sequence[str]) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        name = DELETED if number == 1 else f"{DELETED} {number}"
        if name not in taken:
            yield name


def _story_without(content: bytes, keys: set[str]) -> bytes:
    story = json.loads(content)
    names = [name for _, name in story["people"]]
    left = _without(names, keys)
    if left == names:
        return content
    instead = dict(zip(names, left, strict=True))
    story["people"] = [[number, instead[name]] for number, name in story["people"]]
    story["seats"] = [[kind, instead.get(name, name)] for kind, name in story["seats"]]
    kind, body, *rest = story["lines"][0]
    body = json.loads(_header_without(body if isinstance(body, str) else dump(body), keys))
    story["lines"][0] = [kind, body, *rest]
    return dump(story).encode()
