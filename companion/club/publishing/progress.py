"""What must still be sent of a game, given what was sent before."""

from typing import NamedTuple

from companion.club.publishing import messages
from companion.club.publishing.topics import EVENT, result_slot
from companion.table.scene import Phase
from companion.table.views import TableView


class Outgoing(NamedTuple):
    """A message to send."""

    topic: str
    """Its topic, below those of the table."""
    payload: bytes
    """The message."""
    retain: bool
    """Whether the broker keeps it for those who subscribe later."""


class Sent(NamedTuple):
    """How far a table has been told."""

    game: int = 0
    """The number of the last game; 0 before the first."""
    events: int = 0
    """The number of its last event."""
    result: int = 0
    """The number of the event with which it ended; 0 if it hasn't, or if that was undone."""


def is_behind(view: TableView, sent: Sent) -> bool:
    """Return whether the table no longer knows what was sent.

    That happens after damage, or when a backup was restored. Numbers of events would then mean
    something else.
    """
    if not view.game_number:
        return False
    return (view.game_number, len(messages.settled_story(view))) < (sent.game, sent.events)


def due(
    view: TableView,
    record: str,
    sent: Sent,
    table: messages.TableName,
) -> tuple[list[Outgoing], Sent]:
    """Return the events and results to send, in order, and how far the table is told then.

    view: a spectator's; record: of the game on the table, if it is over; otherwise not looked at.
    """
    number = view.game_number
    if not number:
        return [], sent
    if number != sent.game:
        sent = Sent(number)
    found = [
        Outgoing(EVENT, messages.encode(message), False)
        for message in messages.event_messages(view, table, sent.events)
    ]
    sent = sent._replace(events=len(messages.settled_story(view)))
    over = view.phase is Phase.OVER
    if sent.result and (not over or sent.result != sent.events):
        message = messages.withdrawn_message(view, table)
        found.append(Outgoing(result_slot(number), messages.encode(message), True))
        sent = sent._replace(result=0)
    if over and not sent.result:
        message = messages.result_message(view, record, table)
        found.append(Outgoing(result_slot(number), messages.encode(message), True))
        sent = sent._replace(result=sent.events)
    return found, sent
