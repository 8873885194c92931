"""Which dice are pictured: those whose reading players changed, and those of accepted rolls."""

from collections.abc import Sequence
from typing import Protocol

from companion.table.scene import Scene
from companion.table.surface.dice.state import Place


class DieKeeper(Protocol):
    """Keeps pictures of dice whose reading players changed."""

    def keep(self, game: int, move: int, die: int) -> None:
        """Keep the picture of a die as it lies now, for the move of a game that will accept it."""


class RollKeeper(Protocol):
    """Keeps pictures of the dice of accepted rolls."""

    def keep(self, game: int, move: int, places: Sequence[Place | None]) -> None:
        """Keep the dice that a move of a game accepted, as they lie now; returns at once."""


def picture_corrected(pictures: DieKeeper, before: Scene, now: Scene) -> None:
    """Have pictures kept of the dice whose reading a change has changed."""
    if now.history is None:
        return
    for said in now.corrections:
        if said.pictured and said.die is not None and said not in before.corrections:
            pictures.keep(now.history.number, len(now.history.moments), said.die)


def picture_accepted(pictures: RollKeeper, before: Scene, now: Scene) -> None:
    """Have the dice pictured that a change accepted, also where no camera saw them."""
    was, history = before.history, now.history
    if was is None or history is None or was.number != history.number:
        return
    move = len(was.moments)
    if len(history.moments) > move:
        moment = history.moments[move]
        if history.game.rolled(moment.move) is not None:
            pictures.keep(history.number, move, [die.place for die in moment.lying])
