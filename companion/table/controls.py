"""The table's controls: where a press of a button goes, and what the light shows.

Both belong to the table, except while set-up tests them: then it takes them over.
"""

from collections.abc import Callable
from enum import StrEnum

from companion.table.scene import Signal
from companion.table.table import Table


class Button(StrEnum):
    """The two buttons, in the order in which set-up tests them."""

    GREEN = "green"
    RED = "red"


class ButtonRouter:
    """Hands each press to the table, unless something else has taken the buttons over.

    Presses come from pins, from keys of the terminal and from tests; any thread may call.
    """

    def __init__(self, table: Table) -> None:
        self._table_actions = {Button.GREEN: table.press_green, Button.RED: table.press_red}
        self._handler: Callable[[Button], bool] | None = None

    def press_green(self) -> None:
        """Handle a press of the green button."""
        self.press(Button.GREEN)

    def press_red(self) -> None:
        """Handle a press of the red button."""
        self.press(Button.RED)

    def press(self, button: Button) -> None:
        """Hand a press to whoever has taken the buttons over, or else to the table."""
        handler = self._handler
        if handler is None or not handler(button):
            self._table_actions[button]()

    def take_over(self, handler: Callable[[Button], bool]) -> None:
        """Ask `handler` first from now on; a press for which it returns False is the table's."""
        self._handler = handler

    def release(self) -> None:
        """Give all presses back to the table."""
        self._handler = None


class SignalRouter:
    """Passes the table's signal on, unless something else has taken the light over.

    Any thread may call. Listeners are called in the thread that changed something, perhaps with the
    table's lock held: they must not wait.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._choose: Callable[[], Signal | None] | None = None
        self._listeners: list[Callable[[], None]] = []
        table.listen(self._tell)

    @property
    def signal(self) -> Signal:
        """What the light is to show now."""
        choose = self._choose
        chosen = choose() if choose is not None else None
        return self._table.signal if chosen is None else chosen

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever `signal` may have changed."""
        self._listeners.append(listener)

    def take_over(self, choose: Callable[[], Signal | None]) -> None:
        """Show what `choose` returns from now on; None: the table's signal after all."""
        self._choose = choose
        self._tell()

    def release(self) -> None:
        """Show the table's signal again."""
        if self._choose is not None:
            self._choose = None
            self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()
