"""Serves each sender's requests at a steady rate, so that no flood of them slows down the others.

Even a refusal takes processor time, and thousands of them a second take it from the players. So a
request that comes too early waits for its turn; it isn't refused. Its connection is hardly read
meanwhile, so the sender has to wait too.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar
from wsgiref.types import WSGIEnvironment

from web.serving.refusals import LeakyBuckets

WAITING = 128
"""Connections that may wait in one queue."""


class Rate(NamedTuple):
    """How many requests of a queue are served."""

    burst: int
    """At once."""
    per_s: float
    """Each second after that."""


class Queue(NamedTuple):
    """Where a request waits for its turn."""

    name: str
    """The sender, and what kind of request it is."""
    rate: Rate
    """How fast the queue moves."""


QueueOf = Callable[[WSGIEnvironment], Queue | None]
"""Returns the queue in which a request waits for its turn; None if it never waits.

The server's loop calls it for every request, with the keys of `environ` that tell senders apart. The
app gets the cookies that it leaves there.
"""


def no_queue(_environ: WSGIEnvironment) -> Queue | None:
    """Let no request wait."""
    return None


class QueuedConnection(Protocol):
    """A connection with a request."""

    connected: bool
    """Whether the client is still there."""


_C = TypeVar("_C", bound=QueuedConnection)


class Pacing(Generic[_C]):
    """Queues of connections that are served at a steady rate. Any thread may call its methods."""

    def __init__(self, waiting: int = WAITING) -> None:
        """waiting: connections that may wait in one queue."""
        self._served = _BucketsByRate()
        self._most = waiting
        self._waiting: dict[Queue, deque[_C]] = {}
        self._lock = threading.Lock()

    def enter(self, queue: Queue, connection: _C) -> bool | None:
        """Return whether a request is served now. False: it waits; None: the queue is full."""
        with self._lock:
            waiting = self._waiting.get(queue)
            if waiting is None:
                served = self._served[queue.rate]
                if not served.full(queue.name):
                    served.add(queue.name)
                    return True
                waiting = self._waiting[queue] = deque()
            elif len(waiting) >= self._most:
                # Clients that hung up must not keep others out.
                waiting = self._waiting[queue] = deque(one for one in waiting if one.connected)
                if len(waiting) >= self._most:
                    return None
            waiting.append(connection)
            return False

    def next(self) -> Sequence[_C]:
        """Return the connections whose turn has come."""
        turn = []
        with self._lock:
            for queue, waiting in list(self._waiting.items()):
                served = self._served[queue.rate]
                while waiting and not (waiting[0].connected and served.full(queue.name)):
                    connection = waiting.popleft()
                    if connection.connected:
                        served.add(queue.name)
                        turn.append(connection)
                if not waiting:
                    del self._waiting[queue]
        return turn

    def wait_s(self) -> float | None:
        """Return the seconds until the next turn; None if nobody waits."""
        with self._lock:
            times = (self._served[queue.rate].wait_s(queue.name) for queue in self._waiting)
            return min(times, default=None)


class _BucketsByRate(dict[Rate, LeakyBuckets]):
    """What counts the requests that were served."""

    def __missing__(self, rate: Rate) -> LeakyBuckets:
        self[rate] = LeakyBuckets(*rate)
        return self[rate]
