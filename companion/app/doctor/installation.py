"""The machine and its table, which the doctor examines."""

import time
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from companion.app.stick import on_stick
from companion.settings import ConfigError, Settings, default_data, load
from hardware.machine import Machine, Process, user, user_exists

SERVICE = "bang-companion"
"""The name of the systemd unit, and of its user."""
INSTALLED, STATE = "/etc/bang-companion/settings.toml", "/var/lib/bang-companion"
"""The settings file and data folder that systemd/install creates for the service."""


class Snapshot(NamedTuple):
    """The attempt to take a picture."""

    picture: Any | None
    """The picture; None if the camera gave none."""
    name: str = ""
    """What took it."""
    error: str = ""
    """Why there is no picture; empty if there is one."""


class Installation:
    """The machine and the table's settings that are examined."""

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
        """Prepare to examine a machine.

        config, overrides: as for `companion.settings.load`. Without both, the service's
        settings are examined if it is installed. The other arguments replace parts in tests.
        """
        self.machine, self.now = machine, now
        self._open_camera, self._open_pins = open_camera, open_pins
        wanted = {key: value for key, value in (overrides or {}).items() if value is not None}
        self.is_service = config is None and machine.path(INSTALLED).exists()
        """Whether the service's settings are examined."""
        if self.is_service:
            config = machine.path(INSTALLED)
            wanted = {"data": machine.path(STATE)} | wanted
        self.config = config
        self.user = SERVICE if user() == "root" and user_exists(SERVICE) else user()
        """The user whose permissions are examined: for root, the service's user."""
        self.config_error = ""
        try:
            self.settings = on_stick(load(config, **wanted))
        except ConfigError as error:
            self.config_error = str(error)
            self.settings = Settings()

    @cached_property
    def table(self) -> Process | None:
        """The table that runs here already, with this data folder; None if none does.

        It uses camera, pins and port, so that they can't be tried.
        """
        data = self.settings.data.resolve()
        tables = (process for process in self.machine.processes() if process.table)
        return next((table for table in tables if self._data_of(table) == data), None)

    def _data_of(self, table: Process) -> Path | None:
        """Return the data folder of a running table; None if that is another user's secret."""
        here = self.machine.working_folder(table)
        given, config = table.option("--data"), table.option("--config")
        try:
            read = load(here / config if config else None, data=given)
            data = on_stick(read).data
        except ConfigError:
            return None
        if data == default_data():
            environ = self.machine.environment(table)
            if environ is None:
                return None
            data = default_data(environ)
        return (here / data).resolve()

    @cached_property
    def shot(self) -> Snapshot:
        """A picture from the camera in the settings, taken once."""
        from hardware.camera.interface import CameraError
        from hardware.camera.sources import open_camera

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
        """Whether a running table uses the camera in the settings; folders can be shared."""
        source = self.settings.camera
        return self.table is not None and (source in ("auto", "picamera") or source[:4] == "usb:")

    @property
    def folder(self) -> Path:
        """The data folder, or the nearest folder above it that exists."""
        folder = self.settings.data.absolute()
        while not folder.exists():
            folder = folder.parent
        return folder

    @property
    def pin_numbers(self) -> dict[str, int]:
        """The pin numbers, by the names of the settings."""
        pins, without = self.settings.pins, []
        if self.settings.pixels:
            without.append("light_")
        if not self.settings.lamps:
            without.append("lamp_")
        used = [each.name for each in fields(pins) if not each.name.startswith(tuple(without))]
        return {name: getattr(pins, name) for name in used}
