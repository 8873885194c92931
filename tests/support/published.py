"""Tables that publish on a broker, with a card game on them that is played at random."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import card_evening
from mosquitto import HOST, Ear

from companion.club.publishing import reading
from companion.club.publishing.broker import BrokerAddress, BrokerConnection
from companion.club.publishing.outbox import FILE, Outbox
from companion.club.publishing.progress import Outgoing
from companion.club.publishing.publisher import Connect, Publisher
from companion.club.publishing.topics import Topics
from companion.games.cards.players import random_move
from companion.table import rounds
from companion.table.scene import Phase, Trouble

RETRY_S = 0.1
"""How soon a table of the tests connects again."""


class CardEvening(card_evening.CardEvening):
    """A table with four people who play the card game at random."""

    def __init__(self, folder: Path, roles: str = "soro") -> None:
        """roles: how many people sit there, the first of whom has a phone."""
        super().__init__(folder, roles, chance=random.Random(4))
        self.random = random.Random(1)

    def start_game(self) -> None:
        if self.table.view().phase is Phase.OVER:
            self.do(rounds.new_game)
        self.do(rounds.start_game)

    def move(self, count: int = 1) -> None:
        """Make random moves, until the game is over at the latest."""
        for _ in range(count):
            if self.table.view().phase is Phase.PLAYING:
                self.tap(random_move(self.table.scene.history.state, self.random))

    def finish_game(self) -> None:
        while self.table.view().phase is Phase.PLAYING:
            self.move()

    @property
    def events(self) -> int:
        """How many events the game has."""
        return len(self.table.view().story)


class PublishedTable(CardEvening):
    """One that publishes what happens."""

    connect: Connect | None = None
    """What connects it instead of a real connection."""

    def __init__(
        self,
        folder: Path,
        port: int,
        name: str = "corner",
        prefix: str = "bang",
        roles: str = "soro",
        **login: Any,
    ) -> None:
        super().__init__(folder, roles)
        self.topics = Topics(prefix, name)
        self.address = BrokerAddress(HOST, port, **login)
        self.presses: Mapping[bytes, Callable[[], None]] = {}
        self.announce: Sequence[Outgoing] = ()

    def publish(self) -> None:
        self.publisher = Publisher(
            self.table,
            partial(Outbox, self.folder / FILE, 1 << 20),
            self.topics,
            self.connect or partial(BrokerConnection, self.address, retry_s=RETRY_S),
            announce=self.announce,
            presses=self.presses,
        )
        self.table.follow(lambda *_: self.publisher.look())
        self.publisher.start()

    def close(self) -> None:
        self.publisher.stop()
        super().close()

    @property
    def trouble(self) -> str:
        return str(self.table.view().troubles.get(Trouble.MQTT, ""))


class Witness(Ear):
    """Hears a table, as its JSON messages."""

    topics = Topics("bang", "corner")

    def events(self) -> list[Mapping[str, Any]]:
        return [reading.read("event", payload) for payload in self.on(self.topics.event)]

    def numbers(self, game: int = 1) -> list[int]:
        """The numbers of the events of a game, in the order in which they came."""
        return [event["number"] for event in self.events() if event["game"] == game]

    def state(self) -> Mapping[str, Any] | None:
        payloads = self.on(self.topics.state)
        return reading.read("state", payloads[-1]) if payloads else None

    def availability(self) -> str:
        payloads = self.on(self.topics.availability)
        return payloads[-1].decode() if payloads else ""

    def results(self, game: int) -> list[Mapping[str, Any]]:
        payloads = self.on(self.topics.result(game))
        found = [json.loads(payload) for payload in payloads]
        return [reading.read("result", p) for p, m in zip(payloads, found, strict=True)
                if m["game"] == game]  # fmt: skip
