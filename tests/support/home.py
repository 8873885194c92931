"""A table at home as the service starts it, without wires, and the phone of its host."""

import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browser import Screens
from people import join
from playwright.sync_api import Page, expect

from companion.app import build
from companion.app.build import RunningTable, start_table
from companion.camera.simulated_dice import SimulatedDice
from companion.settings import Settings
from companion.setup.first_run import FirstRun


def follow(host: Page, path: str) -> None:
    """Follow a link of the host's lobby, which is among its options."""
    host.locator("#options > summary").click()
    host.locator(f"a[href='{path}']").click()


class Home:
    """A table over one data folder, which a test can stop and start again."""

    def __init__(self, data: Path, screens: Screens) -> None:
        """data: the folder; screens: where phones are opened."""
        self.data, self.screens = data, screens
        self.stack = ExitStack()
        self._token = ""

    def start(
        self,
        camera: str = "simulated",
        seed: int = 3,
        wired: bool = False,
        port: int = 0,
        file: Path | None = None,
        **settings: Any,
    ) -> None:
        """Start the table; camera, settings: as there; wired: the light shines, as on a Pi.

        file: the settings file that the host's page changes.
        """
        if wired:
            patch = self.stack.enter_context(pytest.MonkeyPatch.context())
            patch.setattr(
                build,
                "FirstRun",
                lambda *parts, wired, **more: FirstRun(*parts, wired=True, **more),
            )
        own = Settings(host="127.0.0.1", port=port, camera=camera, data=self.data, **settings)
        self.running: RunningTable = start_table(own, self.stack, seed=seed, file=file)
        self.table, self.url = self.running.table, self.running.server.url

    def stop(self) -> None:
        """Switch all screens off, and stop the table."""
        self.screens.close()
        self.stack.close()

    @property
    def simulated(self) -> SimulatedDice:
        """The dice in its simulated tray."""
        assert self.running.watching.simulated is not None
        return self.running.watching.simulated

    def host(self, **options: object) -> Page:
        """Open the host's phone, at its seat; `options` as of `Screens.phone`."""
        phone = self.arrive("Ann", **options)
        expect(phone.locator("#people")).to_be_visible()
        return phone

    def arrive(self, name: str, **options: object) -> Page:
        """Join as somebody does who has the code of the table."""
        phone = self.screens.phone(f"{self.url}?code={self.table.scene.code}", **options)
        phone.get_by_label(re.compile("Your name|Votre nom")).fill(name)
        phone.locator("#join button").click()
        phone.wait_for_url("**/seat")
        return phone

    def seated(self, path: str = "seat", **options: object) -> Page:
        """Open a page on a phone of the host, who needs no page to join."""
        self._token = self._token or join(self.table, "Ann", "")
        return self.open_as(self._token, path, **options)

    def open_as(self, token: str, path: str = "seat", **options: object) -> Page:
        """Open a page on a phone whose seat has this secret."""
        return self.screens.seated(self.url, token, path, **options)
