"""A club's tables as a broker tells of them: real messages of random games, without a broker."""

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from random_games import RandomGame

from companion.club.hall.hall import BrokerMessage, Hall
from companion.club.hall.store import Store
from companion.club.publishing.messages import TableName, encode, result_message, state_message

PREFIX = "club"

Place = tuple[Any, ...]
"""The keys that lead to a value within JSON."""


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class ClubTable:
    """A table that plays random games and tells of them."""

    def __init__(self, name: str, number: str = "", kind: str = "dice", seed: int = 1) -> None:
        self.name, self.kind, self.seed = name, kind, seed
        self.id = number or f"id-{name}"

    def topic(self, rest: str) -> str:
        return f"{PREFIX}/{self.name}/{rest}"

    def state(self, seed: int | None = None, steps: int = 8, **changes: Any) -> BrokerMessage:
        """Its state after some moves; `changes`: of the message, by path with `__`."""
        shown = _state(self.kind, self.seed if seed is None else seed, steps, self._head)
        return self.said("state", json.loads(shown), **changes)

    def result(self, number: int = 1, names: tuple[str, ...] = (), **changes: Any) -> BrokerMessage:
        """The result of its game `number`, played by people of these names."""
        message = json.loads(_result(self.kind, self.seed * 100 + number, len(names), self._head))
        for player, name in zip(message["players"], names, strict=False):
            player["name"] = name
        return self.said(f"result/{number % 20}", message | {"game": number}, **changes)

    def said(self, rest: str, message: dict[str, Any], **changes: Any) -> BrokerMessage:
        for path, value in changes.items():
            *way, last = path.split("__")
            at = message
            for key in way:
                at = at[key]
            at[last] = value
        return BrokerMessage(self.topic(rest), json.dumps(message).encode())

    def availability(self, word: str) -> BrokerMessage:
        return BrokerMessage(self.topic("availability"), word.encode())

    @property
    def _head(self) -> TableName:
        return TableName(self.id, self.name, "0.4.0")


@lru_cache(maxsize=200)
def _state(kind: str, seed: int, steps: int, head: TableName) -> bytes:
    game = RandomGame(kind, seed)
    for step in islice(game.steps(), steps):
        game.make(step)
    return encode(state_message(game.view(), head))


@lru_cache(maxsize=200)
def _result(kind: str, seed: int, players: int, head: TableName) -> bytes:
    """The result of a random game; players: how many play, 0: any number."""
    while True:
        game = RandomGame(kind, seed)
        if players in (0, len(game.view().people)):
            break
        seed += 1000
    for step in game.steps():
        game.make(step)
    return encode(result_message(game.view(), game.histories[0].record, head))


def spoil(
    message: BrokerMessage, choose: Callable[[list[Place]], Place], odd: Any
) -> BrokerMessage:
    """A message in which something at a chosen place is something odd."""
    content = json.loads(message.payload)
    *way, last = choose([path for path in paths(content) if path])
    at = content
    for key in way:
        at = at[key]
    at[last] = odd
    return BrokerMessage(message.topic, json.dumps(content).encode())


def paths(value: Any, at: Place = ()) -> Iterator[Place]:
    """Every place in a JSON value."""
    yield at
    items = value.items() if isinstance(value, dict) else ()
    for key, each in enumerate(value) if isinstance(value, list) else items:
        yield from paths(each, (*at, key))


class Club:
    """A hall over a folder, and the broker's retained messages that it publishes."""

    def __init__(self, folder: Path, password: str = "buffalo", **options: Any) -> None:
        self.folder, self.clock = folder, Clock()
        self.retained: dict[str, bytes] = {}
        self.open(password, **options)

    def open(self, password: str = "buffalo", **options: Any) -> Hall:
        self.store = Store(self.folder)
        self.hall = Hall(self.store, PREFIX, password=password, clock=self.clock, **options)
        self.hall.publish_with(self.retained.__setitem__)
        return self.hall

    def close(self) -> None:
        self.store.close()

    def restart(self, password: str = "buffalo") -> Hall:
        self.close()
        return self.open(password)

    def tell(self, *messages: BrokerMessage) -> None:
        self.hall.receive(messages)

    @property
    def view(self):
        return self.hall.view()

    def table(self, name: str):
        return next(table for table in self.view.tables if table.entry.name == name)

    def kinds(self, name: str) -> list[str]:
        return [need.kind.value for need in self.table(name).needs]

    def change(self, change) -> None:
        self.hall.change(change, self.view.shared)


def retained(club: Club) -> Iterator[BrokerMessage]:
    """What the hall keeps on the broker."""
    return (BrokerMessage(topic, payload) for topic, payload in club.retained.items())
