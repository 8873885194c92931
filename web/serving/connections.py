"""Waitress connections, changed so that event streams need no threads and nobody is shut out.

Waitress has no public way to do this, so the classes here override methods that may change with
any release. That is why `pyproject.toml` allows only the minor version that was tested, and why
`tests/test_waitress.py` compares every method that this file relies on.
"""

import contextlib
import socket
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

from web.serving.stream import Stream

STREAM = "web.serving.stream"
"""The key in a request's environ under which `detach_streams` leaves its stream."""


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


class StreamChannel(HTTPChannel):  # type: ignore[misc]
    """A client's connection. Once a stream is handed to it, it serves only that stream.

    It is the stream's `web.serving.stream.Connection`: none of its methods waits for the client.
    """

    task_class = StreamTask

    stream: Stream | None = None
    """The stream that this connection serves, if any."""

    last_sent = 0.0
    """When the client last took something, by the monotonic clock."""

    chunked = False
    """Whether events are framed as HTTP 1.1 chunks."""

    arriving_since: float | None = None
    """When the request that is arriving began to, by the monotonic clock; None between requests."""

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

    def drained(self) -> bool:
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
            if self.chunked and self.drained():
                self.write_soon(b"0\r\n\r\n")
            self._close_soon()

    def service(self) -> None:
        """Answer the next request, unless the connection serves a stream by now."""
        if self.stream is None:
            with contextlib.suppress(ClientDisconnected):
                super().service()

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


class FairServer(TcpWSGIServer):  # type: ignore[misc]
    """Accepts every connection, so that nobody can shut the others out.

    An address that already has `per_address` connections is refused. When the server is full, an
    idle connection or unfinished request of the address that has most connections is closed.
    """

    channel_class = StreamChannel

    def __init__(self, *arguments: Any, per_address: int, **options: Any) -> None:
        self._per_address = per_address
        super().__init__(*arguments, **options)

    def accept(self) -> tuple[socket.socket, tuple[str, int]] | None:
        """Accept a connection; return None if there is none or its address has too many."""
        accepted: tuple[socket.socket, tuple[str, int]] | None = super().accept()
        if accepted is None:
            return None
        connection, (address, *_) = accepted
        channels = list(self.active_channels.values())
        held = Counter(channel.addr[0] for channel in channels)
        if held[address] >= self._per_address:
            connection.close()
            return None
        if len(self._map) >= self.adj.connection_limit - 1:
            idle = [one for one in channels if not one.requests and one.stream is None]
            if idle:
                min(idle, key=lambda one: (-held[one.addr[0]], one.last_activity)).handle_close()
        return accepted

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
