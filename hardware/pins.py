"""The GPIO pins: the Pi's where there are any, gpiozero's mock pins elsewhere."""

import warnings
from dataclasses import dataclass
from typing import Any

from gpiozero import Device, GPIOPinInUse, PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPWMPin

PLACES = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32,
    13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18,
    25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""Where each BCM number is on the 40-pin header, the same on every Pi that has one."""

GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
"""Places of the header that are ground."""


class HardwareError(Exception):
    """Wired hardware that cannot be used: one line that names the part, its pins and the reason."""


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
    """The pins of this machine, by gpiozero's own choice (GPIOZERO_PIN_FACTORY overrules it).

    Where no real ones work, mock pins: `pins.factory.pin(17).drive_low()` presses a button there.
    """
    with warnings.catch_warnings(record=True) as tried:
        warnings.simplefilter("always")
        try:
            Device.ensure_pin_factory()
            factory, reasons = Device.pin_factory, []
        except Exception as error:  # each pin library has errors of its own
            factory, reasons = MockFactory(), [str(error)]
    # What failed before says more than that all did.
    fallbacks = [str(w.message) for w in tried if w.category is PinFactoryFallback]
    why = "; ".join(fallbacks or reasons).replace("Falling back from ", "")
    real = not isinstance(factory, MockFactory)
    if not real:
        # The plain mock pin cannot be dimmed, which the status light's amber needs.
        factory.pin_class = MockPWMPin
    kind = type(factory).__name__ if real else "stand-ins without wires"
    return Pins(factory, real, f"pins: {kind}" + (f" ({why})" if why else ""))


def pin_trouble(part: str, pins: tuple[int, ...], error: Exception) -> HardwareError:
    """The error to raise when `part` on `pins` could not be set up because of `error`."""
    # Whom gpiozero names as the pin's holder is an object's repr.
    reason = str(error).partition(" by ")[0] if isinstance(error, GPIOPinInUse) else str(error)
    return HardwareError(f"{part} (GPIO {', '.join(map(str, pins))}): {reason}")
