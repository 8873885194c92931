"""Reads the dice on the table with the set of dice in use, and with what is known of the table.

What is known is there after a restart: the empty tray in `tray.png`, all else in `tray.json`.
"""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.base import codec
from companion.base.listeners import Listeners
from companion.base.proof import prove, take_proven
from companion.base.whole_file import read_whole, write_whole
from companion.base.worker import JobWorker
from companion.camera.empty_tray import EmptyTray, EmptyTrayState
from companion.games.common.texts import load_json
from companion.table.surface.dice.state import Place
from vision.dice.find.tray_model import UNKNOWN, TrayModel
from vision.dice.follow import DiceFollower, TakeDarkerFrame, TrayChange
from vision.dice.profile import Profile
from vision.dice.reader import DiceReader
from vision.dice.reading import DiceReading, LyingDie, TrayVerdict
from vision.imaging.geometry import Image

FORMAT = 1
"""The newest format of `tray.json`, in which it is written."""

_log = logging.getLogger(__name__)


class TableReader:
    """The table's reader, whose set of dice can change while it runs."""

    def __init__(self, profile: Profile, empty_tray: EmptyTray, model: TrayModel = UNKNOWN) -> None:
        """model: what is known of the table, but for the empty tray."""
        self._reader = DiceReader(profile)
        self._empty_tray = empty_tray
        self._model = self._used = model
        self._lying: tuple[tuple[int, int], tuple[LyingDie, ...]] | None = None
        empty_tray.listeners.add(self._forget_if_moved)
        self.listeners = Listeners()
        """Told whenever another set of dice comes into use."""

    @property
    def reader(self) -> DiceReader:
        """The reader of the set of dice in use."""
        return self._reader

    @property
    def profile(self) -> Profile:
        """The set of dice in use, with what was learned of it."""
        return self._reader.profile

    @property
    def model(self) -> TrayModel:
        """What is known of the table, but for the empty tray."""
        return self._model

    def model_for(self, frame: Image) -> TrayModel:
        """Return what is known of the table, with the empty tray if `frame` was seen from there."""
        return self._model.with_tray(self._empty_tray.matching(frame))

    def accept(self) -> bool:
        """Learn how dice lie at this table from those that were read last: players accepted them.

        Return whether five were read, of which none surely leans.
        """
        lying = self._lying
        if lying is not None:
            self._model = self._model.add(*lying)
        return lying is not None

    def use(self, profile: Profile) -> None:
        """Read another set of dice, beginning with the dice in the tray now."""
        self._reader = DiceReader(profile)
        self.listeners.tell()

    def read(self, image: Image, model: TrayModel) -> DiceReading:
        """Read one frame, as `vision.dice.follow.ReadPicture` asks for it.

        model: the tray without dice, as the follower last saw it. If it hasn't seen it yet, the
        empty tray that the host showed is used.
        """
        known = self._model
        empty = self._empty_tray.matching(image) if model.tray is None else model.tray
        # The same value as long as nothing is new: it keeps what it has worked out.
        if self._used.dice is not known.dice or self._used.tray is not empty:
            self._used = known.with_tray(empty)
        reading = self._reader.read(image, self._used)
        height, width = image.shape[:2]
        five = reading.verdict in (TrayVerdict.OK, TrayVerdict.UNSURE)
        self._lying = ((width, height), reading.lying) if five else None
        return reading

    def _forget_if_moved(self) -> None:
        if self._empty_tray.state is EmptyTrayState.MOVED:
            self._model = UNKNOWN

    def follower(
        self,
        take_darker: TakeDarkerFrame | None = None,
        changed: Callable[[Image, TrayChange], None] = lambda frame, change: None,
    ) -> "TableFollower":
        """Return a new follower of the dice, for a camera that was just opened.

        take_darker: see `vision.dice.follow.DiceFollower`. changed: told each change and its frame.
        """
        return TableFollower(self, take_darker, changed)


class TableFollower:
    """Follows the dice of a `TableReader`, and starts over when the set of dice changes."""

    def __init__(
        self,
        reader: TableReader,
        take_darker: TakeDarkerFrame | None,
        changed: Callable[[Image, TrayChange], None],
    ) -> None:
        self._reader, self._take_darker, self._changed = reader, take_darker, changed
        self._begin()

    def _begin(self) -> None:
        self._of = self._reader.reader
        self._follower = DiceFollower(self._reader.read, self._take_darker)

    def update(self, frame: Image, at: float) -> TrayChange | None:
        """Return what one more frame changes, as `vision.dice.follow.DiceFollower.update` does."""
        if self._of is not self._reader.reader:
            self._begin()
        change = self._follower.update(frame, at)
        if change is not None:
            self._changed(frame, change)
        return change


@dataclass(frozen=True, slots=True)
class StoredModel:
    """What `tray.json` holds; the names of the fields are its keys."""

    format: int
    """At most FORMAT."""
    size: tuple[int, int]
    """As in `TrayModel`."""
    dice: tuple[LyingDie, ...]
    """As in `TrayModel`."""


def load_model(path: Path) -> TrayModel:
    """Return the model in a file. Its empty tray isn't in it, but in `tray.png`.

    Raises OSError if the file can't be read, ValueError if it is no model that we know.
    """
    said = take_proven(load_json(read_whole(path)))
    written = said.get("format") if isinstance(said, dict) else None
    if isinstance(written, int) and written > FORMAT:
        raise ValueError(f"written by a newer version (format {written}; this one reads {FORMAT})")
    stored = codec.read(StoredModel, said)
    return TrayModel(size=stored.size, dice=stored.dice)


def save_model(model: TrayModel, path: Path) -> None:
    """Write all of a model but its empty tray, whole or not at all. Raises OSError."""
    said = codec.write(StoredModel(FORMAT, model.size, model.dice))
    write_whole(path, json.dumps(prove(said)).encode())


def load_known_model(path: Path) -> TrayModel:
    """Return the model in a file; UNKNOWN where there is none that can be used."""
    try:
        return load_model(path)
    except FileNotFoundError:
        _log.info("the table isn't known yet")
    except (OSError, ValueError) as error:
        _log.warning("%s: %s; the table is learned anew", path, error)
    return UNKNOWN


class TrayModelKeeper(JobWorker):
    """Learns the table from accepted rolls, and saves what it learned."""

    def __init__(self, reader: TableReader, path: Path) -> None:
        super().__init__("table model")
        self._reader, self._path = reader, path

    def keep(self, game: int, move: int, places: Sequence[Place | None]) -> None:
        """Learn from the dice that a roll accepted, as they lie now; returns at once."""
        if any(places) and self._reader.accept():
            model = self._reader.model
            self.add(lambda: save_model(model, self._path))
