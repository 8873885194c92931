"""Lets stand-ins play game after game by themselves, to show what a table or a hall looks like."""

import logging
from collections.abc import Callable
from functools import partial

from companion.base.refused import Refused
from companion.base.worker import Supervisor, Worker, WorkerThread
from companion.camera.simulated_dice import SimulatedDice
from companion.settings import Settings
from companion.table import rounds, stand_ins
from companion.table.changes import Press
from companion.table.scene import Phase, Scene, Trouble
from companion.table.surface.dice.state import TrayStatus
from companion.table.table import Table

LEVEL = "sensible"
"""How they play."""

PAUSE_S = 10.0
"""How long a game that is over stays on the table."""

UNREAD_S = 10.0
"""How long unreadable dice lie before they are thrown again: nobody is there to name them."""

_UNREAD = (
    TrayStatus.UNSURE,
    TrayStatus.COUNT,
    TrayStatus.COCKED,
    TrayStatus.BLOCKED,
    TrayStatus.BESIDE,
)

_log = logging.getLogger(__name__)


class Demonstration(Worker):
    """Begins the games, in a thread of its own, as long as nobody else sits at the table."""

    def __init__(
        self,
        table: Table,
        count: int,
        throw_again: Callable[[], None] | None = None,
        *,
        pause_s: float = PAUSE_S,
        unread_s: float = UNREAD_S,
    ) -> None:
        """Prepare the thread.

        count: how many play; throw_again: throws the dice again that were thrown last, None if only
        people can; pause_s: how long a game that is over stays; unread_s: how long dice lie that
        can't be read.
        """
        super().__init__("demonstration")
        self._table, self._count, self._throw_again = table, count, throw_again
        self._pause_s, self._unread_s = pause_s, unread_s

    def catch_up(self, thread: WorkerThread) -> None:
        """Begin a game, or have dice thrown again that can't be read."""
        scene = self._table.scene
        if self._throw_again is not None and _waits_for_unread(scene):
            with thread.waiting():
                changed = self._woken.wait(self._unread_s)
            if not changed:
                self._throw_again()
            return
        if not _is_idle(scene) or (scene.phase is Phase.OVER and thread.wait(self._pause_s)):
            return
        try:
            self._begin()
        except Refused as refused:
            # Somebody sat down meanwhile, or the disk is full; the next change tells.
            _log.info("the demonstration was refused: %s", refused.reason)

    def _begin(self) -> None:
        table = self._table
        if not table.scene.people:
            table.do(stand_ins.fill, Press(None, table.scene.version), self._count, LEVEL)
        scene = table.scene
        host = next(person.id for person in scene.people if person.host)
        press = Press(host, scene.version)
        if scene.phase is Phase.LOBBY:
            table.do(rounds.start_game, press)
        else:
            table.do(rounds.play_again, press)


def _is_idle(scene: Scene) -> bool:
    """Return whether only stand-ins sit at the table, and no game runs."""
    return _is_alone(scene) and scene.phase in (Phase.LOBBY, Phase.OVER)


def _waits_for_unread(scene: Scene) -> bool:
    """Return whether stand-ins that are alone wait for dice that can't be read."""
    return _is_alone(scene) and scene.rolling and scene.shown.status in _UNREAD


def _is_alone(scene: Scene) -> bool:
    return all(person.id in scene.stand_ins.levels for person in scene.people)


def build_demonstration(
    settings: Settings, table: Table, dice: SimulatedDice | None, supervisor: Supervisor
) -> None:
    """Start the demonstration if the settings ask for it; otherwise free a table that one left.

    dice: None if they aren't simulated.
    """
    if settings.stand_ins:
        throw_again = dice.throw_again if dice is not None else None
        demonstration = Demonstration(table, settings.stand_ins, throw_again)
        table.follow(lambda *_: demonstration.wake())
        supervisor.start_worker(demonstration, partial(table.report, Trouble.DEMONSTRATION))
    elif table.scene.people and _is_alone(table.scene):
        # The host is a stand-in, so nobody could start a game of their own.
        table.do(stand_ins.dismiss, Press(None))
