"""Slows down senders whose requests are refused again and again."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

BURST = 60
"""Refusals that one sender may have at once."""

PER_S = 5.0
"""Refusals a second that one sender may have for as long as it likes."""

SENDERS = 1024
"""Senders that are remembered; beyond these, the one refused longest ago is forgotten."""

WAIT = b"too many refused requests: wait a moment\n"
"""What a sender over its limit reads."""

WAIT_S = 10
"""Seconds after which such a client is asked to come back."""


COUNTED = "web.serving.counted"
"""The key in a request's environ by which the app has an answer counted like a refusal."""

Sender = Callable[[WSGIEnvironment], str | None]
"""Returns whom a request's refusal counts against; None if it isn't limited at all."""


def address_of(environ: WSGIEnvironment) -> str:
    """Return the address that a request came from, where nothing else tells senders apart."""
    return str(environ["REMOTE_ADDR"])


class LeakyBuckets:
    """A bucket for each name: everything that is added fills it, and it drains with time."""

    def __init__(self, burst: int, per_s: float, names: int = SENDERS) -> None:
        """A bucket holds `burst` and drains `per_s` each second; names: most buckets."""
        self._burst, self._per_s, self._names = burst, per_s, names
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def is_full(self, name: str) -> bool:
        """Return whether a bucket can't take one more."""
        return self._above(name) > 0

    def wait_s(self, name: str) -> float:
        """Return the seconds until a bucket can take one more."""
        return max(0.0, self._above(name) / self._per_s)

    def add(self, name: str, amount: float = 1) -> None:
        """Add one, or another amount."""
        with self._lock:
            self._levels[name] = self._level(name) + amount, time.monotonic()
            self._levels.move_to_end(name)
            if len(self._levels) > self._names:
                self._levels.popitem(last=False)

    def _above(self, name: str) -> float:
        """Return by how much a bucket is too full to take one more."""
        return self._level(name) - (self._burst - 1)

    def _level(self, name: str) -> float:
        level, when = self._levels.get(name, (0.0, 0.0))
        return max(0.0, level - (time.monotonic() - when) * self._per_s)


def refusal_limit() -> LeakyBuckets:
    """Return what counts the refusals of each sender."""
    return LeakyBuckets(BURST, PER_S)


def limit_refusals(
    app: WSGIApplication, refused: LeakyBuckets, sender_of: Sender = address_of
) -> WSGIApplication:
    """Return `app`, with status 429 for senders over the limit.

    That costs a tenth of what a refusal by the application does. Failures (5xx) count too: what
    makes the table fail must not be cheaper to repeat than what it refuses.
    """

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        sender = sender_of(environ)
        if sender is None:
            return app(environ, start_response)
        if refused.is_full(sender):
            headers = [
                ("Content-Type", "text/plain; charset=utf-8"),
                ("Content-Length", str(len(WAIT))),
                ("Retry-After", str(WAIT_S)),
            ]
            start_response("429 Too Many Requests", headers)
            return [WAIT]

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if status.startswith(("4", "5")) or COUNTED in environ:
                refused.add(sender)
            return start_response(status, headers, *error)

        return app(environ, start)

    return respond


JOINS, JOINS_S = 10, 60.0
"""The most tries to join from one address, and in how many seconds."""


class Throttle:
    """Counts tries by address; forgets old tries, and the addresses quiet for longest."""

    def __init__(
        self,
        tries: int = JOINS,
        seconds: float = JOINS_S,
        addresses: int = 256,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock`: returns the time in seconds."""
        self._tries, self._seconds, self._addresses = tries, seconds, addresses
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Return whether an address may try now, and count the try."""
        now = self._clock()
        times = self._times.setdefault(address, deque(maxlen=self._tries))
        self._times.move_to_end(address)
        if len(self._times) > self._addresses:
            self._times.popitem(last=False)
        if len(times) == self._tries and now - times[0] < self._seconds:
            return False
        times.append(now)
        return True
