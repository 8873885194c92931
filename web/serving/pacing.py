"""Serves requests of strangers at a steady rate, so that no flood of them slows down the players.

Even a refusal takes processor time, and thousands of them a second take it from the players. So a
stranger's request that comes too early waits for its turn. Its connection is hardly read meanwhile,
so the sender has to wait too.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar
from wsgiref.types import WSGIEnvironment

from web.serving.refusals import LeakyBuckets

BURST = 100
"""Requests of one queue that are served at once: several first page loads."""

PER_S = 50.0
"""Requests of one queue that are served each second after that."""

WAITING = 128
"""Connections that may wait in one queue."""

QueueOf = Callable[[WSGIEnvironment], str | None]
"""Returns the queue in which a request waits for its turn; None if it never waits.

The server's loop calls it for every request, with the keys of `environ` that tell senders apart.
"""


def no_queue(_environ: WSGIEnvironment) -> str | None:
    """Let no request wait."""
    return None


class QueuedConnection(Protocol):
    """A connection with a request."""

    connected: bool
    """Whether the client is still there."""


_C = TypeVar("_C", bound=QueuedConnection)


class Pacing(Generic[_C]):
    """Queues of connections that are served at a steady rate. Any thread may call its methods."""

    def __init__(self, burst: int = BURST, per_s: float = PER_S, waiting: int = WAITING) -> None:
        """Serve `burst` requests of each queue at once, then `per_s` each second.

        waiting: connections that may wait in one queue.
        """
        self._served = LeakyBuckets(burst, per_s)
        self._most = waiting
        self._queues: dict[str, deque[_C]] = {}
        self._lock = threading.Lock()

    def enter(self, name: str, connection: _C) -> bool | None:
        """Return whether a request is served now. False: it waits; None: the queue is full."""
        with self._lock:
            queue = self._queues.get(name)
            if queue is None:
                if not self._served.full(name):
                    self._served.add(name)
                    return True
                queue = self._queues[name] = deque()
            elif len(queue) >= self._most:
                # Clients that hung up must not keep others out.
                queue = self._queues[name] = deque(one for one in queue if one.connected)
                if len(queue) >= self._most:
                    return None
            queue.append(connection)
            return False

    def next(self) -> Sequence[_C]:
        """Return the connections whose turn has come."""
        turn = []
        with self._lock:
            for name, queue in list(self._queues.items()):
                while queue and not (queue[0].connected and self._served.full(name)):
                    connection = queue.popleft()
                    if connection.connected:
                        self._served.add(name)
                        turn.append(connection)
                if not queue:
                    del self._queues[name]
        return turn

    def wait_s(self) -> float | None:
        """Return the seconds until the next turn; None if nobody waits."""
        with self._lock:
            return min(map(self._served.wait_s, self._queues), default=None)
