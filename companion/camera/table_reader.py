"""Reads the dice on the table with the set of dice in use and the empty tray."""

from companion.base.listeners import Listeners
from companion.camera.empty_tray import EmptyTray
from vision.dice.find.plane import TablePlane
from vision.dice.follow import DiceFollower, TakeDarkerFrame, TrayChange
from vision.dice.profile import Profile
from vision.dice.reader import DiceReader
from vision.dice.reading import DiceReading, TrayVerdict
from vision.imaging.geometry import Image


class TableReader:
    """The table's reader, whose set of dice can change while it runs."""

    def __init__(self, profile: Profile, empty_tray: EmptyTray) -> None:
        self._reader = DiceReader(profile)
        self._empty_tray = empty_tray
        self.plane = TablePlane()
        """How flat dice lie at this table, as throws that were read surely show it.

        Two of them are enough, so it isn't kept in a file.
        """
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

    def use(self, profile: Profile) -> None:
        """Read another set of dice, beginning with the dice in the tray now."""
        self._reader = DiceReader(profile)
        self.listeners.tell()

    def read(self, image: Image, tray: Image | None) -> DiceReading:
        """Read one frame, as `vision.dice.follow.ReadPicture` asks for it.

        tray: the tray without dice, as the follower last saw it. If it hasn't seen it yet, the
        empty tray that the host showed is used.
        """
        empty = self._empty_tray.matching(image) if tray is None else tray
        reading = self._reader.read(image, empty, self.plane)
        if reading.verdict is TrayVerdict.OK:
            height, width = image.shape[:2]
            self.plane = self.plane.add((width, height), reading.lying)
        return reading

    def follower(self, take_darker: TakeDarkerFrame | None = None) -> "TableFollower":
        """Return a new follower of the dice, for a camera that was just opened.

        take_darker: see `vision.dice.follow.DiceFollower`.
        """
        return TableFollower(self, take_darker)


class TableFollower:
    """Follows the dice of a `TableReader`, and starts over when the set of dice changes."""

    def __init__(self, reader: TableReader, take_darker: TakeDarkerFrame | None = None) -> None:
        self._reader, self._take_darker = reader, take_darker
        self._begin()

    def _begin(self) -> None:
        self._of = self._reader.reader
        self._follower = DiceFollower(self._reader.read, self._take_darker)

    def update(self, frame: Image, at: float) -> TrayChange | None:
        """Return what one more frame changes, as `vision.dice.follow.DiceFollower.update` does."""
        if self._of is not self._reader.reader:
            self._begin()
        return self._follower.update(frame, at)
