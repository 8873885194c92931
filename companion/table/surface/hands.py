"""A table without a tray: the companion deals the hands, and phones play from them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from companion.base.refused import Message
from companion.games.game import AnyMove, HandRules
from companion.table.history import History
from companion.table.surface.cards.state import Pile, PileStatus
from companion.table.surface.dice.state import Tray, TrayStatus
from companion.table.surface.interface import EarlySurface, Seen, Signal, SurfaceView, TrayMove


@dataclass(frozen=True)
class HandSurface(EarlySurface[None]):
    """The hands that the companion deals: whatever a camera sees counts for nothing."""

    answer_awaited = Message("an answer is awaited: play a card, or press the red button")
    rules: HandRules
    """How the game is played with them."""

    def show(self, history: History | None) -> None:
        """Show nothing: there is no tray."""

    def view(
        self, history: History | None, shown: None, version: int, *, works: bool
    ) -> SurfaceView:
        """Return what pages see of a tray in which nothing lies."""
        return SurfaceView(
            tray=Tray(TrayStatus.EMPTY), pile=Pile(PileStatus.UNWATCHED), by_hand=True
        )

    def signal(self, history: History, shown: None) -> Signal:
        """Return what the light shows: certain while the green button ends the turn."""
        return Signal.WAITING if self.rules.ending(history.state) is None else Signal.CERTAIN

    def watch(self, works: bool) -> Self:
        """Return the same, whether or not a camera works."""
        return self

    def observe(self, seen: Seen, history: History | None, shown: None) -> Self:
        """Return the same: no camera is needed."""
        return self

    def follow_up(self, history: History) -> Self | TrayMove | None:
        """Return what follows from an early answer whose turn has come."""
        return None if history.standing.outcome else self.answer(history)

    def play_early(self, move: AnyMove, history: History) -> TrayMove:
        """Return the move of an early answer."""
        return TrayMove(move, history.lying, early=True)

    def move_on(self, play: TrayMove, before: History, after: History) -> Self:
        """Return the early answers that are left: the game itself knows where its cards are."""
        known = self.after_answer(play)
        return replace(known, early={}) if after.standing.outcome else known

    def undo(self, left: History, history: History, shown: None) -> Self:
        """Return it without early answers: the game's earlier state has its cards."""
        return self.reset()

    @property
    def kept(self) -> object:
        """The early answers: the lines of the game save all else."""
        return self.early

    def lessons(
        self, was: History, now: History, shown: None
    ) -> Iterator[tuple[int, Sequence[Any]]]:
        """Yield nothing: no camera reads these cards."""
        return iter(())
