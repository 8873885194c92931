"""What strangers can do to the table without a seat: floods, large bodies, dripping requests."""

import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from itertools import product
from pathlib import Path

import pytest
import segno
from sites import Phone, Site
from waiting import LOOK_S, wait_until

from web import access
from web.access import FIELDS, For, audience, queue_of, sender_of
from web.joining import codes
from web.serving import server as serving
from web.serving.connections import REQUESTS_AHEAD
from web.serving.pacing import SHARE, Pacing, Queue, Rate
from web.serving.refusals import BURST, PER_S
from web.serving.server import CONNECTIONS_PER_ADDRESS, MAX_BODY, Server, serve
from web.serving.tracebacks import RepeatedTracebacks

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Table:
    """A game on a port of loopback, and the cookies of its phones."""

    def __init__(self, site: Site) -> None:
        self.site = site
        who = {"sender_of": sender_of(site.table), "queue_of": queue_of(site.table)}
        self.server: Server = serve(site.app, site.streams, "127.0.0.1", 0, **who)
        self.clients: list[HTTPConnection] = []

    def client(self) -> HTTPConnection:
        """Connect, as any device at one address."""
        self.clients.append(HTTPConnection("127.0.0.1", self.server.port, timeout=60))
        return self.clients[-1]

    def ask(
        self, client: HTTPConnection, method: str, path: str, body: str = "", **headers: str
    ) -> HTTPResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        client.request(method, path, body or None, FORM | named)
        answer = client.getresponse()
        answer.read()
        return answer

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=60)

    def cookies(self, phone: Phone) -> str:
        """What a phone's browser sends with every request of its own pages."""
        found = (phone.client.get_cookie(name) for name in ("seat", "visit"))
        return "; ".join(f"{cookie.key}={cookie.value}" for cookie in found if cookie)

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.server.stop()

    def check_serves_host(self) -> None:
        """Hold that the host's page is answered, and a press on it."""
        host, proof = self.cookies(self.site.host), self.site.host.proof
        assert self.ask(self.client(), "GET", "/seat", Cookie=host).status == 200
        version = f"version={self.site.view.version}"
        pressed = self.ask(self.client(), "POST", "/game/new", version, Cookie=host, X_Page=proof)
        assert pressed.status == 204


def check_waits(client: socket.socket) -> None:
    """Hold that a request isn't answered for a while."""
    client.settimeout(LOOK_S)
    with pytest.raises(TimeoutError):
        client.recv(1)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(Table(Site(tmp_path).start())) as served:
        yield served


# QR codes


def test_no_host_name_makes_the_table_draw_another_code(table, monkeypatch):
    drawn = []
    make = segno.make
    # Another test's table may have drawn the address without a port.
    codes.draw_qr.cache_clear()
    monkeypatch.setattr(segno, "make", lambda text, **how: drawn.append(text) or make(text, **how))
    client = table.client()
    own = [f"127.0.0.1:{n}" for n in range(1, 50)]
    long = [".".join(["x" * 60] * labels) for labels in (5, 50, 500)]
    others = [f"{n}.example" for n in range(50)] + [f"224.0.0.{n}" for n in range(20)]
    names = [*own, "evil.example", *long, *others]
    begun = time.monotonic()
    answers = [
        table.ask(client, "GET", path, Host=name).status
        for name, path in product(names, ("/join.svg", "/page.svg"))
    ]
    waited = time.monotonic() - begun
    strange = answers[2 * len(own) :]
    assert set(answers[: 2 * len(own)]) == {200}
    assert set(strange) == {200, 429}, "who asks by ever new names has to wait"
    assert strange.count(200) <= BURST + PER_S * waited + 1
    # With the join code and without it, and both with the port that is served and without one.
    assert len(drawn) == 4
    assert not any("example" in text or "xxx" in text for text in drawn)


def test_no_host_name_makes_a_page_fail_or_is_repeated_on_it(table):
    client = table.client()
    names = ("evil.example", "[::1", "table:99999", "a b", "", "ä", "x" * 30_000)
    for path, name in product(("/", "/table", "/card", "/join.svg"), names):
        client.putrequest("GET", path, skip_host=True)
        client.putheader("Host", name.encode())
        client.endheaders()
        answer = client.getresponse()
        assert "evil" not in answer.read().decode()
        assert answer.status < 500, (path, name)


# Failures


