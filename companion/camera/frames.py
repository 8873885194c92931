"""Shares the camera with pages: the newest frame, live views, and tasks for the camera itself.

Only the watcher reads the camera. Everything else gets the frames that the watcher reads anyway.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar

from companion.base.refused import Problem, Refused
from companion.base.worker import Tell, reason_of
from hardware.camera.interface import BracketingCamera, Camera, Frame

ANSWER_S = 10.0
"""Seconds that a task on the camera may take."""

REPEAT_S = 2.0
"""Seconds without a new frame after which a live view repeats the last one."""

FAILED_S = 2.0
"""Seconds to wait after a frame that could not be processed."""

_log = logging.getLogger(__name__)

_T = TypeVar("_T")


class SharedCamera:
    """The newest frame of whichever camera is open, and tasks for that camera.

    Frames are passed on as they come, never waited for and never asked for twice: viewers cost the
    watcher nothing. For any number of threads.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._number = 0
        self._frame: Frame | None = None
        self._camera: Camera | None = None
        self._tasks: SimpleQueue[tuple[Callable[[Camera], object], Future[Any]]] = SimpleQueue()
        self._closed = False

    def share(self, camera: Camera) -> Camera:
        """Return `camera` for the watcher to read, so that all others see its frames as well."""
        return _SharingCamera(self, camera)

    @property
    def frame(self) -> Frame | None:
        """The newest frame; None while no camera works."""
        return self._frame

    @property
    def camera(self) -> Camera | None:
        """The camera that works; only the watcher's thread may use it (`run`)."""
        return self._camera

    @property
    def closed(self) -> bool:
        """Whether no more frames will come."""
        return self._closed

    def wait(self, seen: int, timeout: float) -> tuple[int, Frame] | None:
        """Wait for a frame with another number than `seen`; return its number and the frame.

        None if none comes within `timeout` seconds.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or (self._frame is not None and self._number != seen),
                timeout,
            )
            if self._closed or self._frame is None or self._number == seen:
                return None
            return self._number, self._frame

    def run(self, task: Callable[[Camera], _T]) -> _T:
        """Run a task on the camera between two frames, in the watcher's thread.

        Return its result; raise what it raises, or Refused where no camera works.
        """
        result: Future[_T] = Future()
        if self._camera is None:
            raise Refused(Problem.FAILED, "no camera is working")
        self._tasks.put((task, result))
        try:
            return result.result(ANSWER_S)
        except (TimeoutError, CancelledError):
            result.cancel()
            raise Refused(Problem.FAILED, "the camera does not answer") from None

    def close(self) -> None:
        """End every wait; no more frames come."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _run_tasks(self, camera: Camera) -> None:
        """Run the tasks that wait, in the thread that reads the camera."""
        while True:
            try:
                task, result = self._tasks.get_nowait()
            except Empty:
                return
            if result.set_running_or_notify_cancel():
                try:
                    result.set_result(task(camera))
                except Exception as error:
                    # It belongs to the caller of `run`; the frames go on.
                    result.set_exception(error)

    def _publish(self, camera: Camera, frame: Frame) -> None:
        """Show everyone a new frame."""
        with self._changed:
            self._camera, self._frame = camera, frame
            self._number += 1
            self._changed.notify_all()

    def _lose(self) -> None:
        """Note that no camera works any more."""
        with self._changed:
            self._camera = self._frame = None
        while not self._tasks.empty():
            self._tasks.get()[1].cancel()


class _SharingCamera:
    """A camera that passes its frames on to a `SharedCamera`."""

    def __init__(self, shared: SharedCamera, camera: Camera) -> None:
        self._shared, self._camera = shared, camera

    @property
    def name(self) -> str:
        return self._camera.name

    def frame(self) -> Frame:
        self._shared._run_tasks(self._camera)
        try:
            frame = self._camera.frame()
        except Exception:
            self._shared._lose()
            raise
        self._shared._publish(self._camera, frame)
        return frame

    def darker_frame(self, share: float) -> Frame | None:
        """Return a darker frame, which nobody else sees; None if the camera can't take one."""
        camera = self._camera
        return camera.darker_frame(share) if isinstance(camera, BracketingCamera) else None

    def close(self) -> None:
        self._shared._lose()
        self._camera.close()


class LiveView:
    """Shows frames to a few viewers, and processes frames in a thread only while there are any."""

    def __init__(
        self,
        shared: SharedCamera,
        name: str,
        process: Callable[[Frame], float],
        idle: Callable[[], None] = lambda: None,
        *,
        places: int = 3,
        tell: Tell = lambda reason: None,
    ) -> None:
        """Build a view that nobody watches yet.

        name: of the thread; process: called with the newest frame, returns the seconds to wait
        before it is called again; idle: called when the last viewer has left; places: viewers at
        most; tell: is told what fails in `process`.
        """
        self._shared, self._name, self._places = shared, name, places
        self._process, self._idle, self._tell = process, idle, tell
        self._lock = threading.Lock()
        self._viewers = 0
        self._thread: threading.Thread | None = None
        self._left = threading.Event()

    def open(self, fps: float, encode: Callable[[Frame], bytes]) -> "JpegStream":
        """Return a stream of at most `fps` frames a second, until it is closed.

        It ends at once where no camera works. Raises Refused when all places are taken.
        """
        with self._lock:
            if self._viewers == self._places:
                raise Refused(Problem.FAILED, "too many pages show the camera’s picture: close one")
            if self._thread is None:
                left = threading.Event()
                thread = threading.Thread(
                    target=self._run, args=(left,), name=self._name, daemon=True
                )
                # If it can't be started, the next page tries again.
                thread.start()
                self._left, self._thread = left, thread
            self._viewers += 1
        return JpegStream(self._shared, 1 / fps, encode, self._leave)

    def _leave(self) -> None:
        with self._lock:
            self._viewers -= 1
            if not self._viewers:
                self._left.set()
                self._thread = None

    def _run(self, left: threading.Event) -> None:
        seen, pause = -1, 0.0
        while not left.wait(pause) and not self._shared.closed:
            found = self._shared.wait(seen, 0.5)
            pause = 0.0
            if found is None or left.is_set():
                continue
            seen, frame = found
            try:
                pause = self._process(frame)
                self._tell("")
            except Exception as error:
                # The next frame may be better, and the viewers still want to see it.
                _log.exception("%s: a frame could not be processed", self._name)
                self._tell(reason_of(error))
                pause = FAILED_S
        self._tell("")
        with self._lock:
            # Where somebody looks again already, another thread processes frames.
            if self._thread in (None, threading.current_thread()):
                self._idle()


class JpegStream:
    """One viewer's frames, as JPEG. An iterator with `close`: an unstarted generator has no
    `finally`.
    """

    def __init__(
        self,
        shared: SharedCamera,
        period: float,
        encode: Callable[[Frame], bytes],
        closed: Callable[[], None],
    ) -> None:
        """Build a stream with a frame every `period` seconds; `closed`: called once at its end."""
        self._shared, self._period = shared, period
        self._encode, self._closed = encode, closed
        self._seen = -1
        self._frame: Frame | None = None
        self._pause = threading.Event()
        self._open = True

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        if self._frame is not None:
            self._pause.wait(self._period)
        found = self._shared.wait(self._seen, REPEAT_S)
        if found is not None:
            self._seen, self._frame = found
        if self._frame is None or not self._open or self._shared.closed:
            raise StopIteration
        # Repeated if no other came: only sending shows whether the viewer is still there.
        return self._encode(self._frame)

    def close(self) -> None:
        """End the stream and give the place free."""
        if self._open:
            self._open = False
            self._pause.set()
            self._closed()
