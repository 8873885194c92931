"""A table at home as the service starts it, without wires, and the phone of its host."""

from contextlib import ExitStack
from pathlib import Path

from browser import Screens
from playwright.sync_api import Page, expect

from companion.app.build import RunningTable, start_table
from companion.camera.simulated_dice import SimulatedDice
from companion.settings import Settings


class Home:
    """A table over one data folder, which a test can stop and start again."""

    def __init__(self, data: Path, screens: Screens) -> None:
        """data: the folder; screens: where phones are opened."""
        self.data, self.screens = data, screens
        self.stack = ExitStack()

    def start(self, camera: str = "simulated") -> None:
        """Start the table; `camera` as in the settings."""
        settings = Settings(host="127.0.0.1", port=0, camera=camera, data=self.data)
        self.running: RunningTable = start_table(settings, self.stack, seed=3)

    def stop(self) -> None:
        """Switch all screens off, and stop the table."""
        self.screens.close()
        self.stack.close()

    @property
    def simulated(self) -> SimulatedDice:
        """The dice in its simulated tray."""
        assert self.running.simulated is not None
        return self.running.simulated

    def host(self, **options: object) -> Page:
        """Open the host's phone, at its seat; `options` as of `Screens.phone`."""
        phone = self.screens.phone(self.running.server.url, **options)
        phone.locator("input[name=name]").fill("Ann")
        phone.locator("input[name=name]").press("Enter")
        phone.wait_for_url("**/seat")
        expect(phone.locator("#people")).to_be_visible()
        return phone
