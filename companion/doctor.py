"""What works on this machine and what doesn't, and how to mend it: `bang-companion doctor`.

A check is data: its name, what it looks at, and a function that examines. It reads the machine
through `hardware.machine.Machine` and asks the very parts that the table uses, and changes nothing.
"""

import os
import re
import shutil
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from companion.config import ConfigError, Settings, load
from companion.journal import FILE, FORMAT
from companion.salvage import opened_copy
from companion.setup import Memory
from hardware.machine import (
    COMMAND_S,
    Machine,
    Process,
    file_owner,
    may_write,
    read_only,
    user,
    user_exists,
)

SERVICE = "bang-companion"
"""The name of the unit, and of its user."""
INSTALLED, STATE = "/etc/bang-companion/settings.toml", "/var/lib/bang-companion"
"""The settings and the data of the service, as systemd/install makes them."""

MB = 1 << 20

LEAST_DISK = 20 * MB
FEW_DISK = 200 * MB
LEAST_MEMORY = 80 * MB
FEW_MEMORY = 180 * MB
"""What the table and its reader take at most."""

HOT, WARM = 80.0, 70.0
"""Degrees Celsius. Between 80 and 85 a Pi slows its processor down (Raspberry Pi documentation,
"Frequency management and thermal control")."""

DARK = 32
"""Of 255: where the brightest fiftieth of the picture is darker, nothing can be read (as
`vision.aim` has it)."""

CAMERA_DEVICES = (r"video\d+", r"media\d+", r"v4l-subdev\d+")
PIN_DEVICES = (r"gpiochip\d+", "gpiomem.*")


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
    """What a check found: a sentence, and how to mend it in another ("" where all is well)."""

    level: Level
    detail: str
    mend: str = ""

    @property
    def ok(self) -> bool:
        """Whether it works."""
        return self.level <= Level.NOTE


class Shot(NamedTuple):
    """A picture that was tried to take: with what, and why there is none."""

    picture: Any | None
    name: str = ""
    error: str = ""


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
        """config, overrides: as of `companion.config.load`; the others stand in for the parts.

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
    def shot(self) -> Shot:
        """A picture of the camera that is set, taken once."""
        from hardware.camera import CameraError, open_camera

        try:
            camera = (self._open_camera or open_camera)(self.settings.camera)
        except CameraError as error:
            return Shot(None, error=str(error))
        try:
            return Shot(camera.frame(), camera.name)
        except CameraError as error:
            return Shot(None, camera.name, str(error))
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
    """One thing that is looked at; looks_at: what, for the documents."""

    name: str
    looks_at: str
    examine: Callable[[Patient], Finding]

    def find(self, patient: Patient) -> Finding:
        """Examine; what can't be looked at is a finding too."""
        try:
            return self.examine(patient)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            return Finding(
                Level.WRONG,
                f"this can't be looked at: {reason}",
                "report it, with what bang-companion doctor --report writes",
            )


def examine(patient: Patient) -> Iterator[tuple[str, Finding]]:
    """Look at everything, one check after the other; return their names with what they found."""
    for check in CHECKS:
        yield check.name, check.find(patient)


def fine(detail: str) -> Finding:
    """All is well."""
    return Finding(Level.OK, detail)


# The board


def _board(patient: Patient) -> Finding:
    model = patient.machine.model
    return fine(model or "no Raspberry Pi: a drawn tray and keys stand in for camera and buttons")


def _user(patient: Patient) -> Finding:
    if patient.user != "root":
        return fine(f"what {patient.user} may do is looked at")
    return Finding(
        Level.NOTE,
        "root may do everything, which hides what others may not",
        "run the doctor as whoever runs the table; no table needs root",
    )


_POWER = "use the power supply made for this Pi, and a short, thick cable"
_COOL = "give the Pi air or a heat sink, and keep it out of the sun"


