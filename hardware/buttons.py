"""The green and the red button."""

import threading
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

HOLD_S = 3.0
"""Seconds for which both buttons must be held together: nobody does that by mistake."""

STUCK_AFTER = 10.0
"""Seconds after which a button that is not released counts as stuck."""


def open_button(
    name: str,
    pin: int,
    pressed: Callable[[], None],
    factory: Any,
    stuck: Callable[[bool], None] = lambda is_stuck: None,
) -> Button:
    """A button between `pin` (BCM number) and ground; `pressed` is called at each press.

    `stuck` is told True, by a thread of its own, once the button has been held too long, and at
    once where it is held from the start; False at its release. On a Pi the other calls come from a
    thread of gpiozero, with mock pins from the thread that drives them. Keep the returned button,
    nobody else does, and `close()` it at the end. `factory` is that of `open_pins()`. Raises
    `HardwareError` if the pin does not exist or is in use.
    """
    button, hold = None, _Hold(guarded(name, lambda: stuck(True)))

    def press() -> None:
        hold.begin()
        pressed()

    def release() -> None:
        hold.end()
        stuck(False)

    try:
        button = Button(pin, pull_up=True, bounce_time=BOUNCE_TIME, pin_factory=factory)
        button.when_pressed = guarded(name, press)
        button.when_released = guarded(name, release)
    except Exception as error:  # each pin library has errors of its own
        if button is not None:
            button.close()
        raise pin_trouble(name, (pin,), error) from error
    if button.is_pressed:
        # No edge tells it.
        stuck(True)
    return button


class _Hold:
    """Counts the seconds for which a button is held. Its own hold time is for other things."""

    def __init__(self, too_long: Callable[[], None]) -> None:
        self._too_long = too_long
        self._timer: threading.Timer | None = None

    def begin(self) -> None:
        """Begin to count."""
        self.end()
        self._timer = threading.Timer(STUCK_AFTER, self._too_long)
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> None:
        """Count no longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


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


def when_both_held(
    green: Button, red: Button, held: Callable[[], None], seconds: float = HOLD_S
) -> None:
    """Call `held` whenever both buttons were held together for so long.

    The call comes from a thread of gpiozero. Each button's own press was called before.
    """
    act = guarded("both buttons", held)

    def answer(other: Button) -> Callable[[], None]:
        # Of the two, the one that was pressed last finds the other held.
        return lambda: act() if other.is_held else None

    for button, other in ((green, red), (red, green)):
        button.hold_time = seconds
        button.when_held = answer(other)
