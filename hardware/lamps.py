"""The lamps in arcade buttons, each on a pin of its own."""

from typing import Any

from gpiozero import LED

from hardware.pins import pin_trouble


class ButtonLamp:
    """A button's lamp, on while its pin is high."""

    def __init__(self, button: str, pin: int, factory: Any) -> None:
        """Open the lamp, dark. Raises HardwareError if its pin doesn't exist or is in use.

        button: what its button is called; pin: its BCM number; factory: the one of `open_pins()`.
        """
        self._name, self._pin = f"lamp of the {button} button", pin
        try:
            self._led = LED(pin, pin_factory=factory)
        except Exception as error:  # each pin library has errors of its own
            raise pin_trouble(self._name, (pin,), error) from error

    def show(self, *, lit: bool) -> None:
        """Switch the lamp on or off. Raises HardwareError if the pin fails."""
        try:
            self._led.value = lit
        except Exception as error:  # each pin library has errors of its own
            raise pin_trouble(self._name, (self._pin,), error) from error

    def close(self) -> None:
        """Switch the lamp off and release its pin."""
        self._led.close()
