"""When somebody looks at the odds, and of which moment."""

import time
from collections.abc import Callable, Sequence

from companion.games.game import Game, WantedOdds
from companion.table.history import Moment
from companion.table.scene import Scene

WATCH_S = 90.0
"""Seconds that odds are worked out after somebody's page of them was drawn."""


class Spectators:
    """Those who look at the odds of a table."""

    def __init__(self) -> None:
        self._until = 0.0
        self._begin: Callable[[], None] = lambda: None

    def listen(self, begin: Callable[[], None]) -> None:
        """Call `begin` whenever somebody begins to look while nobody did."""
        self._begin = begin

    def look(self) -> None:
        """Note that somebody looks at the odds now."""
        now = time.monotonic()
        begins = now > self._until
        self._until = now + WATCH_S
        if begins:
            self._begin()

    def wanted(self, scene: Scene) -> WantedOdds | None:
        """Return the game up to the moment whose odds are wanted; None if nobody looks.

        That moment is the last start of a turn or elimination; eliminated players always look.
        """
        history = scene.history
        if history is None or history.standing.outcome or history.game.seen is None:
            return None
        if all(history.standing.alive) and time.monotonic() > self._until:
            return None
        moments = history.moments
        for last in range(len(moments) - 1, 0, -1):
            was, now = moments[last - 1].standing, moments[last].standing
            if (was.turn, was.alive) != (now.turn, now.alive):
                return _want(history.game, moments[: last + 1])
        return _want(history.game, moments[:1])


def _want(game: Game, moments: Sequence[Moment]) -> WantedOdds:
    states = [moment.state for moment in moments]
    return WantedOdds(game, states, [moment.move for moment in moments[1:]])
