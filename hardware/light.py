"""The status light: what the camera makes of the dice, across the table."""

from enum import StrEnum
from typing import Any

from gpiozero import RGBLED

from hardware.pins import pin_trouble

RED_PIN = 22
GREEN_PIN = 23
BLUE_PIN = 24


class Light(StrEnum):
    """What the status light says."""

    OFF = "off"
    WAITING = "waiting"
    CERTAIN = "certain"
    UNCERTAIN = "uncertain"
    ILLEGAL = "illegal"


COLOURS: dict[Light, tuple[float, float, float]] = {
    Light.OFF: (0.0, 0.0, 0.0),
    Light.WAITING: (0.0, 0.0, 0.25),
    Light.CERTAIN: (0.0, 1.0, 0.0),
    Light.UNCERTAIN: (1.0, 0.35, 0.0),
    Light.ILLEGAL: (1.0, 0.0, 0.0),
}
"""Red, green, blue, each from 0 to 1. A green LED outshines a red one: amber takes a third."""


class StatusLight:
    """An RGB LED with its common cathode at ground; without a factory only a memory of it."""

    def __init__(
        self,
        factory: Any | None,
        red: int = RED_PIN,
        green: int = GREEN_PIN,
        blue: int = BLUE_PIN,
    ) -> None:
        """`factory`: that of `open_pins()`, or None for a light that is only shown on the page.

        Raises `HardwareError` if a pin does not exist, cannot be dimmed or is in use.
        """
        self.state = Light.OFF
        self._pins = (red, green, blue)
        self._led: Any | None = None
        if factory is not None:
            try:
                self._led = RGBLED(red, green, blue, pin_factory=factory)
            except Exception as error:  # each pin library has errors of its own
                raise pin_trouble("status light", (red, green, blue), error) from error

    def show(self, state: Light) -> None:
        """Shows `state` from now on. Raises `HardwareError` if its pins fail."""
        self.state = state
        if self._led is None:
            return
        try:
            self._led.color = COLOURS[state]
        except Exception as error:  # each pin library has errors of its own
            raise pin_trouble("status light", self._pins, error) from error

    def close(self) -> None:
        """Switches the light off and gives its pins back."""
        self.state = Light.OFF
        if self._led is not None:
            self._led.close()
            self._led = None
