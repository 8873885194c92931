"""Compares the web server with ASGI servers, which run the same table.

    python -m tests.tools.bench.web_servers [--rounds N] [--seconds N] [--abuse N] [SERVER...]

Prints a Markdown table: of each figure the median of all rounds, and each round's in brackets.
Servers: waitress (the product's), uvicorn, uvicorn-c (its parser and event loop in C), hypercorn.
The others are no dependencies of the product:
`pip install uvicorn a2wsgi hypercorn httptools uvloop`.

Each server takes its turn in each round, in a process of its own: `tests.tools.bench.load` measures
eight phones beside its crowd. ASGI servers answer Flask's pages in worker threads; a stream or
moving pictures become a coroutine once their page has answered. What the product promises holds
here too, except that hypercorn has no limit of connections: it gives no access to them.
"""

import argparse
import asyncio
import contextlib
import io
import os
import re
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from tests.tools.bench import load
from tests.tools.bench.machine import machine
from tests.tools.bench.table import processor_time
from web.serving import server as product
from web.serving.refusals import refusal_limit
from web.serving.stream import Broadcast, Stream

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

SWEEP_S = 5
IDLE_MEASURED_S = 10
STREAM, PICTURES = "web.serving.stream", "web.pictures"


# The pages as an ASGI application


def handed_over(app: WSGIApplication) -> WSGIApplication:
    """Return `app`, but leave bodies that go on for long to the event loop."""

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        moving = False

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            nonlocal moving
            moving = dict(headers).get("Content-Type", "").startswith("multipart/")
            return start_response(status, headers, *error)

        body = app(environ, start)
        if isinstance(body, Stream):
            environ["asgi.scope"][STREAM] = body
            return iter(list(body))
        if moving and environ["REQUEST_METHOD"] == "GET":
            environ["asgi.scope"][PICTURES] = body
            return ()
        return body

    return respond


class Wakes:
    """Sets asyncio events from other threads; the loop is woken once for many of them."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._events: list[asyncio.Event] = []

    def __call__(self, event: asyncio.Event) -> None:
        with self._lock:
            self._events.append(event)
            if len(self._events) > 1:
                return
        with contextlib.suppress(RuntimeError):
            # The loop may be closed.
            self._loop.call_soon_threadsafe(self._set)

    def _set(self) -> None:
        with self._lock:
            events, self._events = self._events, []
        for event in events:
            event.set()


class StreamConnection:
    """The connection of one stream (`web.serving.stream.Connection`)."""

    def __init__(self, wakes: Wakes) -> None:
        self._wakes = wakes
        self._event = b""
        self._ended = False
        self._woken = asyncio.Event()

    def is_drained(self) -> bool:
        return not self._event and not self._ended

    def send_event(self, event: bytes) -> None:
        self._event = event
        self._wakes(self._woken)

    def end_stream(self) -> None:
        self._ended = True
        self._wakes(self._woken)

    async def send(self, stream: Stream, send: Send) -> None:
        """Send what the stream has to say until it ends."""
        stream.attach(self)
        while not self._ended:
            await self._woken.wait()
            self._woken.clear()
            if self._event:
                await send(part(self._event))
                self._event = b""
                stream.wake()
        await send(part(b"", more=False))


async def send_pictures(pictures: Iterator[bytes], send: Send) -> None:
    """Send moving pictures; a thread is needed only to wait for the next."""
    loop = asyncio.get_running_loop()
    while picture := await loop.run_in_executor(None, next, pictures, b""):
        await send(part(picture))
    await send(part(b"", more=False))


def part(body: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


async def while_connected(receive: Receive, sending: Coroutine[Any, Any, None]) -> None:
    """Send until the end, or until the client hangs up."""
    tasks = {asyncio.create_task(sending), asyncio.ensure_future(receive())}
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def whole(receive: Receive) -> bytes | None:
    """Return the body of a request, or None if it is too large or the client hung up."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] != "http.request" or len(body) > product.MAX_BODY:
            return None
        if not message.get("more_body"):
            return bytes(body)


async def refuse(send: Send, status: int, line: bytes, *headers: tuple[bytes, bytes]) -> None:
    known = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(line)), *headers]
    await send({"type": "http.response.start", "status": status, "headers": known})
    await send(part(line, more=False))


