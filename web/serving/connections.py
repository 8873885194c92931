"""Waitress connections, changed so that event streams need no threads and nobody is shut out.

Waitress has no public way to do this, so the classes here override methods that may change with
any release. That is why `pyproject.toml` allows only the minor version that was tested, and why
`tests/web/test_waitress.py` compares every method that this file relies on.
"""

import contextlib
import socket
import ssl
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from waitress.adjustments import Adjustments
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError, TransferEncodingNotImplemented
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.wasyncore import dispatcher

from web.serving.pacing import Pacing, QueueOf
from web.serving.stream import Stream

STREAM = "web.serving.stream"
"""The key in a request's environ under which `detach_streams` leaves its stream."""

PLAIN_PORT = "web.serving.plain_port"
"""The key in the environ of a request over TLS for the port without TLS."""

REQUESTS_AHEAD = 4
"""Requests of one connection that may await their answers."""

MAX_FIELDS = 100
"""Lines of a request's header: browsers send some twenty."""

LONGEST_ADDRESS = 4096
"""Bytes of a request's first line."""

ONCE = (b"content-length", b"content-type", b"cookie", b"host")
"""Header fields that a request has once, if at all."""


def detach_streams(app: WSGIApplication) -> WSGIApplication:
    """Return `app`, with only the first event of a stream as the body of its response.

    Waitress would otherwise keep a worker thread waiting for the next event. The rest of the
    stream is sent by its `StreamChannel`.
    """

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        body = app(environ, start_response)
        if isinstance(body, Stream):
            environ[STREAM] = body
            return iter(list(body))
        return body

    return respond


class StreamTask(WSGITask):  # type: ignore[misc]
    """A response after which the connection stays open: for more requests or for a stream."""

    def service(self) -> None:
        """Run the application and send its response."""
        try:
            super().service()
        finally:
            stream = self._stream
            if stream is not None and self.channel.stream is not stream:
                stream.close()

    def finish(self) -> None:
        """End the response, or hand its stream over to the connection."""
        stream = self._stream
        if stream is None:
            super().finish()
            return
        self.close_on_finish = False
        self.channel.follow(stream, chunked=self.chunked_response)

    def get_environment(self) -> dict[str, Any]:
        """Return what the application is told of the request."""
        environ: dict[str, Any] = super().get_environment()
        environ.update(self.channel.asked_at)
        return environ

    def set_close_on_finish(self) -> None:
        """Mark the connection to be closed after this response, but only if it has to be."""
        # Waitress closes it after every response of unknown length. A press is answered with 204,
        # which never has a length, so the phone would have to connect again for each press.
        asked_to_close = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or asked_to_close or self.version != "1.1":
            super().set_close_on_finish()
            # A body of unknown length that isn't a stream: the camera's moving pictures.
            self.channel.open_ended = self.content_length is None and self._stream is None

    @property
    def _stream(self) -> Stream | None:
        return (self.environ or {}).get(STREAM)


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request that is refused where two readers of its header could disagree, or one take long.

    No browser sends such a one.
    """

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the header. Raises ParsingError, and TransferEncodingNotImplemented."""
        lines = header_plus.split(b"\r\n", MAX_FIELDS + 1)
        names = Counter(line.partition(b":")[0].lower() for line in lines)
        if len(lines) > MAX_FIELDS:
            raise ParsingError("too many header fields")
        if len(lines[0]) > LONGEST_ADDRESS:
            raise ParsingError("the address is too long")
        if any(names[name] > 1 for name in ONCE):
            raise ParsingError("a header field is given twice")
        if names[b"transfer-encoding"]:
            raise TransferEncodingNotImplemented("send a Content-Length")
        try:
            super().parse_header(header_plus)
        except ValueError as error:
            # Numbers of thousands of digits, and addresses that can't be split.
            raise ParsingError("Invalid header") from error


class Ignored(HTTPRequestParser):  # type: ignore[misc]
    """A request of a connection that is about to be closed."""

    def received(self, data: bytes) -> int:
        """Take everything, and take it for no request."""
        self.completed = self.empty = True
        return len(data)


