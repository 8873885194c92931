"""The program and the machine: version, model, user, power, heat, memory, clock."""

import platform
import time
from pathlib import Path

from companion import __version__
from companion.app.doctor.findings import MB, Check, Finding, fine, note, wrong
from companion.app.doctor.installation import Installation

LEAST_MEMORY = 80 * MB
FEW_MEMORY = 180 * MB
"""The most memory that the table and its reader use, in bytes."""

HOT, WARM = 80.0, 70.0
"""In degrees Celsius. From 80 to 85, a Pi slows its processor down (Raspberry Pi documentation,
"Frequency management and thermal control")."""


def _version(examined: Installation) -> Finding:
    return fine(f"bang-companion {__version__}, Python {platform.python_version()}")


def _board(examined: Installation) -> Finding:
    model = examined.machine.model
    return fine(model or "not a Raspberry Pi: a simulated tray and keys replace camera and buttons")


def _user(examined: Installation) -> Finding:
    if examined.user != "root":
        return fine(f"the checks are for what {examined.user} may do")
    return note(
        "root may do everything, so missing rights don't show",
        "run the doctor as the user who runs the table, which doesn't need root",
    )


_POWER = "use the power supply made for this Pi, and a short, thick cable"
_COOL = "give the Pi air or a heat sink, and keep it out of the sun"


def _power(examined: Installation) -> Finding:
    bits = examined.machine.throttle_bits
    if bits is None:
        return fine("this machine has no vcgencmd to ask")
    if bits & 1:
        return wrong("the supply voltage is too low now", _POWER)
    if bits & 1 << 16:
        return note("the supply voltage was too low since the start", _POWER)
    return fine("the supply voltage has been high enough since the start")


def _heat(examined: Installation) -> Finding:
    bits, degrees = examined.machine.throttle_bits or 0, examined.machine.temperature
    if degrees is None:
        return fine("this machine has no temperature to read")
    here = f"the processor is at {degrees:.0f} °C"
    if degrees >= HOT or bits & 1 << 3:
        return wrong(f"{here}, and slows down to cool", _COOL)
    if degrees >= WARM or bits & 1 << 19:
        return note(f"{here}; it is or was near its limit", _COOL)
    return fine(here)


def _memory(examined: Installation) -> Finding:
    memory = examined.machine.memory
    if memory is None:
        return fine("unknown on this machine")
    total, free = memory
    here = f"{free // MB} of {total // MB} MB of memory are free"
    mend = "use Raspberry Pi OS Lite, or: sudo systemctl set-default multi-user.target"
    if examined.table is not None:
        return fine(f"{here} while the table runs")
    if free < LEAST_MEMORY:
        return wrong(here, mend)
    if free < FEW_MEMORY:
        return note(f"{here}; the table takes up to {FEW_MEMORY // MB} MB", mend)
    return fine(here)


def _clock(examined: Installation) -> Finding:
    now = examined.now()
    today = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    answer = examined.machine.run("timedatectl", "show", "--property=NTPSynchronized", "--value")
    # This file was written before today.
    behind = now < Path(__file__).stat().st_mtime
    if behind or (answer and answer.status == 0 and answer.out == "no"):
        return note(
            f"the clock says {today}, but it was not synchronised; games run without it",
            "take the time of the host's phone in the lobby, or connect the Pi to the internet",
        )
    return fine(f"the clock says {today}")


CHECKS = (
    Check("version", "which version this is", _version),
    Check("board", "the model, from the device tree", _board),
    Check("user", "who runs this", _user),
    Check("power", "under-voltage, by vcgencmd", _power),
    Check("heat", "temperature, by vcgencmd", _heat),
    Check("memory", "free memory", _memory),
    Check("clock", "whether the time was set", _clock),
)
"""The checks, those first that explain most of the others."""
