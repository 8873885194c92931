"""The web server: waitress, in threads of its own, with room for every event stream."""

import errno
import logging
import os
import socket
import threading
from wsgiref.types import WSGIApplication

from waitress.server import create_server

from web.stream import Broadcast

# The port that an address without one means.
HTTP = 80
# Threads for the pages and the moves, beside one for each event stream.
WORKERS = 8
# Connections beyond the streams: pages being loaded, idle ones, and requests never finished.
SPARE_CONNECTIONS = 400
# Seconds that a connection may be idle, or its request unfinished.
IDLE_S = 60
# Seconds after which the kernel gives up a client that takes nothing: gone, or not reading.
STUCK_S = 20
# Bytes that may wait for one client, in the kernel and here; more would be old states only.
SEND_BUFFER = 65536


# It warns of a queue whenever pages come faster than idle threads are counted.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class ServerError(Exception):
    """The address cannot be served; the text names it and says why."""


class Server:
    """A server that runs; made by `serve`."""

    def __init__(self, app: WSGIApplication, streams: Broadcast, listener: socket.socket):
        self._streams = streams
        self.host, self.port = listener.getsockname()[:2]
        self._connections: dict[int, object] = {}
        self._server = create_server(
            app,
            map=self._connections,
            sockets=[listener],
            threads=WORKERS + streams.capacity,
            connection_limit=streams.capacity + SPARE_CONNECTIONS,
            # Reads on while a stream runs, which is how a closed page is noticed at once.
            channel_request_lookahead=1,
            channel_timeout=IDLE_S,
            cleanup_interval=5,
            outbuf_high_watermark=SEND_BUFFER,
            max_request_header_size=32768,
            max_request_body_size=16 << 20,
            # select() ends at descriptor 1023.
            asyncore_use_poll=True,
            # A phone that leaves the room is no error.
            log_socket_errors=False,
            ident=None,
        )
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)
        self._thread.start()

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
