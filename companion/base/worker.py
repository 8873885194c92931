"""Work in threads of its own, and the supervisor that watches them.

What fails is told and tried again. What hangs is told and left alone, and another thread goes on
where that can do no harm. So no fault ends a part of the table for good.
"""

import errno
import logging
import math
import os
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from companion.base.refused import Message, Refused

LOOK_S = 0.25
"""How often the supervisor looks at each worker."""

PATIENCE_S = 8.0
"""How long a piece of work may take, so that what hangs is told within ten seconds."""

FIRST_RETRY_S, LAST_RETRY_S = 1.0, 30.0
"""Work that fails is tried again after the first, then after twice as long, up to the last."""

STOP_S = 2.5
"""How long a stop waits for a thread; one that hangs is left behind."""

MOST_HANGING = 3
"""Threads of one worker that may hang; then it waits until one of them returns."""

Tell = Callable[[str], None]
"""Is told why work fails, for everybody to read; "" once it works again."""

HANGS = Message("it doesn’t answer")

NO_THREAD = Message("the machine can’t start another thread")

_UNKNOWN = Message("an error; the table’s log says which")

_log = logging.getLogger(__name__)


class WorkError(Exception):
    """Work that fails for a reason that everybody may read."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WorkerThread(threading.Thread):
    """One thread of a worker."""

    def __init__(self, worker: "Worker") -> None:
        super().__init__(name=worker.name, daemon=True)
        self._worker = worker
        self._end = threading.Event()
        self._busy = False
        self._pieces = self._seen = self._looks = 0

    def ended(self) -> bool:
        """Whether it must end: what it still works out doesn't count."""
        return self._end.is_set()

    def end(self) -> None:
        """Let it end as soon as it can; returns at once."""
        self._end.set()

    def progress(self) -> None:
        """Note that another piece of work begins."""
        self._pieces += 1

    def wait(self, seconds: float) -> bool:
        """Wait, at most until the thread must end; return whether it must."""
        with self.waiting():
            return self._end.wait(seconds)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait in the block for as long as it takes, without being taken for hanging."""
        self._busy = False
        try:
            yield
        finally:
            self.progress()
            self._busy = True

    @property
    def busy(self) -> bool:
        """Whether it works, and doesn't wait."""
        return self._busy

    def hangs(self) -> bool:
        """Return whether it is stuck in a piece of work. To be called every LOOK_S.

        Looks are counted, not seconds: while the whole process was stopped, nobody looked.
        """
        same = self._busy and self._seen == self._pieces
        self._looks, self._seen = self._looks + 1 if same else 0, self._pieces
        return self._looks * LOOK_S >= PATIENCE_S

    def run(self) -> None:
        """Work until the end."""
        try:
            self._worker.loop(self)
        finally:
            self._busy = False