def _power(patient: Patient) -> Finding:
    bits = patient.machine.throttled
    if bits is None:
        return fine("this machine has no vcgencmd to ask")
    if bits & 1:
        return Finding(Level.WRONG, "the supply voltage is too low now", _POWER)
    if bits & 1 << 16:
        return Finding(Level.NOTE, "the supply voltage was too low since the start", _POWER)
    return fine("the supply voltage has been high enough since the start")


def _heat(patient: Patient) -> Finding:
    bits, degrees = patient.machine.throttled or 0, patient.machine.temperature
    if degrees is None:
        return fine("this machine tells no temperature")
    here = f"the processor has {degrees:.0f} °C"
    if degrees >= HOT or bits & 1 << 3:
        return Finding(Level.WRONG, f"{here} and slows itself down", _COOL)
    if degrees >= WARM or bits & 1 << 19:
        return Finding(Level.NOTE, f"{here}, and is or was near its limit", _COOL)
    return fine(here)


def _memory(patient: Patient) -> Finding:
    memory = patient.machine.memory
    if memory is None:
        return fine("this machine tells no memory")
    total, free = memory
    here = f"{free // MB} of {total // MB} MB of memory are free"
    mend = "use Raspberry Pi OS Lite, or: sudo systemctl set-default multi-user.target"
    if patient.table is not None:
        return fine(f"{here} while the table runs")
    if free < LEAST_MEMORY:
        return Finding(Level.WRONG, here, mend)
    if free < FEW_MEMORY:
        return Finding(Level.NOTE, f"{here}; the table takes up to {FEW_MEMORY // MB}", mend)
    return fine(here)


def _clock(patient: Patient) -> Finding:
    now = patient.now()
    today = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    answer = patient.machine.run("timedatectl", "show", "--property=NTPSynchronized", "--value")
    # Whoever wrote this file lived before today.
    behind = now < Path(__file__).stat().st_mtime
    if behind or (answer and answer.status == 0 and answer.out == "no"):
        return Finding(
            Level.NOTE,
            f"the clock says {today}, which nobody has confirmed; no game needs it",
            "let the Pi into the internet for a minute, or: sudo date --set '2026-01-31 20:15'",
        )
    return fine(f"the clock says {today}")


# Software


class Symptom(NamedTuple):
    """What an error message means: a pattern in it, what is wrong, how to mend it."""

    pattern: str
    detail: str
    mend: str


def _diagnosed(message: str, symptoms: tuple[Symptom, ...], otherwise: Symptom) -> tuple[str, str]:
    """What a message means, and how to mend it."""
    for symptom in (*symptoms, otherwise):
        if re.search(symptom.pattern, message, re.IGNORECASE):
            return symptom.detail.format(message=message), symptom.mend
    raise AssertionError("the last symptom fits everything")


_ANEW = "install again: sudo systemd/install"

# picamera2's issues 1088, 1170 and 1211; the words are those of numpy.
_IMPORTS = (
    Symptom(
        r"dtype size changed|_ARRAY_API not found|multiarray failed to import|compiled using NumPy",
        "two versions of numpy get in each other's way ({message})",
        "install again, which takes apt's numpy: sudo systemd/install; in a virtual environment of "
        "your own: pip uninstall numpy",
    ),
    Symptom(
        r"libGL|libX11|libxcb|libSM",
        "this OpenCV wants a screen ({message})",
        "pip uninstall opencv-python; pip install opencv-python-headless",
    ),
)


def _imported(patient: Patient, *modules: str) -> tuple[bool, str]:
    """Import modules in a new process; return whether it worked, and the versions or the error."""
    names = ", ".join(modules)
    versions = ", ".join(f"getattr({name}, '__version__', '')" for name in modules)
    answer = patient.machine.run(sys.executable, "-c", f"import {names}; print({versions})")
    if answer is None:
        return False, f"importing {names} takes more than {COMMAND_S:g} s"
    if answer.status == 0:
        return True, answer.out.splitlines()[-1] if answer.out else ""
    return False, (answer.err.splitlines() or [f"status {answer.status}"])[-1]


