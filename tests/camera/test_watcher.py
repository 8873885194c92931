"""The thread between camera and table: it settles, reads, and survives what fails."""

import threading

import numpy as np
import pytest
from endless_game import begin
from shared_tray import SharedTray
from stand_ins import Dealer, dice_game
from waiting import view_when

from companion.camera.watcher import Watcher
from companion.games.registry import GAMES
from companion.table.journal.journal import Journal
from companion.table.surface.dice.state import TrayStatus
from companion.table.table import Table
from hardware.camera.interface import CameraError
from vision.dice.follow import DiceFollower

pytestmark = pytest.mark.pictures


class Camera:
    """A drawn tray as a camera that can be unplugged."""

    name = "drawn"

    def __init__(self):
        self.tray = SharedTray(seed=3)
        self.plugged = threading.Event()
        self.plugged.set()
        self.opened = 0
        self.pace = threading.Event()

    def open(self):
        if not self.plugged.is_set():
            raise CameraError("drawn: unplugged")
        self.opened += 1
        return self

    def frame(self):
        self.pace.wait(0.005)
        if not self.plugged.is_set():
            raise CameraError("drawn: unplugged")
        return self.tray.frame()

    def close(self):
        pass


class TruthfulReader:
    """Says what lies in the drawn tray, so that this is about the thread alone."""

    def __init__(self, tray):
        self.tray = tray
        self.read_pictures = 0
        self.fault = ""

    def __call__(self, image, tray):
        if self.fault:
            raise RuntimeError(self.fault)
        assert image.dtype == np.uint8
        self.read_pictures += 1
        return self.tray.read()


@pytest.fixture
def table(tmp_path):
    made = Table(Journal(tmp_path), GAMES, dice_game(), chance=Dealer("sroo"))
    begin(made)
    return made


@pytest.fixture
def watching(table, monkeypatch):
    monkeypatch.setattr("companion.camera.watcher.RETRY", 0.02)
    camera = Camera()
    reader = TruthfulReader(camera.tray)
    watcher = Watcher(table, camera.open, lambda darker: DiceFollower(reader, darker))
    watcher.start()
    yield camera, reader, watcher
    watcher.stop()
    assert not watcher.is_alive()


def test_thrown_dice_are_read_once_they_lie_still(table, watching):
    camera, reader, watcher = watching
    view_when(table, lambda view: view.camera.name == "drawn")
    shown = []
    table.follow(lambda *_: shown.append(table.view().tray.status))
    camera.tray.throw()
    view = view_when(table, lambda view: view.tray.status is TrayStatus.READY)
    assert TrayStatus.MOVING in shown
    assert sorted(die.face for die in view.tray.dice) == sorted(camera.tray.faces)
    assert watcher.read_frame is not None
    # The dice come in from outside: the tray may rest before, and again with them in it.
    assert reader.read_pictures <= 3


def test_an_unplugged_camera_leaves_the_dice_to_the_hand_until_it_is_back(table, watching, caplog):
    camera, _, _ = watching
    camera.tray.throw()
    view_when(table, lambda view: view.tray.status is TrayStatus.READY)
    camera.plugged.clear()
    view = view_when(table, lambda view: view.camera.fault)
    assert view.camera.fault == "drawn: unplugged"
    assert view.tray.status is TrayStatus.EMPTY
    assert len(view.tray.dice) == 5, "five dice to be entered by hand"
    camera.plugged.set()
    view = view_when(table, lambda view: view.tray.status is TrayStatus.READY)
    assert view.camera.fault == ""
    assert camera.opened == 2
    assert caplog.text.count("drawn: unplugged") == 1, "said once, however often it is tried"


def test_a_reader_that_fails_does_not_end_the_watch(table, watching):
    camera, reader, _ = watching
    view_when(table, lambda view: view.camera.name == "drawn")
    reader.fault = "no such face"
    camera.tray.throw()
    view = view_when(table, lambda view: view.camera.fault)
    assert "no such face" in view.camera.fault
    reader.fault = ""
    view_when(table, lambda view: view.tray.status is TrayStatus.READY)
