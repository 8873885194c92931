"""Event streams, read from the real server over loopback."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from urllib.request import Request, urlopen

import flask
import pytest
from waiting import wait_until

from web.serving.server import Server, serve
from web.serving.stream import Broadcast


class Game:
    """A state that ordinary threads change, and the pages that show it."""

    def __init__(self, broadcast: Broadcast) -> None:
        self.broadcast, self.state = broadcast, "0"
        self.app = flask.Flask(__name__)
        self.app.add_url_rule("/player", "player", lambda: self.stream(True))
        self.app.add_url_rule("/spectator", "spectator", lambda: self.stream(False))

    def stream(self, player: bool) -> flask.Response:
        return self.broadcast.response(lambda: self.state, player=player)

    def change(self, state: str) -> None:
        self.state = state
        self.broadcast.notify()


class Client:
    """One page's connection: a socket, its status line, headers and events."""

    def __init__(self, server: Server, path: str = "/spectator") -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: table\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = dict(
            line.decode().strip().lower().split(": ", 1)
            for line in iter(self.file.readline, b"\r\n")
        )

    def lines(self) -> Iterator[str]:
        """The body's lines without the chunk sizes that the server puts between the events."""
        while size := int(self.file.readline() or b"0", 16):
            chunk = self.file.read(size).decode()
            assert chunk.endswith("\n\n"), "an event is sent whole"
            yield from chunk.splitlines()
            self.file.readline()

    def states(self) -> Iterator[str]:
        return (line[6:] for line in self.lines() if line.startswith("data: "))

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@contextmanager
def playing(**options: float) -> Iterator[tuple[Game, Callable[..., Client]]]:
    """A game on a server, and what opens connections to it, which end with it."""
    game = Game(Broadcast(**{"spectators": 20, **options}))
    server = serve(game.app, game.broadcast, "127.0.0.1", 0)
    game.here = server.here
    with ExitStack() as stack:
        stack.callback(server.stop)
        yield game, lambda *path: stack.enter_context(closing(Client(server, *path)))


def test_the_first_event_is_the_current_state() -> None:
    with playing() as (game, connect):
        game.change("7")
        client = connect()
        assert client.status == 200
        assert client.headers["content-type"].startswith("text/event-stream")
        assert client.headers["cache-control"] == "no-store"
        lines = client.lines()
        assert [next(lines) for _ in range(3)] == ["retry: 2000", "data: 7", ""]


def test_a_change_from_any_thread_reaches_every_stream() -> None:
    with playing() as (game, connect):
        streams = [connect().states() for _ in range(12)]
        assert [next(stream) for stream in streams] == ["0"] * 12
        threading.Thread(target=game.change, args=("1",)).start()
        assert [next(stream) for stream in streams] == ["1"] * 12


def test_a_notification_without_a_change_sends_nothing() -> None:
    with playing() as (game, connect):
        states = connect().states()
        next(states)
        game.broadcast.notify()
        game.change("0")
        game.change("1")
        assert next(states) == "1"


def test_a_client_that_does_not_read_skips_states_and_gets_the_newest() -> None:
    states = [f"{turn:03}" + "x" * 20_000 for turn in range(400)]
    with playing() as (game, connect):
        slow, quick = connect().states(), connect().states()
        next(quick)
        for state in states:
            game.change(state)
            # The quick client sees every one, though the slow one takes none.
            assert next(quick) == state
        seen = [next(slow)]
        while seen[-1] != states[-1]:
            seen.append(next(slow))
        assert seen == sorted(set(seen))
        assert len(seen) < len(states)


def test_silence_is_filled_with_heartbeats_after_which_the_state_is_looked_at_again() -> None:
    with playing(heartbeat=0.05) as (game, connect):
        lines = connect().lines()
        beat = ["event: beat", "data: .", ""]
        assert [next(lines) for _ in range(9)][3:] == [*beat, *beat]
        game.state = "1"
        while (line := next(lines)) in beat:
            pass
        assert line == "data: 1"


def test_streams_take_no_threads() -> None:
    with playing(spectators=100) as (game, connect):
        before = threading.active_count()
        streams = [connect().states() for _ in range(60)]
        game.change("1")
        assert all("1" in (next(stream), next(stream)) for stream in streams)
        assert threading.active_count() == before


