"""Watches the tray: reads the camera frame by frame and tells the table what changes.

This is the hot path: camera, follower, table. It has its own thread.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Protocol, TypeVar

from companion.base.refused import Message
from companion.table.scene import CameraStatus, SimulatedTray
from companion.table.surface.cards.state import PileObservation
from companion.table.surface.dice.state import MOVING
from companion.table.surface.dice.surface import still
from companion.table.table import Table
from hardware.camera.interface import BracketingCamera, Camera, CameraError, Frame
from vision.dice.follow import TakeDarkerFrame, TrayChange

RETRY = 3.0
"""Seconds after which the table tries a failed camera again."""

ANSWER_S = 20.0
"""Seconds that a camera may take to open or to return a frame.

This is longer than the libraries wait, so that their more detailed error comes first."""

DARKER = 0.2
"""Share of the light of a second frame of dice that the first one leaves unclear."""

_log = logging.getLogger(__name__)

_T = TypeVar("_T")


class FrozenCameraError(Exception):
    """A camera that does not return from a call."""

    def __init__(self) -> None:
        super().__init__(Message("the camera does not answer; unplug it and plug it in again"))


class FrameFollower(Protocol):
    """What follows dice or cards from frame to frame, such as `game_follower.GameFollower`."""

    def update(self, frame: Frame, at: float, /) -> TrayChange | PileObservation | None:
        """Return what one more frame changes; `at`: when it was taken, in seconds."""


class _CameraThread(threading.Thread):
    """Makes all calls to one camera in a thread, which is abandoned if the camera hangs."""

    def __init__(self) -> None:
        super().__init__(name="camera", daemon=True)
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._camera: Camera | None = None

    def open(self, open_camera: Callable[[], Camera]) -> Camera:
        """Open a camera and return it. Raises what `call` does."""

        def task() -> Camera:
            # Kept here, so that a camera that opens too late is closed as well.
            self._camera = open_camera()
            return self._camera

        return self.call(task)

    def call(self, task: Callable[[], _T]) -> _T:
        """Run `task` and return its result. Raises what it raises, or FrozenCameraError."""
        result: Future[_T] = Future()

        def run() -> None:
            try:
                result.set_result(task())
            except Exception as error:
                result.set_exception(error)

        self._tasks.put(run)
        try:
            return result.result(ANSWER_S)
        except TimeoutError:
            # The task itself may have raised it.
            if result.done():
                raise
            raise FrozenCameraError from None

    def release(self) -> None:
        """Close the camera as soon as possible, then end."""
        self._tasks.put(None)

    def run(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
        if self._camera is not None:
            self._camera.close()


class Watcher(threading.Thread):
    """The watching thread. If a camera fails, it tells the table and tries again."""

    def __init__(
        self,
        table: Table,
        open_camera: Callable[[], Camera],
        new_follower: Callable[[TakeDarkerFrame], FrameFollower],
        tray: SimulatedTray | None = None,
    ) -> None:
        """Build the thread.

        new_follower: called for every camera that was opened, with a function that takes a darker
        frame. tray: the tray that the camera shows, if that is simulated.
        """
        super().__init__(name="watcher", daemon=True)
        self._table = table
        self._open = open_camera
        self._new_follower = new_follower
        self._tray = tray
        self._ended = threading.Event()
        self._fault = ""
        self._camera_thread: _CameraThread | None = None
        self.camera: Camera | None = None
        """The working camera; None while there is none."""
        self.read_frame: Frame | None = None
        """The frame that was read last: the table's dice lie as it shows them."""
        self.turns = 0
        """Frames read and cameras that failed: it grows as long as the thread lives."""

    def run(self) -> None:
        """Watch until `stop`."""
        while not self._ended.is_set():
            try:
                self._watch()
            except Exception as error:
                # Whatever the camera or the reader raises, players can enter the dice by hand.
                self._report(error)
                self.turns += 1
                self._ended.wait(RETRY)

    def stop(self) -> None:
        """End the thread and close the camera."""
        self._ended.set()
        self.join(timeout=5)

    def _watch(self) -> None:
        if self._camera_thread is not None and self._camera_thread.is_alive():
            # Still stuck in its last call: a second thread would find the camera in use.
            raise FrozenCameraError
        thread = self._camera_thread = _CameraThread()
        thread.start()
        patience = ANSWER_S
        try:
            camera = thread.open(self._open)
            # The first frame shows that it works.
            frame = thread.call(camera.frame)
            self._works(camera)
            follower = self._new_follower(lambda: thread.call(lambda: _darker_frame(camera)))
            while not self._ended.is_set():
                self.turns += 1
                self._show(frame, follower.update(frame, time.monotonic()))
                frame = thread.call(camera.frame)
        except FrozenCameraError:
            patience = 0
            raise
        finally:
            self.camera = None
            thread.release()
            thread.join(patience)

    def _works(self, camera: Camera) -> None:
        self.camera = camera
        self._fault = ""
        self._tell(camera.name, tray=self._tray)
        _log.info("camera %s: works", camera.name)

    def _show(self, frame: Frame, change: TrayChange | PileObservation | None) -> None:
        """Tell the table what a frame has changed."""
        if change is None:
            return
        if isinstance(change, PileObservation):
            self._table.see(change)
        elif change.verdict is None:
            self._table.see(MOVING)
        else:
            self.read_frame = frame
            self._table.see(still(change.verdict, change.dice))

    def _report(self, error: Exception) -> None:
        fault = _message(error)
        if fault != self._fault:
            self._fault = fault
            _log.warning("camera: %s; dice are entered by hand until it is back", fault)
        self._tell("none", fault)

    def _tell(self, name: str, fault: str = "", tray: SimulatedTray | None = None) -> None:
        # Which dice it reads is told by others.
        status = CameraStatus(name, fault, tray, self._table.scene.camera.pips)
        self._table.watch(status)


def _darker_frame(camera: Camera) -> Frame | None:
    return camera.darker_frame(DARKER) if isinstance(camera, BracketingCamera) else None


def _message(error: Exception) -> str:
    """Report what failed, in words that pages can translate if possible."""
    if isinstance(error, CameraError):
        return Message(error.text, **error.particulars)
    if error.args and isinstance(error.args[0], Message):
        return error.args[0]
    return str(error) or type(error).__name__
