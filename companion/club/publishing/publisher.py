"""Publishes the table on a broker, in a thread of its own: no press ever waits for it."""

import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from companion import __version__
from companion.base.refused import Message
from companion.base.worker import Worker, WorkerThread
from companion.club.publishing import broker
from companion.club.publishing.former import FormerName
from companion.club.publishing.messages import TableName, encode, state_message
from companion.club.publishing.outbox import Outbox
from companion.club.publishing.owner import Ownership
from companion.club.publishing.progress import Outgoing, Sent, due, is_behind
from companion.club.publishing.topics import OFFLINE, ONLINE, Topics
from companion.table.past.replays import Replay
from companion.table.scene import Phase, Scene, Trouble
from companion.table.table import Table
from companion.table.views import TableView, Viewer

_log = logging.getLogger(__name__)

WINDOW = 16
"""How many messages may be on their way at once."""

AGAIN_S = 5.0
"""How long to wait before writing to a disk again that has failed."""

LOOK_S = 1.0
"""How often the table is looked at while it can't be published. The journal has it all anyway."""

PRESS_S = 0.2
"""So soon after a press of a button elsewhere, others are ignored: a flood of them must not keep
the disk busy."""

GOODBYE_S = 2.0
"""How long a stop waits for what is on its way."""


class BrokerLink(Protocol):
    """A connection to a broker, see `broker.BrokerConnection`."""

    def start(self) -> None:
        """Connect, and stay connected."""

    def stop(self) -> None:
        """End the connection."""

    def publish(self, topic: str, payload: bytes | str, *, retain: bool) -> int | None:
        """Hand a message over; return its number, or None while there is no connection."""

    def subscribe(self, topics: Sequence[str]) -> None:
        """Subscribe to more topics, until this connection is lost."""


Connect = Callable[
    [str, Sequence[str], Callable[[broker.BrokerNews], None], broker.Will], BrokerLink
]
"""Returns a connection: given are the client's id, what it subscribes to, what gets the news, and
the will."""


class _Wake(NamedTuple):
    """Tells the thread that there is something to do."""


