"""How Ctrl-C and `kill` end a command: at once and quietly, but with its files whole.

`companion.__main__` leaves SIGINT to the system, as SIGTERM is already: the process dies of it, and
the shell reports 130 or 143 as of any other program. The two contexts here are for the moments when
that would leave something behind.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_ENDING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def finished_first() -> Iterator[None]:
    """Delay SIGINT and SIGTERM until the end of the block, such as one that writes a file."""
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
def tidied_up() -> Iterator[None]:
    """Make SIGINT and SIGTERM leave the block by an exception, and end the process after it.

    What is open inside is closed on the way. A second signal ends the process at once.
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
        # Code of others may have caught the interrupt and raised an error of its own.
        if not came:
            raise
    if came:
        signal.signal(came[0], signal.SIG_DFL)
        signal.raise_signal(came[0])


@contextmanager
def _handlers(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number in _ENDING}
    try:
        yield
    finally:
        for number, old in before.items():
            # None stands for a handler that is not Python's.
            signal.signal(number, signal.SIG_DFL if old is None else old)
