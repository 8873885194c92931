"""What the broker still keeps under a name that this table had before it was renamed."""

import json
from collections.abc import Collection, Sequence
from typing import NamedTuple

from companion.club.publishing.reading import MAX_BYTES
from companion.club.publishing.topics import ONLINE, Topics, parse


class Presented(NamedTuple):
    """A name under which a table has published."""

    topics: Topics
    """The topics of that name."""
    id: str
    """The table's own number then."""
    announced: tuple[str, ...]
    """The whole topics under which it was announced."""


class FormerName:
    """Finds what a table left behind, and spares what belongs to another one.

    Another table may have the name by now, or the same number, if its memory card was copied.
    """

    def __init__(self, presented: Presented, ids: Collection[str]) -> None:
        """ids: the numbers that this table has had."""
        self._presented, self._ids = presented, ids
        self._online = False
        self._left: list[str] = []
        self._ours: bool | None = None

    @property
    def filters(self) -> Sequence[str]:
        """What to subscribe to, in this order: the state is then the last that comes."""
        topics = self._presented.topics
        return topics.availability, topics.results, topics.state

    def hear(self, topic: str, payload: bytes) -> None:
        """Take in what the broker has under the name."""
        topics = self._presented.topics
        if topic == topics.availability:
            self._online = payload == ONLINE.encode()
        elif topic == topics.state and payload:
            self._ours = _id(payload) in self._ids
        elif topic not in self._left and payload and _id(payload) in self._ids:
            parsed = parse(topics.prefix, topic)
            if parsed is not None and (parsed.name, parsed.kind) == (topics.name, "result"):
                self._left.append(topic)

    def topics_to_clear(self) -> Sequence[str] | None:
        """Return the topics to clear; None as long as that can't be said."""
        if self._ours is None or (self._ours and self._online):
            return None
        if not self._ours:
            return self._left
        topics = self._presented.topics
        return *self._left, *self._presented.announced, topics.availability, topics.state


def _id(payload: bytes) -> str:
    """Return the number of the table that sent a message; empty if it is none."""
    if len(payload) > MAX_BYTES:
        return ""
    try:
        found = json.loads(payload)["table"]["id"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return ""
    return found if isinstance(found, str) else ""
