"""Twins on real brokers: games that differ in hidden roles alone are the same bytes there."""

import random
import secrets
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import pytest
from mosquitto import HOST, Mosquitto
from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.subscribeoptions import SubscribeOptions
from random_games import KINDS, RandomGame
from waiting import PATIENCE_S, wait_until

from companion import __version__
from companion.club.publishing import owner
from companion.club.publishing.broker import BrokerAddress, BrokerConnection
from companion.club.publishing.home_assistant import announcements
from companion.club.publishing.messages import TableName, encode, state_message
from companion.club.publishing.outbox import FILE, Outbox
from companion.club.publishing.progress import Sent, due
from companion.club.publishing.publisher import Publisher
from companion.club.publishing.topics import Topics
from companion.table.scene import Scene
from companion.table.views import TableView, Viewer

pytestmark = pytest.mark.processes

TOPICS = Topics("bang", "corner")
BATCH = 8
"""At most so many moves are made before the broker must have everything. Only the last state of
several in a row is told, so it must not depend on the clock which these are."""


class Passed(NamedTuple):
    """A message as it passed the broker."""

    topic: str
    payload: bytes
    qos: int
    retain: bool


class Wiretap:
    """Hears everything on a broker, with the flags that its author gave it."""

    def __init__(self, port: int) -> None:
        self.passed: list[Passed] = []
        self._news = threading.Condition()
        subscribed = threading.Event()
        self._client = client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        options = SubscribeOptions(qos=2, retainAsPublished=True)
        client.on_connect = lambda *_: client.subscribe("#", options=options)
        client.on_subscribe = lambda *_: subscribed.set()
        client.on_message = self._note
        client.connect(HOST, port)
        client.loop_start()
        assert subscribed.wait(PATIENCE_S)

    def _note(self, client: Client, data: object, message: MQTTMessage) -> None:
        with self._news:
            self.passed.append(
                Passed(message.topic, message.payload, message.qos, bool(message.retain))
            )
            self._news.notify()

    def wait_for(self, count: int) -> None:
        """Return once so many messages have passed."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.passed) >= count, PATIENCE_S), (
                f"only {len(self.passed)} of {count} messages passed"
            )

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Shown:
    """A table that shows whatever scene it is given."""

    def __init__(self) -> None:
        self.scene: Scene = replace(RandomGame("dice", 0).scene(), history=None)
        self._viewer = Viewer()

    def view(self) -> TableView:
        return self._viewer.view(self.scene)

    def report(self, part: object, trouble: str) -> None:
        assert not trouble


class TwinTable:
    """A table on a broker of its own, and what is heard there."""

    def __init__(self, folder: Path) -> None:
        self.broker = Mosquitto(folder, saving=False)
        self.broker.start()
        self.tap = Wiretap(self.broker.port)
        self._table, self._expected, self._sent, self._state = Shown(), 0, Sent(), b""
        self._publisher = Publisher(
            self._table,
            partial(Outbox, folder / FILE),
            TOPICS,
            partial(BrokerConnection, BrokerAddress(HOST, self.broker.port)),
            announce=announcements(TOPICS, "homeassistant", buttons=True),
        )
        self._publisher.start()
        wait_until(lambda: any(each.topic == TOPICS.state for each in self.tap.passed))
        self._settle()
        self.tap.passed.clear()

    def show(self, game: RandomGame, number: int, twin: int) -> None:
        """Show a game as the table's game of a number, until the broker has everything of it."""
        self._table.scene = game.scene(twin, number)
        name = TableName(self._publisher.id, TOPICS.name, __version__)
        view = self._table.view()
        outgoing, self._sent = due(view, game.histories[twin].record, self._sent, name)
        state = encode(state_message(view, name))
        self._expected += len(outgoing) + (state != self._state)
        self._state = state
        self._publisher.look()
        self.tap.wait_for(self._expected)
        self._settle()

    def _settle(self) -> None:
        wait_until(lambda: self._publisher.is_idle)

    def close(self) -> None:
        self._publisher.stop()
        self.tap.close()
        self.broker.stop()


@pytest.fixture
def twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TwinTable, TwinTable]]:
    monkeypatch.setattr(owner, "CLAIM_S", 0.1)
    # A table's number and its session are drawn at random, not by roles.
    monkeypatch.setattr(secrets, "token_hex", lambda count: "7" * 2 * count)
    with ExitStack() as stack:
        found = []
        for name in ("one", "other"):
            found.append(TwinTable(tmp_path / name))
            stack.callback(found[-1].close)
        yield found[0], found[1]


def batches(game: RandomGame) -> Iterator[int]:
    """Make the moves of both twins, some at a time, until their roles are open."""
    lots = random.Random(game.exchanged[0])
    steps = game.steps()
    while True:
        made = 0
        for step in islice(steps, lots.randint(1, BATCH)):
            game.make(step)
            game.make(step, 1)
            made += 1
            if game.told_apart:
                return
        if made:
            yield made


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("games", [3, pytest.param(500, marks=pytest.mark.slow)])
def test_a_broker_gets_the_same_bytes_from_twins(
    twins: tuple[TwinTable, TwinTable], kind: str, games: int
) -> None:
    for number in range(1, games + 1):
        game = RandomGame(kind, number)
        for _ in chain([0], batches(game)):
            for twin, table in enumerate(twins):
                table.show(game, number, twin)
        assert game.histories[0].lines[0] != game.histories[1].lines[0]
    one, other = (table.tap.passed for table in twins)
    assert len(one) > 20 * games
    assert one == other
    assert {each.qos for each in one} == {1}
    assert {(each.topic.rpartition("/")[2], each.retain) for each in one} == {
        ("state", True),
        ("event", False),
    }
    # Only roles that are open differ.
    for twin, table in enumerate(twins):
        table.show(game, number, twin)
    assert one != other
