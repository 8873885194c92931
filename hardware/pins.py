"""The GPIO pins: real ones on a Pi, gpiozero's mock pins elsewhere."""

import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpiozero import Device, GPIOPinInUse, PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPWMPin

HEADER_PINS = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32,
    13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18,
    25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""The pin of the 40-pin header that each BCM number has, the same on every Pi."""

GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
"""The pins of the header that are ground."""


_BOARD = Path("/proc/device-tree/model")
"""The name of a board such as a Pi; a PC has none."""


class HardwareError(Exception):
    """Wired hardware can't be used; the message names the part, its pins and the reason."""


@dataclass(frozen=True, slots=True)
class Pins:
    """The GPIO pins of this machine."""

    factory: Any
    """gpiozero's pin factory."""
    real: bool
    """Whether the pins are real; otherwise they are simulated."""
    note: str
    """Why this factory was chosen, in one line."""


def open_pins() -> Pins:
    """Return the pins that gpiozero chooses (GPIOZERO_PIN_FACTORY overrides it).

    Without a board, or if no real pins work, return mock pins, where
    `pins.factory.pin(17).drive_low()` presses a button.
    """
    if not _may_have_pins():
        return Pins(MockFactory(pin_class=MockPWMPin), False, "pins: simulated (no Raspberry Pi)")
    with warnings.catch_warnings(record=True) as tried:
        warnings.simplefilter("always")
        try:
            Device.ensure_pin_factory()
            factory, reasons = Device.pin_factory, []
        except Exception as error:  # each pin library has errors of its own
            factory, reasons = MockFactory(), [str(error)]
    # The earlier failures are more helpful than the last one.
    fallbacks = [str(w.message) for w in tried if w.category is PinFactoryFallback]
    why = "; ".join(fallbacks or reasons).replace("Falling back from ", "")
    real = not isinstance(factory, MockFactory)
    if not real:
        # The plain mock pin can't dim, which the amber of the status light needs.
        factory.pin_class = MockPWMPin
    kind = type(factory).__name__ if real else "simulated"
    return Pins(factory, real, f"pins: {kind}" + (f" ({why})" if why else ""))


def _may_have_pins() -> bool:
    """Return whether to look for pins: this is a board, or somebody says where the pins are."""
    named = any(name in os.environ for name in ("GPIOZERO_PIN_FACTORY", "PIGPIO_ADDR"))
    return named or Device.pin_factory is not None or _BOARD.exists()


def pin_trouble(part: str, pins: tuple[int, ...], error: Exception) -> HardwareError:
    """Return the error to raise if `error` prevents `part` from using its `pins`."""
    # gpiozero names the object that holds the pin by its repr.
    reason = str(error).partition(" by ")[0] if isinstance(error, GPIOPinInUse) else str(error)
    return HardwareError(f"{part} (GPIO {', '.join(map(str, pins))}): {reason}")
