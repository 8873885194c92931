"""Keeps the tracebacks of failing requests from filling the log."""

import logging
import threading
import time
import traceback
from collections.abc import Callable

EVERY_S = 60.0
"""Seconds until the same failure may be logged again."""


class RepeatedTracebacks(logging.Filter):
    """Logs the traceback of each failing line of code at most once a minute.

    The next one says how many were left out. Records without a traceback pass.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: returns seconds that never run backwards."""
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._logged: dict[tuple[str, int | None], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record may be logged."""
        raised = record.exc_info[2] if record.exc_info else None
        if raised is None:
            return True
        failed = traceback.extract_tb(raised, limit=-1)[0]
        # Bounded by the lines of code that can fail, not by what is requested.
        place = failed.filename, failed.lineno
        now = self._clock()
        with self._lock:
            when, left_out = self._logged.get(place, (-EVERY_S, 0))
            if now - when < EVERY_S:
                self._logged[place] = when, left_out + 1
                return False
            self._logged[place] = now, 0
        if left_out:
            record.msg = f"{record.msg} ({left_out} more like this were not logged)"
        return True


ONCE_A_MINUTE = RepeatedTracebacks()
"""Shared by all loggers that may write a traceback for a request."""
