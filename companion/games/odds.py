"""The odds of each side, worked out by playing a game to its end many times.

They use only what everybody knows: a `Simulator` is given that and nothing else, and deals the
hidden roles again at random. So the odds reveal no secret.
"""

import time
from collections import Counter
from collections.abc import Callable
from typing import Protocol

from companion.base.worker import Worker, WorkerThread
from companion.games.common.shares import interval
from companion.games.game import Odds, SeenGame, WantedOdds

GAMES = 400
"""Simulated games for one answer: 19 times in 20, the odds are then within 0.05."""

SHOWN = (50, 100, 200)
"""After so many games the odds are shown, while more are played."""

BATCH = 10
"""Games played without a look at the table."""

SHARE = 0.5
"""The share of one CPU core that they may take: a Pi has four."""

IDLE_S = 60.0
"""Seconds without a question after which the simulator may rest."""


class Simulator(Protocol):
    """Plays games to their ends at random."""

    def play(self, seen: SeenGame, games: range) -> Counter[str]:
        """Play games, by their numbers, and return how often each side won.

        Raises OSError or WorkError if it can't play.
        """

    def rest(self) -> None:
        """Free what playing needs; it may be asked again."""

    def interrupt(self) -> None:
        """Let `play` end at once, without a result; any thread may call."""


class OddsWorker(Worker):
    """Works out the odds in a thread of its own, pausing after each batch to save CPU time."""

    def __init__(
        self,
        simulator: Simulator,
        wanted: Callable[[], WantedOdds | None],
        show: Callable[[WantedOdds, Odds], None],
        games: int = GAMES,
        share: float = SHARE,
    ) -> None:
        """Prepare the thread.

        wanted: returns the game whose odds are wanted now, or None if nobody looks at them.
        show: takes that game and its odds.
        games: how many games to simulate.
        share: the share of one CPU core to use.
        """
        super().__init__("odds", every_s=IDLE_S)
        self._simulator, self._wanted, self._show = simulator, wanted, show
        self._games, self._rest = games, 1 / share - 1
        self._done: WantedOdds | None = None
        self._played_at = time.monotonic()

    def catch_up(self, thread: WorkerThread) -> None:
        """Work out the odds that are wanted now; rest if none have been for long."""
        wanted = self._wanted()
        if wanted is None or wanted == self._done:
            if time.monotonic() - self._played_at >= IDLE_S:
                self._simulator.rest()
            return
        # What is given up is begun again when it is wanted again.
        self._done = None
        if self._play_out(wanted, thread):
            self._done = wanted
        self._played_at = time.monotonic()

    def unblock(self) -> None:
        """End a simulation that hangs."""
        self._simulator.interrupt()

    def finish(self, thread: WorkerThread) -> None:
        """Free what playing needs."""
        self._simulator.rest()

    def _play_out(self, wanted: WantedOdds, thread: WorkerThread) -> bool:
        """Show the odds as they become known; return whether all games were played."""
        assert wanted.game.seen is not None
        seen = wanted.game.seen(wanted.states, wanted.moves)
        won = Counter[str]()
        while (played := won.total()) < self._games:
            before = time.monotonic()
            won += self._simulator.play(seen, range(played, min(played + BATCH, self._games)))
            if thread.ended():
                return False
            if won.total() in (*SHOWN, self._games):
                self._show(wanted, estimate_odds(seen.sides, won))
            if thread.wait((time.monotonic() - before) * self._rest):
                return False
            if self._woken.is_set():
                self._woken.clear()
                if self._wanted() != wanted:
                    self.wake()
                    return False
        return True


def estimate_odds(sides: tuple[str, ...], won: Counter[str]) -> Odds:
    """Return the odds, given how many games each side won."""
    games = won.total()
    return Odds(
        {side: won[side] / games for side in sides},
        games,
        {side: interval(won[side], games) for side in sides},
    )
