"""The web server on loopback: where it listens, whom it refuses, and how it stops."""

import contextlib
import http.client
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import flask
import pytest
from cases import cases
from waiting import wait_until

from web.serving import server as web_server
from web.serving.connections import MAX_FIELDS
from web.serving.refusals import LeakyBuckets
from web.serving.server import (
    CONNECTIONS_PER_ADDRESS,
    MAX_HEADER,
    SEND_BUFFER,
    STUCK_S,
    WORKERS,
    ServerError,
    serve,
    set_limits,
)
from web.serving.stream import Broadcast

pytestmark = pytest.mark.processes

HALF = b"GET / HTTP/1.1\r\nHost: tab"


HERE = "127.0.0.1"
View = Callable[[], object]


def hello(**views: View) -> flask.Flask:
    """An app that says hello, and has these pages by their names."""
    app = flask.Flask(__name__)
    for name, view in {"": lambda: "hello", **views}.items():
        app.add_url_rule(f"/{name}", name or "hello", view, methods=["GET", "POST"])
    return app


class Running:
    """A server, and connections to it that are closed before it stops."""

    def __init__(self, broadcast: Broadcast | None = None, host: str = HERE, **views: View) -> None:
        # One without streams is false.
        streams = Broadcast(spectators=4) if broadcast is None else broadcast
        self.server = serve(hello(**views), streams, host, 0)
        self.clients: list[Any] = []

    def connect(self, source: str = HERE, sends: bytes = b"") -> socket.socket:
        """Connect from an address of this machine, and send something."""
        at = (HERE, self.server.port)
        self.clients.append(socket.create_connection(at, 10, source_address=(source, 0)))
        with contextlib.suppress(ConnectionError):
            self.clients[-1].sendall(sends)
        return self.clients[-1]

    def answers(self, within_s: float = 10) -> bool:
        with urllib.request.urlopen(self.server.url, timeout=within_s) as answer:
            return answer.read() == b"hello"

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.server.stop()


Start = Callable[..., Running]


@pytest.fixture
def start() -> Iterator[Start]:
    with contextlib.ExitStack() as stack:
        yield lambda *given, **views: stack.enter_context(
            contextlib.closing(Running(*given, **views))
        )


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::1"])
def test_the_url_answers(start, host):
    assert start(host=host).answers()


@pytest.mark.parametrize(
    ("host", "port", "reason"),
    [
        ("203.0.113.1", 0, "this machine has no such address"),
        ("no.such.host.invalid", 0, "no such host"),
        (HERE, 70000, "the port must be 0 to 65535"),
        (HERE, None, "another program uses this port"),
    ],
)
def test_an_address_that_cannot_be_served_is_named(host, port, reason):
    """port: None: one that is in use."""
    with socket.create_server((HERE, 0)) as other:
        port = other.getsockname()[1] if port is None else port
        with pytest.raises(ServerError) as caught:
            serve(hello(), Broadcast(spectators=4), host, port)
    assert str(caught.value) == f"{host}:{port}: {reason}"


def test_a_stopped_server_frees_its_port_and_its_threads_though_clients_read_nothing(caplog):
    broadcast, turn = Broadcast(spectators=4), iter(range(10**9))
    began, stopped = threading.Event(), threading.Event()

    def slow() -> str:
        began.set()
        return str(stopped.wait(10))

    app = hello(events=lambda: broadcast.response(lambda: f"{next(turn)}" + "x" * 10**6), slow=slow)
    before = set(threading.enumerate())
    server = serve(app, broadcast, HERE, 0)
    at = (HERE, server.port)
    with socket.create_connection(at, 10) as stuck, socket.create_connection(at, 10) as idle:
        stuck.sendall(asks("/events"))
        assert stuck.recv(12) == b"HTTP/1.1 200"
        for _ in range(20):
            broadcast.notify()
            with urllib.request.urlopen(server.url, timeout=10) as answer:
                assert answer.read() == b"hello"
        idle.sendall(asks("/slow"))
        assert began.wait(10)
        server.stop()
        stopped.set()
        assert idle.recv(1) == b""
        # A request that still ran is no reason to worry.
        assert caplog.messages == []
        for thread in set(threading.enumerate()) - before:
            thread.join(timeout=10)
            assert not thread.is_alive()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(at)
        serve(hello(), Broadcast(spectators=4), *at).stop()


def test_unfinished_requests_take_no_worker(start):
    running = start()
    half_open = [running.connect(sends=HALF) for _ in range(100)]
    assert running.answers()
    half_open[0].sendall(b"le\r\n\r\n")
    assert half_open[0].recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize("last", ["", "Connection: close\r\n"])
def test_clients_that_take_no_responses_hold_no_worker(start, last):
    running = start(long=lambda: "x" * 500_000)
    request = "GET /long HTTP/1.1\r\nHost: t\r\n"
    for client in [running.connect() for _ in range(2 * WORKERS)]:
        client.sendall(f"{request}\r\n{request}{last}\r\n".encode())
    # Long before the kernel gives up on those clients.
    assert running.answers(within_s=STUCK_S / 2)


def moving_pictures(watched: list[int]) -> Iterator[bytes]:
    """Pictures too large for any buffer; `watched` has an entry while somebody takes them."""
    watched.append(1)
    try:
        while True:
            yield b"--next\r\n" + b"x" * 200_000
    finally:
        watched.pop()


