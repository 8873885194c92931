"""Server-sent events: every page is told the newest state, and no page can hold up another."""

import threading
import time
from collections.abc import Callable, Hashable
from typing import Self

from flask import Response, has_request_context, request
from werkzeug.exceptions import ServiceUnavailable

RETRY_S = 2

LOOK_S = 5.0
"""Seconds of silence after which a stream looks whether its client has hung up."""


class Broadcast:
    """Wakes any number of event streams, from any thread.

    A stream keeps no queue. It knows what it sent last and asks for the newest when its client can
    take one, so that a slow client skips states and none makes memory grow. Players' streams have
    places of their own, which spectators cannot take, and nobody has more than a few.
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
        self._places = {True: players, False: spectators}
        self._each = {True: each_player, False: each_address}
        self._heartbeat = heartbeat
        self._lock = threading.Lock()
        # By whether they are players', so that these are woken first; the oldest first.
        self._open: dict[bool, dict[_Stream, Hashable]] = {True: {}, False: {}}
        self._news = 0
        self._closed = False

    @property
    def news(self) -> int:
        """How often there was something new."""
        return self._news

    def __len__(self) -> int:
        """How many streams are open."""
        with self._lock:
            return sum(map(len, self._open.values()))

    def notify(self) -> None:
        """Say that there is something new; returns at once."""
        with self._lock:
            self._news += 1
            for streams in self._open.values():
                for stream in streams:
                    stream.news.set()

    def close(self) -> None:
        """End every stream, and refuse new ones."""
        with self._lock:
            self._closed = True
            for streams in self._open.values():
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
        stream = _Stream(self, render, player)
        with self._lock:
            if self._closed:
                raise ServiceUnavailable("The table is closing.", retry_after=RETRY_S)
            streams = self._open[player]
            theirs = [other for other, one in streams.items() if one == whose is not None]
            if len(theirs) >= self._each[player]:
                # A phone that lost its network left a stream that nobody reads; its place is free.
                theirs[0].end()
                del streams[theirs[0]]
            if len(streams) >= self._places[player]:
                raise ServiceUnavailable("Too many pages are open at this table.", retry_after=30)
            streams[stream] = whose
        response = Response(stream, mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        return response

    def _leave(self, stream: "_Stream", player: bool) -> None:
        with self._lock:
            self._open[player].pop(stream, None)


class _Stream:
    """The body of one stream. An iterator with `close`: an unstarted generator has no `finally`."""

    def __init__(self, broadcast: Broadcast, render: Callable[[], str], player: bool):
        self._broadcast = broadcast
        self._render = render
        self._player = player
        self._sent: str | None = None
        self._ended = False
        self._gone = _client_gone()
        self.news = threading.Event()
        self.news.set()

    def end(self) -> None:
        """Send nothing any more."""
        self._ended = True
        self.news.set()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        until = time.monotonic() + self._broadcast._heartbeat
        while (left := until - time.monotonic()) > 0:
            news = self.news.wait(min(left, LOOK_S))
            if self._ended or self._gone():
                raise StopIteration
            if not news:
                continue
            # Before the state is looked at, so that a change in between is sent next.
            self.news.clear()
            data = self._render()
            if data != self._sent:
                head = "" if self._sent else f"retry: {RETRY_S * 1000}\n"
                self._sent = data
                return (head + _event(data)).encode()
        # An event and no comment: pages must hear it, to notice that they hear nothing any more.
        return b"event: beat\ndata: .\n\n"

    def close(self) -> None:
        self._broadcast._leave(self, self._player)


def _client_gone() -> Callable[[], bool]:
    """What tells whether the client of this request has hung up; without a server it never has."""
    if has_request_context():
        gone: Callable[[], bool] | None = request.environ.get("waitress.client_disconnected")
        if gone is not None:
            return gone
    return lambda: False


def _event(data: str) -> str:
    return "".join(f"data: {line}\n" for line in data.split("\n")) + "\n"