class Application:
    """The pages: refusals in the event loop, pages in workers, streams as coroutines."""

    def __init__(self, app: WSGIApplication, connections: "Connections | None" = None) -> None:
        from a2wsgi.wsgi import build_environ

        self.workers = ThreadPoolExecutor(product.WORKERS)
        self._app = handed_over(app)
        self._environ = build_environ
        self._connections = connections
        self._limit = refusal_limit()
        self._wakes: Wakes | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        client = tuple(scope["client"][:2])
        with self._connections.busy(client) if self._connections else contextlib.nullcontext():
            await self._respond(scope, receive, send)

    async def _respond(self, scope: Message, receive: Receive, send: Send) -> None:
        address = scope["client"][0]
        if self._limit.is_full(address):
            await refuse(send, 429, b"wait a moment\n", (b"retry-after", b"10"))
            return
        if int(dict(scope["headers"]).get(b"content-length", 0)) > product.MAX_BODY:
            await refuse(send, 413, b"too large\n", (b"connection", b"close"))
            return
        body = await whole(receive)
        if body is None:
            return
        environ = self._environ(scope, io.BytesIO(body))
        # a2wsgi takes standard output, which belongs to the command.
        environ["wsgi.errors"] = sys.stderr
        status, headers, content = await asyncio.get_running_loop().run_in_executor(
            self.workers, self._call, environ
        )
        if 400 <= status < 500:
            self._limit.add(address)
        stream, pictures = scope.pop(STREAM, None), scope.pop(PICTURES, None)
        try:
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send(part(content, more=bool(stream or pictures)))
            if stream:
                self._wakes = self._wakes or Wakes()
                sending = StreamConnection(self._wakes).send(stream, send)
                await while_connected(receive, sending)
            elif pictures:
                await while_connected(receive, send_pictures(iter(pictures), send))
        finally:
            for body in (stream, pictures):
                if body is not None:
                    body.close()

    def _call(self, environ: WSGIEnvironment) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """Return the whole response, so that a worker never waits for a client."""
        started: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], error: Any = None) -> Any:
            lower = [
                (key.lower().encode("latin1"), value.encode("latin1")) for key, value in headers
            ]
            started[:] = int(status[:3]), lower

        body = self._app(environ, start)
        try:
            content = b"".join(body)
        finally:
            getattr(body, "close", lambda: None)()
        return started[0], started[1], content


# The servers


class LimitedConnection(asyncio.Protocol):
    """One of uvicorn's connections, which may be too many."""

    def __init__(self, inner: asyncio.Protocol, connections: "Connections") -> None:
        self._inner = inner
        self._connections = connections
        self.busy = 0
        self.since = time.monotonic()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        # An event waits until everything before it has left.
        transport.set_write_buffer_limits(high=0)
        self.client = transport.get_extra_info("peername")[:2]
        self._inner.connection_made(transport)
        self._connections.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        self._connections.remove(self)
        self._inner.connection_lost(error)

    def data_received(self, data: bytes) -> None:
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()


class Connections:
    """All connections: a limit for each address, and nobody can shut the others out."""

    def __init__(self, protocol: Any, most: int) -> None:
        self._protocol, self._most = protocol, most
        self._open: dict[tuple[str, int], LimitedConnection] = {}
        self._held: Counter[str] = Counter()

    def __call__(self, **settings: Any) -> LimitedConnection:
        return LimitedConnection(self._protocol(**settings), self)

    def add(self, new: LimitedConnection) -> None:
        self._held[new.client[0]] += 1
        if self._held[new.client[0]] > product.CONNECTIONS_PER_ADDRESS:
            new.transport.abort()
        elif len(self._open) >= self._most:
            idle = [one for one in self._open.values() if not one.busy]
            if idle:
                most = min(idle, key=lambda one: (-self._held[one.client[0]], one.since))
                most.transport.abort()
        self._open[new.client] = new

    def remove(self, one: LimitedConnection) -> None:
        self._open.pop(one.client, None)
        self._held[one.client[0]] -= 1
        self._held += Counter()

    @contextlib.contextmanager
    def busy(self, client: tuple[str, int]) -> Iterator[None]:
        one = self._open.get(client)
        if one is None:
            yield
            return
        one.busy += 1
        try:
            yield
        finally:
            one.busy -= 1
            one.since = time.monotonic()

    def abort(self) -> None:
        for one in list(self._open.values()):
            one.transport.abort()

    async def sweep(self) -> None:
        """Close connections that are idle for long, or whose request is never finished."""
        while True:
            await asyncio.sleep(SWEEP_S)
            late = time.monotonic() - product.IDLE_S
            for one in list(self._open.values()):
                if not one.busy and one.since < late:
                    one.transport.abort()


class Uvicorn(product.Server):
    """As `web.serving.server.Server`."""

    parser, loop = "h11_impl:H11Protocol", "asyncio"

    def __init__(self, app: WSGIApplication, streams: Broadcast, listener: socket.socket) -> None:
        import uvicorn
        from uvicorn.importer import import_from_string

        self._streams = streams
        self.host, self.port = listener.getsockname()[:2]
        protocol = import_from_string(f"uvicorn.protocols.http.{self.parser}")
        self._limited = Connections(protocol, streams.capacity + product.SPARE_CONNECTIONS)
        self._app = Application(app, self._limited)
        settings: dict[str, Any] = {
            "http": self._limited,
            "loop": self.loop,
            "ws": "none",
            "lifespan": "off",
            "log_config": None,
            "access_log": False,
            "proxy_headers": False,
            "server_header": False,
            "backlog": 1024,
            "timeout_keep_alive": product.IDLE_S,
            "timeout_graceful_shutdown": product.STOP_S,
            "h11_max_incomplete_event_size": product.MAX_HEADER,
        }
        self._uvicorn = uvicorn.Server(uvicorn.Config(self._app, **settings))
        self._thread = threading.Thread(target=self._run, args=(listener,), name="web", daemon=True)
        self._thread.start()
        streams.start()

    def _run(self, listener: socket.socket) -> None:
        async def main() -> None:
            sweeping = asyncio.create_task(self._limited.sweep())
            await self._uvicorn.serve(sockets=[listener])
            sweeping.cancel()
            self._limited.abort()
            # They are closed in a later turn of the loop.
            await asyncio.sleep(0)

        with asyncio.Runner(loop_factory=self._uvicorn.config.get_loop_factory()) as runner:
            runner.run(main())

    def stop(self) -> None:
        self._streams.close()
        self._uvicorn.should_exit = True
        self._thread.join()
        self._app.workers.shutdown()