def test_requests_after_that_of_a_stream_are_not_answered() -> None:
    with playing() as (game, connect):
        client = connect()
        states = client.states()
        next(states)
        client.socket.sendall(b"GET /spectator HTTP/1.1\r\nHost: table\r\n\r\n" * 3)
        game.change("1")
        assert next(states) == "1"
        assert len(game.broadcast) == 1
        client.close()
        with socket.create_connection(game.here, timeout=10) as twice:
            twice.sendall(b"GET /spectator HTTP/1.1\r\nHost: table\r\n\r\n" * 3)
            wait_until(lambda: len(game.broadcast) == 1)
            game.change("the last")
            received = b""
            while b"the last" not in received:
                received += twice.recv(4096)
            assert received.count(b"HTTP/1.1 200") == 1


def test_a_page_that_cannot_be_drawn_ends_alone(caplog: pytest.LogCaptureFixture) -> None:
    with playing() as (game, connect):
        broken = threading.Event()

        def draw() -> str:
            if broken.is_set():
                raise ValueError("no such face")
            return "fine"

        game.app.add_url_rule("/broken", "broken", lambda: game.broadcast.response(draw))
        faulty, other = connect("/broken"), connect()
        lines, states = faulty.lines(), other.states()
        assert "data: fine" in (next(lines), next(lines))
        next(states)
        broken.set()
        game.change("1")
        assert next(states) == "1"
        assert list(lines) == [""]
        wait_until(lambda: len(game.broadcast) == 1)
        assert "no such face" in caplog.text


def test_a_page_too_many_is_refused_with_the_reason() -> None:
    with playing(spectators=2, players=1, heartbeat=0.05) as (game, connect):
        first, _, refused = connect(), connect(), connect()
        assert refused.status == 503
        assert refused.headers["retry-after"] == "30"
        assert b"Too many pages are open" in refused.file.read(
            int(refused.headers["content-length"])
        )
        # A player's place is not a spectator's to take.
        assert next(connect("/player").states()) == "0"
        assert len(game.broadcast) == 3
        first.close()
        wait_until(lambda: len(game.broadcast) == 2)
        assert connect().status == 200


def test_a_head_request_takes_no_place() -> None:
    with playing() as (game, _):
        asked = Request(f"http://127.0.0.1:{game.here[1]}/spectator", method="HEAD")
        with urlopen(asked, timeout=10) as answer:
            assert answer.status == 200
        assert len(game.broadcast) == 0


def test_closing_ends_every_stream_and_refuses_new_ones() -> None:
    with playing() as (game, connect):
        states = connect().states()
        next(states)
        game.broadcast.close()
        assert list(states) == []
        assert connect().status == 503


def test_the_oldest_stream_of_an_owner_with_too_many_ends() -> None:
    broadcast = Broadcast(players=9, spectators=9, each_player=2, each_address=3)

    def living(player: bool, whose: object, count: int) -> list[bool]:
        """Which of so many streams that are opened one after the other go on."""
        bodies = [
            iter(broadcast.response(lambda: "now", player=player, whose=whose).response)
            for _ in range(count)
        ]
        return [next(body, b"") != b"" for body in bodies]

    assert living(True, 1, 2) == [True, True]
    assert living(True, 2, 3) == [False, True, True]
    assert len(broadcast) == 4
    assert living(False, "192.0.2.1", 9) == [False] * 6 + [True] * 3
    assert len(broadcast) == 7
    # Nobody in particular may have any number.
    assert living(False, None, 6) == [True] * 6
    assert len(broadcast) == 13


def test_a_client_that_hangs_up_is_noticed_before_the_next_heartbeat() -> None:
    with playing(heartbeat=600) as (game, connect):
        clients = [connect(path) for path in ("/player", "/spectator") for _ in range(3)]
        wait_until(lambda: len(game.broadcast) == 6)
        for client in clients:
            next(client.states())
            client.close()
        wait_until(lambda: len(game.broadcast) == 0)


@pytest.mark.parametrize("text", ["one\ntwo", "", "æ—\N{SNOWMAN}"])
def test_data_of_any_lines_arrives_whole(text: str) -> None:
    broadcast = Broadcast(spectators=20)
    body = broadcast.response(lambda: text).response
    event = next(iter(body))
    assert isinstance(event, bytes)
    lines = event.decode().split("\n")
    assert lines[0] == "retry: 2000"
    assert lines[-2:] == ["", ""]
    assert "\n".join(line.removeprefix("data: ") for line in lines[1:-2]) == text
