"""Cameras, buttons and the light fail at the table: it goes on, and says what is missing."""

import itertools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest
from endless_game import begin
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin
from loose_pin import Loose
from running import page_of, running_table
from shared_tray import SharedTray
from stand_ins import PLAIN, Dealer, dice_game, reading
from stand_ins import Die as Lying
from trays import rest
from waiting import view_when, wait_until

from companion.app.build import RunningTable
from companion.camera.watcher import Watcher
from companion.games.registry import GAMES
from companion.table.journal.journal import Journal
from companion.table.scene import Signal, Trouble
from companion.table.surface.dice.state import TrayStatus
from companion.table.table import Table
from hardware.camera.drawn import open_drawn
from hardware.camera.interface import Camera, CameraError
from hardware.camera.usb import FROZEN_S, CaptureCamera
from hardware.light import LOOKS, Light
from vision.dice.follow import DiceFollower

GREEN, RED, LIGHT_GREEN = 17, 27, 23


@pytest.fixture
def table(tmp_path: Path) -> Table:
    made = Table(Journal(tmp_path), GAMES, dice_game(), chance=Dealer("sroo", PLAIN))
    begin(made)
    return made


# The camera


@pytest.fixture
def watch(table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Watcher]]:
    """Watches a drawn tray through cameras that are opened one after the other."""
    monkeypatch.setattr("companion.camera.watcher.RETRY", 0.02)
    watchers = []

    def start(tray: SharedTray, *openers: Callable[[], Camera]) -> Watcher:
        following = itertools.chain(openers, itertools.repeat(openers[-1]))
        watcher = Watcher(
            table, lambda: next(following)(), lambda _: DiceFollower(lambda *_: tray.read())
        )
        watchers.append(watcher)
        watcher.start()
        return watcher

    yield start
    for watcher in watchers:
        watcher.stop()
        assert not watcher.is_alive()


def test_an_unplugged_camera_leaves_the_dice_to_the_hand_until_it_is_back(table, watch, caplog):
    tray, plugged, opened = SharedTray(seed=3), threading.Event(), []
    plugged.set()

    def frame() -> np.ndarray:
        if not plugged.is_set():
            raise CameraError("drawn: unplugged")
        return tray.frame()

    def plug_in() -> Camera:
        opened.append(open_drawn(frame, 200, name="drawn"))
        return opened[-1]

    watcher = watch(tray, plug_in)
    tray.throw()
    view = view_when(table, lambda view: view.tray.status is TrayStatus.READY)
    assert view.camera.name == "drawn"
    assert sorted(die.face for die in view.tray.dice) == sorted(tray.faces)
    assert watcher.read_frame is not None
    plugged.clear()
    view = view_when(table, lambda view: view.camera.fault)
    assert view.camera.fault == "drawn: unplugged"
    assert view.tray.status is TrayStatus.EMPTY
    assert len(view.tray.dice) == 5, "five dice to be entered by hand"
    wait_until(lambda: len(opened) > 3)
    plugged.set()
    view = view_when(table, lambda view: view.tray.status is TrayStatus.READY)
    assert view.camera.fault == ""
    assert caplog.text.count("drawn: unplugged") == 1, "said once, however often it is tried"


def test_a_reader_that_fails_does_not_end_the_watch(table, watch, monkeypatch):
    def fail() -> None:
        raise RuntimeError("no such face")

    tray = SharedTray(seed=3)
    with monkeypatch.context() as patch:
        patch.setattr(tray, "read", fail)
        watch(tray, lambda: open_drawn(tray.frame, 200))
        assert "no such face" in view_when(table, lambda view: view.camera.fault).camera.fault
    tray.throw()
    view_when(table, lambda view: view.tray.status is TrayStatus.READY)


def test_a_camera_that_never_answers_is_told_and_left_to_itself(
    table, watch, tmp_path, monkeypatch
):
    monkeypatch.setattr("companion.camera.watcher.ANSWER_S", 0.3)
    pipe = tmp_path / "camera"
    os.mkfifo(pipe)
    tray = SharedTray(seed=3)

    def blocked() -> Camera:
        # OpenCV waits for somebody who writes, as for a driver that never returns.
        capture = cv2.VideoCapture(str(pipe), cv2.CAP_FFMPEG)
        raise CameraError(f"usb:0: opened after all: {capture.isOpened()}")

    watcher = watch(tray, blocked, lambda: open_drawn(tray.frame, 200))
    view = view_when(table, lambda view: view.camera.fault)
    assert "does not answer" in view.camera.fault
    assert view.by_hand
    assert view.tray.status is TrayStatus.EMPTY
    # The loop turns, so that no watchdog starts everything again; no second thread blocks.
    before = watcher.turns
    wait_until(lambda: watcher.turns > before + 2)
    assert sum(thread.name == "camera" for thread in threading.enumerate()) == 1
    pipe.open("wb").close()
    view_when(table, lambda view: view.camera.name == "simulated" and not view.camera.fault)
    tray.throw()
    view_when(table, lambda view: view.tray.status is TrayStatus.READY)


def film(path: Path, pictures: Sequence[np.ndarray]) -> cv2.VideoCapture:
    height, width = pictures[0].shape[:2]
    codec = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(path), codec, 30, (width, height))
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return cv2.VideoCapture(str(path))


