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


SHARE = Rate(burst=1000, per_s=250)
"""How many milliseconds of a processor all shared queues get together: a second, then a quarter."""

AROUND_MS = 5
"""How many a request takes beside what its worker does: to connect, receive, send and hang up."""


class Queue(NamedTuple):
    """Where a request waits for its turn."""

    name: str
    """The sender, and what kind of request it is."""
    rate: Rate
    """How fast the queue moves."""
    shared: bool = False
    """Whether it shares processor time with all other such queues, which take turns."""


QueueOf = Callable[[WSGIEnvironment], Queue | None]
"""Returns the queue in which a request waits for its turn; None if it never waits.

The server's loop calls it for every request, with the keys of `environ` that tell senders apart.
The app gets the cookies that it leaves there.
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
        self._spent = LeakyBuckets(*SHARE)
        self._most = waiting
        self._waiting: dict[Queue, deque[_C]] = {}
        self._lock = threading.Lock()

    def enter(self, queue: Queue, connection: _C) -> bool | None:
        """Return whether a request is served now. False: it waits; None: the queue is full."""
        with self._lock:
            waiting = self._waiting.get(queue)
            if waiting is None:
                if not self._wait_s(queue):
                    self._serve(queue)
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
                while waiting and not (waiting[0].connected and self._wait_s(queue)):
                    connection = waiting.popleft()
                    if not connection.connected:
                        continue
                    self._serve(queue)
                    turn.append(connection)
                    if queue.shared:
                        # The others come before its next one.
                        self._waiting[queue] = self._waiting.pop(queue)
                        break
                if not waiting:
                    del self._waiting[queue]
        return turn

    def wait_s(self) -> float | None:
        """Return the seconds until the next turn; None if nobody waits."""
        with self._lock:
            return min(map(self._wait_s, self._waiting), default=None)

    def charge(self, seconds: float) -> None:
        """Count the processor time that the worker of a shared queue's request took."""
        self._spent.add("", seconds * 1000)

    def _wait_s(self, queue: Queue) -> float:
        own = self._served[queue.rate].wait_s(queue.name)
        return max(own, self._spent.wait_s("")) if queue.shared else own

    def _serve(self, queue: Queue) -> None:
        self._served[queue.rate].add(queue.name)
        if queue.shared:
            self._spent.add("", AROUND_MS)


class _BucketsByRate(dict[Rate, LeakyBuckets]):
    """What counts the requests that were served."""

    def __missing__(self, rate: Rate) -> LeakyBuckets:
        self[rate] = LeakyBuckets(*rate)
        return self[rate]
