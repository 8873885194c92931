"""A pin whose wire is loose."""

from gpiozero.pins.mock import MockPWMPin


class Loose(MockPWMPin):
    """A pin that can't be driven while `broken`."""

    broken = False

    def _set_state(self, value: float) -> None:
        if self.broken:
            raise OSError(5, "Input/output error")
        super()._set_state(value)
