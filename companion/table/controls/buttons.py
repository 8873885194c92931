"""Sends each press where it belongs: to the table, or to set-up while it tests the buttons."""

from collections.abc import Callable
from enum import StrEnum

from companion.base.listeners import Listeners
from companion.table.scene import green_move, may_press, red_move
from companion.table.table import Table


class Button(StrEnum):
    """The two buttons, in the order in which set-up tests them."""

    GREEN = "green"
    RED = "red"


class ButtonRouter:
    """Passes each press to the table, unless another handler has taken over the buttons.

    Presses come from pins, from keys of the terminal and from tests; any thread may call.
    Listeners are called as those of `SignalRouter`.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._table_actions = {Button.GREEN: table.press_green, Button.RED: table.press_red}
        self._handler: Callable[[Button], bool] | None = None
        self.listeners = Listeners()
        """Told whenever other buttons may do something."""
        table.follow(lambda *_: self.listeners.tell())

    def press_green(self) -> None:
        """Handle a press of the green button."""
        self.press(Button.GREEN)

    def press_red(self) -> None:
        """Handle a press of the red button."""
        self.press(Button.RED)

    def press(self, button: Button) -> None:
        """Pass a press to the handler that has taken over, or else to the table."""
        handler = self._handler
        if handler is None or not handler(button):
            self._table_actions[button]()

    def does_something(self, button: Button) -> bool:
        """Return whether a press would not be refused now."""
        move = green_move if button is Button.GREEN else red_move
        return self._handler is not None or may_press(self._table.scene, move)

    def take_over(self, handler: Callable[[Button], bool]) -> None:
        """Give presses to `handler` first; those for which it returns False go to the table."""
        self._handler = handler
        self.listeners.tell()

    def release(self) -> None:
        """Pass all presses to the table again."""
        if self._handler is not None:
            self._handler = None
            self.listeners.tell()
