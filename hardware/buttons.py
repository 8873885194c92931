"""The green and the red button."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from gpiozero import Button

from hardware.pins import pin_trouble
from hardware.presses import guard

BOUNCE_S = 0.03
"""Seconds for which a contact must be quiet; cheap buttons bounce for 5 to 20 ms."""

HOLD_S = 3.0
"""Seconds for which both buttons must be held together; nobody does that by accident."""

OFF_S = 8.0
"""Seconds for which both must be held to turn the Pi off."""

STUCK_S = 10.0
"""Seconds after which a button that is not released counts as stuck."""


def open_button(
    name: str,
    pin: int,
    pressed: Callable[[], None],
    factory: Any,
    stuck: Callable[[bool], None] = lambda is_stuck: None,
) -> Button:
    """Open a button between `pin` (BCM number) and ground. Raises HardwareError if it can't.

    Keep the returned button, because nothing else does, and `close()` it at the end.

    pressed: called at each press, on a Pi in a thread of gpiozero. stuck: called with True, in a
    separate thread, if the button is held too long (immediately if it is held from the start), and
    with False at its release. factory: the one of `open_pins()`.
    """
    button, hold = None, _Hold(guard(name, lambda: stuck(True)))

    def press() -> None:
        hold.begin()
        pressed()

    def release() -> None:
        hold.end()
        stuck(False)

    try:
        button = Button(pin, pull_up=True, bounce_time=BOUNCE_S, pin_factory=factory)
        button.when_pressed = guard(name, press)
        button.when_released = guard(name, release)
    except Exception as error:  # each pin library has errors of its own
        if button is not None:
            button.close()
        raise pin_trouble(name, (pin,), error) from error
    if button.is_pressed:
        # No edge tells it.
        stuck(True)
    return button


class _Hold:
    """Measures how long a button is held. gpiozero's own hold time is used for something else."""

    def __init__(self, too_long: Callable[[], None]) -> None:
        self._too_long = too_long
        self._timer: threading.Timer | None = None

    def begin(self) -> None:
        """Start the timer."""
        self.end()
        self._timer = threading.Timer(STUCK_S, self._too_long)
        self._timer.daemon = True
        # Without a thread the press still counts: only how long it lasts isn't known.
        with suppress(RuntimeError):
            self._timer.start()

    def end(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def watch_edges(
    name: str, pin: int, changed: Callable[[float, bool], None], factory: Any
) -> Button:
    """Open a button without debouncing.

    changed: called at each edge with the time in seconds and whether the contact is closed.
    Threads, `factory` and errors are as in `open_button`.
    """
    button = None
    try:
        button = Button(pin, pull_up=True, bounce_time=None, pin_factory=factory)
        button.when_pressed = guard(name, lambda: changed(time.monotonic(), True))
        button.when_released = guard(name, lambda: changed(time.monotonic(), False))
    except Exception as error:  # each pin library has errors of its own
        if button is not None:
            button.close()
        raise pin_trouble(name, (pin,), error) from error
    return button


def watch_both_held(
    green: Button,
    red: Button,
    held: Callable[[], None],
    held_on: Callable[[], None] = lambda: None,
    *,
    seconds: float = HOLD_S,
    on_seconds: float = OFF_S,
) -> None:
    """Call `held` whenever both buttons were held together for `seconds`.

    held_on: called if they are still held after `on_seconds`, counted from the same moment. The
    calls come from other threads, after the press of each button.
    """
    act = guard("both buttons", held)
    act_on = guard("both buttons", lambda: held_on() if still_held() else None)

    def still_held() -> bool:
        # Letting go and pressing again begins anew.
        spans = [0.0 if one.closed else one.active_time or 0.0 for one in (green, red)]
        return min(spans) > on_seconds - seconds

    def answer(other: Button) -> Callable[[], None]:
        def both_held() -> None:
            # Of the two, the one that was pressed last finds the other held.
            if other.is_held:
                act()
                timer = threading.Timer(on_seconds - seconds, act_on)
                timer.daemon = True
                timer.start()

        return both_held

    for button, other in ((green, red), (red, green)):
        button.hold_time = seconds
        button.when_held = answer(other)