def _opencv(patient: Patient) -> Finding:
    works, words = _imported(patient, "numpy", "cv2")
    if works:
        numpy, opencv = words.split()
        return fine(f"OpenCV {opencv} with numpy {numpy}")
    missing = Symptom("", "OpenCV can't be loaded ({message})", _ANEW)
    return Finding(Level.STOP, *_diagnosed(words, _IMPORTS, missing))


def _picamera2(patient: Patient) -> Finding:
    source = patient.settings.camera
    if not (patient.machine.model and source == "auto") and source != "picamera":
        return fine("picamera2 is not needed for this camera")
    works, words = _imported(patient, "picamera2")
    if works:
        return fine("picamera2 can be loaded")
    hidden = Symptom(
        "No module named '?(picamera2|libcamera)",
        "picamera2 is not seen from here ({message})",
        "sudo apt install python3-picamera2; a virtual environment needs --system-site-packages",
    )
    other = Symptom("", "picamera2 can't be loaded ({message})", hidden.mend)
    return Finding(Level.WRONG, *_diagnosed(words, (*_IMPORTS, hidden), other))


def _service(patient: Patient) -> Finding:
    asked = "LoadState,UnitFileState,ActiveState,Result,NRestarts"
    answer = patient.machine.run("systemctl", "show", SERVICE, f"--property={asked}")
    if answer is None or answer.status != 0:
        return fine("this machine has no systemd that runs")
    state = dict(line.partition("=")[::2] for line in answer.out.splitlines())
    if state.get("LoadState") != "loaded":
        return Finding(Level.NOTE, "the table is no service here", "sudo systemd/install")
    if state.get("ActiveState") == "failed" or state.get("Result") not in ("success", None, ""):
        return Finding(
            Level.WRONG,
            f"the service has failed ({state.get('Result')})",
            f"read why: journalctl -u {SERVICE} -n 30; then sudo systemctl restart {SERVICE}",
        )
    if state.get("UnitFileState") not in ("enabled", "enabled-runtime"):
        return Finding(
            Level.NOTE,
            "the service does not start with the Pi",
            f"sudo systemctl enable --now {SERVICE}",
        )
    if state.get("ActiveState") != "active":
        return Finding(Level.NOTE, "the service stands still", f"sudo systemctl start {SERVICE}")
    restarts = state.get("NRestarts", "0")
    if restarts != "0":
        return Finding(
            Level.NOTE,
            f"the service runs, after {restarts} restarts",
            f"read why: journalctl -u {SERVICE} -n 30",
        )
    return fine("the service runs")


# Files


def _settings(patient: Patient) -> Finding:
    if patient.installed and not os.access(patient.config or "", os.R_OK):
        return Finding(
            Level.NOTE,
            f"{user()} may not read {patient.config}: the defaults are looked at",
            "sudo bang-companion doctor",
        )
    if patient.config_error:
        return Finding(
            Level.STOP,
            patient.config_error,
            "correct that line; all keys stand in docs/settings.md",
        )
    return fine(str(patient.config) if patient.config else "no settings file: the defaults")


def _card(patient: Patient) -> Finding:
    if not read_only(patient.folder):
        return fine("files can be written")
    return Finding(
        Level.STOP,
        f"the file system of {patient.folder} is read-only: nothing can be saved",
        "sudo mount -o remount,rw /; if it comes back, the SD card dies: copy the data folder, "
        "and take a new card",
    )


def _disk(patient: Patient) -> Finding:
    free = shutil.disk_usage(patient.folder).free
    here = f"{free // MB} MB are free for {patient.settings.data}"
    mend = "make room: sudo apt clean; sudo journalctl --vacuum-size=20M"
    if free < LEAST_DISK:
        return Finding(Level.STOP, here, mend)
    if free < FEW_DISK:
        return Finding(Level.NOTE, here, mend)
    return fine(here)