class StreamChannel(HTTPChannel):  # type: ignore[misc]
    """A client's connection. Once a stream is handed to it, it serves only that stream.

    It is the stream's `web.serving.stream.Connection`: none of its methods waits for the client.
    """

    task_class = StreamTask

    asked_at: Mapping[str, str] = {}
    """What requests are told of where they arrived, if that isn't where the server is bound."""

    stream: Stream | None = None
    """The stream that this connection serves, if any."""

    last_sent = 0.0
    """When the client last took something, by the monotonic clock."""

    chunked = False
    """Whether events are framed as HTTP 1.1 chunks."""

    arriving_since: float | None = None
    """When the request that is arriving began to, by the monotonic clock; None between requests."""

    waits = False
    """Whether its request waits for its turn before any worker takes it."""

    shared = False
    """Whether its request waited in a queue that shares processor time with others."""

    open_ended = False
    """Whether a worker may wait for the client while it sends: only for moving pictures."""

    def follow(self, stream: Stream, *, chunked: bool) -> None:
        """Send the events of `stream` from now on."""
        with self.outbuf_lock:
            if not self.connected:
                raise ClientDisconnected
            self.chunked = chunked
            self.last_sent = time.monotonic()
            self.stream = stream
        stream.attach(self)

    def is_drained(self) -> bool:
        """Return whether the client is connected and has taken everything so far."""
        return bool(self.connected and not self.total_outbufs_len)

    def send_event(self, event: bytes) -> None:
        """Send an event; what the client can't take yet is sent later."""
        data = b"%x\r\n%b\r\n" % (len(event), event) if self.chunked else event
        with self.outbuf_lock, contextlib.suppress(ClientDisconnected):
            try:
                # Not through waitress's buffers, which keep what they have sent.
                sent = self.send(data, do_close=False) if self.connected else 0
            except OSError:
                self._close_soon()
                return
            if sent:
                self.last_sent = time.monotonic()
            if sent < len(data):
                self.write_soon(data[sent:])

    def end_stream(self) -> None:
        """End the response and close the connection."""
        with self.outbuf_lock, contextlib.suppress(ClientDisconnected):
            if self.chunked and self.is_drained():
                self.write_soon(b"0\r\n\r\n")
            self._close_soon()

    def service(self) -> None:
        """Answer the next request, unless the connection serves a stream by now."""
        if self.stream is None:
            shared, begun = self.shared, time.thread_time()
            with contextlib.suppress(ClientDisconnected):
                super().service()
            if shared:
                self.server.charge(time.thread_time() - begun)

    def readable(self) -> bool:
        """Return whether to wait for data. A stream's client only ever hangs up."""
        if self.stream is None:
            return bool(super().readable())
        return not (self.will_close or self.close_when_flushed)

    def handle_read(self) -> None:
        """Receive data; ignore what a stream's client sends."""
        if self.stream is None:
            super().handle_read()
            return
        try:
            # This closes the connection if the client has hung up.
            self.recv(self.adj.recv_bytes)
        except OSError:
            self.handle_close()

    def parser_class(self, adj: Adjustments) -> HTTPRequestParser:
        """Return what parses the next request; hang up if too many of them await their answers."""
        # Browsers wait for each answer. Parsing costs more than sending, so a client could send
        # hundreds of requests in one go that nobody would ever answer.
        if len(self.requests) >= REQUESTS_AHEAD:
            self.will_close = True
            return Ignored(adj)
        return Request(adj)

    def received(self, data: bytes) -> bool:
        """Take in data from a client, and note when its request began to arrive."""
        before = self.request
        taken = bool(super().received(data))
        if self.request is None:
            self.arriving_since = None
        elif self.request is not before or self.arriving_since is None:
            self.arriving_since = time.monotonic()
        return taken

    def handle_write(self) -> None:
        """Send what is waiting, then let the stream send its newest event."""
        super().handle_write()
        self.last_sent = time.monotonic()
        stream = self.stream
        if stream is not None and not self.total_outbufs_len:
            stream.wake()

    def handle_close(self) -> None:
        """Close the connection and free the stream's place."""
        with self.outbuf_lock:
            super().handle_close()
            stream = self.stream
        if stream is not None:
            stream.close()

    def _flush_some(self, do_close: bool = True) -> bool:
        # Waitress skips the lock when no request is running, but a stream may be sending then.
        with self.outbuf_lock:
            return bool(self.connected and super()._flush_some(do_close=do_close))

    def _flush_outbufs_below_high_watermark(self) -> None:
        if self.open_ended:
            super()._flush_outbufs_below_high_watermark()
        elif self.total_outbufs_len > self.adj.outbuf_high_watermark:
            # A client that sends request after request and takes no response: don't let a worker
            # wait for it.
            self._close_soon()
            raise ClientDisconnected

    def _close_soon(self) -> None:
        self.will_close = True
        self.server.pull_trigger()


