"""Notes on a game, kept beside its record: what the record's format has no place for.

When it began, which dice were thrown, which seats stand-ins played, and how often the reader took
a face for another. They are written when a game leaves the table, and contain nothing that was
secret.
"""

import json
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

from companion.base import codec
from companion.base.clock import parse_utc
from companion.base.whole_file import read_whole, write_whole
from companion.games.common.texts import load_json
from companion.table.history import History
from companion.table.scene import Scene

SUFFIX = ".notes.json"
"""How their files' names end; they begin with the name of the record."""

FORMAT = 1
"""The format of the files."""

BY_HAND, SIMULATED, SEVERAL = "<by hand>", "<simulated>", "<several>"
"""What stands for a set of dice where players entered what they threw, the table threw, or the
table read several sets during the game."""

USED = "dice-used.json"
"""The file that says which sets of dice the game on the table was played with."""

_MOST_BYTES = 1 << 16

Count = Annotated[int, range((1 << 31) + 1)]

_log = logging.getLogger(__name__)


class NotesError(ValueError):
    """A file of notes can't be understood; the text says why."""


class GameNotes(NamedTuple):
    """What is noted of a game."""

    dice: str | None = None
    """The set of dice, BY_HAND, SIMULATED or SEVERAL; None if unknown."""
    stand_ins: Mapping[int, str] = {}
    """How stand-ins played, by seat."""
    readings: Mapping[tuple[str, str], int] = {}
    """How many thrown dice showed one face (the first) while the camera read another, or the same.

    Only dice whose reading was certain, or corrected, count: where the camera was unsure and a
    player named the face, the camera read nothing."""
    date: str = ""
    """When the game began, in UTC; empty if unknown, as in notes that earlier versions wrote.

    With a `?` behind it if nobody confirmed it."""


@dataclass(frozen=True, kw_only=True)
class SavedNotes:
    """A file of notes."""

    format: Annotated[int, (FORMAT,)]
    """FORMAT."""
    date: str = ""
    """As in `GameNotes`."""
    dice: str | None
    """As in `GameNotes`."""
    stand_ins: tuple[tuple[Count, str], ...]
    """Each with its seat, ascending."""
    readings: tuple[tuple[str, str, Count], ...]
    """Each with how often, ascending."""


def notes_on(scene: Scene, dice: str | None) -> GameNotes:
    """Return the notes on the game of a scene. dice: the set that the camera read, or SEVERAL."""
    assert scene.history is not None
    camera = scene.camera
    return GameNotes(
        BY_HAND if camera.name == "none" else SIMULATED if camera.tray else dice,
        {
            seat: scene.stand_ins.levels[person.id]
            for seat, person in enumerate(scene.people)
            if person.id in scene.stand_ins.levels
        },
        _readings(scene.history),
        scene.history.lines[0].at,
    )


def _readings(history: History) -> Mapping[tuple[str, str], int]:
    counts: Counter[tuple[str, str]] = Counter()
    for moment in history.moments[1:]:
        faces = history.game.rolled(moment.move)
        if faces is None:
            continue
        thrown = getattr(moment.move, "rerolled", None)
        for number, die in enumerate(moment.lying):
            was_thrown = thrown is None or number in thrown
            # A player who names the camera's own best guess settles what it didn't know.
            guessed = die.said and die.read == faces[number]
            if die.read is not None and was_thrown and not guessed:
                counts[faces[number], die.read] += 1
    return counts


def to_json(notes: GameNotes) -> bytes:
    """Return the content of the file of these notes."""
    content = SavedNotes(
        format=FORMAT,
        date=notes.date,
        dice=notes.dice,
        stand_ins=tuple(sorted(notes.stand_ins.items())),
        readings=tuple((*faces, count) for faces, count in sorted(notes.readings.items())),
    )
    return json.dumps(codec.write(content)).encode()


def write(path: Path, notes: GameNotes) -> None:
    """Write the notes beside a record, completely or not at all. path: of the record."""
    write_whole(beside(path), to_json(notes))


def beside(record: Path) -> Path:
    """Return the path of the notes on a record."""
    return record.with_suffix(SUFFIX)


def read(content: bytes) -> GameNotes:
    """Return what a file of notes says. Raises NotesError."""
    if len(content) > _MOST_BYTES:
        raise NotesError("it is too large")
    try:
        said = codec.read(SavedNotes, load_json(content))
        if said.date and parse_utc(said.date) is None:
            raise ValueError(f"{said.date!r} is no time in UTC")
    except ValueError as error:
        raise NotesError(f"it can't be understood: {error}") from error
    readings = {(face, seen): count for face, seen, count in said.readings}
    return GameNotes(said.dice, dict(said.stand_ins), readings, said.date)


class DiceUsed:
    """Remembers which sets of dice the game on the table was played with, also after a restart."""

    def __init__(self, path: Path, dice: Callable[[], str | None]) -> None:
        """path: of the file; dice: returns the set of dice that the camera reads now."""
        self._path, self._dice = path, dice
        self._game, self._moves = 0, 0
        self._sets: tuple[str, ...] = ()
        try:
            said = load_json(read_whole(path))
            self._game, self._sets = int(said["game"]), tuple(map(str, said["sets"]))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError) as error:
            _log.warning("%s: can't be understood: %s", path, error)
        self._saved = self._game, self._sets

    def look(self, scene: Scene) -> bool:
        """Note the set that is read now, if a move was made since the last time.

        Returns whether it is to be saved.
        """
        history, dice = scene.history, self._dice()
        if history is None or dice is None:
            return False
        if history.number != self._game:
            self._game, self._moves, self._sets = history.number, 0, ()
        before, self._moves = self._moves, len(history.moments)
        if self._moves in (before, 1) or dice in self._sets:
            return False
        self._sets += (dice,)
        return True

    def save(self) -> None:
        """Save what was noted, unless it is saved already. Raises OSError."""
        noted = self._game, self._sets
        if noted != self._saved and self._sets:
            used = {"game": self._game, "sets": self._sets}
            write_whole(self._path, json.dumps(used).encode())
            self._saved = noted

    def dice_of(self, scene: Scene) -> str | None:
        """Return the set that the game of a scene was played with, or SEVERAL; None if unknown."""
        if scene.history is None or scene.history.number != self._game or not self._sets:
            return self._dice()
        return self._sets[0] if len(self._sets) == 1 else SEVERAL


class NoteKeeper:
    """Writes the notes on each game that leaves the table."""

    def __init__(self, used: DiceUsed) -> None:
        """used: says which dice the game was played with."""
        self._used = used

    def keep(self, record: Path, scene: Scene) -> None:
        """Write the notes on the game of a scene. A full disk must not stop the next game."""
        try:
            write(record, notes_on(scene, self._used.dice_of(scene)))
        except OSError as error:
            _log.warning("%s: can't be written: %s", beside(record), error)
