"""Server-sent events: every page is told the newest state, and no page can hold up another."""

import logging
import threading
import time
from collections.abc import Callable, Hashable
from typing import Protocol, Self

from flask import Response
from werkzeug.exceptions import ServiceUnavailable

RETRY_S = 2

BEAT = b"event: beat\ndata: .\n\n"
"""Fills a silence. An event and no comment: pages must hear it, to notice that they hear nothing
any more."""

_log = logging.getLogger(__name__)


class Taker(Protocol):
    """The connection of one stream. It never waits, so that one thread may serve all of them."""

    def ready(self) -> bool:
        """Return whether everything sent before has left."""

    def take(self, event: bytes) -> None:
        """Send an event, or what of it can leave now and the rest when it can."""

    def hang_up(self) -> None:
        """Send nothing any more."""


class Broadcast:
    """Tells any number of event streams what is new, from any thread.

    A stream keeps no queue and no thread. It knows what it sent last and asks for the newest when
    its client can take one, so that a slow client skips states and none makes memory grow. Players'
    streams have places of their own, which spectators cannot take, and nobody has more than a few.
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
        """Make room for so many streams.

        each_player, each_address: of one player, or of spectators at one address, at most;
        heartbeat: the longest silence in seconds, which finds clients that have vanished.
        """
        self.capacity = players + spectators
        self._lock = threading.Lock()
        self._groups = {
            True: _Group(players, each_player, heartbeat),
            False: _Group(spectators, each_address, heartbeat),
        }
        self._news = 0
        self._closed = False
        self._threads: list[threading.Thread] = []

    @property
    def news(self) -> int:
        """How often there was something new."""
        return self._news

    def __len__(self) -> int:
        """How many streams are open."""
        with self._lock:
            return sum(len(group.open) for group in self._groups.values())

    def start(self) -> None:
        """Begin to tell the streams: players' and spectators' in a thread each."""
        for player, group in self._groups.items():
            name = f"streams of {'players' if player else 'spectators'}"
            thread = threading.Thread(target=self._tell, args=(group,), name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def notify(self) -> None:
        """Say that there is something new; returns at once."""
        with self._lock:
            self._news += 1
            for group in self._groups.values():
                for stream in group.open:
                    stream.news = True
                group.woken.set()

    def close(self) -> None:
        """End every stream, and refuse new ones."""
        with self._lock:
            self._closed = True
            streams = [stream for group in self._groups.values() for stream in group.open]
            for group in self._groups.values():
                group.woken.set()
        for thread in self._threads:
            thread.join()
        for stream in streams:
            stream.end()

    def response(
        self, render: Callable[[], str], *, player: bool = False, whose: Hashable = None
    ) -> Response:
        """Answer a request with a stream of `render()`: now, and when `notify` finds it altered.

        whose: the player, or the spectator's address: where theirs are too many, the oldest ends
        for this one (None may have any number). Raises ServiceUnavailable (503) when there is no
        place left.
        """
        group = self._groups[player]
        stream = Stream(self, group, render)
        oldest = None
        with self._lock:
            if self._closed:
                raise ServiceUnavailable("The table is closing.", retry_after=RETRY_S)
            theirs = [other for other, one in group.open.items() if one == whose is not None]
            if len(theirs) >= group.each:
                # A phone that lost its network left a stream that nobody reads; its place is free.
                oldest = theirs[0]
                del group.open[oldest]
            if len(group.open) >= group.places:
                raise ServiceUnavailable("Too many pages are open at this table.", retry_after=30)
            group.open[stream] = whose
        if oldest is not None:
            oldest.end()
        # The server is to find the stream itself in what it is answered.
        response = Response(stream, mimetype="text/event-stream", direct_passthrough=True)
        response.headers["Cache-Control"] = "no-store"
        return response

    def _tell(self, group: "_Group") -> None:
        while not self._closed:
            group.woken.wait(group.heartbeat / 4)
            group.woken.clear()
            with self._lock:
                streams = list(group.open)
            for stream in streams:
                try:
                    stream.tell()
                except Exception:
                    _log.exception("a page could not be drawn, and its stream ends")
                    stream.end()

    def _leave(self, stream: "Stream", group: "_Group") -> None:
        with self._lock:
            group.open.pop(stream, None)


class _Group:
    """Streams that share their places, and a thread that tells them."""

    def __init__(self, places: int, each: int, heartbeat: float) -> None:
        self.places, self.each, self.heartbeat = places, each, heartbeat
        # By whose they are, the oldest first.
        self.open: dict[Stream, Hashable] = {}
        self.woken = threading.Event()
        self._event: tuple[str | None, bytes] = (None, b"")

    def event(self, data: str) -> bytes:
        """Return `data` as an event, the same bytes for all streams that send it in a row."""
        last, event = self._event
        if data is not last:
            event = _event(data)
            self._event = data, event
        return event


class Stream:
    """The body of one answer, which goes on after its request.

    As an iterator it ends where there is nothing new to be sent; a server that knows it keeps the
    connection, and gives it to the stream (`follow`).
    """

    def __init__(self, broadcast: Broadcast, group: _Group, render: Callable[[], str]):
        self._broadcast = broadcast
        self._group = group
        self._render = render
        self._sent: str | None = None
        self._beat = 0.0
        self._taker: Taker | None = None
        self._ended = False
        self.news = True

    def follow(self, taker: Taker) -> None:
        """Send what comes now by `taker`."""
        self._taker = taker
        if self._ended:
            taker.hang_up()
        self.wake()

    def wake(self) -> None:
        """Say that the client can take something again."""
        self._group.woken.set()

    def tell(self) -> None:
        """Send what is new, if the client can take it; after a silence anything at all."""
        taker = self._taker
        if taker is None or self._ended or not taker.ready():
            return
        event = self._next()
        if event is None and time.monotonic() - self._beat > self._group.heartbeat:
            # Nobody says that the address of this machine has become another one.
            self.news = True
            event = self._next() or BEAT
        if event is not None:
            self._beat = time.monotonic()
            taker.take(event)

    def end(self) -> None:
        """Send nothing any more."""
        self._ended = True
        if self._taker is not None:
            self._taker.hang_up()

    def close(self) -> None:
        """Leave one's place to others."""
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
        """Return the newest page as an event; None where that is what was sent last."""
        if not self.news:
            return None
        # Before the state is looked at, so that a change in between is sent next.
        self.news = False
        data = self._render()
        if data == self._sent:
            return None
        first, self._sent = self._sent is None, data
        self._beat = time.monotonic()
        event = self._group.event(data)
        return f"retry: {RETRY_S * 1000}\n".encode() + event if first else event


def _event(data: str) -> bytes:
    return ("".join(f"data: {line}\n" for line in data.split("\n")) + "\n").encode()
