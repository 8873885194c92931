"""The web server over TLS: it answers like without, to those who trust its certificate alone."""

import contextlib
import http.client
import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.request import Request, urlopen

import flask
import pytest
import trustme

from web.serving.server import CONNECTIONS_PER_ADDRESS, Server, listen, serve
from web.serving.stream import Broadcast

pytestmark = pytest.mark.processes

LONG = "".join(f"{number:07}\n" for number in range(100_000))
NAME = "table.local"


def shown() -> flask.Flask:
    app = flask.Flask(__name__)
    told = "{0.url} {0.remote_addr} {0.environ[SERVER_PORT]} {1}"
    app.add_url_rule("/", "told", lambda: told.format(flask.request, flask.request.is_secure))
    app.add_url_rule("/long", "long", lambda: LONG)
    app.add_url_rule("/size", "size", lambda: str(len(flask.request.data)), methods=["POST"])
    return app


class Secure:
    """A server with TLS, and what a client needs to trust it."""

    def __init__(self, authority: trustme.CA) -> None:
        self.streams = Broadcast(spectators=4)
        app = shown()
        self.news = "old"
        app.add_url_rule("/live", "live", lambda: self.streams.response(lambda: self.news))
        self.server: Server = serve(app, self.streams, "127.0.0.1", 0)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(NAME).configure_cert(context)
        self.listener = listen("127.0.0.1", 0)
        self.port = self.listener.getsockname()[1]
        self.server.serve_tls(self.listener, context)
        self.trust = ssl.create_default_context()
        authority.configure_trust(self.trust)

    def connect(self, trust: ssl.SSLContext | None = None) -> ssl.SSLSocket:
        raw = socket.create_connection(("127.0.0.1", self.port), 10)
        return (trust or self.trust).wrap_socket(raw, server_hostname=NAME)

    def ask(self, path: str, body: bytes | None = None) -> bytes:
        client = http.client.HTTPConnection(NAME)
        with contextlib.closing(self.connect()) as client.sock:
            client.request("POST" if body else "GET", path, body)
            return client.getresponse().read()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secure(authority: trustme.CA) -> Iterator[Secure]:
    made = Secure(authority)
    yield made
    made.server.stop()
    made.listener.close()


def test_an_application_knows_that_it_was_asked_over_tls_and_by_whom(secure):
    told = f"https://{NAME}/ 127.0.0.1 {secure.port} True"
    assert secure.ask("/").decode() == told
    asked = Request(secure.server.url, headers={"X-Forwarded-Proto": "https"})
    with urlopen(asked, timeout=10) as plain:
        assert plain.read().decode() == (
            f"{secure.server.url} 127.0.0.1 {secure.server.port} False"
        )


def test_a_client_that_does_not_trust_the_authority_refuses(secure):
    with pytest.raises(ssl.SSLCertVerificationError, match="issuer"):
        secure.connect(ssl.create_default_context())
    assert secure.ask("/long").decode() == LONG


def test_old_versions_of_tls_are_refused(secure):
    secure.trust.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    secure.trust.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        secure.trust.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionError)):
        secure.connect()


def test_long_answers_and_bodies_arrive_whole_on_many_connections(secure):
    with ThreadPoolExecutor(16) as phones:
        assert set(phones.map(secure.ask, ["/long"] * 48)) == {LONG.encode()}
        sizes = phones.map(lambda size: secure.ask("/size", b"x" * size), range(1, 16_000, 500))
        assert [int(size) for size in sizes] == list(range(1, 16_000, 500))


def test_a_slow_reader_gets_everything(secure):
    with secure.connect() as client:
        client.sendall(b"GET /size HTTP/1.1\r\nHost: table.local\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 405")
        client.sendall(b"GET /long HTTP/1.0\r\nHost: table.local\r\n\r\n")
        taken = b""
        while part := client.recv(20_000):
            taken += part
            time.sleep(0.001)
        assert taken.endswith(LONG.encode())


def test_streams_push_over_tls(secure):
    with secure.connect() as client:
        client.sendall(b"GET /live HTTP/1.1\r\nHost: table.local\r\n\r\n")
        heard = b""
        for news in ("old", "new", "newer"):
            secure.news = news
            secure.streams.notify()
            while f"data: {news}\n".encode() not in heard:
                heard += client.recv(4096)


@pytest.mark.parametrize(
    "sent", [b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\x16\x03\x01", b"\0" * 99]
)
def test_what_is_no_handshake_harms_nobody(secure, sent):
    with socket.create_connection(("127.0.0.1", secure.port), 10) as other:
        other.sendall(sent)
        assert secure.ask("/long").decode() == LONG


def test_a_handshake_that_stops_halfway_holds_no_worker_and_counts(secure):
    at = ("127.0.0.1", secure.port)
    with contextlib.ExitStack() as stack:
        others = [
            stack.enter_context(socket.create_connection(at, 10))
            for _ in range(CONNECTIONS_PER_ADDRESS + 20)
        ]
        assert secure.ask("/").startswith(b"https")
        with urlopen(secure.server.url, timeout=10) as plain:
            assert plain.status == 200
        # Those of before made room.
        assert others[0].recv(1) == b""


def test_an_answer_ends_with_a_notice_and_is_not_cut_off(secure):
    raw = socket.create_connection(("127.0.0.1", secure.port), 10)
    with secure.trust.wrap_socket(raw, server_hostname=NAME, suppress_ragged_eofs=False) as client:
        client.sendall(b"GET / HTTP/1.0\r\nHost: table.local\r\n\r\n")
        taken = b""
        while part := client.recv(4096):
            taken += part
        assert taken.startswith(b"HTTP/1.0 200")
