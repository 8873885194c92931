"""The status light: an RGB LED that shows how the dice are read."""

from enum import StrEnum
from typing import Any

from gpiozero import RGBLED

from hardware.pins import pin_trouble

RED_PIN = 22
GREEN_PIN = 23
BLUE_PIN = 24


class Light(StrEnum):
    """What the status light shows."""

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
"""Red, green and blue, from 0 to 1. Amber has little green, because green LEDs are brighter."""


class StatusLight:
    """An RGB LED with its common cathode at ground, or a simulated one."""

    def __init__(
        self,
        factory: Any | None,
        red: int = RED_PIN,
        green: int = GREEN_PIN,
        blue: int = BLUE_PIN,
    ) -> None:
        """Open the light. Raises HardwareError if a pin doesn't exist, can't dim or is in use.

        factory: the one of `open_pins()`, or None to simulate a light.
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
        """Show `state`. Raises HardwareError if the pins fail."""
        self.state = state
        if self._led is None:
            return
        try:
            self._led.color = COLOURS[state]
        except Exception as error:  # each pin library has errors of its own
            raise pin_trouble("status light", self._pins, error) from error

    def close(self) -> None:
        """Switch the light off and release its pins."""
        self.state = Light.OFF
        if self._led is not None:
            self._led.close()
            self._led = None
