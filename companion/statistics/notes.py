"""Notes on a game, kept beside its record: what the record's format has no place for.

Which dice were thrown, which seats stand-ins played, and how often the reader took a face for
another. They are written when a game leaves the table, and contain nothing that was secret.
"""

import json
import logging
import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from companion.table import aside
from companion.table.history import History
from companion.table.scene import Scene

SUFFIX = ".notes.json"
"""How their files' names end; they begin with the name of the record."""

FORMAT = 1
"""The format of the files."""

BY_HAND, SIMULATED = "<by hand>", "<simulated>"
"""What stands for a set of dice where players entered what they threw, or the table threw."""

_MOST_BYTES = 1 << 16

_log = logging.getLogger(__name__)


class NotesError(ValueError):
    """A file of notes can't be understood; the text says why."""


class GameNotes(NamedTuple):
    """What is noted of a game."""

    dice: str | None = None
    """The set of dice, BY_HAND or SIMULATED; None if unknown."""
    stand_ins: Mapping[int, str] = {}
    """How stand-ins played, by seat."""
    readings: Mapping[tuple[str, str], int] = {}
    """How many thrown dice showed one face (the first) while the camera read another, or the same.

    Only dice whose reading was certain, or corrected, count."""


def notes_on(scene: Scene, dice: str | None) -> GameNotes:
    """Return the notes on the game of a scene. dice: the set that the camera reads."""
    assert scene.history is not None
    camera = scene.camera
    return GameNotes(
        BY_HAND if camera.name == "none" else SIMULATED if camera.throws else dice,
        {
            seat: scene.stand_ins[person.id]
            for seat, person in enumerate(scene.people)
            if person.id in scene.stand_ins
        },
        _readings(scene.history),
    )


def _readings(history: History) -> Mapping[tuple[str, str], int]:
    counts: Counter[tuple[str, str]] = Counter()
    for moment in history.moments[1:]:
        faces = history.game.dice.rolled(moment.move)
        if faces is None:
            continue
        thrown = getattr(moment.move, "rerolled", None)
        for number, die in enumerate(moment.lying):
            if die.read is not None and (thrown is None or number in thrown):
                counts[faces[number], die.read] += 1
    return counts


def write(path: Path, notes: GameNotes) -> None:
    """Write the notes beside a record, completely or not at all. path: of the record."""
    content = {
        "format": FORMAT,
        "dice": notes.dice,
        "stand_ins": sorted(notes.stand_ins.items()),
        "readings": [[*faces, count] for faces, count in sorted(notes.readings.items())],
    }
    part = path.with_suffix(f"{SUFFIX}.part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    part.replace(beside(path))
    aside.sync(path.parent)


def beside(record: Path) -> Path:
    """Return the path of the notes on a record."""
    return record.with_suffix(SUFFIX)


def read(content: bytes) -> GameNotes:
    """Return what a file of notes says. Raises NotesError."""
    if len(content) > _MOST_BYTES:
        raise NotesError("it is too large")
    try:
        said = json.loads(content)
        if said["format"] != FORMAT:
            raise NotesError(f"format {said['format']!r} is unknown")
        dice = said["dice"]
        if dice is not None and not isinstance(dice, str):
            raise NotesError('"dice" is not a name')
        return GameNotes(
            dice,
            {_whole(seat): str(level) for seat, level in said["stand_ins"]},
            {(str(face), str(seen)): _whole(count) for face, seen, count in said["readings"]},
        )
    except NotesError:
        raise
    except KeyError as error:
        raise NotesError(f"the key {error} is missing") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise NotesError(f"it can't be understood: {error}") from error


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise NotesError(f"{value!r} is not a whole number")
    return value


class NoteKeeper:
    """Writes the notes on each game that leaves the table."""

    def __init__(self, dice: Callable[[], str | None]) -> None:
        """dice: returns the set of dice that the camera reads now."""
        self._dice = dice

    def keep(self, record: Path, scene: Scene) -> None:
        """Write the notes on the game of a scene. A full disk must not stop the next game."""
        try:
            write(record, notes_on(scene, self._dice()))
        except OSError as error:
            _log.warning("%s: can't be written: %s", beside(record), error)