class SecureChannel(StreamChannel):
    """A client's connection over TLS.

    OpenSSL bears one thread at a time: what sends holds `outbuf_lock` already.
    """

    _decrypted = b""

    def handle_read(self) -> None:
        """Decrypt what has come, and receive it unless a record or the handshake isn't whole."""
        with self.outbuf_lock:
            try:
                # A record is smaller than what is asked for, so that nothing stays in OpenSSL,
                # where no poll sees it.
                self._decrypted = self.socket.recv(self.adj.recv_bytes)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return
            except OSError:
                self._decrypted = b""
        super().handle_read()

    def recv(self, buffer_size: int) -> bytes:
        """Return what was decrypted; close the connection if the client has hung up."""
        data, self._decrypted = self._decrypted, b""
        if not data:
            self.handle_close()
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Encrypt and send data; return how much of it was taken."""
        try:
            return int(super().send(data, do_close=do_close))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0

    def handle_close(self) -> None:
        """Tell the client that nothing is cut off, and close the connection."""
        with self.outbuf_lock:
            if self.socket is not None:
                with contextlib.suppress(OSError, ValueError):
                    self.socket.unwrap()
            super().handle_close()


class SecureListener(dispatcher):  # type: ignore[misc]
    """Accepts TLS connections for a server, which serves them like its own."""

    def __init__(
        self, server: "FairServer", listener: socket.socket, context: ssl.SSLContext
    ) -> None:
        super().__init__(listener, map=server._map)
        self.accepting = True
        self._server, self._context = server, context
        self._asked_at = {
            "wsgi.url_scheme": "https",
            "SERVER_PORT": str(listener.getsockname()[1]),
            PLAIN_PORT: server.effective_port,
        }

    def writable(self) -> bool:
        """Return False: nothing is sent here."""
        return False

    def handle_accept(self) -> None:
        """Accept a connection. Its handshake is a part of its first reads, so nobody waits."""
        with contextlib.suppress(OSError):
            accepted = self.accept()
            if accepted is None or not self._server.make_room(*accepted):
                return
            connection = self._context.wrap_socket(
                accepted[0], server_side=True, do_handshake_on_connect=False
            )
            channel = SecureChannel(
                self._server, connection, accepted[1], self._server.adj, map=self._map
            )
            channel.asked_at = self._asked_at


class FairServer(TcpWSGIServer):  # type: ignore[misc]
    """Accepts every connection, so that nobody can shut the others out.

    Requests wait for their turn where their sender has too many. When an address has too many
    connections, one of them is closed whose request waits, or that is idle or unfinished. So is one
    of the address that has most, when the server is full.
    """

    channel_class = StreamChannel

    def __init__(
        self, *arguments: Any, per_address: int, queue_of: QueueOf, **options: Any
    ) -> None:
        self._per_address = per_address
        self._queue_of = queue_of
        self._pacing: Pacing[StreamChannel] = Pacing()
        super().__init__(*arguments, **options)

    def run(self) -> None:
        """Serve until there is nothing left to watch."""
        while self._map:
            wait_s = self._pacing.wait_s()
            most = self.adj.asyncore_loop_timeout
            # Waitress counts in whole milliseconds, and would look again and again in the last one.
            timeout = most if wait_s is None else min(most, wait_s + 0.001)
            self.asyncore.loop(timeout, self.adj.asyncore_use_poll, self._map, count=1)
            for channel in self._pacing.next():
                channel.waits = False
                super().add_task(channel)

    def add_task(self, task: StreamChannel) -> None:
        """Have a worker answer the next request of a connection, when its turn has come."""
        request = task.requests[0]
        # The keys of a WSGI environ, which has more of them and takes longer to build.
        environ = {
            "REMOTE_ADDR": task.addr[0],
            "REQUEST_METHOD": request.command if not request.error else "",
            "PATH_INFO": request.path if not request.error else "",
            "HTTP_COOKIE": request.headers.get("COOKIE", ""),
            "HTTP_X_PAGE": request.headers.get("X_PAGE", ""),
            "CONTENT_TYPE": request.headers.get("CONTENT_TYPE", ""),
            "wsgi.input": request.get_body_stream(),
        }
        queue = self._queue_of(environ)
        request.headers["COOKIE"] = environ["HTTP_COOKIE"]
        task.waits = queue is not None
        task.shared = queue is not None and queue.shared
        served = queue is None or self._pacing.enter(queue, task)
        if served:
            task.waits = False
            super().add_task(task)
        elif served is None:
            task.will_close = True

    def charge(self, seconds: float) -> None:
        """Count the processor time of a request whose queue shares it with others."""
        self._pacing.charge(seconds)

    def accept(self) -> tuple[socket.socket, tuple[str, int]] | None:
        """Accept a connection; return None if there is none or its address has too many."""
        accepted: tuple[socket.socket, tuple[str, int]] | None = super().accept()
        return accepted if accepted and self.make_room(*accepted) else None

    def make_room(self, connection: socket.socket, peer: tuple[str, int]) -> bool:
        """Return whether a new connection can stay; else it is closed."""
        address = peer[0]
        channels = list(self.active_channels.values())
        held = Counter(channel.addr[0] for channel in channels)
        too_many = held[address] >= self._per_address
        if too_many or len(self._map) >= self.adj.connection_limit - 1:
            dispensable = [
                one
                for one in channels
                if one.stream is None
                and (one.waits or not one.requests)
                and (one.addr[0] == address or not too_many)
            ]
            if dispensable:
                min(
                    dispensable,
                    key=lambda one: (-held[one.addr[0]], not one.waits, one.last_activity),
                ).handle_close()
            elif too_many:
                connection.close()
                return False
        return True

    def maintenance(self, now: float) -> None:
        """Close connections that were idle for long, or whose request takes long to arrive."""
        latest = time.monotonic() - self.adj.channel_timeout
        for channel in self.active_channels.values():
            if channel.stream is not None:
                # Waitress goes by the wall clock, which may jump; streams must survive that.
                channel.last_activity = now - (time.monotonic() - channel.last_sent)
            elif not channel.requests and (channel.arriving_since or latest) < latest:
                # Waitress only looks when the last byte came.
                channel.will_close = True
        super().maintenance(now)
