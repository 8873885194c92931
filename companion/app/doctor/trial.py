"""Try buttons and light by hand, in a terminal: `bang-companion doctor --buttons`."""

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from companion.app.doctor.findings import Finding, fine, note, wrong
from companion.settings import PinNumbers
from hardware.buttons import BOUNCE_S, watch_edges
from hardware.light import Light, StatusLight
from hardware.pins import HEADER_PINS
from hardware.pixels import DATA_PIN

PATIENCE_S = 20.0
"""Seconds to wait for a press."""

QUIET_S = 0.3
"""Seconds without a change after which a contact counts as quiet."""

LOOKS = {
    "green, steady": Light.CERTAIN,
    "amber, between yellow and orange, blinking slowly": Light.UNCERTAIN,
    "red, blinking quickly": Light.ILLEGAL,
    "dim blue, a short flash every two seconds": Light.WAITING,
}
"""What to show on the light, by what a person should see: the colour first."""

Edge = tuple[str, float, bool]
"""The button, the time in seconds, and whether its contact was closed."""


def try_buttons(
    pins: PinNumbers, factory: Any, say: Callable[[str], None], patience: float = PATIENCE_S
) -> Iterator[tuple[str, Finding]]:
    """Ask a person to press each button; yield names and findings.

    say: shows a sentence; factory: of `hardware.pins.open_pins`; patience: seconds for a press.
    Raises HardwareError where a pin can't be used.
    """
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    numbers = {"green": pins.green, "red": pins.red}
    with ExitStack() as stack:
        for name, pin in numbers.items():
            stack.callback(watch_edges(name, pin, _recorder(edges, name), factory).close)
        for name, pin in numbers.items():
            say(f"Press the {name} button and release it.")
            yield f"{name} button", _judge_press(name, pin, _press(edges, patience), pins)


def _recorder(edges: "queue.SimpleQueue[Edge]", name: str) -> Callable[[float, bool], None]:
    return lambda at, closed: edges.put((name, at, closed))


def _press(edges: "queue.SimpleQueue[Edge]", patience: float) -> list[Edge]:
    """Return the edges of one press until the button is released and quiet; empty if none came."""
    taken: list[Edge] = []
    until = time.monotonic() + patience
    while (left := until - time.monotonic()) > 0:
        # Somebody may be holding the button.
        waits = QUIET_S if taken and not taken[-1][2] else left
        try:
            taken.append(edges.get(timeout=min(waits, left)))
        except queue.Empty:
            break
    return taken


def _judge_press(name: str, pin: int, edges: list[Edge], pins: PinNumbers) -> Finding:
    if not edges:
        return wrong(
            f"no press of the {name} button was noticed",
            f"connect one leg to GPIO {pin}, pin {HEADER_PINS[pin]} of the header, "
            "the other to ground",
        )
    who, begun, _ = edges[0]
    if who != name:
        return wrong(
            f"the {who} button answered instead of the {name} one: they are swapped",
            f"swap their wires, or set pins.green = {pins.red} and pins.red = {pins.green}",
        )
    closing = [at for _, at, closed in edges if closed]
    bounced = max((at - begun for at in closing if at - begun < QUIET_S), default=0.0)
    here = f"pressed; the contact bounced for {bounced * 1000:.1f} ms ({len(edges)} edges)"
    if bounced > BOUNCE_S:
        return note(here, "a press may count twice: use another button")
    return fine(here)


def try_light(
    pins: PinNumbers, pixels: int, factory: Any, ask: Callable[[str], str]
) -> Iterator[tuple[str, Finding]]:
    """Show each colour and ask a person which it is; yield names and findings.

    pixels: how many there are in place of the LED; ask: asks and returns the answer. Raises
    HardwareError where a pin can't be used.
    """
    mend = _PIXELS_MEND if pixels else _led_mend(pins)
    light = StatusLight(factory, pins.light, pixels)
    try:
        for colour, state in LOOKS.items():
            light.show(state)
            seen = ask(f"Do you see {colour}? [y/n] ").strip().lower().startswith("y")
            finding = fine("seen") if seen else wrong(f"you did not see {colour}", mend)
            yield f"light: {colour.partition(',')[0]}", finding
    finally:
        light.close()


def _led_mend(pins: PinNumbers) -> str:
    return (
        f"red belongs to GPIO {pins.light_red}, green to {pins.light_green}, blue to "
        f"{pins.light_blue}, each through its resistor, the longest leg to ground; an LED whose "
        "longest leg is the common anode does not fit"
    )


_PIXELS_MEND = (
    f"DIN of the first pixel belongs to GPIO {DATA_PIN}, pin {HEADER_PINS[DATA_PIN]} of the "
    "header, 5V to pin 2, GND to pin 6; pixels of four colours do not fit"
)
