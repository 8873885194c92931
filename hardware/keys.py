"""Keys of the terminal that act like the buttons."""

import contextlib
import os
import select
import signal
import sys
import termios
import threading
import tty
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any, Self, TextIO

from hardware.presses import guard


class Keys:
    """A context manager that calls actions when their keys are pressed, without Enter.

    It does nothing if `stream` isn't a terminal, or while another program uses the terminal. Ctrl-C
    and Ctrl-Z work as usual. The terminal is restored when the block ends, even by an unhandled
    SIGTERM.
    """

    def __init__(
        self, actions: Mapping[str, Callable[[], None]], stream: TextIO | None = sys.stdin
    ) -> None:
        """Prepare. actions: by key, a lower-case letter; they are called in a separate thread."""
        self._actions = {key: guard(f"key {key}", action) for key, action in actions.items()}
        self._stream = stream
        self._before: list[Any] | None = None

    @property
    def is_listening(self) -> bool:
        """Whether keys are read now."""
        return self._before is not None

    def __enter__(self) -> Self:
        if self._stream is None or self._stream.closed or not self._stream.isatty():
            return self
        self._fd = self._stream.fileno()
        if not _in_foreground(self._fd):
            return self
        self._before = termios.tcgetattr(self._fd)
        self._wake_reader, self._wake_writer = os.pipe()
        self._thread = threading.Thread(target=self._listen, name="keys", daemon=True)
        self._handles_sigterm = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        )
        if self._handles_sigterm:
            signal.signal(signal.SIGTERM, self._on_sigterm)
        tty.setcbreak(self._fd)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._before is None:
            return
        os.write(self._wake_writer, b".")
        self._thread.join()
        os.close(self._wake_reader)
        os.close(self._wake_writer)
        if self._handles_sigterm and signal.getsignal(signal.SIGTERM) == self._on_sigterm:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        self._restore(self._before)
        self._before = None

    def _restore(self, before: list[Any]) -> None:
        # In the background this would stop the program (SIGTTOU); the shell restores it instead.
        # The terminal was closed.
        if _in_foreground(self._fd):
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._fd, termios.TCSANOW, before)

    def _on_sigterm(self, number: int, frame: FrameType | None) -> None:
        if self._before is not None:
            self._restore(self._before)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _listen(self) -> None:
        while True:
            ready, _, _ = select.select([self._fd, self._wake_reader], [], [])
            if self._wake_reader in ready:
                return
            if not _in_foreground(self._fd):
                # Reading now would stop the program (SIGTTIN); waiting avoids a busy loop.
                select.select([self._wake_reader], [], [], 1.0)
                continue
            try:
                typed = os.read(self._fd, 64)
            except OSError:
                return
            if not typed:
                return
            for key in typed.decode("ascii", "ignore").lower():
                if key in self._actions:
                    self._actions[key]()


def _in_foreground(fd: int) -> bool:
    """Return whether this program may use the terminal; true without job control."""
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:
        return True
