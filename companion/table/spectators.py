"""When somebody looks at the odds, and of which moment."""

import time
from collections.abc import Callable
from dataclasses import replace

from companion.base.listeners import Listeners
from companion.base.refused import Problem, Refused
from companion.games.game import Odds, WantedOdds
from companion.table.history import Moment
from companion.table.scene import Scene
from companion.table.views import TableView, Viewer, may_see_chances

WATCH_S = 90.0
"""Seconds that odds are worked out after somebody's page of them was drawn."""


class Spectators:
    """Those who look at the odds of a table."""

    def __init__(
        self,
        viewer: Viewer,
        scene: Callable[[], Scene],
        amend: Callable[[Callable[[Scene], Scene]], None],
    ) -> None:
        """viewer: works out views; scene: returns the scene now; amend: as that of `Table`."""
        self._viewer, self._scene, self._amend = viewer, scene, amend
        self._until = 0.0
        self.listeners = Listeners()
        """Told whenever somebody begins to look while nobody did."""

    def view(self, person: int | None) -> TableView:
        """Return what a spectator may see, with the odds. Raises Refused for other players.

        Living players don't get them; nor does a phone that decides for one.
        """
        scene = self._scene()
        view = self._viewer.view(scene, person)
        if not may_see_chances(view):
            raise Refused(Problem.FORBIDDEN, "only spectators and eliminated players see chances")
        self._look()
        return replace(view, odds=scene.odds)

    def _look(self) -> None:
        """Note that somebody looks at the odds now."""
        now = time.monotonic()
        begins = now > self._until
        self._until = now + WATCH_S
        if begins:
            self.listeners.tell()

    def show(self, wanted: WantedOdds, odds: Odds) -> None:
        """Show the odds of a game, unless it has moved on."""
        self._amend(lambda now: replace(now, odds=odds) if wanted == self.wanted(now) else now)

    def wanted(self, scene: Scene | None = None) -> WantedOdds | None:
        """Return the game up to the moment whose odds are wanted; None if nobody looks.

        That moment is the last start of a turn or elimination; eliminated players always look.
        The game contains secrets: odds must be worked out from public knowledge.
        scene: the game's (default: the scene now).
        """
        scene = scene or self._scene()
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
        states = [each.state for each in past]
        made = [each.move for each in past if each.move is not None]
        return WantedOdds(history.game, states, made)


def _is_turning_point(was: Moment, now: Moment) -> bool:
    """Return whether a turn starts with a move, or somebody is eliminated by it."""
    return (was.standing.turn, was.standing.alive) != (now.standing.turn, now.standing.alive)
