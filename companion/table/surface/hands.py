"""A table without a tray: the companion deals the hands, and phones play from them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from companion.base.refused import Message, Problem, Refused
from companion.games.game import Game, HandRules
from companion.table.history import History
from companion.table.surface.cards.state import Pile, PileStatus
from companion.table.surface.dice.state import Status, Tray
from companion.table.surface.interface import Seen, Signal, Surface, SurfaceView, TrayMove


@dataclass(frozen=True)
class HandSurface(Surface[None]):
    """The hands that the companion deals: whatever a camera sees counts for nothing."""

    rules: HandRules
    """How the game is played with them."""

    kept: ClassVar[object] = None
    """Nothing of a tray must outlast a restart: the lines of the game save all of it."""

    def show(self, history: History | None) -> None:
        """Show nothing: there is no tray."""

    def view(
        self, history: History | None, shown: None, version: int, *, works: bool
    ) -> SurfaceView:
        """Return what pages see of a tray in which nothing lies."""
        return SurfaceView(tray=Tray(Status.EMPTY), pile=Pile(PileStatus.UNWATCHED), by_hand=True)

    def signal(self, history: History, shown: None) -> Signal:
        """Return what the light shows: certain while the green button ends the turn."""
        return Signal.WAITING if self.rules.ending(history.state) is None else Signal.CERTAIN

    def watch(self, works: bool) -> Self:
        """Return the same, whether or not a camera works."""
        return self

    def observe(self, seen: Seen, history: History | None, shown: None) -> Self:
        """Return the same: no camera is needed."""
        return self

    def green(self, history: History, shown: None) -> TrayMove:
        """End the turn, if no card must be chosen for it. Raises Refused."""
        move = self.rules.ending(history.state)
        if move is None:
            reason = Message("the turn can’t end now")
            if self.rules.passing(history.state) is not None:
                reason = Message("an answer is awaited: play a card, or press the red button")
            raise Refused(Problem.ILLEGAL, reason)
        return self.play(move, history, shown)

    def red(self, history: History, shown: None) -> TrayMove:
        """Pass for the seat that must answer. Raises Refused."""
        move = self.rules.passing(history.state)
        if move is None:
            raise Refused(Problem.ILLEGAL, "there is nothing to pass on now")
        return self.play(move, history, shown)

    def follow_up(self, history: History) -> None:
        """Let nothing follow by itself: nothing waits in a tray."""

    def move_on(self, play: TrayMove, before: History, after: History) -> Self:
        """Return the same: the game itself knows where its cards are."""
        return self

    def undo(self, left: History, history: History, shown: None) -> Self:
        """Return the same: the game's earlier state has its cards where they were."""
        return self

    def reset(self) -> Self:
        """Return the same."""
        return self

    def facts(self, game: Game | None) -> Mapping[str, str]:
        """Return nothing to save beside the lines of the game."""
        return {}

    def restore(self, name: str, text: str, history: History) -> Self:
        """Refuse what was saved of a tray."""
        raise ValueError("no tray")

    def lessons(
        self, was: History, now: History, shown: None
    ) -> Iterator[tuple[int, Sequence[Any]]]:
        """Yield nothing: no camera reads these cards."""
        return iter(())
