"""What the service manager hears: over a real socket, from the real server and the real command."""

import os
import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest
from process import table
from running import running_table
from waiting import wait_until

from companion.app.watchdog import PageError, Watchdog, ask_page, tell_ready
from hardware.notify import JournalFormatter, notify, watchdog_s
from web.serving.server import serve
from web.serving.stream import Broadcast

pytestmark = pytest.mark.processes

PATIENCE_S = 60.0
"""For what must come: a busy machine takes its time."""

QUIET_S = 1.0
"""For what must not come, where it would come several times."""


@pytest.fixture
def manager(tmp_path, monkeypatch):
    """The socket of a service manager."""
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(address)
        heard.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        yield heard


def hear(manager: socket.socket) -> dict[str, str]:
    return dict(line.split("=", 1) for line in manager.recv(4096).decode().splitlines())


def hear_nothing(manager: socket.socket) -> None:
    """Drop what was said before, and hold that nothing is said now."""
    manager.setblocking(False)
    with suppress(BlockingIOError):
        while manager.recv(4096):
            pass
    manager.settimeout(QUIET_S)
    with pytest.raises(TimeoutError):
        manager.recv(4096)
    manager.settimeout(PATIENCE_S)


@pytest.fixture
def running(tmp_path):
    with running_table(tmp_path / "data", camera="simulated") as made:
        yield made


def test_an_abstract_socket_is_found(monkeypatch):
    name = f"bang-companion-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind("\0" + name)
        heard.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", "@" + name)
        assert notify(WATCHDOG="1")
        assert hear(heard) == {"WATCHDOG": "1"}


def test_without_a_manager_nothing_is_told(monkeypatch, tmp_path):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not notify(READY="1")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    assert not notify(READY="1")


@pytest.mark.parametrize(
    ("said", "seconds"),
    [({}, None), ({"WATCHDOG_USEC": "60000000"}, 60.0), ({"WATCHDOG_USEC": "0"}, None),
     ({"WATCHDOG_USEC": "soon"}, None), ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}, None)],
)  # fmt: skip
def test_the_period_is_that_of_this_process(monkeypatch, said, seconds):
    for name in ("WATCHDOG_USEC", "WATCHDOG_PID"):
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert watchdog_s() == seconds


def test_the_journal_gets_a_priority_with_every_line():
    import logging

    record = logging.LogRecord("web", logging.WARNING, "", 0, "two\n%s", ("lines",), None)
    assert JournalFormatter().format(record) == "<4>web: two\n<4>lines"


def test_ready_is_told_once_the_page_answers(manager, running):
    tell_ready(notify, running.server.here, "here")
    assert hear(manager) == {"READY": "1", "STATUS": "here"}


@pytest.mark.slow
def test_the_first_page_may_take_longer_than_any_later_one(manager):
    """A heartbeat's patience is over, and so may be that of a table that starts on a slow card."""
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:
        here = server.getsockname()[:2]
        told = pool.submit(tell_ready, notify, here, "here")
        asked, _ = server.accept()
        with pytest.raises(PageError, match="no answer: timed out"):
            ask_page(here)
        asked.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        told.result(PATIENCE_S)
        asked.close()
    assert hear(manager) == {"READY": "1", "STATUS": "here"}


def test_ready_is_not_told_where_nobody_answers(manager):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        here = taken.getsockname()[:2]
    with pytest.raises(PageError, match=f":{here[1]}: no answer"):
        tell_ready(notify, here, "here")
    hear_nothing(manager)


def test_a_page_with_an_error_is_not_ready_but_turns(manager, running):
    running.table.view = None  # each page fails now
    assert ask_page(running.server.here) == 500
    with pytest.raises(PageError, match="status 500"):
        tell_ready(notify, running.server.here, "here")


@pytest.fixture
def fed(running, manager):
    loops = {"camera loop": lambda: running.watching.watcher.turns}
    dog = Watchdog(notify, running.server.here, loops, 0.6)
    dog.start()
    assert hear(manager) == {"WATCHDOG": "1"}
    assert hear(manager) == {"WATCHDOG": "1"}
    yield running
    dog.stop()


@contextmanager
def stuck(dice):
    """Let no frame end while the block runs."""
    tray, waiting, going_on = dice.tray, threading.Event(), threading.Event()

    class StuckTray:
        def frame(self):
            waiting.set()
            going_on.wait()
            return tray.frame()

    dice.tray = StuckTray()
    assert waiting.wait(PATIENCE_S)
    try:
        yield
    finally:
        dice.tray = tray
        going_on.set()


def test_a_camera_loop_that_stands_still_is_not_fed_and_said_once(fed, manager, caplog):
    # The loop's own thread waits inside the camera's frame, as in a driver that hangs.
    def said() -> list[str]:
        return [record.message for record in caplog.records if "stands still" in record.message]

    with stuck(fed.watching.simulated):
        # A heartbeat may be on its way: its page was asked for before the loop stood still.
        wait_until(lambda: bool(said()))
        hear_nothing(manager)
        lasting = "the camera loop stands still; the service is started again if that lasts"
        assert said() == [lasting]
    assert hear(manager) == {"WATCHDOG": "1"}


def test_a_server_that_is_gone_is_not_fed(manager, caplog):
    def app(environ, start_response):
        start_response("200 OK", [])
        return [b""]

    server = serve(app, Broadcast(), "127.0.0.1", 0)
    dog = Watchdog(notify, server.here, {}, 0.6)
    dog.start()
    assert hear(manager) == {"WATCHDOG": "1"}
    server.stop()
    wait_until(lambda: "no answer" in caplog.text)
    hear_nothing(manager)
    dog.stop()


def test_the_command_tells_all_of_it(manager, tmp_path, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "900000")
    with table("--camera", "simulated", "--port", 0, "--data", tmp_path / "data") as (process, url):
        assert hear(manager) == {"READY": "1", "STATUS": url}
        assert hear(manager) == {"WATCHDOG": "1"}
        assert hear(manager) == {"WATCHDOG": "1"}
        process.send_signal(signal.SIGTERM)
        while (said := hear(manager)) == {"WATCHDOG": "1"}:
            pass
        assert said == {"STOPPING": "1"}
