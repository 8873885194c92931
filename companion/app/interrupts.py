"""How Ctrl-C and `kill` end a command: immediately and quietly, without damaging files.

`companion.__main__` gives SIGINT its default action, which SIGTERM has anyway: it ends the process,
and the shell reports status 130 or 143 as usual. The two context managers here are for code that
must not be interrupted or must clean up.
"""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from types import FrameType
from typing import NoReturn

_log = logging.getLogger(__name__)

_ENDING = (signal.SIGINT, signal.SIGTERM)

STOP_S = 4
"""Seconds that the parts of a program have to stop; what hangs longer is left."""


@contextmanager
def delay_signals() -> Iterator[None]:
    """Delay SIGINT and SIGTERM until the end of the block, for example while writing a file."""
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    try:
        with _handlers(note):
            yield
    finally:
        if came:
            signal.raise_signal(came[0])


@contextmanager
def interrupt_on_signals() -> Iterator[None]:
    """Make SIGINT and SIGTERM raise an exception in the block, then end the process.

    So the block can close what it opened. A second signal ends the process immediately.
    """
    came: list[int] = []

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        signal.signal(number, signal.SIG_DFL)
        came.append(number)
        raise KeyboardInterrupt

    try:
        with _handlers(leave):
            yield
    except BaseException:
        # A library may have caught the interrupt and raised another error.
        if not came:
            raise
    if came:
        signal.signal(came[0], signal.SIG_DFL)
        signal.raise_signal(came[0])


def take_endings(idle: Callable[[], None] = lambda: None) -> Callable[[], None]:
    """Take SIGINT and SIGTERM from now on; return a function that waits for one of them.

    idle: called every second meanwhile.
    """
    # An event would do, but for its lock: a handler that comes while the main thread holds that,
    # in its own wait, would wait for ever. This queue takes entries at any moment.
    came: SimpleQueue[int] = SimpleQueue()
    for number in _ENDING:
        signal.signal(number, lambda number, frame: came.put(number))

    def wait() -> None:
        # On some platforms, a signal can't interrupt a wait without a timeout.
        while True:
            with suppress(Empty):
                came.get(timeout=1.0)
                return
            idle()

    return wait


def end_soon(status: int = 0) -> None:
    """End the process after STOP_S with this status, whatever still runs or hangs then."""

    def give_up(number: int, frame: FrameType | None) -> None:
        # Should even this hang, the kernel ends the process.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(1)
        threads = ", ".join(sorted(thread.name for thread in threading.enumerate()))
        _log.warning("ended although it had not stopped: %s", threads)
        os._exit(status)

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(STOP_S)


@contextmanager
def _handlers(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number in _ENDING}
    try:
        yield
    finally:
        for number, old in before.items():
            # None means a handler that is not written in Python.
            signal.signal(number, signal.SIG_DFL if old is None else old)
