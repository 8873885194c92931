"""What players teach the reader while they play: dice that they named, learned in a thread apart.

Only what was accepted teaches, and what is undone is taken back.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple, Protocol

from companion.dicegame.faces import Face
from companion.table.refused import Message
from companion.table.tray import Mark, Seen, TrayDie

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Image = npt.NDArray[np.uint8]

_log = logging.getLogger(__name__)


class Named(NamedTuple):
    """A die that a player named: its face; its centre and its edge, in pixels."""

    face: Face
    x: float
    y: float
    size: float


class Pupil(Protocol):
    """What learns, as `vision.learn.ProfileLearner`."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many pictures of each face were learned."""

    def learn(self, image: "Image", named: Sequence[Named], source: str) -> None:
        """Learn dice that were read in `image`; raises where that can't be saved."""

    def take_back(self, is_taken_back: Callable[[str], bool]) -> None:
        """Unlearn the lessons whose source says so; raises where that can't be saved."""


def named(dice: Sequence[TrayDie], seen: Seen, marks: Mapping[int, Mark]) -> tuple[Named, ...]:
    """Return the dice of a roll that a player corrected, or named where the reader was not sure."""
    doubted = {die.place for die in seen.dice if not die.sure}
    return tuple(
        Named(die.face, die.place.x, die.place.y, die.place.size)
        for number, die in enumerate(dice)
        if number in marks
        and marks[number].face is not None
        and die.face is not None
        and die.place is not None
        and (die.face is not die.read or die.place in doubted)
    )


class Learner(threading.Thread):
    """The thread. A lesson is a roll: the one that made moment so and so of a game."""

    def __init__(
        self,
        pupil: Pupil,
        picture: Callable[[], "Image | None"],
        show: Callable[[Mapping[str, int], str], None],
    ) -> None:
        """Build the thread.

        picture: what was read last; show: told after each change how many pictures of each face
        are learned, and why they could not be saved ("" if they were, or that was said before).
        """
        super().__init__(name="learner", daemon=True)
        self._pupil = pupil
        self._picture = picture
        self._show = show
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._fault = ""

    def learn(self, dice: Sequence[Named], game: str, moment: int) -> None:
        """Learn dice of the picture that was read last."""
        picture = self._picture()
        if picture is not None:
            self._jobs.put(lambda: self._pupil.learn(picture, dice, f"{game}-{moment}"))

    def take_back(self, game: str, moment: int) -> None:
        """Unlearn what this game taught from that moment on."""

        def is_taken_back(source: str) -> bool:
            its_game, _, its_moment = source.rpartition("-")
            return its_game == game and its_moment.isdecimal() and int(its_moment) >= moment

        self._jobs.put(lambda: self._pupil.take_back(is_taken_back))

    def forget(self) -> None:
        """Unlearn everything."""
        self._jobs.put(lambda: self._pupil.take_back(lambda _: True))

    def refresh(self) -> None:
        """Say what is learned of the dice that are read now, after others were."""
        self._jobs.put(lambda: None)

    def stop(self) -> None:
        """Do what is left to do and end the thread."""
        self._jobs.put(None)
        self.join(timeout=5)

    def run(self) -> None:
        """Work until `stop`."""
        self._show(self._pupil.counts, "")
        while (job := self._jobs.get()) is not None:
            news = ""
            try:
                job()
            except Exception as error:
                # Whatever it is, players play on, with what the reader knows.
                reason = str(error) or type(error).__name__
                fault = Message("what was learned is not saved: %(reason)s", reason=reason)
                if fault != self._fault:
                    self._fault = news = fault
                    _log.warning("%s", fault)
            self._show(self._pupil.counts, news)