class Worker(ABC):
    """Works in a thread of its own whenever it is woken. Any thread may start, wake and stop it."""

    def __init__(self, name: str, *, replaced: bool = True, every_s: float | None = None) -> None:
        """Prepare the thread.

        name: shown in lists of threads; replaced: whether another thread may go on while one hangs;
        every_s: seconds after which it looks for work without being woken, None for never.
        """
        self.name = name
        self.tell: Tell = lambda reason: None
        """Is told what fails; set before the start."""
        self._replaced, self._every_s = replaced, every_s
        self._woken, self._stopped = threading.Event(), threading.Event()
        self._thread: WorkerThread | None = None
        # The supervisor starts none before the first start is through, or two would work at once.
        self._start_at = math.inf
        self._hanging: list[WorkerThread] = []
        self._said = ""
        self._saying = threading.RLock()

    def start(self) -> None:
        """Start the thread, which works at once."""
        self._start_thread()

    def _start_thread(self) -> None:
        self.wake()
        thread = WorkerThread(self)
        try:
            thread.start()
        except (RuntimeError, MemoryError):
            self._start_at = time.monotonic() + FIRST_RETRY_S
            self._say(NO_THREAD)
            return
        self._thread, self._start_at = thread, 0.0
        with self._saying:
            if self._said is NO_THREAD:
                # It may have nothing to do for a long time.
                self._say("")

    def stop(self) -> None:
        """Stop the thread, and wait a moment until it has ended."""
        self._stopped.set()
        thread = self._thread
        if thread is not None:
            thread.end()
            self.wake()
            self.unblock()
            thread.join(STOP_S)

    def wake(self) -> None:
        """Tell the thread that there may be work; returns immediately."""
        self._woken.set()

    def progress(self) -> None:
        """Note that a piece of the present work is done."""
        if self._thread is not None:
            self._thread.progress()

    @abstractmethod
    def catch_up(self, thread: WorkerThread) -> bool | None:
        """Do what there is to do now; return False if there was nothing that could fail.

        What takes long calls `progress` after each piece.
        """

    def rest(self, thread: WorkerThread, seconds: float | None) -> bool:
        """Wait to be woken, at most for so long; return whether the thread must end.

        seconds: None for as long as it takes.
        """
        with thread.waiting():
            self._woken.wait(seconds)
        if thread.ended():
            return True
        self._woken.clear()
        return False

    def unblock(self) -> None:  # noqa: B027 (most wait for nothing)
        """End what the work may wait for, such as a process; any thread may call."""

    def finish(self, thread: WorkerThread) -> None:  # noqa: B027 (most leave nothing)
        """Do what is left when the thread is stopped."""

    def loop(self, thread: WorkerThread) -> None:
        """Work until the thread must end. For the thread itself."""
        pause = FIRST_RETRY_S
        while not thread.ended():
            if self.rest(thread, self._every_s):
                break
            try:
                if self.catch_up(thread) is not False and not thread.ended():
                    pause = FIRST_RETRY_S
                    thread.progress()
                    self._say("")
            except Exception as error:
                # What a stop interrupts is no fault, and a thread that was left alone is late.
                stopped = self._stopped.is_set() and not isinstance(error, WorkError)
                if thread.ended() and not stopped:
                    break
                self._say(reason_of(error), error)
                thread.wait(pause)
                pause = min(2 * pause, LAST_RETRY_S)
                self.wake()
        if self._stopped.is_set():
            try:
                self.finish(thread)
            except Exception as error:
                self._say(reason_of(error), error)

    def supervise(self) -> None:
        """Help a thread that hangs or has ended. For the supervisor, every LOOK_S."""
        thread = self._thread
        if self._stopped.is_set():
            return
        if thread is None or not thread.is_alive():
            if time.monotonic() >= self._start_at:
                self._start_thread()
            return
        with self._saying:
            again, hangs = self._said is HANGS, thread.hangs()
            if hangs:
                self._say(HANGS)
            elif again and not thread.busy:
                self._say("")
        if hangs:
            self.unblock()
            self._hanging = [left for left in self._hanging if left.is_alive()]
            if again and self._replaced and len(self._hanging) < MOST_HANGING:
                thread.end()
                self._hanging.append(thread)
                self._start_thread()

    def _say(self, reason: str, error: Exception | None = None) -> None:
        """Tell a fault once, until it is another one or has passed."""
        # The thread and the supervisor may both have something to tell.
        with self._saying:
            if reason == self._said:
                return
            self.tell(reason)
            self._said = reason
        _log.warning("%s: %s", self.name, reason or "works again", exc_info=error)


class JobWorker(Worker):
    """Does one job after another; those that wait when it is stopped are done first.

    A thread that hangs isn't replaced: jobs write files, and no two may write the same.
    """

    def __init__(self, name: str) -> None:
        """name: shown in lists of threads."""
        super().__init__(name, replaced=False)
        self._jobs: deque[Callable[[], None]] = deque()

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._jobs)

    def add(self, job: Callable[[], None]) -> None:
        """Do a job after those that wait; returns at once."""
        self._jobs.append(job)
        self.wake()

    def catch_up(self, thread: WorkerThread) -> bool:
        """Do the next job. One that fails is told, and not done again."""
        if not self._jobs:
            return False
        job = self._jobs.popleft()
        if self._jobs:
            self.wake()
        job()
        return True

    def finish(self, thread: WorkerThread) -> None:
        """Do the jobs that wait."""
        while self._jobs:
            try:
                self.catch_up(thread)
            except Exception as error:
                self._say(reason_of(error), error)


class Supervisor(threading.Thread):
    """Looks after all workers, in a thread of its own."""

    def __init__(self, stack: ExitStack) -> None:
        """stack: when it is left, what was started stops, in the opposite order."""
        super().__init__(name="supervisor", daemon=True)
        self._stack = stack
        stack.callback(self.stop)
        self._workers: list[Worker] = []
        self._end = threading.Event()
        self.turns = 0
        """How often it has looked at all of them: it grows as long as the thread lives."""

    def watch(self, worker: Worker, tell: Tell) -> None:
        """Look after a worker. tell: is told what fails in it."""
        worker.tell = tell
        self._workers.append(worker)

    def start_worker(self, worker: Worker, tell: Tell) -> None:
        """Start a worker and look after it. tell: is told what fails in it."""
        self.watch(worker, tell)
        worker.start()
        self._stack.callback(worker.stop)

    def run(self) -> None:
        """Look until `stop`."""
        while not self._end.wait(LOOK_S):
            for worker in tuple(self._workers):
                try:
                    worker.supervise()
                except Exception:
                    _log.exception("%s: can't be looked after", worker.name)
            self.turns += 1

    def stop(self) -> None:
        """End the thread."""
        self._end.set()
        if self.is_alive():
            self.join(STOP_S)


def reason_of(error: Exception) -> str:
    """Return why work failed. The text of most errors may hold a secret: only the log has it."""
    if isinstance(error, Refused) and isinstance(error.reason, Message):
        return error.reason
    if isinstance(error, WorkError):
        return error.reason
    if isinstance(error, MemoryError):
        return os.strerror(errno.ENOMEM)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return _UNKNOWN
