"""Keeps what the host set up from one start to the next: `setup.json` in the data folder."""

import json
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from companion.base import codec, set_aside
from companion.base.proof import prove, take_proven
from companion.base.refused import Problem, Refused
from companion.base.whole_file import read_whole, write_whole
from companion.games.common.texts import load_json

MAINS = (50, 60)
"""Frequencies of the mains in the world, in hertz."""

KEPT = ("players.json", "setup.json", "tray.png")
"""What the host has told the table, which nothing else tells it again."""

NOTES = "kept-files"
"""The file that says which of them were there."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoredSetup:
    """What `setup.json` holds; the names of the fields are its keys."""

    mains: Annotated[int, MAINS] = MAINS[0]
    """Frequency of the mains, with which lamps flicker, in hertz."""
    held: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The settings at which each camera is locked, by the camera's name."""
    profile: str = ""
    """The set of dice that the host chose; "": none."""
    instead_of: str = ""
    """The set that the settings named when the host chose; that choice holds as long as they do."""
    deck: str | None = None
    """The deck of cards that the host chose, "" for none; None: not chosen yet."""
    steps: Mapping[str, str] = field(default_factory=dict)
    """How each step of the first run ended (`first_run.Tick`), by its name (`first_run.Step`)."""


class SetupStore:
    """Reads and writes `setup.json`. Every method may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        """Read the file in `folder`; one that is missing or damaged counts as empty."""
        self._path = folder / "setup.json"
        self._lock = threading.Lock()
        self._damaged = False
        self._stored = self._load()

    @property
    def stored(self) -> StoredSetup:
        """What is stored now."""
        return self._stored

    def set_damaged_aside(self) -> str:
        """Move the file away if it was damaged; return the name of the folder that keeps it.

        Empty where there is no damage, or the disk can't be written.
        """
        kept = set_aside.move(self._path) if self._damaged else ""
        self._damaged = self._damaged and not kept
        return kept

    def save(self, **changes: Any) -> None:
        """Change these fields. Raises Refused, with nothing changed."""
        with self._lock:
            stored = replace(self._stored, **changes)
            save_whole(self._path, json.dumps(prove(asdict(stored)), indent=1).encode())
            self._stored = stored

    def _load(self) -> StoredSetup:
        try:
            return codec.read(StoredSetup, take_proven(load_json(read_whole(self._path))))
        except FileNotFoundError:
            _log.info("the camera is not set up yet")
        except (OSError, ValueError) as error:
            _log.warning("%s: damaged; the camera is not set up: %s", self._path, error)
            self._damaged = True
        return StoredSetup()


def note_files(folder: Path) -> list[str]:
    """Note which files of KEPT are in a folder; return those that were noted and are gone."""
    here = [name for name in KEPT if (folder / name).exists()]
    noted: list[str] = []
    with suppress(OSError, ValueError):
        noted = read_whole(folder / NOTES).decode().split()
    if noted != here:
        with suppress(OSError):
            write_whole(folder / NOTES, "\n".join(here).encode())
    return [name for name in KEPT if name in noted and name not in here]


def save_whole(path: Path, content: bytes) -> None:
    """Write a file completely or not at all. Raises Refused."""
    try:
        write_whole(path, content)
    except OSError as error:
        raise Refused(
            Problem.FAILED, "nothing was changed: %(error)s", error=f"{path}: {error.strerror}"
        ) from error
