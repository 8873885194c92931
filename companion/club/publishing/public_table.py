"""The table as other programs see it on the web: the same messages as on a broker."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.club.publishing.messages import TableName, encode, settled_story, state_message
from companion.club.publishing.progress import Outgoing, Sent, due, is_behind
from companion.club.publishing.reading import MessageKind
from companion.table.past.past_games import finished_game
from companion.table.scene import Phase
from companion.table.table import Table


class FeedMessage(NamedTuple):
    """A message of a feed."""

    kind: MessageKind
    """Its kind."""
    id: str
    """Where the feed goes on after it; empty if it goes on where it did."""
    payload: bytes
    """The message."""


class PublicTable:
    """Tells what spectators see. Any thread may ask."""

    def __init__(self, table: Table, name: Callable[[], TableName]) -> None:
        """`name`: returns which table messages are from."""
        self._table, self._name = table, name

    def state(self) -> bytes:
        """Return the state."""
        return encode(state_message(self._table.view(), self._name()))

    def feed(self, last: str = "") -> "Feed":
        """Return what a program is told from now on, or after the last message that it knows."""
        view = self._table.view()
        sent = _parse_id(last)
        if sent is None or is_behind(view, sent):
            events = len(settled_story(view))
            sent = Sent(view.game_number, events, events if view.phase is Phase.OVER else 0)
        return Feed(self, sent)

    def news(self, sent: Sent) -> tuple[list[Outgoing], Sent]:
        """Return the events and results after those that were sent, and how far that is."""
        view, finished = self._table.view(), finished_game(self._table.scene)
        found: list[Outgoing] = []
        if sent.game and sent.game != view.game_number:
            found, sent = self._rest(sent)
        if is_behind(view, sent):
            sent = Sent()
        # The game may have moved on since the view.
        record = finished.record if finished is not None and view.phase is Phase.OVER else ""
        if view.phase is Phase.OVER and not record:
            return found, sent
        more, sent = due(view, record, sent, self._name())
        return found + more, sent

    def _rest(self, sent: Sent) -> tuple[list[Outgoing], Sent]:
        """Return what was left to send of a finished game that has left the table."""
        replay = self._table.past.replay(sent.game)
        if replay is None or is_behind(replay.end, sent):
            return [], sent
        return due(replay.end, replay.history.record, sent, self._name())


class Feed:
    """What one program is told. It keeps no queue: the table knows what comes after a message."""

    def __init__(self, table: PublicTable, sent: Sent) -> None:
        self._table, self._sent = table, sent
        self._state = b""

    def news(self) -> Iterator[FeedMessage]:
        """Yield what is new: events and results in order, then the state, if it has changed."""
        outgoing, sent = self._table.news(self._sent)
        self._sent = sent
        for number, one in enumerate(outgoing, start=1):
            kind = MessageKind(one.topic.partition("/")[0])
            # Only the last one says where to go on: the events before it have numbers.
            yield FeedMessage(kind, _id(sent) if number == len(outgoing) else "", one.payload)
        state = self._table.state()
        if state != self._state:
            self._state = state
            yield FeedMessage(MessageKind.STATE, "", state)


def _id(sent: Sent) -> str:
    return f"{sent.game}-{sent.events}-{sent.result}"


def _parse_id(last: str) -> Sent | None:
    """Return how far a program was told, by the last id that it knows; None if it is none."""
    parts = last.split("-")
    if len(parts) != len(Sent._fields) or not all(
        part.isascii() and part.isdecimal() and len(part) < 10 for part in parts
    ):
        return None
    return Sent(*map(int, parts))
