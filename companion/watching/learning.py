"""Teaches the reader while a game is played: each correction is learned once its roll is accepted.

Learning is slow, so it has its own thread. An undo also undoes what was learned from the roll.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue
from typing import TYPE_CHECKING

from companion.table.refused import Message
from companion.table.rolling import NamedDie

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from vision.learn import ProfileLearner

    Image = npt.NDArray[np.uint8]

_log = logging.getLogger(__name__)


class Learner(threading.Thread):
    """The thread. It learns roll by roll; a roll is known by its game and its move."""

    def __init__(
        self,
        trainer: "ProfileLearner",
        frame: "Callable[[], Image | None]",
        show: Callable[[Mapping[str, int], str], None],
    ) -> None:
        """Build the thread.

        frame: returns the frame that was read last; show: called after each change with the number
        of pictures learned of each face, and why they could not be saved ("" if they were, or if
        that was said before).
        """
        super().__init__(name="learner", daemon=True)
        self._trainer = trainer
        self._frame = frame
        self._show = show
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._fault = ""

    def learn(self, dice: Sequence[NamedDie], game: str, moment: int) -> None:
        """Learn dice of the frame that was read last."""
        frame = self._frame()
        if frame is not None:
            self._jobs.put(lambda: self._trainer.learn(frame, dice, f"{game}-{moment}"))

    def take_back(self, game: str, moment: int) -> None:
        """Unlearn what a game has taught from its move `moment` on."""

        def is_taken_back(source: str) -> bool:
            its_game, _, its_moment = source.rpartition("-")
            return its_game == game and its_moment.isdecimal() and int(its_moment) >= moment

        self._jobs.put(lambda: self._trainer.take_back(is_taken_back))

    def forget(self) -> None:
        """Unlearn everything."""
        self._jobs.put(lambda: self._trainer.take_back(lambda _: True))

    def refresh(self) -> None:
        """Show what is learned of the dice in use, after another set came into use."""
        self._jobs.put(lambda: None)

    def stop(self) -> None:
        """Finish the jobs that wait and end the thread."""
        self._jobs.put(None)
        self.join(timeout=5)

    def run(self) -> None:
        """Work until `stop`."""
        self._show(self._trainer.counts, "")
        while (job := self._jobs.get()) is not None:
            news = ""
            try:
                job()
            except Exception as error:
                # Whatever the error is, players continue with what the reader knows.
                reason = str(error) or type(error).__name__
                fault = Message("could not save what was learned: %(reason)s", reason=reason)
                if fault != self._fault:
                    self._fault = news = fault
                    _log.warning("%s", fault)
            self._show(self._trainer.counts, news)
