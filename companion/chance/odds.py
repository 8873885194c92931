"""Who would win if the game were played on by chance, judging by what everybody knows.

The table's secrets never enter: a `Simulator` of the game deals all that is hidden anew for each
game that is played on. Players who know more learn nothing from the odds.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Protocol

from companion.table.game import Odds, State

GAMES = 400
"""Games played on for one answer: a share is then off by 0.05 at most, 19 times in 20."""

SHARE = 0.25
"""The part of one processor's time that the odds may take."""


class Simulator(Protocol):
    """How a game is played on by chance."""

    def without_secrets(self, state: State) -> State:
        """Return the same moment with everything hidden dealt in a fixed order."""

    def seeded(self, state: State) -> Random:
        """Return chance that depends on nothing but what everybody sees of `state`."""

    def play_on(self, state: State, chance: Random) -> str:
        """Deal what is hidden anew, play the game to its end and return the side that won."""

    def sides(self, state: State) -> tuple[str, ...]:
        """Return the sides that can win, in their order."""


class OddsWorker:
    """Works out the odds in a thread of its own, game by game, resting longer than it works."""

    def __init__(
        self,
        simulator: Simulator,
        wanted: Callable[[], State | None],
        show: Callable[[State, Odds], None],
        games: int = GAMES,
        share: float = SHARE,
    ) -> None:
        """Prepare the thread.

        wanted: the state whose odds are wanted now, None if nobody looks; show: takes them.
        """
        self._simulator, self._wanted, self._show = simulator, wanted, show
        self._games, self._rest = games, 1 / share - 1
        self._changed = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, name="odds", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for that."""
        self._stopped.set()
        self._changed.set()
        self._thread.join()

    def look(self) -> None:
        """Note that the game may have moved on; returns at once."""
        self._changed.set()

    def _work(self) -> None:
        done = None
        while self._changed.wait() and not self._stopped.is_set():
            self._changed.clear()
            state = self._wanted()
            if state is not None and state != done:
                done = state
                found = self._played(state)
                if found is not None:
                    self._show(state, found)

    def _played(self, state: State) -> Odds | None:
        """Return the odds, None if they are not wanted any more."""
        public = self._simulator.without_secrets(state)
        chance, won = self._simulator.seeded(public), Counter[str]()
        for _ in range(self._games):
            before = time.thread_time()
            won[self._simulator.play_on(public, chance)] += 1
            if self._stopped.wait((time.thread_time() - before) * self._rest):
                return None
            if self._changed.is_set():
                self._changed.clear()
                if self._wanted() != state:
                    self._changed.set()
                    return None
        return tallied(self._simulator.sides(public), won)


def tallied(sides: tuple[str, ...], won: Counter[str]) -> Odds:
    """Return the odds after games that these sides won so often."""
    games = won.total()
    return Odds({side: won[side] / games for side in sides}, games)
