"""Sends the service manager a heartbeat while the table works: its page answers, its loops run.

A deadlocked process still exists, so its existence proves nothing. A heartbeat means that the
players can continue.
"""

import http.client
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Protocol

ANSWER_S = 10.0
"""Seconds that the page may take to answer."""

FIRST_ANSWER_S = 150.0
"""The same for the first page, whose templates are compiled: less than the unit may take to start.

A table that gave up and started again would be no faster the next time.
"""

SHARE = 3
"""Heartbeats in each period of the manager, so that one may be missed."""

_log = logging.getLogger(__name__)


class Notify(Protocol):
    """A function that sends variables to the service manager, such as `hardware.notify.notify`."""

    def __call__(self, **variables: str) -> bool:
        """Send variables; return False if there is no manager."""


class PageError(Exception):
    """The page gives no answer, or a wrong one; the message names the address and the reason."""


def ask_page(address: tuple[str, int], within_s: float = ANSWER_S) -> int:
    """Load the first page that a phone sees; return its HTTP status. Raises PageError."""
    page = http.client.HTTPConnection(*address, timeout=within_s)
    try:
        page.request("GET", "/")
        answer = page.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException) as error:
        where = f"{address[0]}:{address[1]}"
        raise PageError(f"{where}: no answer: {str(error) or type(error).__name__}") from error
    finally:
        page.close()
    return answer.status


def tell_ready(notify: Notify, address: tuple[str, int], status: str) -> None:
    """Wait until the page answers, then tell the manager that the table is ready.

    Raises PageError.
    """
    answer = ask_page(address, FIRST_ANSWER_S)
    if answer != http.client.OK:
        raise PageError(f"{address[0]}:{address[1]}: the page has status {answer}")
    notify(READY="1", STATUS=status)


class Watchdog(threading.Thread):
    """Sends heartbeats while the page and the loops run, and logs which of them stops.

    The supervisor's loop also stops if a part hangs while it holds the table's lock.
    """

    def __init__(
        self,
        notify: Notify,
        address: tuple[str, int],
        loops: Mapping[str, Callable[[], int]],
        period: float,
    ) -> None:
        """Build the thread.

        address: of the page. loops: what must go on, by its name, and how often it has run so far.
        period: seconds without a heartbeat after which the manager restarts the service.
        """
        super().__init__(name="watchdog", daemon=True)
        self._notify, self._address, self._loops = notify, address, loops
        self._interval = period / SHARE
        self._last_turns: dict[str, int] = {}
        self._fault = ""
        self._ended = threading.Event()

    def run(self) -> None:
        """Send heartbeats until `stop`."""
        while not self._ended.is_set():
            fault = self._find_fault()
            if not fault:
                self._notify(WATCHDOG="1")
            elif fault != self._fault:
                _log.error("%s; the service is started again if that lasts", fault)
            self._fault = fault
            self._ended.wait(self._interval)

    def stop(self) -> None:
        """Stop the thread."""
        self._ended.set()
        self.join(timeout=ANSWER_S)

    def _find_fault(self) -> str:
        """Return what has stopped; empty if nothing has."""
        last, self._last_turns = self._last_turns, {name: t() for name, t in self._loops.items()}
        for name, turns in self._last_turns.items():
            if turns == last.get(name):
                return f"the {name} stands still"
        try:
            # Any status is good enough: a restart doesn't fix an error in a page.
            ask_page(self._address)
        except PageError as error:
            return str(error)
        return ""
