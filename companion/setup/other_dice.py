"""Notices dice in the tray that nobody chose, and which of the known sets they are of."""

from collections.abc import Callable, Iterable, Sequence

from companion.base.refused import Message
from companion.base.worker import JobWorker
from companion.camera.table_reader import TableReader
from vision.dice.find.tray_model import TrayModel
from vision.dice.follow import TrayChange, TrayEvent
from vision.dice.profile import Profile
from vision.dice.reader import DiceReader
from vision.dice.reading import Die
from vision.imaging.geometry import Image

UNLIKE = 2
"""Throws one after the other of which hardly a die is sure, before other sets are tried."""
SHIPPED = {"pips": Message("ordinary dice"), "print": Message("the printed dice")}
"""What the sets that come with the product are called."""
ALIKE = 3
"""So many dice that are sure by another set are of it: hardly one is sure by a wrong one."""
HARDLY = 1
"""So many of five dice may be sure by chance."""


def is_unlike(dice: Sequence[Die]) -> bool:
    """Return whether these may be other dice than those that are read: a lean isn't the cause."""
    return len(dice) > 0 and sum(d.sure for d in dice) <= HARDLY and not any(d.leans for d in dice)


def most_alike(
    frame: Image,
    model: TrayModel,
    profiles: Iterable[Profile],
    progress: Callable[[], None] = lambda: None,
) -> Profile | None:
    """Return the set by which most dice in a frame are sure; None if by none are enough.

    model: what is known of the table. progress: called before each set.
    """
    best, most = None, ALIKE - 1
    for profile in profiles:
        progress()
        sure = sum(die.sure for die in DiceReader(profile).read(frame, model).dice)
        if sure > most:
            best, most = profile, sure
    return best


class OtherDice(JobWorker):
    """Reads dice by the other known sets once they don't seem to be of the one in use."""

    def __init__(
        self,
        reader: TableReader,
        others: Callable[[], Iterable[Profile]],
        tell: Callable[[str], None],
    ) -> None:
        """Build the thread.

        others: returns the sets that could be chosen instead. tell: called with what speaks for
        other dice, for everybody to read; "" once those in use are seen again, or others chosen.
        """
        super().__init__("other dice")
        self._reader, self._others, self._tell = reader, others, tell
        self._thrown, self._unlike = True, 0
        reader.listeners.add(self._begin)

    def see(self, frame: Image, change: TrayChange) -> None:
        """Take a change of the tray, and the frame that shows it."""
        if change.event is TrayEvent.MOVING:
            self._thrown = True
        if change.event is not TrayEvent.SETTLED or not self._thrown:
            return
        self._thrown = False
        if sum(die.sure for die in change.dice) > HARDLY:
            self._begin()
        elif is_unlike(change.dice):
            self._unlike += 1
            if self._unlike % UNLIKE == 0:
                model, used = self._reader.model_for(frame), self._reader.profile
                self.add(lambda: self._compare(frame, model, used))

    def _begin(self) -> None:
        self._unlike = 0
        self._tell("")

    def _compare(self, frame: Image, model: TrayModel, used: Profile) -> None:
        """Tell by which other set the dice in a frame are read."""
        others = (profile for profile in self._others() if profile.name != used.name)
        alike = most_alike(frame, model, others, self.progress)
        if used.name != self._reader.profile.name or not self._unlike:
            return
        if alike is not None:
            name = SHIPPED.get(alike.name, alike.name)
            self._tell(Message("the dice in the tray look like %(name)s", name=name))
        else:
            self._tell(Message("the dice in the tray don’t look like those that the table reads"))
