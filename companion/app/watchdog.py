"""Sends the service manager a heartbeat while the table works: its page answers, its camera runs.

That the process exists proves nothing, since a deadlock leaves it alive. The heartbeat means that
somebody at the table could go on playing.
"""

import http.client
import logging
import threading
from collections.abc import Callable
from typing import Protocol

ANSWER_S = 10.0
"""Seconds that the page may take to answer."""

SHARE = 3
"""Heartbeats in the manager's period, so that one may be missed."""

_log = logging.getLogger(__name__)


class Notify(Protocol):
    """A function that tells the service manager something, such as `hardware.notify.notify`."""

    def __call__(self, **variables: str) -> bool:
        """Tell it some variables; return False where there is no manager."""


class PageError(Exception):
    """The page does not answer as it should; the message names the address and the reason."""


def ask_page(address: tuple[str, int]) -> int:
    """Load the page that a phone sees first and return its HTTP status. Raises PageError."""
    page = http.client.HTTPConnection(*address, timeout=ANSWER_S)
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
    """Wait until the page answers, then tell the manager that players may come.

    Raises PageError.
    """
    answer = ask_page(address)
    if answer != http.client.OK:
        raise PageError(f"{address[0]}:{address[1]}: the page has status {answer}")
    notify(READY="1", STATUS=status)


class Watchdog(threading.Thread):
    """Sends heartbeats while page and camera loop run, and logs once which of them does not."""

    def __init__(
        self,
        notify: Notify,
        address: tuple[str, int],
        turns: Callable[[], int] | None,
        period: float,
    ) -> None:
        """Build the thread.

        address: of the page; turns: returns how often the camera loop has turned, None without a
        camera; period: seconds after which the manager restarts a service that stays silent.
        """
        super().__init__(name="watchdog", daemon=True)
        self._notify, self._address, self._turns = notify, address, turns
        self._interval = period / SHARE
        self._last_turns = -1
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
        """End the thread."""
        self._ended.set()
        self.join(timeout=ANSWER_S)

    def _find_fault(self) -> str:
        """Return what has stopped; "": nothing."""
        if self._turns is not None:
            last, self._last_turns = self._last_turns, self._turns()
            if last == self._last_turns:
                return "the camera loop stands still"
        try:
            # Any status will do: a restart does not mend an error in a page.
            ask_page(self._address)
        except PageError as error:
            return str(error)
        return ""
