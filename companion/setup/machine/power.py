"""Turns the Pi off: asks systemd for it, because the table itself may not."""

import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.base.refused import Message, Problem, Refused
from companion.base.worker import Worker, WorkerThread
from companion.table.changes import Press
from companion.table.controls.light import SignalRouter
from companion.table.scene import Signal, Trouble
from companion.table.table import Table

PATIENCE_S = 60.0
"""Seconds after which a Pi that is still on is told not to turn off."""

_log = logging.getLogger(__name__)


class PowerSwitch(Worker):
    """Leaves a file where systemd waits for it: see `systemd/bang-companion-off.path`.

    Any thread may call; its own waits for the end that may not come.
    """

    def __init__(
        self,
        table: Table,
        light: SignalRouter,
        request: Path | None,
        waits: Callable[[], bool],
        *,
        wired: bool,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """request: the file; None if no service runs the table. waits: whether systemd waits.

        wired: whether there are real buttons. patience_s: see PATIENCE_S.
        """
        super().__init__("power")
        self._table, self._light, self._request, self._waits = table, light, request, waits
        self.wired = wired
        """Whether both buttons can be held."""
        self._patience_s = patience_s

    @property
    def works(self) -> bool:
        """Whether the Pi can be turned off."""
        return self._request is not None and self._waits()

    def turn_off(self, press: Press) -> None:
        """Turn the Pi off, as the host presses. Raises Refused if it can't be."""
        self._table.check_host(press)
        self._ask()

    def hold_buttons(self) -> None:
        """Turn the Pi off because both buttons are held. Elsewhere nothing happens."""
        with suppress(Refused):
            self._ask()

    def _ask(self) -> None:
        if self._request is None or not self._waits():
            raise Refused(Problem.ILLEGAL, "this computer can’t be turned off here")
        try:
            self._request.touch()
        except OSError as error:
            reason = error.strerror or str(error)
            raise Refused(Problem.FAILED, "the Pi can’t be turned off (%(fault)s)",
                          fault=reason) from None  # fmt: skip
        _log.info("asked systemd to turn the machine off")
        self._light.take_over(lambda: Signal.ENDING)
        told = Message("The Pi turns off. Once its own green light stays dark, you can unplug it.")
        self._table.report(Trouble.POWER, told)
        self.wake()

    def catch_up(self, thread: WorkerThread) -> bool:
        """Once the Pi is to turn off: say so if it's still on after the time for it."""
        if self._request is None or not self._request.exists() or thread.wait(self._patience_s):
            return False
        self._request.unlink(missing_ok=True)
        self._light.release()
        told = Message("The Pi doesn’t turn off. The game is saved, so you can unplug it.")
        self._table.report(Trouble.POWER, told)
        return True
