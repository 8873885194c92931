"""When somebody looks at the odds, and of which moment."""

import time

from companion.base.listeners import Listeners
from companion.games.game import WantedOdds
from companion.table.history import Moment
from companion.table.scene import Scene

WATCH_S = 90.0
"""Seconds that odds are worked out after somebody's page of them was drawn."""


class Spectators:
    """Those who look at the odds of a table."""

    def __init__(self) -> None:
        self._until = 0.0
        self.listeners = Listeners()
        """Told whenever somebody begins to look while nobody did."""

    def look(self) -> None:
        """Note that somebody looks at the odds now."""
        now = time.monotonic()
        begins = now > self._until
        self._until = now + WATCH_S
        if begins:
            self.listeners.tell()

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
        last = len(moments) - 1
        while last > 0 and not _is_turning_point(moments[last - 1], moments[last]):
            last -= 1
        past = moments[: last + 1]
        states, made = [each.state for each in past], [each.move for each in past[1:]]
        return WantedOdds(history.game, states, made)


def _is_turning_point(was: Moment, now: Moment) -> bool:
    """Return whether a turn starts with a move, or somebody is eliminated by it."""
    return (was.standing.turn, was.standing.alive) != (now.standing.turn, now.standing.alive)