class UvicornC(Uvicorn):
    """With its parser and event loop in C."""

    parser, loop = "httptools_impl:HttpToolsProtocol", "uvloop"


class Hypercorn(product.Server):
    """As `web.serving.server.Server`, but without limits of connections."""

    def __init__(self, app: WSGIApplication, streams: Broadcast, listener: socket.socket) -> None:
        from hypercorn.config import Config

        self._streams = streams
        self.host, self.port = listener.getsockname()[:2]
        self._app = Application(app)
        self._config = Config()
        self._config.bind = [f"fd://{listener.detach()}"]
        self._config.errorlog = None
        self._config.include_server_header = False
        self._config.keep_alive_timeout = product.IDLE_S
        self._config.graceful_timeout = product.STOP_S
        self._config.h11_max_incomplete_size = product.MAX_HEADER
        self._config.backlog = 1024
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()
        self._ready.wait()
        streams.start()

    def _run(self) -> None:
        from hypercorn.asyncio import serve

        async def main() -> None:
            self._loop = asyncio.get_running_loop()
            self._end = asyncio.Event()
            self._ready.set()
            app: Any = self._app
            await serve(app, self._config, shutdown_trigger=self._end.wait, mode="asgi")

        asyncio.run(main())

    def stop(self) -> None:
        self._streams.close()
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self._app.workers.shutdown()


SERVERS: dict[str, type[product.Server]] = {
    "waitress": product.Server,
    "uvicorn": Uvicorn,
    "uvicorn-c": UvicornC,
    "hypercorn": Hypercorn,
}


def be_table(name: str) -> None:
    """Run the product's command on another server."""
    from companion.app import cli

    product.Server = SERVERS[name]
    sys.argv[1:] = sys.argv[3:]
    sys.exit(cli.main())


# The figures


def measure(name: str, seconds: float, abuse: int) -> Iterator[tuple[str, str]]:
    program = ("tests.tools.bench.web_servers", "--serve", name)
    with (
        tempfile.TemporaryDirectory() as folder,
        load.served(Path(folder), program) as (process, _),
    ):
        time.sleep(3)
        used = processor_time(process.pid)
        time.sleep(IDLE_MEASURED_S)
        used = (processor_time(process.pid) - used) / IDLE_MEASURED_S
        yield "processor with nobody there, of one core", f"{used:.1%}"
    yield from load.measure(seconds, abuse_per_s=abuse, program=program)


def summary(values: list[str]) -> str:
    """Return the median of each number in the values, if they are few, and the values."""
    if len(set(values)) == 1:
        return values[0]
    numbers = [re.findall(r"\d+(?:\.\d+)?", value) for value in values]
    if {len(each) for each in numbers} not in ({1}, {2}, {3}):
        return "; ".join(values)
    medians = (statistics.median(map(float, each)) for each in zip(*numbers, strict=True))
    return f"{' / '.join(f'{median:g}' for median in medians)} ({', '.join(values)})"


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        be_table(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=25, help="with the crowd, each time")
    parser.add_argument("--abuse", type=int, default=load.ABUSE_PER_S, help="bad requests a second")
    parser.add_argument("servers", nargs="*", help=f"of {', '.join(SERVERS)}; default: all")
    arguments = parser.parse_args()
    names = arguments.servers or list(SERVERS)
    if unknown := set(names) - set(SERVERS):
        parser.error(f"unknown server: {', '.join(unknown)}")
    rows: dict[str, dict[str, list[str]]] = {}
    for number in range(arguments.rounds):
        first = number % len(names)
        for name in (*names[first:], *names[:first]):
            print(f"round {number + 1}: {name}", file=sys.stderr, flush=True)
            for figure, value in measure(name, arguments.seconds, arguments.abuse):
                rows.setdefault(figure, {}).setdefault(name, []).append(value)
    print(f"\n{machine()}, load {os.getloadavg()}, {arguments.abuse} bad requests a second\n")
    print(f"| | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for figure, values in rows.items():
        print(f"| {figure} | {' | '.join(summary(values[name]) for name in names)} |")


if __name__ == "__main__":
    main()
