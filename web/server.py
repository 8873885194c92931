"""The web server: waitress, in threads of its own, which keeps event streams without one each."""

import contextlib
import errno
import logging
import os
import socket
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from waitress.adjustments import Adjustments
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

from web.stream import Broadcast, Stream

# The port that an address without one means.
HTTP = 80
# Threads for the pages and the moves; six of them may be busy with the camera's moving pictures.
WORKERS = 16
# Connections beyond the streams: pages being loaded, idle ones, and requests never finished.
SPARE_CONNECTIONS = 400
# Connections of one address: a phone opens six, and players may share an address.
EACH_CONNECTIONS = 128
# Refusals that an address may have at once, and how many more a second.
REFUSALS, REFUSALS_PER_S = 60, 5.0
# Seconds that a connection may be idle, or its request unfinished.
IDLE_S = 60
# Seconds after which the kernel gives up a client that takes nothing: gone, or not reading.
STUCK_S = 20
# Bytes that may wait for one client in the kernel; more would be old states only.
SEND_BUFFER = 65536
# And here, of moving pictures and of answers to requests that were sent in a row.
OUT_BUFFER = 16384
# Where an answer is told that a stream goes on after it.
STREAM = "web.stream"


# It tells of every phone that leaves: lines that a card would have to keep, all evening.
logging.getLogger("waitress").setLevel(logging.WARNING)
# It warns of a queue whenever pages come faster than idle threads are counted.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class ServerError(Exception):
    """The address cannot be served; the text names it and says why."""


class Refusals:
    """How often each address was refused of late: a bucket that fills, and leaks."""

    def __init__(
        self, most: int = REFUSALS, per_s: float = REFUSALS_PER_S, addresses: int = 1024
    ) -> None:
        """Allow `most` at once and `per_s` more each second; forget addresses beyond so many."""
        self._most, self._per_s, self._addresses = most, per_s, addresses
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def level(self, address: str) -> float:
        """Return how many refusals of an address are not forgotten yet."""
        level, when = self._levels.get(address, (0.0, 0.0))
        return max(0.0, level - (time.monotonic() - when) * self._per_s)

    def too_many(self, address: str) -> bool:
        """Return whether an address was refused so often that it must wait."""
        return self.level(address) > self._most - 1

    def add(self, address: str) -> None:
        """Count a refusal."""
        with self._lock:
            self._levels[address] = self.level(address) + 1, time.monotonic()
            self._levels.move_to_end(address)
            if len(self._levels) > self._addresses:
                self._levels.popitem(last=False)


def patient(app: WSGIApplication, refusals: Refusals) -> WSGIApplication:
    """Return `app` behind a door that shuts for a while before whoever is refused all the time.

    It costs a tenth of what the application's own refusal does.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        address = environ["REMOTE_ADDR"]
        if refusals.too_many(address):
            line = b"too many requests that can't be done: wait a moment\n"
            length = str(len(line))
            headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", length)]
            start_response("429 Too Many Requests", [*headers, ("Retry-After", "10")])
            return [line]

        def started(status: str, headers: list[tuple[str, str]], *failed: Any) -> Any:
            if status.startswith("4"):
                refusals.add(address)
            return start_response(status, headers, *failed)

        return app(environ, started)

    return answer


def kept(app: WSGIApplication) -> WSGIApplication:
    """Return `app`, but that only the first event of a stream is an answer's body.

    Waitress would wait for the next one in a thread of its own, and the C library keeps for each
    thread what that once freed.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        body = app(environ, start_response)
        if isinstance(body, Stream):
            environ[STREAM] = body
            return iter(list(body))
        return body

    return answer


