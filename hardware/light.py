"""The status light: an LED or pixels that show how the dice are read, by colour and rhythm."""

import threading
from contextlib import suppress
from enum import StrEnum
from typing import Any, NamedTuple

from gpiozero import RGBLED

from hardware.pins import pin_trouble
from hardware.pixels import DATA_PIN, Pixels


class Light(StrEnum):
    """What the status light shows."""

    OFF = "off"
    WAITING = "waiting"
    CERTAIN = "certain"
    UNCERTAIN = "uncertain"
    ILLEGAL = "illegal"
    ENDING = "ending"
    """The machine turns off."""


class Rhythm(NamedTuple):
    """How a light blinks, so that the states can be told apart without seeing colours."""

    on_s: float
    """Seconds for which it is on."""
    off_s: float
    """Seconds for which it is off after that; 0 if it doesn't blink."""


STEADY = Rhythm(1.0, 0.0)
FLASH = Rhythm(0.2, 1.8)
SLOW = Rhythm(1.0, 1.0)
WINK = Rhythm(1.8, 0.2)
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
    Light.ENDING: Look((1.0, 1.0, 1.0), WINK),
}
"""Colour and rhythm of each state. No two states share a rhythm, except for a dark light."""

CONFIRM_S = (0.1, 0.25)
"""For how many seconds the light is dark, then green, when it confirms a reading."""

END_S = 1.0
"""How long to wait for pins that hang before they are left."""


class _Blinking(threading.Thread):
    """Lets an LED blink until it is ended, or a pin fails: the next change of the light tells that.

    gpiozero's own blinking needs its private list of threads put right if one can't be started.
    """

    def __init__(self, led: Any, look: Look, *, confirms: bool) -> None:
        super().__init__(name="status light", daemon=True)
        self._led, self._look, self._confirms, self._ended = led, look, confirms, threading.Event()

    def run(self) -> None:
        colour, rhythm = self._look
        with suppress(Exception):  # each pin library has errors of its own
            if self._confirms and not self._confirm(colour):
                return
            while rhythm.off_s and not self._ended.wait(rhythm.on_s):
                self._led.off()
                if self._ended.wait(rhythm.off_s):
                    break
                self._led.value = colour

    def _confirm(self, colour: tuple[float, float, float]) -> bool:
        """Confirm a reading, then show the colour; return whether it may go on."""
        for value, seconds in zip((LOOKS[Light.OFF], LOOKS[Light.CERTAIN]), CONFIRM_S, strict=True):
            self._led.value = value.colour
            if self._ended.wait(seconds):
                return False
        self._led.value = colour
        return True

    def end(self) -> None:
        self._ended.set()
        if self.is_alive():
            self.join(END_S)


class StatusLight:
    """An RGB LED with its common cathode at ground, or pixels."""

    def __init__(self, factory: Any, pins: tuple[int, int, int], pixels: int = 0) -> None:
        """Open the light. Raises HardwareError if a pin doesn't exist, can't dim or is in use.

        factory: the one of `open_pins()`; pins: the BCM numbers of red, green and blue; pixels: how
        many WS2812 there are instead of these.
        """
        self.state = Light.OFF
        self._pins = (DATA_PIN,) if pixels else pins
        self._blinking: _Blinking | None = None
        try:
            self._led: RGBLED | Pixels | None = (
                Pixels(factory, pixels) if pixels else RGBLED(*pins, pin_factory=factory)
            )
        except Exception as error:  # each pin library has errors of its own
            raise pin_trouble("status light", self._pins, error) from error

    def show(self, state: Light, *, confirms: bool = False) -> None:
        """Show `state`. Raises HardwareError if the pins fail.

        A state that is shown already goes on blinking in its rhythm. confirms: whether the light is
        dark and then green for a moment before, because something was read.
        """
        blinks = self._blinking is not None and self._blinking.is_alive()
        if state is self.state and blinks and not confirms:
            return
        self.state = state
        self._rest()
        if self._led is None:
            return
        look = LOOKS[state]
        try:
            # In this thread, so that pins that fail are noticed here.
            self._led.value = (LOOKS[Light.OFF] if confirms else look).colour
            if look.rhythm.off_s or confirms:
                self._blinking = _Blinking(self._led, look, confirms=confirms)
                self._blinking.start()
        except Exception as error:  # each pin library has errors of its own
            raise pin_trouble("status light", self._pins, error) from error

    def close(self) -> None:
        """Switch the light off and release its pins."""
        self.state = Light.OFF
        self._rest()
        if self._led is not None:
            self._led.close()
            self._led = None

    def _rest(self) -> None:
        if self._blinking is not None:
            self._blinking.end()
            self._blinking = None