def _folder(patient: Patient) -> Finding:
    data, folder = patient.settings.data, patient.folder
    if not folder.is_dir():
        return Finding(
            Level.STOP, f"{folder} is a file, not a folder", "choose another folder: data"
        )
    inside = folder.glob("*") if folder == data.absolute() else ()
    for path in (folder, *sorted(inside)):
        if not may_write(path, patient.user) and not read_only(folder):
            return Finding(
                Level.STOP,
                f"{path} belongs to {file_owner(path)}: {patient.user} can't write there",
                f"sudo chown -R {patient.user} {data}",
            )
    return fine(f"games and profiles are kept in {data}")


def _journal(patient: Patient) -> Finding:
    path = patient.settings.data / FILE
    if not path.exists():
        return fine("no game has been saved yet")
    if patient.table is not None:
        return fine("the saved games are in use: a table runs")
    try:
        # Even a reader leaves files beside a database with a write-ahead log.
        with opened_copy(path) as copy:
            (version,) = copy.execute("PRAGMA user_version").fetchone()
            (first,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        version, first = FORMAT, str(error)
    if first != "ok":
        return Finding(
            Level.WRONG,
            f"{path} is damaged ({first.splitlines()[-1]})",
            "start the table: it goes on with what can still be read, and keeps the damaged file",
        )
    if version not in (0, FORMAT):
        return Finding(
            Level.STOP,
            f"{path} is of format {version}, and this version knows {FORMAT}",
            "install the newer version that wrote it",
        )
    return fine("the saved games are whole")


def _profile(patient: Patient) -> Finding:
    from vision.profile import ProfileError, load_profile

    settings = patient.settings
    chosen = Memory(settings.data).kept.profile if settings.data.is_dir() else ""
    name = settings.profile or chosen or "pips"
    try:
        profile = load_profile(name, settings.data / "profiles")
    except ProfileError as error:
        if settings.profile:
            return Finding(Level.STOP, str(error), "correct profile in the settings, or leave it")
        return Finding(
            Level.WRONG,
            f"{error}; pips are read instead",
            "choose or teach the dice again on the page: Teach the dice",
        )
    return fine(f"the dice are {profile.name}")


# Camera


def _camera_access(patient: Patient) -> Finding:
    closed = patient.machine.locked_out(patient.user, "video*", "media*", "dma_heap/*")
    return _no_access(patient, closed) if closed else fine("cameras may be used")


def _no_access(patient: Patient, closed: Mapping[str, str]) -> Finding:
    device, group = next(iter(closed.items()))
    return Finding(
        Level.WRONG,
        f"{patient.user} may not use {device}: its group is {group}",
        f"sudo usermod -aG {group} {patient.user}; then log in again, or restart the service",
    )


_RIBBON = (
    "switch the Pi off, push the ribbon cable in at both ends, contacts the right way, and close "
    "the latches; Pi 5 and Zero take the narrow cable"
)
# What libcamera and picamera2 say of a camera that another process has, and of none at all: their
# issues 627, 1048 and 399.
_CAMERAS = (
    Symptom("picamera2 cannot be loaded", "{message}", "see the check picamera2"),
    Symptom(
        "resource busy|failed to acquire|in use by another",
        "another program holds the camera ({message})",
        "sudo bang-companion doctor names it; or restart the Pi",
    ),
    Symptom("no picture for", "the camera is there and gives no picture ({message})", _RIBBON),
    Symptom("no camera found|index out of range", "the Pi finds no camera: {message}", _RIBBON),
    Symptom("no camera is plugged in|does not open", "{message}", "plug the USB camera in again"),
    Symptom("no such file or folder|holds no", "{message}", "correct camera in the settings"),
)


def _camera(patient: Patient) -> Finding:
    source, machine = patient.settings.camera, patient.machine
    if source in ("none", "simulated"):
        return fine(f"camera = {source}: no camera is meant to be here")
    if patient.camera_in_use:
        return fine("the table that runs has it: its page says whether it works")
    shot = patient.shot
    if shot.picture is not None:
        height, width = shot.picture.shape[:2]
        return fine(f"{shot.name} gives pictures of {width} x {height} pixels")
    holders = machine.holders(*CAMERA_DEVICES)
    if holders:
        holder = holders[0]
        return Finding(
            Level.WRONG,
            f"another program holds the camera: {holder.name} (process {holder.pid})",
            f"end it: kill {holder.pid}",
        )
    if source == "auto" and not machine.model:
        return fine("no camera, and no Raspberry Pi: the table draws its dice")
    config = machine.text("/boot/firmware/config.txt") or ""
    if machine.model and re.search(r"^\s*camera_auto_detect\s*=\s*0", config, re.MULTILINE):
        return Finding(
            Level.WRONG,
            "the Pi does not look for a camera: camera_auto_detect=0 in /boot/firmware/config.txt",
            "make that a 1, and restart",
        )
    other = Symptom("", "{message}", _RIBBON if machine.model else "try another camera")
    # Devices are waited for, until somebody plugs them in; files are not.
    waits = source in ("auto", "picamera") or source.startswith("usb:")
    level = Level.WRONG if waits else Level.STOP
    return Finding(level, *_diagnosed(shot.error, _CAMERAS, other))


def _brightness(patient: Patient) -> Finding:
    import numpy as np

    if patient.camera_in_use or patient.settings.camera in ("none", "simulated"):
        return fine("not looked at: the page Set up the camera judges the light")
    picture = patient.shot.picture
    if picture is None:
        return fine("there is no picture to judge")
    bright = float(np.percentile(picture, 98))
    if bright < DARK:
        return Finding(
            Level.WRONG,
            f"the picture is dark: its brightest parts have {bright:.0f} of 255",
            "switch a lamp on, take the cap off the lens, and follow the page Set up the camera",
        )
    return fine(f"the brightest parts of the picture have {bright:.0f} of 255")


# Pins


def _pin_access(patient: Patient) -> Finding:
    closed = patient.machine.locked_out(patient.user, "gpiochip*")
    return _no_access(patient, closed) if closed else fine("pins may be used")


def _pipe_folder(patient: Patient) -> Finding:
    """The library lgpio makes a named pipe in $LG_WD, else where it is (gpiozero issue 1106)."""
    if not patient.machine.model:
        return fine("no Raspberry Pi")
    if patient.installed:
        return fine("the service has a folder of its own for it")
    folder = Path(patient.machine.environ.get("LG_WD") or Path.cwd())
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return fine(f"lgpio makes its pipe in {folder}")
    return Finding(
        Level.WRONG,
        f"lgpio can't make its pipe in {folder}: the buttons are dead",
        "start the table in a folder that it may write, or set LG_WD to one",
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
        "start the table in a folder that it may write, or set LG_WD to one",
    ),
    Symptom(
        "No module named '?lgpio|No module named '?RPi",
        "the library below gpiozero is missing ({message})",
        "sudo apt install python3-lgpio; a virtual environment needs --system-site-packages",
    ),
)