class _Answer(WSGITask):  # type: ignore[misc]
    """An answer after which the connection stays open: for other requests, or for a stream."""

    def service(self) -> None:
        try:
            super().service()
        finally:
            stream = self._stream
            if stream is not None and self.channel.stream is not stream:
                stream.close()

    def finish(self) -> None:
        stream = self._stream
        if stream is None:
            super().finish()
            return
        self.close_on_finish = False
        self.channel.keep(stream, chunked=self.chunked_response)

    def set_close_on_finish(self) -> None:
        # Waitress hangs up after each answer whose length is not said. Where none may be, as after
        # every press, the phone would have to connect again for the next one.
        asked = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or asked or self.version != "1.1":
            super().set_close_on_finish()
            # Such are moving pictures; whatever else has a body says how long it is.
            self.channel.goes_on = self.content_length is None and self._stream is None

    @property
    def _stream(self) -> Stream | None:
        return (self.environ or {}).get(STREAM)


class _Connection(HTTPChannel):  # type: ignore[misc]
    """A client's connection; it may become a stream's (`web.stream.Taker`), and stays it."""

    task_class = _Answer
    stream: Stream | None = None
    taken = 0.0
    chunked = False
    goes_on = False

    def keep(self, stream: Stream, *, chunked: bool) -> None:
        """Send what a stream has to say, from now on; chunked: as HTTP 1.1 frames it."""
        with self.outbuf_lock:
            if not self.connected:
                raise ClientDisconnected
            self.chunked = chunked
            self.taken = time.monotonic()
            self.stream = stream
        stream.follow(self)

    def ready(self) -> bool:
        """Return whether all that was sent before has left."""
        return bool(self.connected and not self.total_outbufs_len)

    def take(self, event: bytes) -> None:
        """Send an event, or what of it can leave now, and the rest later."""
        data = b"%x\r\n%b\r\n" % (len(event), event) if self.chunked else event
        with self.outbuf_lock, contextlib.suppress(ClientDisconnected):
            try:
                # Past the buffers of waitress: they keep what they have sent.
                sent = self.send(data, do_close=False) if self.connected else 0
            except OSError:
                self._give_up()
                return
            if sent:
                self.taken = time.monotonic()
            if sent < len(data):
                self.write_soon(data[sent:])

    def hang_up(self) -> None:
        """End the stream."""
        with self.outbuf_lock, contextlib.suppress(ClientDisconnected):
            if self.chunked and self.ready():
                self.write_soon(b"0\r\n\r\n")
            self._give_up()

    def service(self) -> None:
        """Answer a request; none that comes after that of a stream."""
        if self.stream is None:
            with contextlib.suppress(ClientDisconnected):
                super().service()

    def readable(self) -> bool:
        """Return whether to look for what comes: of a stream nothing but its end is awaited."""
        if self.stream is None:
            return bool(super().readable())
        return not (self.will_close or self.close_when_flushed)

    def handle_read(self) -> None:
        """Take in what came."""
        if self.stream is None:
            super().handle_read()
            return
        try:
            # Nothing asks for it. Where the client has hung up, this closes the connection.
            self.recv(self.adj.recv_bytes)
        except OSError:
            self.handle_close()

    def handle_write(self) -> None:
        """Send what waits."""
        super().handle_write()
        self.taken = time.monotonic()
        stream = self.stream
        if stream is not None and not self.total_outbufs_len:
            stream.wake()

    def handle_close(self) -> None:
        """Close the connection, and give a stream's place to others."""
        with self.outbuf_lock:
            super().handle_close()
            stream = self.stream
        if stream is not None:
            stream.close()

    def _flush_some(self, do_close: bool = True) -> bool:
        # Waitress does without the lock where no request is being answered.
        with self.outbuf_lock:
            return bool(self.connected and super()._flush_some(do_close=do_close))

    def _flush_outbufs_below_high_watermark(self) -> None:
        if self.goes_on:
            super()._flush_outbufs_below_high_watermark()
        elif self.total_outbufs_len > self.adj.outbuf_high_watermark:
            # Requests in a row, and nothing taken of the answers: no thread waits for that.
            self._give_up()
            raise ClientDisconnected

    def _give_up(self) -> None:
        self.will_close = True
        self.server.pull_trigger()


