"""Server-sent events: every page gets the newest state, and no page can hold up another."""

import logging
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, Self

from flask import Response
from werkzeug.exceptions import ServiceUnavailable

from companion.base.worker import Worker, WorkerThread
from web.serving.tracebacks import ONCE_A_MINUTE

RETRY_S = 2
"""Seconds after which a browser connects again when its stream has ended."""

FULL_S = 30
"""Seconds after which a page may try again when there is no place for its stream."""

HEARTBEAT = b"event: beat\ndata: .\n\n"
"""Breaks a silence. It is an event, not a comment, because pages have to hear it: a page that hears
nothing knows that its connection is lost."""

_log = logging.getLogger(__name__)
_log.addFilter(ONCE_A_MINUTE)


class Connection(Protocol):
    """The connection of one stream. No method waits, so one thread can serve many of them."""

    def is_drained(self) -> bool:
        """Return whether the client has taken everything so far."""

    def send_event(self, event: bytes) -> None:
        """Send an event without waiting for the client."""

    def end_stream(self) -> None:
        """Send no more events and close the connection."""


class Broadcast:
    """Tells any number of event streams that there is something new; any thread may call it.

    A stream has neither a queue nor a thread. It knows what it sent last, and asks for the newest
    state when its client can take one. A slow client therefore skips states, and no client makes
    memory grow. Players' streams have places of their own that spectators can't take, and each
    person or address gets only a few.
    """

    def __init__(
        self,
        *,
        players: int = 40,
        spectators: int = 320,
        each_player: int = 5,
        each_address: int = 16,
        heartbeat: float = 15.0,
    ):
        """Make room for `players` and `spectators`.

        each_player: streams of one player, at most; each_address: spectators at one address;
        heartbeat: the longest silence in seconds, which finds clients that have vanished.
        """
        self.capacity = players + spectators
        self._lock = threading.Lock()
        self._groups = {
            True: _Group("players", players, each_player, heartbeat, self._lock),
            False: _Group("spectators", spectators, each_address, heartbeat, self._lock),
        }
        self._news = 0
        self._closed = False

    @property
    def workers(self) -> Sequence[Worker]:
        """What sends the streams."""
        return tuple(self._groups.values())

    @property
    def news(self) -> int:
        """How often something new was announced."""
        return self._news

    def __len__(self) -> int:
        """Return how many streams are open."""
        with self._lock:
            return sum(len(group.open) for group in self._groups.values())

    def start(self) -> None:
        """Start two threads that send what is new: one for players, one for spectators."""
        for worker in self.workers:
            worker.start()

    def notify(self) -> None:
        """Announce something new; returns at once."""
        with self._lock:
            self._news += 1
            for group in self._groups.values():
                for stream in group.open:
                    stream.outdated = True
                group.wake()

    def close(self) -> None:
        """End every stream and refuse new ones."""
        with self._lock:
            self._closed = True
            streams = [stream for group in self._groups.values() for stream in group.open]
        for worker in self.workers:
            worker.stop()
        for stream in streams:
            stream.end()

    def response(
        self,
        render: Callable[[], str],
        *,
        player: bool = False,
        whose: Hashable = None,
        pages: bool = True,
    ) -> Response:
        """Return a response that streams `render()`: now, and whenever `notify` finds it changed.

        pages: whether that is a page, sent as one event if it has changed. Otherwise `render`
        returns the events to send, ready to be sent; empty if nothing is new. whose: the player,
        or the spectator's address. If they have too many streams, their oldest ends to make room;
        None may have any number. Raises ServiceUnavailable (503) if there is no place left.
        """
        group = self._groups[player]
        stream = Stream(self, group, render, pages=pages)
        oldest = None
        with self._lock:
            if self._closed:
                raise ServiceUnavailable("The table is closing.", retry_after=RETRY_S)
            theirs = [other for other, owner in group.open.items() if owner == whose is not None]
            if len(theirs) >= group.each:
                # A phone that lost its network leaves behind a stream that nobody reads.
                oldest = theirs[0]
                del group.open[oldest]
            if len(group.open) >= group.places:
                raise ServiceUnavailable(
                    "Too many pages are open at this table.", retry_after=FULL_S
                )
            group.open[stream] = whose
        if oldest is not None:
            oldest.end()
        # Passed through as it is, so that the server finds the stream in the response.
        response = Response(stream, mimetype="text/event-stream", direct_passthrough=True)
        response.headers["Cache-Control"] = "no-store"
        return response

    def _leave(self, stream: "Stream", group: "_Group") -> None:
        with self._lock:
            group.open.pop(stream, None)


