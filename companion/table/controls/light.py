"""Decides what the status light shows: the table's signal, or what set-up tests the light with."""

from collections.abc import Callable

from companion.base.listeners import Listeners
from companion.table.scene import Signal
from companion.table.table import Table


class SignalRouter:
    """Passes on the table's signal, unless set-up has taken over the light.

    Any thread may call. Listeners are called in the thread that changed something. It may
    hold the table's lock, so they must not block.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._choose: Callable[[], Signal | None] | None = None
        self.listeners = Listeners()
        """Told whenever `signal` may have changed."""
        table.follow(lambda *_: self.listeners.tell())

    @property
    def signal(self) -> Signal:
        """The signal that the light should show now."""
        choose = self._choose
        chosen = choose() if choose is not None else None
        return self._table.scene.signal if chosen is None else chosen

    def take_over(self, choose: Callable[[], Signal | None]) -> None:
        """Show what `choose` returns from now on, or the table's signal while that is None."""
        self._choose = choose
        self.listeners.tell()

    def release(self) -> None:
        """Show the table's signal again."""
        if self._choose is not None:
            self._choose = None
            self.listeners.tell()
