"""Teaches the reader while a game is played: each correction is learned once its move is made.

Learning is slow, so it has its own thread. An undo also undoes what was learned from the move.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from companion.base.refused import Message
from companion.base.worker import JobWorker

_log = logging.getLogger(__name__)


_Seen = TypeVar("_Seen")
_Named = TypeVar("_Named")


_Pictures = TypeVar("_Pictures", contravariant=True)
_Thing = TypeVar("_Thing", contravariant=True)


class Trainer(Protocol[_Pictures, _Thing]):
    """What a reader learns with: a `ProfileLearner`, or a `DeckLearner`."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many pictures of each face or title were learned."""

    def learn(self, seen: _Pictures, named: Sequence[_Thing], source: str, /) -> None:
        """Learn what players named in what was seen; source: names the lesson."""

    def take_back(self, is_taken_back: Callable[[str], bool], /) -> None:
        """Unlearn the lessons for whose source this is true."""


class CorrectionWorker(JobWorker, Generic[_Seen, _Named]):
    """The thread. It learns move by move; a lesson is known by its game and its move."""

    def __init__(
        self,
        trainer: Trainer[_Seen, _Named],
        seen: Callable[[], _Seen | None],
        show: Callable[[Mapping[str, int], str], None],
        name: str = "learner",
    ) -> None:
        """Build the thread.

        seen: returns what was read last, such as a frame; show: called after each change with the
        number of pictures learned of each face, and why they could not be saved ("" if they were,
        or if that was said before); name: shown in lists of threads.
        """
        super().__init__(name)
        self._trainer = trainer
        self._seen = seen
        self._show = show
        self._fault = ""
        self.refresh()

    def learn(self, named: Sequence[_Named], game: str, moment: int) -> None:
        """Learn dice or cards of what was read last."""
        seen = self._seen()
        if seen is not None:
            self._teach(lambda: self._trainer.learn(seen, named, f"{game}-{moment}"))

    def take_back(self, game: str, moment: int) -> None:
        """Unlearn what a game has taught from its move `moment` on."""

        def is_taken_back(source: str) -> bool:
            its_game, _, its_moment = source.rpartition("-")
            return its_game == game and its_moment.isdecimal() and int(its_moment) >= moment

        self._teach(lambda: self._trainer.take_back(is_taken_back))

    def forget(self) -> None:
        """Unlearn everything."""
        self._teach(lambda: self._trainer.take_back(lambda _: True))

    def refresh(self) -> None:
        """Show what is learned of the dice in use, after another set came into use."""
        self._teach(lambda: None)

    def _teach(self, lesson: Callable[[], None]) -> None:
        self.add(lambda: self._carry_out(lesson))

    def _carry_out(self, lesson: Callable[[], None]) -> None:
        news = ""
        try:
            lesson()
        except Exception as error:
            # Whatever the error is, players continue with what the reader knows.
            reason = str(error) or type(error).__name__
            fault = Message("could not save what was learned: %(reason)s", reason=reason)
            if fault != self._fault:
                self._fault = news = fault
                _log.warning("%s", fault)
        self._show(self._trainer.counts, news)
