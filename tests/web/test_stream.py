"""Event streams, read from the real server over loopback."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from urllib.request import Request, urlopen

import flask
import pytest
from test_server import Running, asks
from waiting import wait_until

from web.serving.stream import Broadcast


class Game(Running):
    """A state that ordinary threads change, and the pages that show it."""

    def __init__(self, **options: float) -> None:
        self.broadcast, self.state = Broadcast(**{"spectators": 20, **options}), "0"
        pages = {"player": partial(self.stream, True), "spectator": partial(self.stream, False)}
        super().__init__(self.broadcast, **pages)

    def stream(self, player: bool) -> flask.Response:
        return self.broadcast.response(partial(self.draw, player), player=player)

    def draw(self, player: bool) -> str:
        return self.state

    def change(self, state: str) -> None:
        self.state = state
        self.broadcast.notify()

    def open(self, path: str = "/spectator") -> "Client":
        client = Client(self.connect(sends=asks(path)))
        self.clients.append(client)
        return client


class Client:
    """One page's connection: a socket, its status line, headers and events."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket, self.file = connection, connection.makefile("rb")
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


def test_the_first_event_is_the_current_state():
    with closing(Game()) as game:
        game.change("7")
        client = game.open()
        assert client.status == 200
        assert client.headers["content-type"].startswith("text/event-stream")
        assert client.headers["cache-control"] == "no-store"
        lines = client.lines()
        assert [next(lines) for _ in range(3)] == ["retry: 2000", "data: 7", ""]


def test_a_change_from_any_thread_reaches_every_stream():
    with closing(Game()) as game:
        streams = [game.open().states() for _ in range(12)]
        assert [next(stream) for stream in streams] == ["0"] * 12
        threading.Thread(target=game.change, args=("1",)).start()
        assert [next(stream) for stream in streams] == ["1"] * 12


def test_a_notification_without_a_change_sends_nothing():
    with closing(Game()) as game:
        states = game.open().states()
        next(states)
        game.broadcast.notify()
        game.change("0")
        game.change("1")
        assert next(states) == "1"


def test_a_client_that_does_not_read_skips_states_and_gets_the_newest():
    states = [f"{turn:03}" + "x" * 20_000 for turn in range(400)]
    with closing(Game()) as game:
        slow, quick = game.open().states(), game.open().states()
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


def test_silence_is_filled_with_heartbeats_after_which_the_state_is_looked_at_again():
    with closing(Game(heartbeat=0.05)) as game:
        lines = game.open().lines()
        beat = ["event: beat", "data: .", ""]
        assert [next(lines) for _ in range(9)][3:] == [*beat, *beat]
        game.state = "1"
        while (line := next(lines)) in beat:
            pass
        assert line == "data: 1"


def test_streams_take_no_threads():
    with closing(Game(spectators=100)) as game:
        before = threading.active_count()
        streams = [game.open().states() for _ in range(60)]
        game.change("1")
        assert all("1" in (next(stream), next(stream)) for stream in streams)
        assert threading.active_count() == before


def test_requests_after_that_of_a_stream_are_not_answered():
    with closing(Game()) as game:
        client = game.open()
        states = client.states()
        next(states)
        client.socket.sendall(asks("/spectator") * 3)
        game.change("1")
        assert next(states) == "1"
        assert len(game.broadcast) == 1
        client.close()
        twice = game.connect(sends=asks("/spectator") * 3)
        wait_until(lambda: len(game.broadcast) == 1)
        game.change("the last")
        received = b""
        while b"the last" not in received:
            received += twice.recv(4096)
        assert received.count(b"HTTP/1.1 200") == 1


def test_a_page_that_cannot_be_drawn_ends_alone(caplog):
    with closing(Game()) as game:
        broken = threading.Event()

        def draw(player: bool) -> str:
            if player and broken.is_set():
                raise ValueError("no such face")
            return game.state

        game.draw = draw
        faulty, other = game.open("/player"), game.open()
        lines, states = faulty.lines(), other.states()
        assert "data: 0" in (next(lines), next(lines))
        next(states)
        broken.set()
        game.change("1")
        assert next(states) == "1"
        assert list(lines) == [""]
        wait_until(lambda: len(game.broadcast) == 1)
        assert "no such face" in caplog.text


def test_a_page_too_many_is_refused_with_the_reason():
    with closing(Game(spectators=2, players=1, heartbeat=0.05)) as game:
        first, _, refused = game.open(), game.open(), game.open()
        assert refused.status == 503
        assert refused.headers["retry-after"] == "30"
        assert b"Too many pages are open" in refused.file.read(
            int(refused.headers["content-length"])
        )
        # A player's place is not a spectator's to take.
        assert next(game.open("/player").states()) == "0"
        assert len(game.broadcast) == 3
        first.close()
        wait_until(lambda: len(game.broadcast) == 2)
        assert game.open().status == 200


def test_a_head_request_takes_no_place():
    with closing(Game()) as game:
        asked = Request(f"{game.server.url}spectator", method="HEAD")
        with urlopen(asked, timeout=10) as answer:
            assert answer.status == 200
        assert len(game.broadcast) == 0


def test_closing_ends_every_stream_and_refuses_new_ones():
    with closing(Game()) as game:
        states = game.open().states()
        next(states)
        game.broadcast.close()
        assert list(states) == []
        assert game.open().status == 503


def test_the_oldest_stream_of_an_owner_with_too_many_ends():
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


def test_a_client_that_hangs_up_is_noticed_before_the_next_heartbeat():
    with closing(Game(heartbeat=600)) as game:
        clients = [game.open(path) for path in ("/player", "/spectator") for _ in range(3)]
        wait_until(lambda: len(game.broadcast) == 6)
        for client in clients:
            next(client.states())
            client.close()
        wait_until(lambda: len(game.broadcast) == 0)


@pytest.mark.parametrize("text", ["one\ntwo", "", "æ—\N{SNOWMAN}"])
def test_data_of_any_lines_arrives_whole(text):
    broadcast = Broadcast(spectators=20)
    body = broadcast.response(lambda: text).response
    event = next(iter(body))
    assert isinstance(event, bytes)
    lines = event.decode().split("\n")
    assert lines[0] == "retry: 2000"
    assert lines[-2:] == ["", ""]
    assert "\n".join(line.removeprefix("data: ") for line in lines[1:-2]) == text
