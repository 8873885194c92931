"""What a check is, what it finds, and the machine with its table that is examined.

A check is data: its name, what it looks at, and a function that examines. It reads the machine
through `hardware.machine.Machine` and asks the very parts that the table uses, and changes nothing.
"""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from companion.settings import ConfigError, Settings, load
from hardware.machine import Machine, Process, user, user_exists

SERVICE = "bang-companion"
"""The name of the unit, and of its user."""
INSTALLED, STATE = "/etc/bang-companion/settings.toml", "/var/lib/bang-companion"
"""The settings and the data of the service, as systemd/install makes them."""

MB = 1 << 20

ANEW = "install again: sudo systemd/install"


class Level(IntEnum):
    """How bad it is."""

    OK = 0
    NOTE = 1
    """It works, and might work better."""
    WRONG = 2
    """A part does not work; the table goes on without it."""
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


class Snapshot(NamedTuple):
    """The attempt to take a picture."""

    picture: Any | None
    """The picture; None if the camera gave none."""
    name: str = ""
    """What took it."""
    error: str = ""
    """Why there is no picture; empty if there is one."""


class Patient:
    """The machine and the settings of the table that are examined."""

    def __init__(
        self,
        machine: Machine,
        config: Path | None = None,
        overrides: Mapping[str, object] | None = None,
        *,
        open_camera: Callable[[str], Any] | None = None,
        open_pins: Callable[[], Any] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """config, overrides: as of `companion.settings.load`; the others stand in for the parts.

        Where neither is said, the service's own, if it is installed here.
        """
        self.machine, self.now = machine, now
        self._open_camera, self._open_pins = open_camera, open_pins
        wanted = {key: value for key, value in (overrides or {}).items() if value is not None}
        self.installed = config is None and machine.path(INSTALLED).exists()
        if self.installed:
            config = machine.path(INSTALLED)
            wanted = {"data": machine.path(STATE)} | wanted
        self.config = config
        self.user = SERVICE if user() == "root" and user_exists(SERVICE) else user()
        """Who is to run the table: root looks at what the service's user may."""
        self.config_error = ""
        try:
            self.settings = load(config, **wanted)
        except ConfigError as error:
            self.config_error = str(error)
            self.settings = Settings()

    @cached_property
    def table(self) -> Process | None:
        """The table that runs here already: camera, pins and port are its own then."""
        return next((process for process in self.machine.processes() if process.table), None)

    @cached_property
    def shot(self) -> Snapshot:
        """A picture of the camera that is set, taken once."""
        from hardware.camera import CameraError, open_camera

        try:
            camera = (self._open_camera or open_camera)(self.settings.camera)
        except CameraError as error:
            return Snapshot(None, error=str(error))
        try:
            return Snapshot(camera.frame(), camera.name)
        except CameraError as error:
            return Snapshot(None, camera.name, str(error))
        finally:
            camera.close()

    @cached_property
    def pins(self) -> Any:
        """The pins, as `hardware.pins.Pins`."""
        from hardware.pins import open_pins

        return (self._open_pins or open_pins)()

    @property
    def camera_in_use(self) -> bool:
        """Whether a table runs that has the camera which is set: folders can be shared."""
        source = self.settings.camera
        return self.table is not None and (source in ("auto", "picamera") or source[:4] == "usb:")

    @property
    def folder(self) -> Path:
        """The data folder, or what there is above it."""
        folder = self.settings.data.absolute()
        while not folder.exists():
            folder = folder.parent
        return folder

    @property
    def pin_numbers(self) -> dict[str, int]:
        """The pins that are set, by the names of the settings."""
        pins = self.settings.pins
        return {entry.name: getattr(pins, entry.name) for entry in fields(pins)}


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the doctor."""

    name: str
    """The name in the report."""
    looks_at: str
    """What it examines, for the documentation."""
    examine: Callable[[Patient], Finding]
    """Examines the machine and returns the finding."""

    def find(self, patient: Patient) -> Finding:
        """Run the check; if it fails itself, that is a finding too."""
        try:
            return self.examine(patient)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            return Finding(
                Level.WRONG,
                f"this check failed: {reason}",
                "report it, with the file of bang-companion doctor --report",
            )


def fine(detail: str) -> Finding:
    """All is well."""
    return Finding(Level.OK, detail)


class Symptom(NamedTuple):
    """What an error message means."""

    pattern: str
    """A regular expression that matches the message."""
    detail: str
    """What is wrong."""
    mend: str
    """How to fix it."""


def diagnosed(message: str, symptoms: tuple[Symptom, ...], otherwise: Symptom) -> tuple[str, str]:
    """What a message means, and how to mend it."""
    for symptom in (*symptoms, otherwise):
        if re.search(symptom.pattern, message, re.IGNORECASE):
            return symptom.detail.format(message=message), symptom.mend
    raise AssertionError("the last symptom fits everything")


def no_access(patient: Patient, closed: Mapping[str, str]) -> Finding:
    """Somebody is not in a group; `closed`: devices with theirs, as of `Machine.locked_out`."""
    device, group = next(iter(closed.items()))
    return Finding(
        Level.WRONG,
        f"{patient.user} may not use {device}, which belongs to group {group}",
        f"sudo usermod -aG {group} {patient.user}; then log in again, or restart the service",
    )
