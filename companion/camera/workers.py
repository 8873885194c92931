"""Threads for the work on frames that pages ask for, and the memory that it leaves behind."""

import ctypes
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import TypeVar

from companion.base.refused import Problem, Refused
from companion.base.worker import HANGS, NO_THREAD, PATIENCE_S

_T = TypeVar("_T")

MALLOC = {
    "M_ARENA_MAX": (-8, 2),
    "M_MMAP_THRESHOLD": (-3, 1 << 19),
    "M_TRIM_THRESHOLD": (-1, 1 << 20),
}
"""Parameters of glibc's mallopt: their numbers in malloc.h, and the values to set.

Two arenas for all threads: the default is eight for each core, each of which keeps what its threads
have freed. Frames are mapped one by one and returned to the system at once; by default they come
from an arena after the first one was freed. A reader of pips takes 153 MB so, and 162 otherwise.
"""


class FrameWorkers:
    """Two threads for all work on frames that pages ask for.

    Requests are answered in hundreds of threads, and each one that works on a frame keeps megabytes
    of memory for the next.
    """

    def __init__(self) -> None:
        self._analysing = _FrameWorker("analysing")
        self._encoding = _FrameWorker("encoding")

    def analyse(self, work: Callable[[], _T]) -> _T:
        """Do work that may take long, such as reading dice, and return its result.

        Raises Refused if it hangs, or work before it does, or no thread can be started. Another
        thread does what comes after work that hangs.
        """
        return self._analysing.do(work)

    def progress(self) -> None:
        """Note that a piece of an analysis is done, which is to take longer than PATIENCE_S."""
        self._analysing.pieces += 1

    def encode(self, work: Callable[[], _T]) -> _T:
        """Do work that a live view waits for, such as encoding a JPEG, and return its result.

        Raises Refused as `analyse` does.
        """
        return self._encoding.do(work)

    def close(self) -> None:
        """End both threads; work that has not begun is dropped."""
        for worker in (self._analysing, self._encoding):
            worker.thread.shutdown(cancel_futures=True)


class _FrameWorker:
    def __init__(self, name: str) -> None:
        self._name, self._patience_s = name, PATIENCE_S
        self.thread = ThreadPoolExecutor(1, name)
        self.pieces = 0

    def do(self, work: Callable[[], _T]) -> _T:
        thread = self.thread
        try:
            done = thread.submit(self._work, work)
        except RuntimeError as error:
            raise Refused(Problem.FAILED, NO_THREAD) from error
        pieces = -1
        while pieces != self.pieces:
            pieces = self.pieces
            with suppress(TimeoutError, CancelledError):
                return done.result(self._patience_s)
        if self.thread is thread:
            self.thread = ThreadPoolExecutor(1, self._name)
        # What waited behind it is refused, too.
        thread.shutdown(wait=False, cancel_futures=True)
        raise Refused(Problem.FAILED, HANGS)

    def _work(self, work: Callable[[], _T]) -> _T:
        try:
            return work()
        finally:
            self.pieces += 1


def limit_memory() -> None:
    """Make the C library return freed memory to the system (`MALLOC`)."""
    with suppress(OSError, AttributeError):  # only glibc has it
        for parameter, value in MALLOC.values():
            _c_library().mallopt(parameter, value)


def trim_memory() -> None:
    """Return freed memory to the system now; the C library would keep it, 60 MB here."""
    with suppress(OSError, AttributeError, MemoryError):  # only glibc has it
        _c_library().malloc_trim(0)


@cache
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(None)
