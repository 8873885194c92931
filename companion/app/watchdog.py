"""Tells the service manager that the table lives: while its page answers and its camera loop turns.

A process that merely runs proves nothing: a deadlock leaves it running. What is told here is that
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
"""So many times in the manager's period it is looked whether all is well: one miss is no end."""

_log = logging.getLogger(__name__)


class Notify(Protocol):
    """The way to the manager, as `hardware.notify.notify`."""

    def __call__(self, **variables: str) -> bool:
        """Tell it some variables; False where there is none."""


class PageError(Exception):
    """The page does not answer as it should; the text names it and says how."""


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
    """Tell the manager that players may come, once the page answers. Raises PageError."""
    answer = ask_page(address)
    if answer != http.client.OK:
        raise PageError(f"{address[0]}:{address[1]}: the page has status {answer}")
    notify(READY="1", STATUS=status)


class Watchdog(threading.Thread):
    """Feeds the manager's watchdog as long as both loops turn, and says once which does not."""

    def __init__(
        self,
        notify: Notify,
        address: tuple[str, int],
        turns: Callable[[], int] | None,
        period: float,
    ) -> None:
        """Build the thread; `period`: seconds in which the manager wants to hear of it.

        address: of the page; turns: how often the camera loop has turned, None without a camera.
        """
        super().__init__(name="watchdog", daemon=True)
        self._notify, self._address, self._turns = notify, address, turns
        self._interval = period / SHARE
        self._seen = -1
        self._stuck = ""
        self._ended = threading.Event()

    def run(self) -> None:
        """Feed until `stop`."""
        while not self._ended.is_set():
            stuck = self._trouble()
            if not stuck:
                self._notify(WATCHDOG="1")
            elif stuck != self._stuck:
                _log.error("%s; the service is started again if that lasts", stuck)
            self._stuck = stuck
            self._ended.wait(self._interval)

    def stop(self) -> None:
        """End the thread."""
        self._ended.set()
        self.join(timeout=ANSWER_S)

    def _trouble(self) -> str:
        """What stands still ("": nothing)."""
        if self._turns is not None:
            seen, self._seen = self._seen, self._turns()
            if seen == self._seen:
                return "the camera loop stands still"
        try:
            # Whatever it answers, the server turns: an error in a page is not mended by a restart.
            ask_page(self._address)
        except PageError as error:
            return str(error)
        return ""
