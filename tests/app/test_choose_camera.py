"""Which camera the table plays with when nobody says: what is there, now or later."""

from pathlib import Path

import numpy as np
import pytest
from machines import Pi
from stand_ins import dice_game

from companion.app import cameras
from companion.app.cameras import ChosenCamera, choose_camera
from companion.camera.empty_tray import EmptyTray
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers
from companion.games.registry import GAMES
from companion.table.journal.journal import Journal
from companion.table.table import Table
from hardware.camera import sources
from hardware.camera.drawn import open_drawn
from hardware.camera.interface import Camera, CameraError
from hardware.machine import Machine
from vision.dice.profile import load_profile


class Plugs:
    """The cameras that are plugged in, by source."""

    def __init__(self) -> None:
        self.usable: dict[str, Camera] = {}

    def plug(self, source: str) -> Camera:
        self.usable[source] = open_drawn(lambda: np.zeros((48, 64, 3), np.uint8), name=source)
        return self.usable[source]

    def open(self, source: str) -> Camera:
        if source not in self.usable:
            raise CameraError(f"{source}: not plugged in")
        return self.usable[source]


@pytest.fixture
def plugs(monkeypatch: pytest.MonkeyPatch) -> Plugs:
    made = Plugs()
    monkeypatch.setattr(sources, "PiCamera", lambda fps: made.open("picamera"))
    monkeypatch.setattr(sources, "open_usb", lambda index, fps: made.open(f"usb:{index}"))
    return made


@pytest.fixture
def on_a_pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Pi(tmp_path).machine
    monkeypatch.setattr(cameras, "Machine", lambda: machine)


def auto(folder: Path) -> ChosenCamera | None:
    table = Table(Journal(folder), GAMES, dice_game())
    reader = TableReader(load_profile("pips"), EmptyTray(folder / "tray.png", FrameWorkers()))
    return choose_camera("auto", table, reader, seed=1)


@pytest.mark.usefixtures("on_a_pi")
@pytest.mark.parametrize("late", ["picamera", "usb:0"])
def test_auto_on_a_pi_finds_either_camera_that_is_plugged_in_later(tmp_path, plugs, late):
    chosen = auto(tmp_path / "data")
    assert chosen is not None
    assert (chosen.first, chosen.layer) == (None, None)
    with pytest.raises(CameraError, match=r"picamera: not plugged in; usb:0: not plugged in"):
        chosen.open()
    camera = plugs.plug(late)
    assert chosen.open() is camera


@pytest.mark.usefixtures("on_a_pi")
def test_auto_on_a_pi_finds_the_other_camera_when_the_first_is_gone(tmp_path, plugs):
    first = plugs.plug("picamera")
    chosen = auto(tmp_path / "data")
    assert chosen is not None
    assert chosen.first is first
    plugs.usable.clear()
    other = plugs.plug("usb:0")
    assert chosen.open() is other


def test_auto_without_a_pi_simulates_dice(tmp_path, plugs, monkeypatch):
    monkeypatch.setattr(cameras, "Machine", lambda: Machine(tmp_path))
    chosen = auto(tmp_path / "data")
    assert chosen is not None
    assert chosen.simulated is not None