def test_moving_pictures_reach_several_phones_and_end_when_they_hang_up(start):
    watched, kind = list[int](), "multipart/x-mixed-replace; boundary=next"
    running = start(moving=lambda: flask.Response(moving_pictures(watched), content_type=kind))
    phones = [running.connect(sends=asks("/moving")) for _ in range(6)]
    for phone in phones:
        with phone.makefile("rb") as received:
            assert len(received.read(1_000_000)) == 1_000_000
    assert len(watched) == 6
    assert running.answers()
    for phone in phones:
        phone.close()
    wait_until(lambda: not watched)


def asks(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: table\r\n\r\n".encode()


def asked(client: socket.socket, path: str = "/", method: str = "GET", more: str = "") -> int:
    """Send a request over an open connection; return the status, 0 if the server hangs up."""
    try:
        client.sendall(f"{method} {path} HTTP/1.1\r\nHost: t\r\n{more}\r\n".encode())
        answer = http.client.HTTPResponse(client, method=method)
        answer.begin()
        answer.read()
        return answer.status
    except ConnectionError:
        return 0


def test_a_header_too_large_is_refused(start):
    running = start()
    for size, status in ((MAX_HEADER // 2, 200), (MAX_HEADER + 1, 431)):
        assert asked(running.connect(), more=f"X: {'a' * size}\r\n") == status


LONG = [(f"Content-Length: {'9' * 5000}\n\n", "400"), ("X: y\n" * MAX_FIELDS + "\n", "400")]


@pytest.mark.parametrize(("header", "status"), [*cases("web/requests.txt", "Headers"), *LONG])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_what_could_be_read_in_two_ways_or_takes_long_to_read_is_refused(
    start, header, status, version
):
    """Waitress 3.0.2 takes most of these, and to some it gives no answer."""
    request = f"GET / HTTP/{version}\nHost: t\n{header}".replace("\n", "\r\n")
    client = start().connect(sends=request.encode("latin-1"))
    with http.client.HTTPResponse(client) as answer:
        answer.begin()
        assert answer.status == int(status)


@pytest.mark.parametrize("address", ["http://[x/", "/" + "%41" * 2000])
def test_an_address_that_cannot_be_read_is_answered(start, address):
    assert asked(start().connect(), address) == 400


def test_the_kernel_gives_up_on_clients_that_take_nothing():
    """The listener's options are those of every connection that it accepts."""
    with socket.create_server((HERE, 0)) as listener:
        set_limits(listener)
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            stuck = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            buffered = accepted.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
    # Linux doubles what is asked for, for its own bookkeeping.
    assert (stuck, buffered) == (STUCK_S * 1000, 2 * SEND_BUFFER)


def test_a_response_without_a_body_keeps_the_connection_open(start):
    client, empty = start(press=lambda: ("", 204)).connect(), "Content-Length: 0\r\n"
    assert [asked(client, "/press", "POST", empty) for _ in range(3)] == [204] * 3
    assert asked(client, "/press", "POST", f"{empty}Connection: close\r\n") == 204
    assert client.recv(1) == b""


def test_connections_of_one_address_are_limited(start):
    broadcast = Broadcast(spectators=CONNECTIONS_PER_ADDRESS)
    running = start(broadcast, events=lambda: broadcast.response(lambda: "x"))
    held = [running.connect("127.0.0.9") for _ in range(CONNECTIONS_PER_ADDRESS)]
    beyond, other = running.connect("127.0.0.9"), running.connect("127.0.0.8")
    assert [asked(beyond), asked(other)] == [200, 200]
    assert held[0].recv(1) == b"", "the oldest idle one makes room"
    held[0].close()
    held[0] = beyond
    for client in held:
        client.sendall(asks("/events"))
        assert client.recv(12) == b"HTTP/1.1 200"
    wait_until(lambda: len(broadcast) == len(held))
    assert asked(running.connect("127.0.0.9")) == 0, "no stream makes room"
    assert asked(other) == 200


def test_a_full_server_closes_a_connection_of_the_address_with_most(start, monkeypatch):
    monkeypatch.setattr(web_server, "SPARE_CONNECTIONS", 10)
    running = start(Broadcast(players=0, spectators=0))
    quiet = running.connect("127.0.0.7")
    assert asked(quiet) == 200
    for client in [running.connect("127.0.0.9") for _ in range(20)]:
        with contextlib.suppress(ConnectionError):
            client.sendall(HALF)
    assert asked(running.connect("127.0.0.8")) == 200
    assert asked(quiet) == 200


def test_an_address_that_is_refused_all_the_time_waits_and_others_do_not(start):
    running = start()
    client = running.connect()
    answers = [asked(client, "/nothing") for _ in range(400)]
    assert answers[:50] == [404] * 50
    assert 429 in answers
    assert asked(running.connect("127.0.0.5")) == 200


def test_refusals_are_forgotten_and_do_not_pile_up():
    limit = LeakyBuckets(burst=2, per_s=0.0, names=2)
    for address in "aab":
        limit.add(address)
    assert [limit.is_full(address) for address in "abc"] == [True, False, False]
    limit.add("c")
    assert not limit.is_full("a")
    quick = LeakyBuckets(burst=2, per_s=1e9)
    quick.add("a")
    quick.add("a")
    assert not quick.is_full("a")
