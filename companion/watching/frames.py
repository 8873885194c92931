"""The camera's pictures for others than the watcher, who alone takes them."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Self, TypeVar

from companion.table.table import Problem, Refused
from companion.watching.watcher import Source

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Image = npt.NDArray[np.uint8]

ANSWER_S = 10.0
"""Seconds that a camera may take to do something."""

AGAIN_S = 2.0
"""Seconds after which who looks is shown the last picture again."""

FAILED_S = 2.0
"""Seconds to wait after a picture on which the work failed."""

_log = logging.getLogger(__name__)

_T = TypeVar("_T")


class Feed:
    """The newest picture of whichever camera is open, and orders to that camera.

    Pictures are handed on as they come, never waited for and never asked for twice: whoever looks
    costs the watcher nothing. For any number of threads.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._number = 0
        self._picture: Image | None = None
        self._camera: Source | None = None
        self._orders: SimpleQueue[tuple[Callable[[Source], object], Future[Any]]] = SimpleQueue()
        self._closed = False

    def through(self, camera: Source) -> Source:
        """Return the camera as the watcher is to take it."""
        return _Shared(self, camera)

    @property
    def picture(self) -> "Image | None":
        """The newest picture; None while no camera works."""
        return self._picture

    @property
    def camera(self) -> Source | None:
        """The camera that works, for looking at what it can do: it belongs to the watcher."""
        return self._camera

    @property
    def closed(self) -> bool:
        """Whether no picture will come any more."""
        return self._closed

    def wait(self, seen: int, timeout: float) -> "tuple[int, Image] | None":
        """Return the newest picture and its number, once that is another than `seen`.

        None if none comes within so many seconds.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or (self._picture is not None and self._number != seen),
                timeout,
            )
            if self._closed or self._picture is None or self._number == seen:
                return None
            return self._number, self._picture

    def ask(self, order: Callable[[Source], _T]) -> _T:
        """Let the watcher's thread do something with the camera, and return what came of it.

        Raises Refused where no camera works, and what the order raises.
        """
        answer: Future[_T] = Future()
        if self._camera is None:
            raise Refused(Problem.FAILED, "no camera works now")
        self._orders.put((order, answer))
        try:
            return answer.result(ANSWER_S)
        except (TimeoutError, CancelledError):
            answer.cancel()
            raise Refused(Problem.FAILED, "the camera does not answer") from None

    def close(self) -> None:
        """Let nobody wait any longer."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _work(self, camera: Source) -> None:
        """Do what was ordered, in the thread that takes the pictures."""
        while True:
            try:
                order, answer = self._orders.get_nowait()
            except Empty:
                return
            if answer.set_running_or_notify_cancel():
                try:
                    answer.set_result(order(camera))
                except Exception as error:
                    # It belongs to whoever gave the order; the pictures go on.
                    answer.set_exception(error)

    def _put(self, camera: Source, picture: "Image") -> None:
        with self._changed:
            self._camera, self._picture = camera, picture
            self._number += 1
            self._changed.notify_all()

    def _lost(self) -> None:
        with self._changed:
            self._camera = self._picture = None
        while not self._orders.empty():
            self._orders.get()[1].cancel()


class _Shared:
    """A camera whose pictures others see as well."""

    def __init__(self, feed: Feed, camera: Source) -> None:
        self._feed, self._camera = feed, camera

    @property
    def name(self) -> str:
        return self._camera.name

    def frame(self) -> "Image":
        self._feed._work(self._camera)
        try:
            picture = self._camera.frame()
        except Exception:
            self._feed._lost()
            raise
        self._feed._put(self._camera, picture)
        return picture

    def close(self) -> None:
        self._feed._lost()
        self._camera.close()


class Window:
    """Where a few look at the pictures; a thread works on them only while somebody does."""

    def __init__(
        self,
        feed: Feed,
        name: str,
        work: "Callable[[Image], float]",
        rest: Callable[[], None] = lambda: None,
        *,
        places: int = 3,
    ) -> None:
        """`work`: done with the newest picture; returns the seconds until it is to be done again.

        name: of its thread; rest: done when nobody looks any more; places: how many may look.
        """
        self._feed, self._name, self._places = feed, name, places
        self._work, self._rest = work, rest
        self._lock = threading.Lock()
        self._lookers = 0
        self._worker: threading.Thread | None = None
        self._left = threading.Event()

    def open(self, fps: float) -> "Look":
        """Return the pictures, at most so many a second, until closed (`close` of the iterator).

        They end at once where no camera works. Raises Refused when all places are taken.
        """
        with self._lock:
            if self._lookers == self._places:
                raise Refused(Problem.FAILED, "the picture is open on too many pages")
            self._lookers += 1
            if self._worker is None:
                self._left = threading.Event()
                self._worker = threading.Thread(
                    target=self._run, args=(self._left,), name=self._name, daemon=True
                )
                self._worker.start()
        return Look(self, 1 / fps)

    def _close(self) -> None:
        with self._lock:
            self._lookers -= 1
            if not self._lookers:
                self._left.set()
                self._worker = None

    def _run(self, left: threading.Event) -> None:
        seen, pause = -1, 0.0
        while not left.wait(pause) and not self._feed.closed:
            found = self._feed.wait(seen, 0.5)
            pause = 0.0
            if found is None:
                continue
            seen, picture = found
            try:
                pause = self._work(picture)
            except Exception:
                # The next picture may be a better one, and others look at the pictures too.
                _log.exception("%s: a picture could not be looked at", self._name)
                pause = FAILED_S
        self._rest()


class Look:
    """One who looks. An iterator with `close`: an unstarted generator has no `finally`."""

    def __init__(self, window: Window, period: float) -> None:
        self._window, self._period = window, period
        self._seen = -1
        self._picture: Image | None = None
        self._pause = threading.Event()
        self._open = True

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> "Image":
        feed = self._window._feed
        if self._picture is not None:
            self._pause.wait(self._period)
        found = feed.wait(self._seen, AGAIN_S)
        if found is not None:
            self._seen, self._picture = found
        if self._picture is None or not self._open or feed.closed:
            raise StopIteration
        # The last one again, if no other came: only who is sent something is known to look still.
        return self._picture

    def close(self) -> None:
        """Look no longer."""
        if self._open:
            self._open = False
            self._pause.set()
            self._window._close()