def test_a_usb_camera_that_gives_the_same_picture_for_ever_is_frozen(tmp_path):
    chance = np.random.default_rng(1)
    noisy = list(chance.integers(0, 255, (5, 64, 64, 3), np.uint8))
    seconds = itertools.count(0.0, 3.0)
    capture = film(tmp_path / "frozen.avi", [*noisy, *[noisy[-1]] * 20])
    camera = CaptureCamera("usb:0", capture, clock=lambda: next(seconds))
    camera.settle()
    for _ in range(len(noisy) - 2 + int(FROZEN_S // 3)):
        camera.frame()
    with pytest.raises(CameraError, match="usb:0: the same picture for 10 s"):
        camera.frame()
    camera.close()


def test_a_usb_camera_that_is_frozen_from_the_start_does_not_open(tmp_path):
    seconds = itertools.count(0.0, 3.0)
    capture = film(tmp_path / "frozen.avi", [np.full((64, 64, 3), 9, np.uint8)] * 20)
    camera = CaptureCamera("usb:0", capture, clock=lambda: next(seconds))
    with pytest.raises(CameraError, match="frozen, or covered"):
        camera.settle()
    camera.close()


def test_a_slow_camera_is_read_slowly(table, watch):
    tray = SharedTray(seed=3)
    tray.throw()
    rest(tray)
    watch(tray, lambda: open_drawn(tray.frame, 3))
    view = view_when(table, lambda view: view.tray.status is TrayStatus.READY)
    assert sorted(die.face for die in view.tray.dice) == sorted(tray.faces)


# Buttons and the light


class Shorted(MockPWMPin):
    """A pin that a wire holds at ground, until it is mended."""

    held = True

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.held:
            self.drive_low()


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    made = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", made)
    return made


@pytest.fixture
def run(tmp_path: Path, factory: MockFactory, stack: ExitStack) -> Callable[[], RunningTable]:
    return lambda: stack.enter_context(running_table(tmp_path))


def press(pin: MockPWMPin) -> None:
    pin.drive_low()
    pin.drive_high()


def throw(table: Table, number: int = 0) -> None:
    """Lay five dice that are read for certain, elsewhere each time."""
    table.watch(table.view().camera.__class__("test"))
    table.see(reading("ok", [Lying("beer", 100.0 * die, 50.0 + 100 * number) for die in range(5)]))


def test_a_button_that_is_held_from_the_start_is_told_until_its_release(run, factory):
    pin = factory.pin(GREEN, pin_class=Shorted)
    running = run()
    table = running.table
    assert table.view().troubles == {Trouble.GREEN: f"GPIO {GREEN}"}
    begin(table)
    throw(table)
    assert table.view().tray.status is TrayStatus.READY, "held is not pressed"
    assert "The green button is stuck (GPIO 17). Use the one on the page." in page_of(running)
    pin.drive_high()
    assert "stuck" not in page_of(running)
    assert table.view().troubles == {}
    rolls = len(table.view().story)
    press(pin)
    assert len(table.view().story) > rolls, "and then it works"


def test_a_button_that_is_never_released_is_told_and_presses_once(run, factory, monkeypatch):
    monkeypatch.setattr("hardware.buttons.STUCK_S", 0.2)
    table = run().table
    begin(table)
    throw(table)
    factory.pin(GREEN).drive_low()
    assert table.view().tray.status is TrayStatus.LYING
    version = table.view().version
    view = view_when(table, lambda view: view.troubles)
    assert view.troubles == {Trouble.GREEN: f"GPIO {GREEN}"}
    assert view.version == version
    press(factory.pin(RED))
    assert table.view().version == version + 1, "the other one works"
    factory.pin(GREEN).drive_high()
    assert table.view().troubles == {}


def test_a_press_counts_where_no_thread_can_be_started(run, factory, monkeypatch):
    table = run().table
    begin(table)
    throw(table)
    version = table.view().version

    def fail(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", fail)
        press(factory.pin(GREEN))
        press(factory.pin(RED))
    assert table.view().version > version
    assert Trouble.GREEN not in table.view().troubles


@pytest.mark.parametrize("edges", [2, 7, 40])
def test_a_button_that_bounces_accepts_one_roll(run, factory, edges):
    table = run().table
    begin(table)
    for number in range(3):
        if not table.view().rolling:
            break
        throw(table, number)
        before = table.view()
        for _ in range(edges):
            press(factory.pin(GREEN))
        assert table.view().version == before.version + 1
        assert table.view().game.rolls in (before.game.rolls + 1, 0)


def test_a_light_whose_pins_fail_is_told_once_and_comes_back(run, factory, caplog):
    pin = factory.pin(LIGHT_GREEN, pin_class=Loose)
    running = run()
    table = running.table
    begin(table)
    pin.broken = True
    throw(table)
    assert table.scene.signal is Signal.CERTAIN
    reason = table.view().troubles[Trouble.LIGHT]
    assert reason.startswith("status light (GPIO 22, 23, 24): ")
    assert "Input/output error" in reason
    assert f"A light doesn’t work ({reason})." in page_of(running)
    throw(table, 1)
    assert caplog.text.count("Input/output error") == 1
    pin.broken = False
    throw(table, 2)
    assert table.view().troubles == {}
    assert pin.state == LOOKS[Light.CERTAIN].colour[1]
