"""What the doctor's checks find.

A check is data: a name, what it looks at, and a function that examines an installation. It reads
the machine through `hardware.machine.Machine`, uses the same parts as the table, and changes
nothing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from companion.app.doctor.installation import Installation

MB = 1 << 20

ANEW = "install again: sudo systemd/install"


class Level(IntEnum):
    """How serious a finding is."""

    OK = 0
    NOTE = 1
    """It works, and could work better."""
    WRONG = 2
    """A part doesn't work; the table runs without it."""
    STOP = 3
    """The table can't run."""


class Finding(NamedTuple):
    """What a check found."""

    level: Level
    """How serious it is."""
    detail: str
    """What was found, in a sentence."""
    mend: str = ""
    """How to fix or improve it; empty if all is well."""

    @property
    def ok(self) -> bool:
        """Whether it works."""
        return self.level <= Level.NOTE


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the doctor."""

    name: str
    """The name in the report."""
    looks_at: str
    """What it examines, for the documentation."""
    examine: Callable[[Installation], Finding]
    """Examines the machine and returns the finding."""

    def find(self, examined: Installation) -> Finding:
        """Run the check; an error in the check is a finding too."""
        try:
            return self.examine(examined)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            return wrong(
                f"this check failed: {reason}",
                "report it, with the file of bang-companion doctor --report",
            )


def fine(detail: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(Level.OK, detail)


def note(detail: str, mend: str) -> Finding:
    """Return a finding that something works, and could work better."""
    return Finding(Level.NOTE, detail, mend)


def wrong(detail: str, mend: str) -> Finding:
    """Return a finding that a part doesn't work."""
    return Finding(Level.WRONG, detail, mend)


def stop(detail: str, mend: str) -> Finding:
    """Return a finding that the table can't run."""
    return Finding(Level.STOP, detail, mend)


class Symptom(NamedTuple):
    """What an error message means."""

    pattern: str
    """A regular expression that matches the message."""
    detail: str
    """What is wrong."""
    mend: str
    """How to fix it."""


def diagnose(message: str, symptoms: tuple[Symptom, ...], otherwise: Symptom) -> tuple[str, str]:
    """Return what an error message means, and how to fix it."""
    for symptom in (*symptoms, otherwise):
        if re.search(symptom.pattern, message, re.IGNORECASE):
            return symptom.detail.format(message=message), symptom.mend
    raise AssertionError("the last symptom fits everything")


def no_access(examined: Installation, closed: Mapping[str, str]) -> Finding:
    """Return a finding about missing groups; `closed`: as `Machine.closed_devices` returns it."""
    device, group = next(iter(closed.items()))
    return wrong(
        f"{examined.user} may not use {device}, which belongs to group {group}",
        f"sudo usermod -aG {group} {examined.user}; then log in again, or restart the service",
    )