def _pin_library(patient: Patient) -> Finding:
    if not patient.machine.model:
        return fine("no Raspberry Pi: keys and the pages stand in for the buttons")
    if patient.table is not None:
        return fine("the table that runs has the pins")
    pins = patient.pins
    if not pins.real:
        other = Symptom("", "no pins work ({message})", _ANEW)
        return Finding(Level.WRONG, *_diagnosed(pins.note, _FACTORIES, other))
    header = [chip.number for chip in patient.machine.chips() if chip.header]
    chip = getattr(pins.factory, "chip", None)
    if header and chip is not None and chip not in header and not _is_link(patient, chip, header):
        detail = f"gpiozero uses gpiochip{chip}, and the header is gpiochip{header[0]}"
        return Finding(Level.WRONG, detail, _FACTORIES[0].mend)
    return fine(pins.note)


def _is_link(patient: Patient, chip: int, header: list[int]) -> bool:
    """Whether a chip is another name of the header's: gpiochip4 on a Pi 5."""
    path = patient.machine.path(f"/dev/gpiochip{chip}")
    return path.is_symlink() and path.resolve().name in {f"gpiochip{n}" for n in header}


def _pins_free(patient: Patient) -> Finding:
    machine = patient.machine
    if patient.table is not None:
        return fine("the table that runs has them")
    header = next((chip for chip in machine.chips() if chip.header), None)
    if header is None:
        return fine("no pins that could be asked")
    for name, pin in patient.pin_numbers.items():
        consumer = machine.line_user(header.number, pin)
        if consumer is None:
            continue
        holders = [p for p in machine.holders(*PIN_DEVICES) if not p.table]
        by = f"{holders[0].name} (process {holders[0].pid})" if holders else "the kernel"
        mend = (
            f"end it: kill {holders[0].pid}"
            if holders
            else "take its dtoverlay or dtparam out of /boot/firmware/config.txt"
        )
        return Finding(
            Level.WRONG,
            f"GPIO {pin} (pins.{name}) is taken by {by}" + (f", as {consumer}" if consumer else ""),
            f"{mend}; or wire the part to another pin and set pins.{name}",
        )
    return fine("nobody else uses the pins of buttons and light")


