"""Who is who across evenings: names that belong to one player, and what players are called.

Games know players by the names that they gave. Names that differ in upper and lower case only are
the same player's. Everything else the host says, and `players.json` keeps: it isn't worked out from
records, so it is the one file here that must not be lost.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from companion.base.names import key_of
from companion.base.proof import prove, take_proven
from companion.base.whole_file import read_whole
from companion.games.common.texts import load_json

FILE = "players.json"
"""The name of the file in the data folder."""

FORMAT = 1
"""Its format."""

DELETED = "—"
"""What stands in records for the name of a player who was deleted; nobody can be called that."""


class PlayersError(ValueError):
    """The file can't be understood; the text says why."""


class PlayerNames(NamedTuple):
    """What players are called, where that isn't the name in the record."""

    names: Mapping[str, str] = {}
    """What the player is called now, by the key of a name in records."""

    def name_for(self, name: str) -> str | None:
        """Return what the player is called who gave this name; None if the host said nothing."""
        return self.names.get(key_of(name))

    def with_name(self, given: Iterable[str], name: str) -> "PlayerNames":
        """Return the names after the player who gave any of these is called `name`."""
        return PlayerNames({**self.names, **{key_of(each): name for each in given}})

    def without(self, given: Iterable[str]) -> "PlayerNames":
        """Return the names after each of those given is a player of its own again, or nobody's."""
        keys = set(map(key_of, given))
        return PlayerNames({key: name for key, name in self.names.items() if key not in keys})

    def to_json(self) -> str:
        """Return the content of the file."""
        said = prove({"format": FORMAT, "names": dict(sorted(self.names.items()))})
        return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def load(folder: Path) -> PlayerNames:
    """Return what the file in a data folder says. Raises OSError and PlayersError."""
    with suppress(FileNotFoundError):
        return from_json(read_whole(folder / FILE))
    return PlayerNames()


def from_json(content: bytes) -> PlayerNames:
    """Return what the file says. Raises PlayersError, which names the line where there is one."""
    try:
        said = take_proven(load_json(content))
    except json.JSONDecodeError as error:
        raise PlayersError(f"line {error.lineno}: {error.msg}") from error
    except ValueError as error:
        raise PlayersError(str(error)) from error
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise PlayersError(f"it is not of format {FORMAT}")
    names = said.get("names")
    if not isinstance(names, dict):
        raise PlayersError('"names" is not an object')
    for key, name in names.items():
        if not isinstance(name, str) or not name or key != key_of(key):
            raise PlayersError(f"{key!r} is not a name in lower case, or stands for no name")
    return PlayerNames(names)


def is_deleted(name: str) -> bool:
    """Return whether a name in a record stands for somebody who was deleted."""
    return name == DELETED or name.startswith(f"{DELETED} ")
