"""Server-sent events: every page is told the newest state, and no page can hold up another."""

import threading
import time
from collections.abc import Callable
from typing import Self

from flask import Response
from werkzeug.exceptions import ServiceUnavailable

RETRY_S = 2


class Broadcast:
    """Wakes any number of event streams, from any thread.

    A stream keeps no queue. It knows the last version that it sent and asks for the newest when
    its client can take one, so that a slow client skips states and none makes memory grow.
    Players' streams have places of their own, which spectators cannot take.
    """

    def __init__(self, *, players: int = 40, spectators: int = 320, heartbeat: float = 15.0):
        """`heartbeat` is the longest silence in seconds: it finds clients that have vanished."""
        self.capacity = players + spectators
        self._free = {True: players, False: spectators}
        self._heartbeat = heartbeat
        self._lock = threading.Lock()
        # Two conditions on one lock, so that players are woken before spectators.
        self._woken = {player: threading.Condition(self._lock) for player in (True, False)}
        self._version = 0
        self._closed = False

    def __len__(self) -> int:
        """How many streams are open."""
        with self._lock:
            return self.capacity - sum(self._free.values())

    def notify(self) -> None:
        """Say that there is something new; returns at once."""
        with self._lock:
            self._version += 1
            for condition in self._woken.values():
                condition.notify_all()

    def close(self) -> None:
        """End every stream, and refuse new ones."""
        with self._lock:
            self._closed = True
            for condition in self._woken.values():
                condition.notify_all()

    def response(self, render: Callable[[], str], *, player: bool = False) -> Response:
        """Answer a request with a stream of `render()`: now, and when `notify` finds it altered.

        Raises ServiceUnavailable (503) when there is no place left.
        """
        with self._lock:
            if self._closed:
                raise ServiceUnavailable("The table is closing.", retry_after=RETRY_S)
            if not self._free[player]:
                raise ServiceUnavailable("Too many pages are open at this table.", retry_after=30)
            self._free[player] -= 1
        response = Response(_Stream(self, render, player), mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        return response

    def _wait(self, player: bool, seen: int, until: float) -> int | None:
        """Return a version newer than `seen`, or None once the time `until` has come.

        Raises StopIteration when the broadcast is closed.
        """
        with self._lock:
            while self._version == seen and not self._closed:
                if (left := until - time.monotonic()) <= 0:
                    return None
                self._woken[player].wait(left)
            if self._closed:
                raise StopIteration
            return self._version

    def _leave(self, player: bool) -> None:
        with self._lock:
            self._free[player] += 1


class _Stream:
    """The body of one stream. An iterator with `close`: an unstarted generator has no `finally`."""

    def __init__(self, broadcast: Broadcast, render: Callable[[], str], player: bool):
        self._broadcast = broadcast
        self._render = render
        self._player = player
        self._seen = -1
        self._sent: str | None = None
        self._open = True

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        until = time.monotonic() + self._broadcast._heartbeat
        while (version := self._broadcast._wait(self._player, self._seen, until)) is not None:
            # The version is taken before the state, so that a change in between is sent next.
            self._seen = version
            data = self._render()
            if data != self._sent:
                head = "" if self._sent else f"retry: {RETRY_S * 1000}\n"
                self._sent = data
                return (head + _event(data)).encode()
        return b": heartbeat\n\n"

    def close(self) -> None:
        if self._open:
            self._open = False
            self._broadcast._leave(self._player)


def _event(data: str) -> str:
    return "".join(f"data: {line}\n" for line in data.split("\n")) + "\n"
