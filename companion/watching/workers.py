"""Threads for the work on frames that pages ask for, and the memory that it leaves behind."""

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

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
        self._analyse = ThreadPoolExecutor(1, "analysing")
        self._encode = ThreadPoolExecutor(1, "encoding")

    def analyse(self, work: Callable[[], _T]) -> _T:
        """Do work that may take long, such as reading dice, and return its result."""
        return self._analyse.submit(work).result()

    def encode(self, work: Callable[[], _T]) -> _T:
        """Do work that a live view waits for, such as encoding a JPEG, and return its result."""
        return self._encode.submit(work).result()

    def close(self) -> None:
        """End both threads; work that has not begun is dropped."""
        self._analyse.shutdown(cancel_futures=True)
        self._encode.shutdown(cancel_futures=True)


def limit_memory() -> None:
    """Make the C library return freed memory to the system (`MALLOC`)."""
    with suppress(OSError, AttributeError):  # only glibc has it
        for parameter, value in MALLOC.values():
            ctypes.CDLL(None).mallopt(parameter, value)


def trim_memory() -> None:
    """Return freed memory to the system now; the C library would keep it, 60 MB here."""
    with suppress(OSError, AttributeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)
