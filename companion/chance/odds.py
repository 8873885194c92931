"""The odds of each side, computed by playing a game to its end many times.

They use only what everybody knows: before each simulated game, a `Simulator` deals the hidden roles
again at random. So the odds reveal no secret.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Protocol

from companion.table.game import Odds, State

GAMES = 400
"""Simulated games for one answer: 19 times in 20, the odds are then within 0.05."""

SHARE = 0.25
"""The share of one CPU core that computing the odds may use."""


class Simulator(Protocol):
    """Plays a game to its end at random."""

    def without_secrets(self, state: State) -> State:
        """Return the same state with everything hidden dealt in a fixed order."""

    def seeded(self, state: State) -> Random:
        """Return a random generator seeded only with what everybody sees of `state`."""

    def play_on(self, state: State, chance: Random) -> str:
        """Deal what is hidden again, play the game to its end and return the side that won."""

    def sides(self, state: State) -> tuple[str, ...]:
        """Return the sides that can win, in their order."""


class OddsWorker:
    """Computes the odds in its own thread, pausing after each simulated game to save CPU time."""

    def __init__(
        self,
        simulator: Simulator,
        wanted: Callable[[], State | None],
        show: Callable[[State, Odds], None],
        games: int = GAMES,
        share: float = SHARE,
    ) -> None:
        """Prepare the thread.

        wanted: returns the state whose odds are wanted now, or None if nobody looks at them.
        show: takes the state and its odds.
        games: how many games to simulate.
        share: the share of one CPU core to use.
        """
        self._simulator, self._wanted, self._show = simulator, wanted, show
        self._games, self._rest = games, 1 / share - 1
        self._changed = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, name="odds", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and wait until it has ended."""
        self._stopped.set()
        self._changed.set()
        self._thread.join()

    def look(self) -> None:
        """Tell the thread that the game may have changed; returns immediately."""
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
        """Return the odds; None if they are no longer wanted."""
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
    """Return the odds, given how many games each side won."""
    games = won.total()
    return Odds({side: won[side] / games for side in sides}, games)
