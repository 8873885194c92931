"""The status light: an RGB LED that shows how the dice are read, by its colour and its rhythm."""

from enum import StrEnum
from typing import Any, NamedTuple

from gpiozero import RGBLED
from gpiozero.threads import _THREADS

from hardware.pins import pin_trouble


class Light(StrEnum):
    """What the status light shows."""

    OFF = "off"
    WAITING = "waiting"
    CERTAIN = "certain"
    UNCERTAIN = "uncertain"
    ILLEGAL = "illegal"


class Rhythm(NamedTuple):
    """How a light blinks, so that the states can be told apart without seeing colours."""

    on_s: float
    """Seconds for which it is on."""
    off_s: float
    """Seconds for which it is off after that; 0 if it doesn't blink."""


STEADY = Rhythm(1.0, 0.0)
FLASH = Rhythm(0.2, 1.8)
SLOW = Rhythm(1.0, 1.0)
QUICK = Rhythm(0.2, 0.2)
"""At most three flashes a second are safe for people with photosensitive epilepsy (WCAG 2.3.1)."""


class Look(NamedTuple):
    """What a state of the light looks like."""

    colour: tuple[float, float, float]
    """Red, green and blue, from 0 to 1."""
    rhythm: Rhythm
    """How it blinks."""


LOOKS: dict[Light, Look] = {
    Light.OFF: Look((0.0, 0.0, 0.0), STEADY),
    Light.WAITING: Look((0.0, 0.0, 0.25), FLASH),
    Light.CERTAIN: Look((0.0, 1.0, 0.0), STEADY),
    # Amber has little green, because green LEDs are brighter.
    Light.UNCERTAIN: Look((1.0, 0.35, 0.0), SLOW),
    Light.ILLEGAL: Look((1.0, 0.0, 0.0), QUICK),
}
"""Colour and rhythm of each state. No two states share a rhythm, except for a dark light."""


class _BlinkingLED(RGBLED):  # type: ignore[misc]  # gpiozero has no types
    """An RGB LED that stays quiet if a pin fails while it blinks, in a thread of gpiozero.

    If no thread can be started, it blinks again at the next change.
    """

    def __init__(self, *pins: int, pin_factory: Any) -> None:
        self.stalled = False
        super().__init__(*pins, pin_factory=pin_factory)

    def blink(self, *arguments: Any, **options: Any) -> None:
        try:
            super().blink(*arguments, **options)
        except RuntimeError:
            # gpiozero would wait for the end of the thread that never began.
            _THREADS.discard(self._blink_thread)
            self._blink_thread: Any = None
            raise

    def _blink_device(self, *arguments: Any, **options: Any) -> None:
        try:
            super()._blink_device(*arguments, **options)
        except Exception:  # each pin library has errors of its own
            self.stalled = True


class StatusLight:
    """An RGB LED with its common cathode at ground."""

    def __init__(self, factory: Any, pins: tuple[int, int, int]) -> None:
        """Open the light. Raises HardwareError if a pin doesn't exist, can't dim or is in use.

        factory: the one of `open_pins()`; pins: the BCM numbers of red, green and blue.
        """
        self.state = Light.OFF
        self._pins = pins
        self._blinks = False
        try:
            self._led: _BlinkingLED | None = _BlinkingLED(*pins, pin_factory=factory)
        except Exception as error:  # each pin library has errors of its own
            raise pin_trouble("status light", pins, error) from error

    def show(self, state: Light) -> None:
        """Show `state`. Raises HardwareError if the pins fail.

        A state that is shown already goes on blinking in its rhythm.
        """
        if self._led is not None and self._blinks and state is self.state and not self._led.stalled:
            return
        self.state, self._blinks = state, False
        if self._led is None:
            return
        (colour, rhythm) = LOOKS[state]
        try:
            # In this thread, so that pins that fail are noticed here.
            self._led.value = colour
            if rhythm.off_s:
                self._led.stalled = False
                self._led.blink(rhythm.on_s, rhythm.off_s, on_color=colour)
                self._blinks = True
        except Exception as error:  # each pin library has errors of its own
            raise pin_trouble("status light", self._pins, error) from error

    def close(self) -> None:
        """Switch the light off and release its pins."""
        self.state = Light.OFF
        if self._led is not None:
            self._led.close()
            self._led = None
