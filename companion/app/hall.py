"""Builds the hall from its parts, and runs it until a signal stops it."""

import logging
import queue
import secrets
import time
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from companion.app.interrupts import end_soon, take_endings
from companion.app.publishing import address_of
from companion.app.results import print_result
from companion.base.whole_file import read_whole
from companion.base.worker import Supervisor, Worker, WorkerThread
from companion.club.hall.hall import BrokerMessage, Hall
from companion.club.hall.store import Store
from companion.club.publishing import broker
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

RETAINED_AT_ONCE = 500
"""How many retained results are asked for at once. Mosquitto holds 1000 messages for a client that
is slower than itself, and drops the others without a word."""

LULL_S = 0.5
"""After so long without a retained message, the broker has sent those that were asked for."""

PATIENCE_S = 60.0
"""After so long, more is asked for without a lull: some brokers call all messages retained."""

_log = logging.getLogger(__name__)


class RunningHall(NamedTuple):
    """A running hall."""

    hall: Hall
    """The hall."""
    server: Server
    """The web server."""
    streams: Broadcast
    """The streams of its pages."""


class HallFeed(Worker):
    """Takes what the broker says into the hall, in a thread of its own.

    One that hangs isn't replaced: the order of the messages counts.
    """

    def __init__(self, hall: Hall, address: broker.BrokerAddress) -> None:
        """address: of the broker."""
        super().__init__("hall feed", replaced=False)
        self._hall, self._address = hall, address
        self._fault = ""
        """Why the broker can't be reached, as the log has told it."""
        self._news: queue.Queue[broker.BrokerNews] = queue.Queue(MOST_QUEUED)
        client = f"bang-companion-hall-{secrets.token_hex(4)}"
        self._connection = broker.BrokerConnection(address, client, hall.topics, self._news.put)
        self._unasked: tuple[str, ...] = ()
        """The topics of results to which this connection isn't subscribed yet."""
        self._asked_at = self._retained_at = 0.0
        """When retained messages were last asked for; when they were, or the last one came."""
        self._begun = False
        """Whether the connection was started."""
        hall.publish_with(self._publish)

    def stop(self) -> None:
        """Say goodbye to the broker, and end the thread."""
        self._connection.stop()
        super().stop()

    def _publish(self, topic: str, payload: bytes) -> None:
        # Without a connection nothing is lost: the hall tells the broker when it is back.
        self._connection.publish(topic, payload, retain=True)

    def catch_up(self, thread: WorkerThread) -> None:
        """Wait for news, and take them in."""
        self.wake()
        if not self._begun:
            self._connection.start()
            self._begun = True
        news: list[broker.BrokerNews] = []
        with suppress(queue.Empty), thread.waiting():
            news.append(self._news.get(timeout=LULL_S if self._unasked else TICK_S))
        while len(news) < MOST_AT_ONCE and not self._news.empty():
            news.append(self._news.get())
        self._take(news)
        # Once they are taken in, which may take longer than a lull.
        if any(isinstance(each, broker.Received) and each.retained for each in news):
            self._retained_at = time.monotonic()
        self._ask_on()
        self._hall.tick()

    def _take(self, news: list[broker.BrokerNews]) -> None:
        messages: list[BrokerMessage] = []
        for each in (*news, None):
            if isinstance(each, broker.Received):
                messages.append(BrokerMessage(each.topic, each.payload))
                continue
            if messages:
                self._hall.receive(messages)
                messages = []
            if isinstance(each, broker.Connected):
                _log.info("connected to the broker %s", self._address)
                self._fault = ""
                self._unasked = self._hall.result_topics
                self._asked_at = self._retained_at = time.monotonic()
                self._hall.report_connection("")
            elif isinstance(each, broker.Lost):
                # Each try fails for the same reason: once is enough.
                if each.reason != self._fault:
                    _log.warning("the broker can’t be reached: %s; trying again", each.reason)
                self._fault = each.reason
                self._unasked = ()
                self._hall.report_connection(each.reason)

    def _ask_on(self) -> None:
        """Subscribe to more results, once what was asked for has come."""
        now = time.monotonic()
        lull = now - self._retained_at >= LULL_S or now - self._asked_at >= PATIENCE_S
        if not self._unasked or not lull:
            return
        count = max(1, RETAINED_AT_ONCE // max(1, len(self._hall.view().tables)))
        self._connection.subscribe(self._unasked[:count])
        self._unasked = self._unasked[count:]
        self._asked_at = self._retained_at = now


def start_hall(settings: Settings, address: broker.BrokerAddress, stack: ExitStack) -> RunningHall:
    """Start everything; leaving `stack` stops it in the opposite order."""
    store = Store(settings.data / FOLDER)
    stack.callback(store.close)
    hall = Hall(store, settings.mqtt.prefix, name=settings.hall.name, password=_password(settings))
    streams = Broadcast()
    # Everybody sees the file's name, and nobody needs to know where it lies.
    file = Path(settings.hall.password_file).name
    app = create_hall_app(hall, streams, language=settings.language, password_file=file)
    compile_templates(app, "hall/", "templates/")
    supervisor = Supervisor(stack)
    news = HallNews(streams, lambda: app.extensions[DRAWN].pause_s)
    hall.listeners.add(news.wake)
    supervisor.start_worker(news, partial(hall.report, news.name))
    server = serve(app, streams, settings.host, settings.hall.port, queue_of=queue_of)
    stack.callback(server.stop)
    feed = HallFeed(hall, address)
    supervisor.start_worker(feed, partial(hall.report, feed.name))
    for worker in streams.workers:
        supervisor.watch(worker, partial(hall.report, worker.name))
    supervisor.start()
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
        url = running.server.url
        print_result({"url": url}, f"Open {url} to see the hall. Ctrl-C stops it.")
        wait_for_end()
        _log.info("stopping")
        end_soon()
        notify(STOPPING="1")
    return 0


def _password(settings: Settings) -> str:
    if settings.hall.password_file:
        return read_whole(Path(settings.hall.password_file).expanduser()).decode().strip()
    return settings.hall.password
