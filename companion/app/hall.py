"""Builds the hall from its parts, and runs it until a signal stops it."""

import json
import logging
import queue
import secrets
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from companion.app.publishing import address_of
from companion.app.signals import take_endings
from companion.hall.hall import BrokerMessage, Hall
from companion.hall.store import Store
from companion.publishing.broker import (
    BrokerAddress,
    BrokerConnection,
    BrokerNews,
    Connected,
    Lost,
    Received,
)
from companion.settings import Settings
from hardware.notify import notify
from web.hall.access import queue_of
from web.hall.app import create_hall_app
from web.hall.live import DRAWN, HallNews
from web.serving.server import Server, serve
from web.serving.stream import Broadcast
from web.templating import compile_templates

FOLDER = "hall"
"""The folder in the data folder."""

TICK_S = 1.0
"""How often to look at what changes with time alone."""

MOST_AT_ONCE = 500
"""How many messages are taken in together."""

MOST_QUEUED = 20_000
"""How many messages may wait; what comes faster makes the broker wait."""

_log = logging.getLogger(__name__)


class RunningHall(NamedTuple):
    """A running hall."""

    hall: Hall
    """The hall."""
    server: Server
    """The web server."""
    streams: Broadcast
    """The streams of its pages."""


class HallFeed:
    """Takes what the broker says into the hall, in a thread of its own."""

    def __init__(self, hall: Hall, address: BrokerAddress) -> None:
        """address: of the broker."""
        self._hall = hall
        self._news: queue.Queue[BrokerNews | None] = queue.Queue(MOST_QUEUED)
        client = f"bang-companion-hall-{secrets.token_hex(4)}"
        self._connection = BrokerConnection(address, client, hall.topics, self._news.put)
        self._thread = threading.Thread(target=self._work, name="hall feed", daemon=True)
        hall.publish_with(self._publish)

    def start(self) -> None:
        """Connect, and stay connected."""
        self._thread.start()
        self._connection.start()

    def stop(self) -> None:
        """Say goodbye."""
        self._connection.stop()
        self._news.put(None)
        self._thread.join()

    def _publish(self, topic: str, payload: bytes) -> None:
        # Without a connection nothing is lost: the hall tells the broker when it is back.
        self._connection.publish(topic, payload, retain=True)

    def _work(self) -> None:
        while True:
            try:
                news = [self._news.get(timeout=TICK_S)]
            except queue.Empty:
                self._hall.tick()
                continue
            while len(news) < MOST_AT_ONCE and not self._news.empty():
                news.append(self._news.get())
            try:
                self._take(news)
                self._hall.tick()
            except Exception:
                # Whatever it was, the next messages must be heard.
                _log.exception("the hall couldn’t take in what it was told")
            if None in news:
                return

    def _take(self, news: list[BrokerNews | None]) -> None:
        messages: list[BrokerMessage] = []
        for each in (*news, None):
            if isinstance(each, Received):
                messages.append(BrokerMessage(each.topic, each.payload))
                continue
            if messages:
                self._hall.receive(messages)
                messages = []
            if isinstance(each, Connected):
                self._hall.connection("")
            elif isinstance(each, Lost):
                self._hall.connection(each.reason)


def start_hall(settings: Settings, address: BrokerAddress, stack: ExitStack) -> RunningHall:
    """Start everything; leaving `stack` stops it in the opposite order."""
    store = Store(settings.data / FOLDER)
    stack.callback(store.close)
    hall = Hall(store, settings.mqtt.prefix, name=settings.hall.name, password=_password(settings))
    streams = Broadcast()
    app = create_hall_app(hall, streams, language=settings.language)
    compile_templates(app, "hall/", "templates/")
    news = HallNews(streams, lambda: app.extensions[DRAWN].pause_s)
    hall.listen(news.look)
    news.start()
    stack.callback(news.stop)
    server = serve(app, streams, settings.host, settings.hall.port, queue_of=queue_of)
    stack.callback(server.stop)
    feed = HallFeed(hall, address)
    feed.start()
    stack.callback(feed.stop)
    return RunningHall(hall, server, streams)


def run_hall(settings: Settings, host: str, port: int) -> int:
    """Run the hall until SIGINT or SIGTERM. host, port: of the broker; port 0: the usual one.

    Raises StoreError, ServerError, and OSError if a password can't be read.
    """
    wait_for_end = take_endings()
    address = address_of(settings.mqtt)._replace(host=host)
    if port:
        address = address._replace(port=port)
    with ExitStack() as stack:
        running = start_hall(settings, address, stack)
        notify(READY="1")
        print(json.dumps({"url": running.server.url}), flush=True)
        wait_for_end()
        _log.info("stopping")
        notify(STOPPING="1")
    return 0


def _password(settings: Settings) -> str:
    if settings.hall.password_file:
        return Path(settings.hall.password_file).expanduser().read_text("utf-8").strip()
    return settings.hall.password
