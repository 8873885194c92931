"""Sends each press where it belongs: to the table, or to set-up while it tests the buttons."""

from collections.abc import Callable
from enum import StrEnum

from companion.table.table import Table


class Button(StrEnum):
    """The two buttons, in the order in which set-up tests them."""

    GREEN = "green"
    RED = "red"


class ButtonRouter:
    """Passes each press to the table, unless another handler has taken over the buttons.

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
        """Pass a press to the handler that has taken over, or else to the table."""
        handler = self._handler
        if handler is None or not handler(button):
            self._table_actions[button]()

    def take_over(self, handler: Callable[[Button], bool]) -> None:
        """Give presses to `handler` first; those for which it returns False go to the table."""
        self._handler = handler

    def release(self) -> None:
        """Pass all presses to the table again."""
        self._handler = None
