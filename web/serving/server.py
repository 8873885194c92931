"""The web server: waitress in its own threads; event streams don't need a thread each."""

import errno
import logging
import os
import socket
import ssl
import threading
from functools import partial
from wsgiref.types import WSGIApplication

from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from web.serving.address import format_url, own_address
from web.serving.connections import FairServer, SecureListener, detach_streams
from web.serving.pacing import QueueOf, no_queue
from web.serving.refusals import Sender, address_of, limit_refusals, refusal_limit
from web.serving.stream import Broadcast
from web.serving.tracebacks import ONCE_A_MINUTE

WORKERS = 16
"""Threads for pages and presses; the camera's moving pictures may keep six of them busy."""

SPARE_CONNECTIONS = 400
"""Connections beyond those of the streams: pages loading, idle ones, unfinished requests."""

CONNECTIONS_PER_ADDRESS = 128
"""A phone opens up to six, and players may share an address."""

IDLE_S = 60
"""Seconds that a connection may be idle, or that a request may take to arrive."""

STUCK_S = 20
"""Seconds until the kernel drops a client that has gone or doesn't read."""

SEND_BUFFER = 65536
"""Bytes that may wait for one client in the kernel; more would only be outdated states."""

OUT_BUFFER = 16384
"""Bytes that may wait for one client here: moving pictures, and responses to requests in a row."""

MAX_HEADER = 32768
"""Bytes of a request's header."""

MAX_BODY = 16 * 1024
"""Bytes of a request's body. They are kept in memory, so this is what any connection can take."""

STOP_S = 0.5
"""Seconds that running requests get to finish when the server stops."""

# Waitress logs a line for every phone that leaves, and an SD card would have to keep them all.
logging.getLogger("waitress").setLevel(logging.WARNING)
logging.getLogger("waitress").addFilter(ONCE_A_MINUTE)
# It warns of a queue whenever requests arrive faster than it counts its idle threads.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)
# When it stops, it warns of requests that still run, as moving pictures do: these end with it.
_STOPPING = logging.getLogger("waitress.stopping")
_STOPPING.setLevel(logging.ERROR)
_STOPPING.addFilter(ONCE_A_MINUTE)


class ServerError(Exception):
    """The address can't be served; the text names it and says why."""


class Server:
    """A running server; `serve` starts one."""

    def __init__(
        self,
        app: WSGIApplication,
        streams: Broadcast,
        listener: socket.socket,
        sender_of: Sender,
        queue_of: QueueOf,
    ) -> None:
        self._streams = streams
        self.host, self.port = listener.getsockname()[:2]
        self._connections: dict[int, object] = {}
        settings = Adjustments(
            sockets=[listener],
            threads=WORKERS,
            connection_limit=streams.capacity + SPARE_CONNECTIONS,
            # Keep reading while a stream runs, to notice at once that its page was closed.
            channel_request_lookahead=1,
            channel_timeout=IDLE_S,
            cleanup_interval=1,
            outbuf_high_watermark=OUT_BUFFER,
            max_request_header_size=MAX_HEADER,
            # Each time it receives something, it looks at all connections.
            recv_bytes=MAX_HEADER,
            # Waitress refuses what reaches this, before it reads it.
            max_request_body_size=MAX_BODY + 1,
            # select() can't watch descriptors above 1023.
            asyncore_use_poll=True,
            # A phone that leaves the room is no error.
            log_socket_errors=False,
            ident=None,
        )
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(settings.threads)
        self._server = FairServer(
            limit_refusals(detach_streams(app), refusal_limit(), sender_of),
            self._connections,
            per_address=CONNECTIONS_PER_ADDRESS,
            queue_of=queue_of,
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
        """The address of the pages, as you type it on another device in the same network."""
        host = (own_address() or "127.0.0.1") if self.host in ("0.0.0.0", "::") else self.host
        return format_url("http", host, self.port)

    @property
    def here(self) -> tuple[str, int]:
        """The host and port where programs on this machine reach the pages."""
        loopback = {"0.0.0.0": "127.0.0.1", "::": "::1"}
        return loopback.get(self.host, self.host), self.port

    def serve_tls(self, listener: socket.socket, context: ssl.SSLContext) -> None:
        """Answer over TLS too. The caller closes the listener once the server has stopped."""
        # In the thread that watches all connections.
        self._server.trigger.pull_trigger(partial(SecureListener, self._server, listener, context))

    def stop(self) -> None:
        """End the streams, give running requests half a second, and close all connections."""
        self._streams.close()
        self._server.task_dispatcher.logger = _STOPPING
        self._server.task_dispatcher.shutdown(timeout=STOP_S)
        # The server's loop ends when it has nothing left to watch. What it watched, including the
        # trigger that wakes it, must stay open until then.
        self._server.trigger.pull_trigger(self._connections.clear)
        self._thread.join()
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.close()


def serve(
    app: WSGIApplication,
    streams: Broadcast,
    host: str = "0.0.0.0",
    port: int = 8000,
    *,
    sender_of: Sender = address_of,
    queue_of: QueueOf = no_queue,
) -> Server:
    """Serve `app` in the background and return the running server.

    streams: the event streams among the app's responses; port 0 takes any free one; sender_of:
    tells apart the senders of requests, whose refusals are limited each on its own; queue_of: says
    which requests wait for their turn.
    Raises ServerError if the address can't be served, for instance because the port is in use.
    """
    return Server(app, streams, listen(host, port), sender_of, queue_of)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises ServerError."""
    if not 0 <= port <= 65535:
        raise ServerError(f"{host}:{port}: the port must be 0 to 65535")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise ServerError(f"{host}:{port}: {_reason(error.errno or 0)}") from error
    set_limits(listener)
    return listener


def set_limits(listener: socket.socket) -> None:
    """Set what the kernel holds for each connection, and how long; connections inherit it."""
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STUCK_S * 1000)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


def _reason(number: int) -> str:
    # Name look-ups fail with numbers below zero.
    if number < 0:
        return "no such host"
    return {
        errno.EADDRINUSE: "another program uses this port",
        errno.EACCES: "ports below 1024 are for root only",
        errno.EADDRNOTAVAIL: "this machine has no such address",
    }.get(number, os.strerror(number))
