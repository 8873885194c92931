"""WS2812 pixels, also sold as NeoPixels: lights of three colours in a row, on one wire.

The Pi's SPI sends each of their bits as three of its own, as WorldSemi's data sheet of the WS2812B
asks: high for about 0.4 µs of 1.25 µs is a 0, for about 0.8 µs a 1.
"""

import warnings
from contextlib import suppress
from typing import Any

from gpiozero import SPIFixedRate, SPISoftwareFallback

DATA_PIN = 10
"""MOSI of the first SPI, by its BCM number."""

_RATE_HZ = 2_400_000
"""0.42 µs for a bit of SPI."""

_LATCH = bytes(_RATE_HZ * 300 // 1_000_000 // 8)
"""Low for 300 µs, after which pixels show what they were sent; the data sheet asks for 280."""

Colour = tuple[float, float, float]
"""Red, green and blue, from 0 to 1."""


class Pixels:
    """Pixels that all show one colour, to be used like gpiozero's `RGBLED`."""

    def __init__(self, factory: Any, count: int) -> None:
        """Open the SPI. Raises an error of the pin library's own where there is none.

        factory: the one of `hardware.pins.open_pins()`.
        """
        self._count = count
        with warnings.catch_warnings():
            # Single pins are a hundred times too slow for pixels.
            warnings.simplefilter("error", SPISoftwareFallback)
            self._spi = factory.spi(port=0, device=0)
        with suppress(SPIFixedRate):  # what is simulated
            self._spi.rate = _RATE_HZ
        self.off()

    @property
    def value(self) -> Colour:
        """The colour of all pixels."""
        return self._value

    @value.setter
    def value(self, colour: Colour) -> None:
        self._value = colour
        red, green, blue = (round(255 * part) for part in colour)
        self._spi.transfer(list(_LATCH + encode((green, red, blue)) * self._count + _LATCH))

    def off(self) -> None:
        """Make the pixels dark."""
        self.value = 0.0, 0.0, 0.0

    def close(self) -> None:
        """Make the pixels dark and let go of the SPI."""
        if not self._spi.closed:
            self.off()
            self._spi.close()


def encode(levels: tuple[int, int, int]) -> bytes:
    """Return what SPI sends for a pixel: 9 bytes. levels: from 0 to 255, in the pixel's order."""
    bits = "".join(f"{level:08b}" for level in levels)
    return int("".join("110" if bit == "1" else "100" for bit in bits), 2).to_bytes(9)