def _buttons(patient: Patient) -> Finding:
    from hardware.buttons import open_button
    from hardware.pins import HardwareError

    if patient.table is not None or not patient.machine.model or not patient.pins.real:
        return fine("not looked at: the page Set up the table tries them")
    numbers = patient.pin_numbers
    if numbers["green"] == numbers["red"]:
        return Finding(
            Level.WRONG,
            f"both buttons are set to GPIO {numbers['green']}",
            "correct pins.green or pins.red in the settings",
        )
    for name in ("green", "red"):
        with ExitStack() as stack:
            try:
                button = open_button(name, numbers[name], _nothing, patient.pins.factory)
            except HardwareError as error:
                return Finding(Level.WRONG, str(error), "see the check pins")
            stack.callback(button.close)
            if button.is_pressed:
                return Finding(
                    Level.WRONG,
                    f"the {name} button (GPIO {numbers[name]}) is pressed and nobody presses it",
                    "a stuck button, a wire that touches ground, or two legs of the same side of "
                    "the button: turn it by a quarter",
                )
    return fine("no button is stuck; bang-companion doctor --buttons tries each")


def _nothing() -> None:
    """A press that nobody waits for."""


def _light(patient: Patient) -> Finding:
    from hardware.light import StatusLight
    from hardware.pins import HardwareError

    if patient.table is not None or not patient.machine.model or not patient.pins.real:
        return fine("not looked at: the page Set up the table shows its colours")
    pins = patient.settings.pins
    try:
        light = StatusLight(patient.pins.factory, pins.light_red, pins.light_green, pins.light_blue)
    except HardwareError as error:
        return Finding(Level.WRONG, str(error), "correct pins.light_… in the settings")
    light.close()
    return fine("its pins work; whether it shines, bang-companion doctor --buttons asks")


# The network


def _port(patient: Patient) -> Finding:
    host, port = patient.settings.host, patient.settings.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except PermissionError:
        if patient.installed:
            return fine(f"port {port} is for root and the service, which may")
        return Finding(
            Level.STOP,
            f"port {port}: ports below 1024 are for root only",
            "choose another in the settings, such as port = 8000",
        )
    except OSError as error:
        return _port_refused(patient, error)
    return fine(f"port {port} is free" if port else "any free port is taken")


def _port_refused(patient: Patient, error: OSError) -> Finding:
    port = patient.settings.port
    taken, process = patient.machine.listener(port)
    # Whose a socket is, an ordinary user sees of his own processes only.
    if taken and (process or patient.table) == patient.table and patient.table is not None:
        return fine(f"the table that runs answers at port {port}")
    if not taken:
        return Finding(
            Level.STOP,
            f"{patient.settings.host}:{port}: {error.strerror or error}",
            'correct host in the settings: "0.0.0.0" is every address of this machine',
        )
    by = f"{process.name} (process {process.pid})" if process else "another user's program"
    end = f"end it: kill {process.pid}" if process else f"find it: sudo ss -ltnp 'sport = {port}'"
    return Finding(Level.STOP, f"port {port} is taken by {by}", f"{end}; or set another port")


