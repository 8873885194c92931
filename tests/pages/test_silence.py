"""Wi-Fi was away and took the connection with it, without a word: the page looks for the table."""

import socket
import threading
from contextlib import suppress
from typing import Self

from browser import Screens
from playwright.sync_api import TimeoutError, expect
from served import Served


class Way:
    """The way between phones and table, which can swallow everything without a word."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.open = threading.Event()
        self.open.set()
        self._closed = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        # Closing alone doesn't wake a thread that waits in accept.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                phone, _ = self._listener.accept()
            except OSError:
                return
            try:
                table = socket.create_connection(("127.0.0.1", self._port))
            except OSError:
                phone.close()
                continue
            for pair in ((phone, table), (table, phone)):
                threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with one, other:
            try:
                while data := one.recv(65536):
                    if not self.open.is_set():
                        # What was sent meanwhile is lost: this connection never speaks again.
                        self._closed.wait()
                        return
                    other.sendall(data)
            except OSError:
                return


def test_a_page_whose_connection_died_silently_comes_back(served: Served, screens: Screens) -> None:
    with Way(served.server.port) as way:
        address = f"http://127.0.0.1:{way.port}"
        television = screens.television(f"{address}/static/icon.svg")
        television.clock.install()
        television.goto(f"{address}/table")
        expect(television.locator(".code")).to_have_text(served.table.scene.code)
        way.open.clear()
        served.seat(1)
        ann = television.get_by_text("Ann").first
        expect(ann).to_be_hidden()
        way.open.set()
        # Where the machine is busy a first try may still fall into the silence.
        for _ in range(5):
            television.clock.fast_forward(41_000)
            with suppress(TimeoutError):
                ann.wait_for(timeout=20_000)
                break
        expect(ann).to_be_visible()
        expect(television.locator("#lost")).to_be_hidden()
