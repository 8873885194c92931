"""Foot switches, presenters and keypads at USB: keyboards whose keys act like the buttons."""

import logging
import os
import select
import time
from collections.abc import Callable
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from struct import Struct

from hardware.presses import guard

FOLDER = Path("/dev/input/by-id")
"""Where udev lists what is plugged in."""
KEYBOARDS = "*event-kbd"
"""The names of what sends keys."""

BACK = frozenset({1, 14, 74, 103, 104, 105})
"""The keys of the red button, by the kernel's numbers (linux/input-event-codes.h): escape,
backspace, minus, up, page up and left. Presenters have page up or left as the way back."""
SILENT = frozenset({29, 42, 54, 56, 58, 69, 70, 97, 100, 125, 126})
"""Keys that only change what others mean: control, shift, alt, super and locks."""

LOOK_S = 2.0
"""How often to look for what was plugged in since."""

_EVENT = Struct("@2l2Hi")  # struct input_event (linux/input.h): time, type, code, value
_KEY, _PRESS = 1, 1  # EV_KEY; 0 is a release, 2 a key that is held
_GRAB = 0x40044590  # EVIOCGRAB: nobody else gets its keys, such as the console's login

_log = logging.getLogger(__name__)


class UsbButtons:
    """Reads keyboards at USB. One thread calls; closed at the end."""

    def __init__(
        self,
        green: Callable[[], None],
        red: Callable[[], None],
        folder: Path = FOLDER,
        look_s: float = LOOK_S,
    ) -> None:
        """Prepare, without opening anything. green, red: called at each press."""
        self._green, self._red = guard("USB button", green), guard("USB button", red)
        self._folder, self._look_s = folder, look_s
        self._open: dict[Path, int] = {}
        self._refused: set[Path] = set()
        self._look_at = 0.0

    def listen(self, seconds: float) -> None:
        """Handle what is pressed within so many seconds, on what is plugged in."""
        if time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + self._look_s
            self._look()
        for descriptor in select.select(self._open.values(), (), (), seconds)[0]:
            self._read(descriptor)

    def close(self) -> None:
        """Let go of all keyboards."""
        for descriptor in self._open.values():
            os.close(descriptor)
        self._open.clear()

    def _look(self) -> None:
        there = set(self._folder.glob(KEYBOARDS))
        self._refused &= there
        for path in there - self._open.keys() - self._refused:
            try:
                descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            except OSError as error:
                _log.warning("%s can't be read: %s", path.name, error.strerror)
                self._refused.add(path)
                continue
            with suppress(OSError):
                ioctl(descriptor, _GRAB, 1)
            _log.info("%s acts like the buttons", path.name)
            self._open[path] = descriptor

    def _read(self, descriptor: int) -> None:
        try:
            read = os.read(descriptor, 64 * _EVENT.size)
        except BlockingIOError:
            return
        except OSError:
            read = b""
        if not read:  # unplugged
            self._open = {path: one for path, one in self._open.items() if one != descriptor}
            os.close(descriptor)
            return
        whole = len(read) - len(read) % _EVENT.size
        for *_, kind, code, value in _EVENT.iter_unpack(read[:whole]):
            if (kind, value) == (_KEY, _PRESS) and code not in SILENT:
                (self._red if code in BACK else self._green)()