class _Listener(TcpWSGIServer):  # type: ignore[misc]
    """Takes connections in, however many there are, so that nobody can shut the others out."""

    channel_class = _Connection
    each = EACH_CONNECTIONS

    def accept(self) -> tuple[socket.socket, tuple[str, int]] | None:
        """Take a connection; None where it is none, or its address has too many."""
        accepted: tuple[socket.socket, tuple[str, int]] | None = super().accept()
        if accepted is None:
            return None
        connection, (address, *_) = accepted
        others = list(self.active_channels.values())
        held = Counter(other.addr[0] for other in others)
        if held[address] >= self.each:
            connection.close()
            return None
        if len(self._map) >= self.adj.connection_limit - 1:
            idle = [one for one in others if not one.requests and one.stream is None]
            if idle:
                # An idle connection, or an unfinished request, of whoever has most of them.
                min(idle, key=lambda one: (-held[one.addr[0]], one.last_activity)).handle_close()
        return accepted

    def maintenance(self, now: float) -> None:
        """Close connections idle for long; streams go by no clock that may jump."""
        for one in self.active_channels.values():
            if one.stream is not None:
                one.last_activity = now - (time.monotonic() - one.taken)
        super().maintenance(now)


class Server:
    """A server that runs; made by `serve`."""

    def __init__(self, app: WSGIApplication, streams: Broadcast, listener: socket.socket):
        self._streams = streams
        self.host, self.port = listener.getsockname()[:2]
        self._connections: dict[int, object] = {}
        settings = Adjustments(
            sockets=[listener],
            threads=WORKERS,
            connection_limit=streams.capacity + SPARE_CONNECTIONS,
            # Reads on while a stream runs, which is how a closed page is noticed at once.
            channel_request_lookahead=1,
            channel_timeout=IDLE_S,
            cleanup_interval=5,
            outbuf_high_watermark=OUT_BUFFER,
            max_request_header_size=32768,
            max_request_body_size=16 << 20,
            # select() ends at descriptor 1023.
            asyncore_use_poll=True,
            # A phone that leaves the room is no error.
            log_socket_errors=False,
            ident=None,
        )
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(settings.threads)
        self._server = _Listener(
            patient(kept(app), Refusals()),
            self._connections,
            _sock=listener,
            dispatcher=dispatcher,
            adj=settings,
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)
        self._thread.start()
        streams.start()

    @property
    def url(self) -> str:
        """The address of the pages, as another device of the same network would type it."""
        host = _own_address() if self.host in ("0.0.0.0", "::") else self.host
        port = "" if self.port == HTTP else f":{self.port}"
        return f"http://{f'[{host}]' if ':' in host else host}{port}/"

    @property
    def here(self) -> tuple[str, int]:
        """Where programs of this machine reach the pages: host and port."""
        loopback = {"0.0.0.0": "127.0.0.1", "::": "::1"}
        return loopback.get(self.host, self.host), self.port

    def stop(self) -> None:
        """End the streams, let requests that run come to an end for half a second, and close."""
        self._streams.close()
        self._server.task_dispatcher.shutdown(timeout=0.5)
        # The server's loop ends when it has nothing to watch. What it watched, the trigger that
        # wakes it included, must stay open until then.
        self._server.trigger.pull_trigger(self._connections.clear)
        self._thread.join()
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.close()


def serve(
    app: WSGIApplication, streams: Broadcast, host: str = "0.0.0.0", port: int = 8000
) -> Server:
    """Serve `app` in the background; `streams` are those that it answers with.

    Port 0 takes any free one. Raises ServerError, as where the port is in use.
    """
    if not 0 <= port <= 65535:
        raise ServerError(f"{host}:{port}: the port must be 0 to 65535")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise ServerError(f"{host}:{port}: {_reason(error.errno or 0)}") from error
    # Accepted connections inherit these.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STUCK_S * 1000)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    return Server(app, streams, listener)


def _reason(number: int) -> str:
    # Numbers below zero are those of name look-ups.
    if number < 0:
        return "no such host"
    return {
        errno.EADDRINUSE: "another program uses this port",
        errno.EACCES: "ports below 1024 are for root only",
        errno.EADDRNOTAVAIL: "this machine has no such address",
    }.get(number, os.strerror(number))


def _own_address() -> str:
    """Find the address of this machine in its network, else the loopback one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting a datagram socket only looks up the route.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