class Publisher(Worker):
    """Follows the table, and publishes what is new.

    A thread that hangs isn't replaced: two would send everything twice.
    """

    def __init__(
        self,
        table: Table,
        outbox: Callable[[], Outbox],
        topics: Topics,
        connect: Connect,
        *,
        announce: Sequence[Outgoing] = (),
        presses: Mapping[bytes, Callable[[], None]] | None = None,
    ) -> None:
        """Prepare the thread.

        outbox: opens what keeps the messages, in the thread; announce: published whenever this
        table gets its name, with whole topics; presses: what messages on the topic `press` do, by
        their payload.
        """
        super().__init__("publisher", replaced=False)
        self.tell = self.note
        self._table, self._open_outbox, self._topics = table, outbox, topics
        self._announce, self._presses = announce, presses or {}
        session = secrets.token_hex(8)
        self._owner = Ownership(session)
        subscribed = [topics.owner, topics.availability]
        self._connection = connect(
            f"bang-companion-{session}",
            [*subscribed, topics.press] if self._presses else subscribed,
            self._hear,
            broker.Will(topics.availability, OFFLINE),
        )
        self._inputs: queue.SimpleQueue[broker.BrokerNews | _Wake] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._scenes: dict[int, Scene] = {}
        """By game, the newest scene that the thread hasn't looked at. Dicts keep the order."""
        self.id = ""
        """The table's own number; empty until the outbox is open."""
        self._error = ""
        """Why the thread's work fails."""
        self._waits = False
        """Whether the thread waits for news, and has nothing to do."""
        # What follows belongs to the thread.
        self._begun = False
        self._viewer = Viewer()
        self._outbox: Outbox | None = None
        self._on_the_way: dict[int, int] = {}
        """By its number in the connection, the number of a message in the outbox; 0: another."""
        self._handed = 0
        """The number of the last message that was handed over in this connection."""
        self._view = table.view()
        self._state = b""
        """The last state that was handed over in this connection."""
        self._state_mid: int | None = None
        """Its number, while it is on its way."""
        self._presented = False
        """Whether this table said in this connection that it is there."""
        self._online_mid: int | None = None
        """The number of what says so, while that is on its way."""
        self._denied = False
        """Whether another connection has said meanwhile that this table is gone."""
        self._former: dict[Topics, FormerName] = {}
        """What is known in this connection of the names that this table had."""
        self._clearing: dict[int, Topics] = {}
        """By its number, the last message that clears a former name."""
        self._pressed_at = float("-inf")
        self._fault: Message | None = None
        self._disk_fault = ""
        self._told = str(table.scene.troubles.get(Trouble.MQTT, ""))
        """The trouble that the table was told last."""
        self._again: float | None = None

    @property
    def owns(self) -> bool:
        """Whether this table has its name, and publishes."""
        return self._owner.owns

    @property
    def last_sent(self) -> Sent:
        """How far the table was told, as far as that is saved."""
        return self._outbox.sent if self._outbox is not None else Sent()

    @property
    def is_idle(self) -> bool:
        """Whether the broker has everything, and the thread waits for news."""
        return self._waits and not self._on_the_way

    def start(self) -> None:
        """Start following the table, and connect."""
        self.look()
        super().start()

    def stop(self) -> None:
        """Say that the table is gone, and end the thread and the connection."""
        super().stop()
        self._connection.stop()

    def unblock(self) -> None:
        """Let a stop wait for no news."""
        if self._stopped.is_set():
            self._inputs.put(_Wake())

    def note(self, fault: str) -> None:
        """Note why the thread's work fails; "" once it works again."""
        self._error = fault
        self._report()

    def look(self) -> None:
        """Tell the thread that the table may have changed; returns immediately."""
        scene = self._table.scene
        number = scene.history.number if scene.history else 0
        with self._lock:
            # Of the lobby, or of a game, only the last is worth a look; in the order of the last.
            self._scenes.pop(number, None)
            self._scenes[number] = scene
        # A thread that wakes competes with the press. Without a broker, nothing is in a hurry.
        if self._owner.owns:
            self._inputs.put(_Wake())

    def _hear(self, news: broker.BrokerNews) -> None:
        self._inputs.put(news)

    def catch_up(self, thread: WorkerThread) -> None:
        """Wait for news, take them in, and publish what is due."""
        self.wake()
        if not self._begun:
            self._begin()
        try:
            self._take_news(thread)
            self._turn()
        except Exception:
            # Whatever was on its way is sent again.
            self._on_the_way, self._handed, self._presented = {}, 0, False
            raise

    def _begin(self) -> None:
        try:
            self._outbox = self._open_outbox()
            self.id = self._outbox.id
            self._finish_last_game()
        except OSError as error:
            self._note_disk(error)
        self._connection.start()
        self._begun = True

    def finish(self, thread: WorkerThread) -> None:
        """Say goodbye, and close the outbox."""
        try:
            self.say_goodbye()
        finally:
            if self._outbox is not None:
                self._outbox.close()

    def _take_news(self, thread: WorkerThread) -> None:
        """Wait for news or until it is time for something, then take all the news there is."""
        now = time.monotonic()
        next_look = None if self._owner.owns else now + LOOK_S
        times = [at for at in (self._owner.next_tick(), self._again, next_look) if at is not None]
        wait = max(0.0, min(times) - now) if times else None
        try:
            self._waits = True
            with thread.waiting():
                news = self._inputs.get(timeout=wait)
            self._waits = False
            while True:
                self._take(news)
                news = self._inputs.get_nowait()
        except queue.Empty:
            self._waits = False

    def _take(self, news: broker.BrokerNews | _Wake) -> None:
        now = time.monotonic()
        match news:
            case broker.Connected():
                self._forget_connection()
                self._fault = None
                self._send(self._topics.owner, self._owner.ask(now), retain=False)
            case broker.Lost(reason):
                self._owner.lose_connection()
                self._forget_connection()
                self._fault = reason
            case broker.Acknowledged(mid):
                self._confirm_delivery(mid)
            case broker.Received(topic, payload, retained):
                self._receive(topic, payload, retained, now)

    def _forget_connection(self) -> None:
        """Forget what was on its way: what matters is sent again."""
        self._on_the_way, self._handed = {}, 0
        self._state, self._state_mid, self._presented = b"", None, False
        self._online_mid, self._denied = None, False
        self._former, self._clearing = {}, {}

    def _receive(self, topic: str, payload: bytes, retained: bool, now: float) -> None:
        if topic == self._topics.owner and not retained:
            answer = self._owner.hear(payload, now)
            if answer is not None:
                self._send(topic, answer, retain=False)
        elif topic == self._topics.availability and payload != ONLINE.encode():
            # The will of another connection: of this table's last one, or of one that was refused.
            if self._presented and not self._stopped.is_set():
                self._denied = True
                self._say_online()
        elif topic == self._topics.press and not retained and self._owner.owns:
            press = self._presses.get(payload)
            if press is not None and now - self._pressed_at >= PRESS_S:
                self._pressed_at = now
                press()
        else:
            self._hear_former(topic, payload)

    def _send(
        self, topic: str, payload: bytes | str, *, retain: bool, number: int = 0
    ) -> int | None:
        mid = self._connection.publish(topic, payload, retain=retain)
        if mid is not None:
            self._on_the_way[mid] = number
        return mid

    def _confirm_delivery(self, mid: int) -> None:
        number = self._on_the_way.pop(mid, 0)
        if mid == self._state_mid:
            self._state_mid = None
        if mid == self._online_mid:
            self._online_mid = None
            if self._denied:
                self._say_online()
        if mid in self._clearing:
            self._forget_name(self._clearing.pop(mid))
        if number and self._outbox is not None:
            try:
                self._outbox.remove([number])
            except OSError as error:
                self._note_disk(error)

    def _turn(self) -> None:
        """Do everything that is due."""
        now = time.monotonic()
        claim = self._owner.tick(now)
        if claim is not None:
            self._send(self._topics.owner, claim, retain=False)
        if self._again is not None and now >= self._again:
            self._again = None
        self._follow()
        if self._owner.owns:
            self._publish()
        self._report()

    def _follow(self) -> None:
        """Put into the outbox what is new at the table."""
        with self._lock:
            scenes, self._scenes = list(self._scenes.values()), {}
        for place, scene in enumerate(scenes):
            self._view = self._viewer.view(scene)
            record = scene.history.record if scene.history and scene.phase is Phase.OVER else ""
            if not self._note(self._view, record):
                with self._lock:
                    kept = {one.history.number if one.history else 0: one for one in scenes[place:]}
                    self._scenes = {**kept, **self._scenes}
                return

    def _finish_last_game(self) -> None:
        """Put into the outbox what a power cut took of a game that has left the table since."""
        assert self._outbox is not None
        last = self._outbox.sent.game
        replay: Replay | None = None
        if last and last != self._table.view().game_number:
            replay = self._table.past.replay(last)
        if replay is not None:
            self._note(replay.end, replay.history.record)

    def _note(self, view: TableView, record: str) -> bool:
        """Put what is new in a view into the outbox; return whether that worked."""
        if self._again is not None:
            return False
        try:
            if self._outbox is None:
                self._outbox = self._open_outbox()
            outbox = self._outbox
            self.id = outbox.id
            if is_behind(view, outbox.sent):
                _log.warning("mqtt: published games are gone; the table gets a new number")
                outbox.begin_anew()
                self.id = outbox.id
            messages, sent = due(view, record, outbox.sent, self._name(outbox))
            outbox.add(messages, sent)
        except OSError as error:
            self._note_disk(error)
            return False
        self._disk_fault = ""
        return True

    def _note_disk(self, error: OSError) -> None:
        if not self._disk_fault:
            _log.warning("mqtt: %s", error)
        self._disk_fault = str(error)
        self._again = time.monotonic() + AGAIN_S

    def _name(self, outbox: Outbox) -> TableName:
        return TableName(outbox.id, self._topics.name, __version__)

    def _publish(self) -> None:
        """Hand over what waits, as far as there is room on the way."""
        outbox = self._outbox
        if outbox is None:
            return
        name = self._name(outbox)
        if not self._presented:
            try:
                self._present(outbox)
            except OSError as error:
                self._note_disk(error)
                return
        if self._state_mid is None:
            state = encode(state_message(self._view, name))
            if state != self._state:
                self._state_mid = self._send(self._topics.state, state, retain=True)
                self._state = state if self._state_mid is not None else b""
        room = WINDOW - sum(number > 0 for number in self._on_the_way.values())
        if room <= 0:
            return
        try:
            waiting = outbox.first(room, self._handed)
        except OSError as error:
            self._note_disk(error)
            return
        for number, message in waiting:
            topic = f"{self._topics.base}/{message.topic}"
            if self._send(topic, message.payload, retain=message.retain, number=number) is None:
                return
            self._handed = number

    def _present(self, outbox: Outbox) -> None:
        """Say that this table is there, and look for what it left under other names."""
        announced = [one.topic for one in self._announce if one.payload]
        for former in outbox.published_names():
            if former.topics != self._topics:
                found = FormerName(former, {former.id, outbox.id})
                self._former[former.topics] = found
                self._connection.subscribe(found.filters)
                continue
            for topic in former.announced:
                if topic not in announced:
                    self._send(topic, b"", retain=True)
        outbox.present(self._topics, announced)
        for one in self._announce:
            self._send(one.topic, one.payload, retain=one.retain)
        self._presented = True
        self._say_online()

    def _say_online(self) -> None:
        """Say that this table is there; once at a time, however often another one denies it."""
        if self._online_mid is None:
            self._denied = False
            self._online_mid = self._send(self._topics.availability, ONLINE, retain=True)

    def _hear_former(self, topic: str, payload: bytes) -> None:
        """Remove what the broker keeps under a name that this table had."""
        for topics, former in list(self._former.items()):
            former.hear(topic, payload)
            left = former.topics_to_clear()
            if left is None:
                continue
            del self._former[topics]
            last = None
            for each in left:
                last = self._send(each, b"", retain=True)
            if last is not None:
                self._clearing[last] = topics
            elif not left:
                self._forget_name(topics)

    def _forget_name(self, topics: Topics) -> None:
        assert self._outbox is not None
        try:
            self._outbox.forget(topics)
        except OSError as error:
            self._note_disk(error)

    def _report(self) -> None:
        """Tell the table what fails, if anything does."""
        table = self._topics.name
        reason: str = ""
        if self._error:
            reason = self._error
        elif self._fault is not None:
            reason = self._fault
        elif self._owner.is_refused:
            reason = Message("another table publishes as %(table)s: rename one", table=table)
        elif self._owner.has_rival:
            reason = Message("another table is named %(table)s, too: rename one", table=table)
        elif self._disk_fault:
            reason = self._disk_fault
        if reason != self._told:
            self._told = reason
            self._table.report(Trouble.MQTT, reason)

    def say_goodbye(self) -> None:
        """Publish what is left, and that the table is gone, if that takes but a moment."""
        if not self._presented or not self._owner.owns:
            return
        self._follow()
        self._publish()
        self._send(self._topics.availability, OFFLINE, retain=True)
        end = time.monotonic() + GOODBYE_S
        while self._on_the_way and time.monotonic() < end:
            try:
                news = self._inputs.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                return
            self._take(news)
            if isinstance(news, broker.Acknowledged):
                self._publish()