class _Group(Worker):
    """Streams that share their places and the thread that sends their events."""

    def __init__(
        self, whose: str, places: int, each: int, heartbeat: float, lock: threading.Lock
    ) -> None:
        super().__init__(f"streams of {whose}", every_s=heartbeat / 4)
        self.places, self.each, self.heartbeat = places, each, heartbeat
        self._lock = lock
        # Streams and their owners, the oldest first.
        self.open: dict[Stream, Hashable] = {}
        self._sending: Stream | None = None
        self._event: tuple[str | None, bytes] = (None, b"")

    def catch_up(self, thread: WorkerThread) -> None:
        """Send what is new to everybody who can take it."""
        with self._lock:
            streams = list(self.open)
        for stream in streams:
            if thread.ended():
                return
            thread.progress()
            self._sending = stream
            try:
                stream.push()
            except Exception:
                _log.exception("a page could not be drawn, and its stream ends")
                stream.end()

    def unblock(self) -> None:
        """End the stream whose page hangs: another thread goes on with the others."""
        if self._sending is not None:
            self._sending.end()

    def event(self, data: str) -> bytes:
        """Return `data` as an event: the same bytes object for all streams that send it in a row.

        Spectators' pages are drawn once for all of them, so they are also encoded only once.
        """
        last, event = self._event
        if data is not last:
            event = _event(data)
            self._event = data, event
        return event


class Stream:
    """The body of a response that goes on after its request.

    As an iterator it ends as soon as there is nothing new to send. The server then keeps the
    connection open and attaches it to the stream.
    """

    def __init__(
        self, broadcast: Broadcast, group: _Group, render: Callable[[], str], *, pages: bool = True
    ):
        self._broadcast = broadcast
        self._pages = pages
        self._group = group
        self._render = render
        self._sent: str | None = None
        self._sent_at = 0.0
        self._connection: Connection | None = None
        self._ended = False
        self.outdated = True

    def attach(self, connection: Connection) -> None:
        """Send all further events over `connection`."""
        self._connection = connection
        if self._ended:
            connection.end_stream()
        self.wake()

    def wake(self) -> None:
        """Note that the client can take something again."""
        self._group.wake()

    def push(self) -> None:
        """Send what is new if the client can take it, or a heartbeat after a long silence."""
        connection = self._connection
        if connection is None or self._ended or not connection.is_drained():
            return
        event = self._next()
        if event is None and time.monotonic() - self._sent_at > self._group.heartbeat:
            # Nothing notifies us when this machine gets another address, so look at the page again.
            self.outdated = True
            event = self._next() or HEARTBEAT
        if event is not None and not self._ended:
            self._sent_at = time.monotonic()
            connection.send_event(event)

    def end(self) -> None:
        """Send nothing more."""
        self._ended = True
        if self._connection is not None:
            self._connection.end_stream()

    def close(self) -> None:
        """Free the stream's place."""
        self._ended = True
        self._broadcast._leave(self, self._group)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        event = None if self._ended else self._next()
        if event is None:
            raise StopIteration
        return event

    def _next(self) -> bytes | None:
        """Return the newest page as an event, or None if it was sent last."""
        if not self.outdated:
            return None
        # Cleared before the page is drawn, so that a change in between is sent next.
        self.outdated = False
        data = self._render()
        if data == (self._sent if self._pages else ""):
            return None
        first, self._sent = self._sent is None, data if self._pages else ""
        self._sent_at = time.monotonic()
        event = self._group.event(data) if self._pages else data.encode()
        return f"retry: {RETRY_S * 1000}\n".encode() + event if first else event


def _event(data: str) -> bytes:
    lines = data.replace("\n", "\ndata: ")
    return f"data: {lines}\n\n".encode()
