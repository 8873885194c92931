"""Slows down senders whose requests are refused again and again."""

import threading
import time
from collections import OrderedDict
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


class RefusalLimit:
    """A leaky bucket for each sender: every refusal fills it, and it drains with time."""

    def __init__(self, burst: int = BURST, per_s: float = PER_S, senders: int = SENDERS) -> None:
        """Allow `burst` refusals at once and `per_s` more each second, for each of `senders`."""
        self._burst, self._per_s, self._senders = burst, per_s, senders
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def exceeded(self, sender: str) -> bool:
        """Return whether a sender was refused so often that it has to wait."""
        return self._level(sender) > self._burst - 1

    def count(self, sender: str) -> None:
        """Count a refusal."""
        with self._lock:
            self._levels[sender] = self._level(sender) + 1, time.monotonic()
            self._levels.move_to_end(sender)
            if len(self._levels) > self._senders:
                self._levels.popitem(last=False)

    def _level(self, sender: str) -> float:
        level, when = self._levels.get(sender, (0.0, 0.0))
        return max(0.0, level - (time.monotonic() - when) * self._per_s)


def limit_refusals(
    app: WSGIApplication, limit: RefusalLimit, sender_of: Sender = address_of
) -> WSGIApplication:
    """Return `app`, with status 429 for senders over the limit.

    That costs a tenth of what a refusal by the application does. Failures (5xx) count too: what
    makes the table fail must not be cheaper to repeat than what it refuses.
    """

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        sender = sender_of(environ)
        if sender is None:
            return app(environ, start_response)
        if limit.exceeded(sender):
            headers = [
                ("Content-Type", "text/plain; charset=utf-8"),
                ("Content-Length", str(len(WAIT))),
                ("Retry-After", str(WAIT_S)),
            ]
            start_response("429 Too Many Requests", headers)
            return [WAIT]

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if status.startswith(("4", "5")) or COUNTED in environ:
                limit.count(sender)
            return start_response(status, headers, *error)

        return app(environ, start)

    return respond
