"""Watches the tray: pictures of the camera to changes to the table, in a thread of its own."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from companion.table.refused import Message
from companion.table.scene import Eyes
from companion.table.table import Table
from companion.table.tray import Place, SeenDie

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Image = npt.NDArray[np.uint8]

RETRY = 3.0
"""Seconds after which a camera that failed is tried again."""

ANSWER_S = 20.0
"""Seconds that a camera may take to open or to give a picture: longer than those that its own
library waits, so that the better error of that one is told where there is one."""

_log = logging.getLogger(__name__)

_T = TypeVar("_T")


class FrozenError(Exception):
    """A camera that does not come back from what it was asked for."""

    def __init__(self) -> None:
        super().__init__(Message("the camera does not answer; unplug it and plug it in again"))


@runtime_checkable
class Told(Protocol):
    """An error that can be told in other languages, as those of `hardware.camera` can."""

    text: str
    particulars: dict[str, object]


class Source(Protocol):
    """A camera, as `hardware.camera` opens it."""

    @property
    def name(self) -> str:
        """What it is called."""

    def frame(self) -> "Image":
        """Wait for the next picture."""

    def close(self) -> None:
        """Give it back."""


class Change(Protocol):
    """What a follower says of a picture that shows something new."""

    @property
    def verdict(self) -> str | None:
        """One of `companion.table.tray.Verdict` where the dice lie still and were read."""

    @property
    def dice(self) -> Sequence[SeenDie]:
        """The dice in it."""


class Follow(Protocol):
    """A follower, as `vision.follow.Follower.update`."""

    def __call__(self, image: "Image", at: float) -> Change | None:
        """Return what one more picture changes; `at`: when it was taken, in seconds."""


class _Hand(threading.Thread):
    """Holds the camera. A thread that may never come back, and can be left to itself then."""

    def __init__(self) -> None:
        super().__init__(name="camera", daemon=True)
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._camera: Source | None = None

    def take(self, open_camera: Callable[[], Source]) -> Source:
        """Open a camera and return it. Raises what `do` does."""

        def work() -> Source:
            # Kept here, so that one that opens too late is given back as well.
            self._camera = open_camera()
            return self._camera

        return self.do(work)

    def do(self, task: Callable[[], _T]) -> _T:
        """Let it do something and wait for what comes of it. Raises that, or FrozenError."""
        done: Future[_T] = Future()

        def work() -> None:
            try:
                done.set_result(task())
            except Exception as error:
                done.set_exception(error)

        self._tasks.put(work)
        try:
            return done.result(ANSWER_S)
        except TimeoutError:
            # The camera's own errors of this name are answers.
            if done.done():
                raise
            raise FrozenError from None

    def release(self) -> None:
        """Let it give the camera back, as soon as it can, and end."""
        self._tasks.put(None)

    def run(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
        if self._camera is not None:
            self._camera.close()


class Watcher(threading.Thread):
    """The thread. It survives a camera that fails: the table is told, and it is tried again."""

    def __init__(
        self,
        table: Table,
        open_camera: Callable[[], Source],
        new_follower: Callable[[], Follow],
        throw: Callable[[Sequence[Place]], None] | None = None,
    ) -> None:
        """Build the thread; `throw`: for a camera whose tray the table throws."""
        super().__init__(name="watcher", daemon=True)
        self._table = table
        self._open = open_camera
        self._new_follower = new_follower
        self._throw = throw
        self._ended = threading.Event()
        self._fault = ""
        self._hand: _Hand | None = None
        self.camera: Source | None = None
        self.picture: Image | None = None
        """The picture that was last read."""
        self.turns = 0
        """Pictures taken, and cameras that failed: it grows as long as the thread lives."""

    def run(self) -> None:
        """Watch until `stop`."""
        while not self._ended.is_set():
            try:
                self._watch()
            except Exception as error:
                # Whatever a camera, its library or the reader raises, players go on by hand.
                self._report(error)
                self.turns += 1
                self._ended.wait(RETRY)

    def stop(self) -> None:
        """End the thread and give the camera back."""
        self._ended.set()
        self.join(timeout=5)

    def _watch(self) -> None:
        if self._hand is not None and self._hand.is_alive():
            # Still in the middle of what it was asked for: another one would find it in use.
            raise FrozenError
        hand = self._hand = _Hand()
        hand.start()
        patience = ANSWER_S
        try:
            camera = hand.take(self._open)
            # Its first picture shows that it works.
            picture = hand.do(camera.frame)
            self.camera = camera
            self._fault = ""
            self._table.use_eyes(Eyes(camera.name, throws=self._throw is not None), self._throw)
            _log.info("camera %s: works", camera.name)
            follow = self._new_follower()
            while not self._ended.is_set():
                self.turns += 1
                change = follow(picture, time.monotonic())
                if change is not None and change.verdict is not None:
                    self.picture = picture
                    self._table.see(change.verdict, change.dice)
                elif change is not None:
                    self._table.see("moving")
                picture = hand.do(camera.frame)
        except FrozenError:
            patience = 0
            raise
        finally:
            self.camera = None
            hand.release()
            hand.join(patience)

    def _report(self, error: Exception) -> None:
        fault = _told(error)
        if fault != self._fault:
            self._fault = fault
            _log.warning("camera: %s; dice are entered by hand until it is back", fault)
        self._table.use_eyes(Eyes("none", fault))


def _told(error: Exception) -> str:
    if isinstance(error, Told):
        return Message(error.text, **error.particulars)
    if error.args and isinstance(error.args[0], Message):
        return error.args[0]
    return str(error) or type(error).__name__
