"""Sends each press where it belongs: to the table, or to set-up while it tests the buttons."""

from collections.abc import Callable
from enum import StrEnum

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
        """Hand a press to what has taken the buttons over, or else to the table."""
        handler = self._handler
        if handler is None or not handler(button):
            self._table_actions[button]()

    def take_over(self, handler: Callable[[Button], bool]) -> None:
        """Ask `handler` first from now on; a press for which it returns False is the table's."""
        self._handler = handler

    def release(self) -> None:
        """Give all presses back to the table."""
        self._handler = None
