"""Builds the buttons and the light on their pins, and buttons at USB.

A missing part is one line in the log, and the pages have the same controls.
"""

import logging
import os
import threading
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

from companion.base.worker import Supervisor, Worker, WorkerThread
from companion.settings import Settings
from companion.setup.machine.power import PowerSwitch
from companion.table.controls.buttons import Button, ButtonRouter
from companion.table.controls.light import SignalRouter
from companion.table.scene import Signal, Trouble
from companion.table.table import Table
from hardware.buttons import open_button, watch_both_held
from hardware.lamps import ButtonLamp
from hardware.light import Light, StatusLight
from hardware.pins import HardwareError, Pins, open_pins
from hardware.usb_buttons import UsbButtons

OFF_UNIT = Path("/etc/systemd/system/multi-user.target.wants/bang-companion-off.path")
"""Is there where systemd waits for the file OFF in the service's runtime folder."""

OFF = "off"

_LISTEN_S = 0.5
"""After how many seconds without a press the thread looks whether the table ends."""

_log = logging.getLogger(__name__)


class Controls(NamedTuple):
    """The pins, and the routers of presses and colours."""

    pins: Pins
    """The pins, real or simulated."""
    buttons: ButtonRouter
    """Where the presses of the buttons go."""
    light: SignalRouter
    """What the status light shows."""
    power: PowerSwitch
    """What turns the machine off."""


def build_controls(
    settings: Settings, table: Table, supervisor: Supervisor, stack: ExitStack
) -> Controls:
    """Return the controls, connected to what is wired to the pins."""
    pins = open_pins()
    _log.info(pins.note)
    buttons, light = ButtonRouter(table), SignalRouter(table)
    power = PowerSwitch(table, light, _off_request(), OFF_UNIT.is_symlink, wired=pins.real)
    supervisor.start_worker(power, partial(table.report, Trouble.POWER))
    _open_buttons(settings, table, buttons, pins, stack, power)
    _open_light(settings, table, light, pins, stack)
    if settings.lamps:
        _open_lamps(settings, table, buttons, pins, stack)
    if settings.usb_buttons:
        keyboards = UsbButtons(buttons.press_green, buttons.press_red)
        supervisor.start_worker(_UsbButtonsWorker(keyboards), _warn_of_usb)
    return Controls(pins, buttons, light, power)


def _off_request() -> Path | None:
    folder = os.environ.get("RUNTIME_DIRECTORY")
    return Path(folder, OFF) if folder else None


def _open_buttons(
    settings: Settings,
    table: Table,
    router: ButtonRouter,
    pins: Pins,
    stack: ExitStack,
    power: PowerSwitch,
) -> None:
    buttons = []
    for trouble, pin, press in (
        (Trouble.GREEN, settings.pins.green, router.press_green),
        (Trouble.RED, settings.pins.red, router.press_red),
    ):
        try:
            button = open_button(
                f"{trouble} button", pin, press, pins.factory, _report_stuck(table, trouble, pin)
            )
            stack.callback(button.close)
            buttons.append(button)
        except HardwareError as error:
            _log.warning("%s; its twin on the page works", error)
    if len(buttons) == 2:
        green, red = buttons
        watch_both_held(green, red, table.hold_both_buttons, power.hold_buttons)


class _UsbButtonsWorker(Worker):
    """Listens to USB buttons in a thread of its own."""

    def __init__(self, buttons: UsbButtons) -> None:
        super().__init__("USB buttons", every_s=0.0)
        self._buttons = buttons

    def catch_up(self, thread: WorkerThread) -> None:
        """Wait for presses."""
        with thread.waiting():
            self._buttons.listen(_LISTEN_S)

    def finish(self, thread: WorkerThread) -> None:
        """Let go of the keyboards."""
        self._buttons.close()


def _warn_of_usb(reason: str) -> None:
    if reason:
        _log.warning("USB buttons: %s", reason)


def _report_stuck(table: Table, trouble: Trouble, pin: int) -> Callable[[bool], None]:
    return lambda is_stuck: table.report(trouble, f"GPIO {pin}" if is_stuck else "")


def _open_light(
    settings: Settings, table: Table, router: SignalRouter, pins: Pins, stack: ExitStack
) -> None:
    try:
        light = StatusLight(pins.factory, settings.pins.light, settings.pixels)
    except HardwareError as error:
        _log.warning("%s; the page shows what it would", error)
        return
    stack.callback(light.close)
    _LightDriver(light, router, table).show()


def _open_lamps(
    settings: Settings, table: Table, router: ButtonRouter, pins: Pins, stack: ExitStack
) -> None:
    numbers = {Button.GREEN: settings.pins.lamp_green, Button.RED: settings.pins.lamp_red}
    for button, pin in numbers.items():
        try:
            lamp = ButtonLamp(button, pin, pins.factory)
        except HardwareError as error:
            _log.warning("%s; its button works", error)
            continue
        stack.callback(lamp.close)
        _LampDriver(lamp, button, router, table).show()


class _LampDriver:
    """Lights a button's lamp while the button does something."""

    def __init__(
        self, lamp: ButtonLamp, button: Button, router: ButtonRouter, table: Table
    ) -> None:
        self._lamp, self._button, self._router, self._table = lamp, button, router, table
        self._lock = threading.Lock()
        router.listeners.add(self.show)

    def show(self) -> None:
        """Show whether the button does something now."""
        try:
            # Asked inside the lock, so that of two threads the last shows how it stands.
            with self._lock:
                self._lamp.show(lit=self._router.does_something(self._button))
        except HardwareError as error:
            self._table.report(Trouble.LIGHT, str(error), part=self._button)
        else:
            self._table.report(Trouble.LIGHT, "", part=self._button)


class _LightDriver:
    """Updates the light when the signal changes."""

    def __init__(self, light: StatusLight, router: SignalRouter, table: Table) -> None:
        self._light, self._router, self._table = light, router, table
        self._lock = threading.Lock()
        self._read = 0
        router.listeners.add(self.show)

    def show(self) -> None:
        """Show the present signal, and report a light that fails."""
        try:
            # Read inside the lock, so that of two threads the last shows the newest signal.
            with self._lock:
                read, signal = self._table.scene.surface.read_last(), self._router.signal
                counts = signal in (Signal.CERTAIN, Signal.WAITING)
                self._light.show(Light(signal), confirms=counts and read not in (0, self._read))
                self._read = read or self._read
        except HardwareError as error:
            self._table.report(Trouble.LIGHT, str(error))
        else:
            self._table.report(Trouble.LIGHT, "")
