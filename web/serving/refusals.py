"""Slows down addresses whose requests are refused again and again."""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

BURST = 60
"""Refusals that one address may have at once."""

PER_S = 5.0
"""Refusals a second that one address may have for as long as it likes."""

ADDRESSES = 1024
"""Addresses that are remembered; beyond these, the one refused longest ago is forgotten."""

WAIT = b"too many refused requests: wait a moment\n"
"""What an address over its limit reads."""

WAIT_S = 10
"""Seconds after which such a client is asked to come back."""


class RefusalLimit:
    """A leaky bucket for each address: every refusal fills it, and it drains with time."""

    def __init__(
        self, burst: int = BURST, per_s: float = PER_S, addresses: int = ADDRESSES
    ) -> None:
        """Allow `burst` refusals at once and `per_s` more each second, for each of `addresses`."""
        self._burst, self._per_s, self._addresses = burst, per_s, addresses
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def exceeded(self, address: str) -> bool:
        """Return whether an address was refused so often that it has to wait."""
        return self._level(address) > self._burst - 1

    def count(self, address: str) -> None:
        """Count a refusal."""
        with self._lock:
            self._levels[address] = self._level(address) + 1, time.monotonic()
            self._levels.move_to_end(address)
            if len(self._levels) > self._addresses:
                self._levels.popitem(last=False)

    def _level(self, address: str) -> float:
        level, when = self._levels.get(address, (0.0, 0.0))
        return max(0.0, level - (time.monotonic() - when) * self._per_s)


def limit_refusals(app: WSGIApplication, limit: RefusalLimit) -> WSGIApplication:
    """Return `app`, with status 429 for addresses over the limit.

    That costs a tenth of what a refusal by the application does.
    """

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        address = environ["REMOTE_ADDR"]
        if limit.exceeded(address):
            headers = [
                ("Content-Type", "text/plain; charset=utf-8"),
                ("Content-Length", str(len(WAIT))),
                ("Retry-After", str(WAIT_S)),
            ]
            start_response("429 Too Many Requests", headers)
            return [WAIT]

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if status.startswith("4"):
                limit.count(address)
            return start_response(status, headers, *error)

        return app(environ, start)

    return respond