def test_failures_count_as_refusals_and_are_logged_once(table, caplog):
    def fail() -> str:
        raise ValueError("a page that fails")

    # Flask takes no more pages once it has answered.
    table.site.app.view_functions["codes.card"] = audience(For.EVERYBODY)(fail)
    client = table.client()
    answers = [table.ask(client, "GET", "/card").status for _ in range(4 * BURST)]
    assert answers[: BURST // 2] == [500] * (BURST // 2)
    assert 429 in answers
    assert len([record for record in caplog.records if record.exc_info]) == 1


def test_each_failing_line_is_logged_once_a_minute_and_the_rest_counted():
    now = [0.0]
    limit = RepeatedTracebacks(clock=lambda: now[0])

    def logged(divided: int, by: int) -> str:
        try:
            if by == 0:
                _ = divided / by
            raise ValueError
        except (ValueError, ZeroDivisionError):
            given = ("web", logging.ERROR, "", 0, "failed: %s", ("x",), sys.exc_info())
            record = logging.LogRecord(*given)
        return record.getMessage() if limit.filter(record) else ""

    assert logged(1, 0) == "failed: x"
    assert [logged(1, 0), logged(1, 0)] == ["", ""]
    assert logged(1, 1) == "failed: x", "another failure is told"
    now[0] = 61.0
    assert logged(1, 0) == "failed: x (2 more like this were not logged)"
    plain = logging.LogRecord("web", logging.ERROR, "", 0, "plain", (), None)
    assert all(limit.filter(plain) for _ in range(3))


# Bodies


def files_without_a_name() -> list[str]:
    """The files that this process has open and that were deleted, as temporary ones are."""
    targets = map(os.path.realpath, Path("/proc/self/fd").iterdir())
    return [target for target in targets if target.endswith("(deleted)")]


HEAD = "POST /join HTTP/1.1\r\nHost: table\r\nContent-Type: application/octet-stream\r\n"


@pytest.mark.parametrize(
    "head",
    [f"Content-Length: {(16 << 20) - 1}", f"Content-Length: {MAX_BODY + 1}",
     "Transfer-Encoding: chunked"],
    ids=["16 MB", "one byte too many", "chunked"],
)  # fmt: skip
def test_a_body_beyond_what_is_allowed_is_refused_before_it_is_read(table, head):
    before = files_without_a_name()
    with table.connect() as client:
        client.sendall(f"{HEAD}{head}\r\n\r\n".encode())
        part = b"2000\r\n" + b"x" * 0x2000 + b"\r\n" if "chunked" in head else b"x" * 0x2000
        # A megabyte is what waitress would begin a file for; the table hangs up before.
        with suppress(OSError):
            for _ in range((1 << 20) // len(part)):
                client.sendall(part)
        answer = b""
        with suppress(OSError):
            while more := client.recv(4096):
                answer += more
        assert answer[9:12] in (b"413", b"501", b"")
        assert files_without_a_name() == before
    assert table.ask(table.client(), "GET", "/").status == 200


def test_a_body_of_the_largest_size_is_read(table):
    body = "name=" + "x" * (MAX_BODY - 5)
    assert table.ask(table.client(), "POST", "/join", body).status == 403


# Requests that never end


def drip(client: socket.socket, begun: bytes) -> Callable[[], bool]:
    """Send a request byte by byte, so that it is never idle; return what says that it was ended."""
    ended = threading.Event()

    def go_on() -> None:
        client.settimeout(LOOK_S)
        with suppress(OSError), client:
            client.sendall(begun)
            answer = b"nothing yet"
            while answer:
                client.sendall(b"x")
                with suppress(TimeoutError):
                    answer = client.recv(4096)
        ended.set()

    threading.Thread(target=go_on, daemon=True).start()
    return ended.is_set


@pytest.mark.parametrize(
    "begun",
    [b"GET / HTTP/1.1\r\nX-Long: ", b"POST /join HTTP/1.1\r\nContent-Length: 16000\r\n\r\n"],
    ids=["header", "body"],
)
def test_requests_that_arrive_byte_by_byte_are_ended(tmp_path, monkeypatch, begun):
    monkeypatch.setattr(serving, "IDLE_S", 1)
    with closing(Table(Site(tmp_path))) as served:
        ended = [drip(served.connect(), begun) for _ in range(60)]
        wait_until(lambda: all(is_ended() for is_ended in ended))


# Forged posts


def test_posts_of_another_page_lock_nobody_out(table, monkeypatch):
    # Also where they don't wait.
    monkeypatch.setattr(access, "PAGES", Rate(burst=10_000, per_s=1e4))
    """A page of another site, open on the host's phone, posts here without a cookie or a proof."""
    site, forger, browser = table.site, table.client(), table.client()
    host = table.cookies(site.host)
    visitor = table.cookies(site.stranger)
    forged = []
    begun = time.monotonic()
    for number in range(3 * BURST):
        forged.append(table.ask(forger, "POST", "/game/new", f"page={'0' * 64}").status)
        # Even if a browser sent the cookies, the proof would be missing.
        table.ask(forger, "POST", "/game/new", Cookie=host, X_Page="0" * 64)
        table.ask(forger, "GET", f"/nothing/{number}", Cookie=host)
        if number % 10 == 0:
            assert table.ask(browser, "GET", "/seat", Cookie=host).status == 200
            assert table.ask(browser, "GET", "/", Cookie=visitor).status == 200
    waited = time.monotonic() - begun
    assert 429 in forged, "the forged ones do have to wait"
    assert forged.count(403) <= BURST + PER_S * waited + 1
    press = f"version={site.view.version}"
    answer = table.ask(browser, "POST", "/game/new", press, Cookie=host, X_Page=site.host.proof)
    assert answer.status == 204
    in_form = f"page={site.host.proof}&version={site.view.version}&name=Zoe"
    assert table.ask(browser, "POST", "/people/add", in_form, Cookie=host).status == 204


def test_refused_requests_do_not_keep_a_new_phone_from_its_first_page(table):
    """The same page requests what is missing, from a phone that has no cookie of ours yet."""
    client = table.client()
    answers = [table.ask(client, "GET", f"/nothing/{n}").status for n in range(2 * BURST)]
    assert 429 in answers
    for page in ("/", "/table"):
        assert table.ask(table.client(), "GET", page).status == 200


def test_a_visitor_who_is_refused_again_and_again_has_to_wait(table):
    client = table.client()
    visitor = {"Cookie": table.cookies(table.site.stranger)}
    answers = [table.ask(client, "GET", f"/nothing/{n}", **visitor) for n in range(3 * BURST)]
    assert 429 in {answer.status for answer in answers}
    seat = table.cookies(table.site.host)
    assert "seat=" in seat
    assert table.ask(client, "GET", "/seat", Cookie=seat).status == 200


# Floods


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A table that serves each queue two requests of strangers or 20 of a player, then no more."""
    few = dict.fromkeys(("STRANGERS", "DRAWINGS", "GAMES"), 2)
    for name, most in {**few, **dict.fromkeys(("PAGES", "FILES", "PRESSES"), 20)}.items():
        monkeypatch.setattr(access, name, Rate(most, 1e-9))
    with closing(Table(Site(tmp_path).start())) as served:
        yield served


def test_players_are_served_while_strangers_at_their_address_wait(closed):
    host = closed.cookies(closed.site.host)
    strangers = [closed.connect() for _ in range(CONNECTIONS_PER_ADDRESS)]
    for number, stranger in enumerate(strangers):
        stranger.sendall(b"GET /nothing HTTP/1.1\r\nHost: table\r\n\r\n")
        if number < 2:
            assert stranger.recv(12) == b"HTTP/1.1 404"
    # All connections of this address are taken: those that wait make room.
    for _ in range(9):
        assert closed.ask(closed.client(), "GET", "/seat", Cookie=host).status == 200
    closed.check_serves_host()
    # Neither forged presses nor first pages wait with the others.
    assert closed.ask(closed.client(), "GET", "/").status == 200
    assert closed.ask(closed.client(), "POST", "/game/new", Cookie=host).status == 403
    for stranger in strangers[2:]:
        stranger.settimeout(LOOK_S)
        with suppress(TimeoutError, ConnectionError):
            assert stranger.recv(1) == b""
    for stranger in strangers:
        stranger.close()


def test_a_players_phone_that_floods_the_table_waits_and_the_others_do_not(closed):
    """Nothing of it is refused, and what costs little waits apart from presses and pages."""
    site = closed.site
    phone = site.phones[1]
    cookies = closed.cookies(phone)

    def asked(method: str, path: str) -> bool:
        """Whether the phone that floods is answered."""
        client = closed.client()
        body = "version=1&reading=1" if method == "POST" else None
        client.request(method, path, body, FORM | {"Cookie": cookies, "X-Page": phone.proof})
        client.sock.settimeout(60 if served else LOOK_S)
        try:
            return client.getresponse().status in (200, 403, 409)
        except TimeoutError:
            return False

    for method, path in (
        ("POST", "/dice/accept"),
        ("GET", "/table"),
        ("GET", "/page.svg"),
        # What another site's links open keeps nobody from their own page.
        ("GET", "/seat"),
    ):
        served = True
        assert all(asked(method, path) for _ in range(20)), path
        served = False
        assert not any(asked(method, path) for _ in range(5)), path
    closed.check_serves_host()


@pytest.mark.parametrize("player", [False, True])
def test_who_pages_through_finished_games_waits_apart(closed, player):
    """A table reads a game anew that was not shown lately; there may be thousands."""
    cookies = closed.cookies(closed.site.phones[1]) if player else ""
    for path in ("/watch/7", "/story/8"):
        assert closed.ask(closed.client(), "GET", path, Cookie=cookies).status == 200
    pictures = () if player else ("/watch/9/dice/3.jpg",)
    for path in ("/watch/9", "/watch/9/3", "/story/9", "/record/9", *pictures):
        waiting = closed.connect()
        sent = f"GET {path} HTTP/1.1\r\nHost: table\r\nCookie: {cookies}\r\n\r\n"
        waiting.sendall(sent.encode())
        check_waits(waiting)
        waiting.close()
    # Neither the game nor other pages wait for that.
    host = closed.cookies(closed.site.host)
    for path, cookie in (("/watch/9", host), ("/table", cookies), ("/", cookies)):
        assert closed.ask(closed.client(), "GET", path, Cookie=cookie).status in (200, 303)


def test_forged_presses_wait_even_with_the_cookies_of_a_seat(closed):
    host = closed.cookies(closed.site.host)
    for _ in range(2):
        assert closed.ask(closed.client(), "POST", "/game/new", Cookie=host).status == 403
    waiting = closed.client()
    waiting.request("POST", "/game/new", headers={"Cookie": host})
    assert closed.ask(closed.client(), "GET", "/seat", Cookie=host).status == 200
    check_waits(waiting.sock)


@dataclass
class Client:
    """A connection in a queue."""

    name: str
    connected: bool = True


def test_each_queue_is_served_in_order_and_forgets_who_hung_up(monkeypatch):
    pacing: Pacing[Client] = Pacing(waiting=2)
    q, another = (Queue(name, Rate(burst=2, per_s=1e-9)) for name in ("q", "another"))
    first, second, third = (Client(name) for name in "abc")
    assert [pacing.enter(q, client) for client in (first, second)] == [True, True]
    assert [pacing.enter(q, client) for client in (first, second)] == [False, False]
    assert pacing.enter(q, third) is None, "the queue is full"
    assert pacing.enter(another, third) is True
    assert (pacing.wait_s() or 0) > 1
    first.connected = False
    assert pacing.enter(q, third) is False
    assert list(pacing.next()) == []
    second.connected = third.connected = False
    assert list(pacing.next()) == []
    assert pacing.wait_s() is None
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    steady: Pacing[Client] = Pacing()
    q = Queue("q", Rate(burst=1, per_s=2))
    clients = [Client(name) for name in "abc"]
    assert [steady.enter(q, client) for client in clients] == [True, False, False]
    assert (list(steady.next()), steady.wait_s()) == ([], 0.5)
    now[0] = 0.5
    assert (list(steady.next()), steady.wait_s()) == ([clients[1]], 0.5)
    now[0] = 1.0
    assert (list(steady.next()), steady.wait_s()) == ([clients[2]], None)


def test_strangers_share_processor_time_and_take_turns():
    """Whatever a crowd of addresses costs, players' requests don't wait for it."""
    rate = Rate(burst=1000, per_s=1e6)
    pacing: Pacing[Client] = Pacing()
    crowd, other = (Queue(name, rate, shared=True) for name in ("crowd", "other"))
    assert pacing.enter(crowd, Client("first")) is True
    pacing.charge(SHARE.burst / 1000 + 0.2)
    late = [Client("a"), Client("b"), Client("c")]
    for queue, client in zip((crowd, crowd, other), late, strict=True):
        assert pacing.enter(queue, client) is False
    assert pacing.enter(Queue("player", rate), Client("player")) is True
    assert list(pacing.next()) == []
    turns: list[Client] = []
    wait_until(lambda: turns.extend(pacing.next()) or len(turns) == len(late))
    assert {client.name for client in turns[:2]} == {"a", "c"}, "one of each address"


@pytest.mark.parametrize("fields", [FIELDS, FIELDS + 1])
def test_a_form_has_a_bounded_number_of_fields(table, fields):
    host = table.site.host
    body = "&".join(["version=1"] * (fields - 1) + [f"page={host.proof}"])
    answer = table.ask(table.client(), "POST", "/game/new", body, Cookie=table.cookies(host))
    assert answer.status == (409 if fields == FIELDS else 413)


def test_a_client_that_does_not_wait_for_its_answers_is_hung_up_on(table):
    with table.connect() as client:
        client.sendall(b"GET /card HTTP/1.1\r\nHost: table\r\n\r\n" * 50)
        received = b""
        with suppress(ConnectionError):
            while part := client.recv(1 << 16):
                received += part
    assert received.count(b"HTTP/1.1 200") <= REQUESTS_AHEAD


def test_what_takes_long_to_make_waits_apart_from_everything_else(closed):
    """All strangers together share one queue for it, and each phone has its own."""
    host = closed.cookies(closed.site.host)
    for cookie in ("", host):
        paths = ("/watch/9/summary.png", "/statistics/games.csv")
        for path in paths:
            assert closed.ask(closed.client(), "GET", path, Cookie=cookie).status in (200, 404)
        late = closed.client()
        late.request("GET", paths[0], headers={"Cookie": cookie})
        check_waits(late.sock)
        assert closed.ask(closed.client(), "GET", "/table", Cookie=cookie).status == 200
