"""Check the pins: permissions, libraries, other programs, and faults in the wiring."""

import os
from contextlib import ExitStack
from pathlib import Path

from companion.app.doctor.findings import (
    ANEW,
    Check,
    Finding,
    Symptom,
    diagnose,
    fine,
    no_access,
    wrong,
)
from companion.app.doctor.installation import Installation

PIN_DEVICES = (r"gpiochip\d+", "gpiomem.*")


def _pin_access(examined: Installation) -> Finding:
    closed = examined.machine.closed_devices(examined.user, "gpiochip*")
    return no_access(examined, closed) if closed else fine(f"{examined.user} may use the pins")


def _pipe_folder(examined: Installation) -> Finding:
    """Check the folder of lgpio's pipe: $LG_WD or the working directory (gpiozero issue 1106)."""
    if not examined.machine.model:
        return fine("not needed: not a Raspberry Pi")
    if examined.is_service:
        return fine("the service has its own folder for it")
    folder = Path(examined.machine.environ.get("LG_WD") or Path.cwd())
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return fine(f"lgpio makes its pipe in {folder}")
    return wrong(
        f"lgpio can't make its pipe in {folder}, so the buttons don't work",
        "start the table in a folder that it may write to, or set LG_WD to one",
    )


_FACTORIES = (
    Symptom(
        "gpiochip",
        "gpiozero looks for the pins in the wrong place ({message})",
        "sudo apt install python3-gpiozero, or pip install --upgrade gpiozero "
        "(those after 2.0.1 know both numberings of the Pi 5's chips)",
    ),
    Symptom(
        r"No such file or directory: '?\.lgd|xCreatePipe",
        "lgpio can't make its pipe ({message})",
        "start the table in a folder that it may write to, or set LG_WD to one",
    ),
    Symptom(
        "No module named '?lgpio|No module named '?RPi",
        "the library below gpiozero is missing ({message})",
        "sudo apt install python3-lgpio; a virtual environment needs --system-site-packages",
    ),
)


def _pin_library(examined: Installation) -> Finding:
    if not examined.machine.model:
        return fine("not a Raspberry Pi: keys and the pages replace the buttons")
    if examined.table is not None:
        return fine("in use by the running table")
    pins = examined.pins
    if not pins.real:
        other = Symptom("", "no pins work ({message})", ANEW)
        return wrong(*diagnose(pins.note, _FACTORIES, other))
    header = [chip.number for chip in examined.machine.chips() if chip.header]
    chip = getattr(pins.factory, "chip", None)
    if header and chip is not None and chip not in header and not _is_link(examined, chip, header):
        detail = f"gpiozero uses gpiochip{chip}, but the header is gpiochip{header[0]}"
        return wrong(detail, _FACTORIES[0].mend)
    return fine(pins.note)


def _is_link(examined: Installation, chip: int, header: list[int]) -> bool:
    """Return whether a chip is another name for the header's, as gpiochip4 is on a Pi 5."""
    path = examined.machine.path(f"/dev/gpiochip{chip}")
    return path.is_symlink() and path.resolve().name in {f"gpiochip{n}" for n in header}


def _pins_free(examined: Installation) -> Finding:
    machine = examined.machine
    if examined.table is not None:
        return fine("in use by the running table")
    header = next((chip for chip in machine.chips() if chip.header), None)
    if header is None:
        return fine("no pins to check")
    for name, pin in examined.pin_numbers.items():
        consumer = machine.line_user(header.number, pin)
        if consumer is None:
            continue
        holders = machine.holders(*PIN_DEVICES)
        by = f"{holders[0].name} (process {holders[0].pid})" if holders else "the kernel"
        mend = (
            f"end it: kill {holders[0].pid}"
            if holders
            else "remove its dtoverlay or dtparam from /boot/firmware/config.txt"
        )
        return wrong(
            f"GPIO {pin} (pins.{name}) is taken by {by}" + (f", as {consumer}" if consumer else ""),
            f"{mend}; or wire the part to another pin and set pins.{name}",
        )
    return fine("nothing else uses the pins of buttons and light")


def _buttons(examined: Installation) -> Finding:
    from hardware.buttons import open_button
    from hardware.pins import HardwareError

    if examined.table is not None or not examined.machine.model or not examined.pins.real:
        return fine("not checked here: the page Set up the table tries them")
    numbers = examined.pin_numbers
    if numbers["green"] == numbers["red"]:
        return wrong(
            f"both buttons are set to GPIO {numbers['green']}",
            "correct pins.green or pins.red in the settings",
        )
    for name in ("green", "red"):
        with ExitStack() as stack:
            try:
                button = open_button(name, numbers[name], _nothing, examined.pins.factory)
            except HardwareError as error:
                return wrong(str(error), "see the check pins")
            stack.callback(button.close)
            if button.is_pressed:
                return wrong(
                    f"the {name} button (GPIO {numbers[name]}) is pressed all the time",
                    "free the button if it is stuck; look for a wire that touches ground; if two "
                    "legs on the same side are wired, turn the button by a quarter",
                )
    return fine("no button is stuck; to try them: bang-companion doctor --buttons")


def _nothing() -> None:
    """Ignore a press."""


def _light(examined: Installation) -> Finding:
    from hardware.light import StatusLight
    from hardware.pins import HardwareError

    if examined.table is not None or not examined.machine.model or not examined.pins.real:
        return fine("not checked here: the page Set up the table shows its colours")
    wired = examined.settings
    try:
        light = StatusLight(examined.pins.factory, wired.pins.light, wired.pixels)
    except HardwareError as error:
        spi = "add the line dtparam=spi=on to /boot/firmware/config.txt, and start the Pi anew"
        return wrong(str(error), spi if wired.pixels else "correct pins.light_… in the settings")
    light.close()
    return fine("its pins work; to see its colours: bang-companion doctor --buttons")


CHECKS = (
    Check("pin access", "groups of the GPIO chips", _pin_access),
    Check("lgpio folder", "where lgpio makes its pipe", _pipe_folder),
    Check("pin library", "gpiozero, lgpio, and the chip they use", _pin_library),
    Check("pins", "whether other programs use the pins", _pins_free),
    Check("buttons", "buttons that are stuck", _buttons),
    Check("status light", "whether its pins can be driven", _light),
)
"""The checks: first permissions and library, which the others need."""
