"""Tables that publish on a broker, with a card game on them that is played at random."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mosquitto import HOST, Ear
from people import join

from companion.club.publishing import reading
from companion.club.publishing.broker import BrokerAddress, BrokerConnection
from companion.club.publishing.outbox import FILE, Outbox
from companion.club.publishing.progress import Outgoing
from companion.club.publishing.publisher import Connect, Publisher
from companion.club.publishing.topics import Topics
from companion.games.cards.game import CARD_GAME
from companion.games.cards.players import random_move
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press
from companion.table.journal.journal import Journal
from companion.table.scene import Phase, Trouble
from companion.table.table import Table

KNOWN = {**GAMES, CARD_GAME.record_name: CARD_GAME}
RETRY_S = 0.1
"""How soon a table of the tests connects again."""


class CardEvening:
    """A table with four people who play the card game."""

    def __init__(self, folder: Path, people: Sequence[str] = ("Ann", "Ben", "Cat", "Dan")) -> None:
        """people: those at the table; the first one has a phone."""
        self.folder = folder
        self.chance = random.Random(1)
        self.open()
        self.sit(people)

    def sit(self, people: Sequence[str]) -> None:
        for name in people[:1]:
            join(self.table, name, self.table.scene.code)
        for name in people[1:]:
            self.table.do(seats.add_person, self.press, name)

    def open(self) -> None:
        self.journal = Journal(self.folder)
        chosen = CARD_GAME.select("base")
        self.table = Table(self.journal, KNOWN, chosen, chance=random.Random(4))

    @property
    def press(self) -> Press:
        view = self.table.view(1)
        return Press(1, view.version, view.reading)

    def start_game(self) -> None:
        if self.table.view().phase is Phase.OVER:
            self.table.do(rounds.new_game, self.press)
        self.table.do(rounds.start_game, self.press)

    def move(self, count: int = 1) -> None:
        """Make random moves, until the game is over at the latest."""
        for _ in range(count):
            history = self.table.scene.history
            if self.table.view().phase is Phase.PLAYING and history is not None:
                self.table.do(moves.move, self.press, random_move(history.state, self.chance))

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
        people: Sequence[str] = ("Ann", "Ben", "Cat", "Dan"),
        **login: Any,
    ) -> None:
        super().__init__(folder, people)
        self.topics = Topics(prefix, name)
        self.address = BrokerAddress(HOST, port, **login)
        self.presses: Mapping[bytes, Callable[[], None]] = {}
        self.announce: Sequence[Outgoing] = ()
        self.most_bytes = 1 << 20

    def publish(self) -> None:
        self.publisher = Publisher(
            self.table,
            partial(Outbox, self.folder / FILE, self.most_bytes),
            self.topics,
            self.connect or partial(BrokerConnection, self.address, retry_s=RETRY_S),
            announce=self.announce,
            presses=self.presses,
        )
        self.table.follow(lambda *_: self.publisher.look())
        self.publisher.start()

    def close(self) -> None:
        self.publisher.stop()
        self.journal.close()

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
