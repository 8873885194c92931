"""Who is told of changes."""

import logging
from collections.abc import Callable

_log = logging.getLogger(__name__)


class Listeners:
    """Functions to call after every change, in the thread that made it. Any thread may add one."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []

    def add(self, listener: Callable[[], None]) -> None:
        """Call a function after every change from now on; it must not wait."""
        self._listeners.append(listener)

    def tell(self) -> None:
        """Call them all, in the order in which they came."""
        for listener in tuple(self._listeners):
            try:
                listener()
            except Exception:
                # What changed counts even if somebody could not be told.
                _log.exception("a listener failed")
