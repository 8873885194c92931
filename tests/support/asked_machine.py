"""A machine on which root does what the table asks for, and tells how that ended."""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from installer.update import ASKED, write_code
from stub_machine import StubMachine, make_installed


class AskedMachine(StubMachine):
    """A machine with a version, of which something is asked.

    helper: the module that names request and status; act: does what is asked; left: what lies there
    only meanwhile.
    """

    def __init__(
        self, folder: Path, helper: ModuleType, act: Callable[["AskedMachine"], None], left: Path
    ) -> None:
        super().__init__(folder)
        make_installed(self)
        self.request, self.status = self.path(ASKED) / helper.REQUEST, self.path(helper.STATUS)
        self.left, self._act = self.path(left), act
        self.make_places()
        write_code(self, anew=False)

    def make_places(self) -> None:
        """Make the folders of request and status, as systemd does at each start."""
        for folder in (self.request.parent, self.status.parent):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def told(self) -> dict[str, Any]:
        """What the table is told."""
        told: dict[str, Any] = json.loads(self.status.read_text())
        return told

    def answer(self, asked: str) -> dict[str, Any]:
        """Leave a request, have it done, and return what the table is told then."""
        self.request.write_text(asked)
        return self.act()

    def act(self) -> dict[str, Any]:
        """Do what is asked, and return what the table is told then."""
        self._act(self)
        assert not self.request.exists()
        assert not self.left.exists()
        assert self.told.get("step", "") == ""
        return self.told