def _network(patient: Patient) -> Finding:
    machine = patient.machine
    addresses = machine.addresses()
    if addresses:
        first = ", ".join(f"{name} {entry[0]}" for name, entry in addresses.items())
        return fine(f"phones can reach {first}")
    if machine.wifi_blocked():
        return Finding(
            Level.WRONG,
            "Wi-Fi is switched off: no country is set",
            "sudo raspi-config nonint do_wifi_country DE, with the letters of your country",
        )
    return Finding(
        Level.WRONG,
        "this machine is in no network: no phone can open the page",
        "join a Wi-Fi: sudo nmtui; or let the Pi make its own: sudo systemd/install --hotspot",
    )


def _isolation(patient: Patient) -> Finding:
    machine = patient.machine
    addresses = machine.addresses()
    joined = [name for name in machine.wireless() if name in addresses]
    if not joined:
        return fine("not in a Wi-Fi")
    heard = [other for name in joined for other in machine.neighbours(name)]
    if heard:
        return fine(f"{len(heard)} other devices of this Wi-Fi have been heard")
    return Finding(
        Level.NOTE,
        "no other device of this Wi-Fi has been heard yet; some keep theirs apart, and phones then "
        "can't open the page",
        "open the page on a phone; if it stays empty, leave the guest network, switch client "
        "isolation off in the router, or let the Pi make its own Wi-Fi",
    )


def _name(patient: Patient) -> Finding:
    host = patient.machine.text("/etc/hostname") or socket.gethostname()
    if any(process.name.startswith("avahi-daemon") for process in patient.machine.processes()):
        return fine(f"http://{host}.local:{patient.settings.port}/")
    return Finding(
        Level.NOTE,
        f"{host}.local is not known in the network: phones need the QR code or the number",
        "sudo apt install avahi-daemon",
    )


CHECKS = (
    Check("board", "the model, from the device tree", _board),
    Check("user", "who runs this", _user),
    Check("settings", "the settings file", _settings),
    Check("card", "whether the file system can be written", _card),
    Check("disk", "room for games", _disk),
    Check("data", "whether the data folder belongs to this user", _folder),
    Check("games", "the saved games, by SQLite's quick_check", _journal),
    Check("dice", "the profile of the dice", _profile),
    Check("opencv", "whether OpenCV and numpy fit together", _opencv),
    Check("picamera2", "whether picamera2 can be loaded", _picamera2),
    Check("camera access", "groups of the camera's devices", _camera_access),
    Check("camera", "a picture, or who holds the camera", _camera),
    Check("light in the tray", "how bright the picture is", _brightness),
    Check("pin access", "groups of the GPIO chips", _pin_access),
    Check("lgpio folder", "where lgpio makes its pipe", _pipe_folder),
    Check("pin library", "gpiozero, lgpio, and the chip they use", _pin_library),
    Check("pins", "whether others use the pins", _pins_free),
    Check("buttons", "buttons that are pressed though nobody presses them", _buttons),
    Check("status light", "whether its pins can be driven", _light),
    Check("power", "under-voltage, by vcgencmd", _power),
    Check("heat", "temperature, by vcgencmd", _heat),
    Check("memory", "memory that is free", _memory),
    Check("clock", "whether the time was set", _clock),
    Check("service", "the systemd unit", _service),
    Check("port", "whether the page's port is free, or who has it", _port),
    Check("network", "addresses, and Wi-Fi that is switched off", _network),
    Check("wi-fi", "whether devices of this Wi-Fi hear each other", _isolation),
    Check("name", "mDNS, for addresses that end in .local", _name),
)
"""All that is looked at, in the order in which a mistake explains those after it."""
