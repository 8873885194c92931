"""The green and the red button."""

import time
from collections.abc import Callable
from typing import Any

from gpiozero import Button

from hardware.pins import pin_trouble
from hardware.presses import guarded

GREEN_PIN = 17
"""BCM number of the pin that accepts a roll."""

RED_PIN = 27
"""BCM number of the pin that ends the rolling."""

BOUNCE_TIME = 0.03
"""Seconds for which a contact must rest; cheap buttons bounce for 5 to 20 ms."""


def open_button(name: str, pin: int, pressed: Callable[[], None], factory: Any) -> Button:
    """A button between `pin` (BCM number) and ground; `pressed` is called at each press.

    On a Pi the call comes from a thread of gpiozero, with mock pins from the thread that drives
    them. Keep the returned button, nobody else does, and `close()` it at the end. `factory` is
    that of `open_pins()`. Raises `HardwareError` if the pin does not exist or is in use.
    """
    button = None
    try:
        button = Button(pin, pull_up=True, bounce_time=BOUNCE_TIME, pin_factory=factory)
        button.when_pressed = guarded(name, pressed)
    except Exception as error:  # each pin library has errors of its own
        if button is not None:
            button.close()
        raise pin_trouble(name, (pin,), error) from error
    return button


def watch_edges(
    name: str, pin: int, changed: Callable[[float, bool], None], factory: Any
) -> Button:
    """A button as it is, with every bounce.

    `changed` is called at each edge with the time in seconds and whether the contact is closed.
    Threads, `factory` and errors are those of `open_button`.
    """
    button = None
    try:
        button = Button(pin, pull_up=True, bounce_time=None, pin_factory=factory)
        button.when_pressed = guarded(name, lambda: changed(time.monotonic(), True))
        button.when_released = guarded(name, lambda: changed(time.monotonic(), False))
    except Exception as error:  # each pin library has errors of its own
        if button is not None:
            button.close()
        raise pin_trouble(name, (pin,), error) from error
    return button
