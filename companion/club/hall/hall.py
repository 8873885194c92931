"""The running hall: what all tables told it over the broker, and the tournament."""

import logging
import random
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from companion.base.listeners import Listeners
from companion.base.names import key_of
from companion.base.refused import Message, Problem, Refused
from companion.club.hall import documents, tournament
from companion.club.hall.documents import Revision, SharedTournament
from companion.club.hall.scoring import SCHEMES, GameScore, Ranked, points, standings
from companion.club.hall.store import DocumentStep, KeptResult, Store, StoreError, ToldResult
from companion.club.hall.tables import MessageFault, Need, TableEntry, needs, with_state
from companion.club.hall.tournament import KnownTable, Tournament
from companion.club.publishing import reading
from companion.club.publishing.reading import MessageKind, NewerMessageError, UnreadableMessageError
from companion.club.publishing.topics import (
    KEPT_RESULTS,
    OFFLINE,
    ONLINE,
    may_name,
    parse,
    result_slot,
)
from companion.games.common.lines import FormatError, load

MOST_TABLES = 500
"""The most tables that are listed: made-up names must not fill the memory."""

LATEST = 24
"""How many results the hall page lists."""

EVENING = timedelta(hours=12)
"""The standings outside a tournament count the games of so long before the last one."""

QUIET_S = 2.0
"""Seconds after which a broker that said nothing has no tournament, so that ours is sent."""

LARGEST = 2**53
"""The largest number in a result that is kept."""

_log = logging.getLogger(__name__)


class BrokerMessage(NamedTuple):
    """A message from the broker."""

    topic: str
    """Its topic."""
    payload: bytes
    """What it says."""


class ListedTable(NamedTuple):
    """A table with what it needs."""

    entry: TableEntry
    """What is known of it."""
    needs: tuple[Need, ...]
    """What it needs help with, the most urgent first."""


class EveningLine(NamedTuple):
    """A line of the standings of the evening."""

    name: str
    """The player's name."""
    stand_in: str
    """The table where they sit, if it is a stand-in; otherwise empty."""
    ranked: Ranked[tuple[str, str]]
    """Their place and figures."""


@dataclass(frozen=True, slots=True)
class HallView:
    """What everybody may see of the hall."""

    revision: int
    """Changes whenever anything here does."""
    name: str
    """What the hall is called."""
    tables: tuple[ListedTable, ...]
    """The tables by name."""
    connection: str
    """What is wrong with the connection to the broker; empty if nothing is."""
    troubles: tuple[str, ...]
    """What doesn't work here, or was ignored."""
    latest: tuple[KeptResult, ...]
    """The latest results, the newest first."""
    evening: tuple[EveningLine, ...]
    """The standings of the evening's games."""
    shared: int
    """The revision of the tournament; 0 if there never was one."""
    tournament: Tournament | None
    """The tournament with the games that count so far."""
    ranking: tuple[Ranked[int], ...]
    """Its standings."""
    undoable: bool
    """Whether the last change of the tournament can be undone here."""


class _Results(NamedTuple):
    latest: tuple[KeptResult, ...]
    evening: tuple[EveningLine, ...]
    tournament: Tournament | None
    ranking: tuple[Ranked[int], ...]


class Hall:
    """All tables on one broker. Any thread may call it."""

    def __init__(
        self,
        store: Store,
        prefix: str,
        *,
        name: str = "",
        password: str = "",
        clock: Callable[[], float] = time.monotonic,
        chance: random.Random | None = None,
    ) -> None:
        """prefix: of the tables' topics; password: the organiser's, "" if there is none."""
        self._store, self.prefix, self._name = store, prefix, name
        self._clock, self._chance = clock, chance or random.SystemRandom()
        self.key = documents.key_from(password, prefix) if password else None
        self._lock = threading.RLock()
        self.listeners = Listeners()
        """Told after every change."""
        self._tables: dict[str, TableEntry] = {}
        self._revision = 0
        self._connection: str = Message("it wasn’t reached yet")
        self._connected_at: float | None = None
        self._troubles: dict[str, str] = {}
        self._send: Callable[[str, bytes], None] = lambda topic, payload: None
        self._shared = SharedTournament(Revision(0, ""), None)
        self._heard = Revision(0, "")
        self._unsaved = False
        """Whether the state of another hall couldn't be kept."""
        self._needs: Mapping[str, tuple[Need, ...]] = {}
        self._view: HallView | None = None
        self._results: _Results | None = None
        self._load()

    def publish_with(self, send: Callable[[str, bytes], None]) -> None:
        """Publish the tournament with `send`, which gets a topic and a payload to be retained."""
        self._send = send

    @property
    def topic(self) -> str:
        """The topic of the tournament."""
        return f"{self.prefix}/tournament"

    @property
    def topics(self) -> tuple[str, ...]:
        """What to subscribe to first: the tournament, and how each table is."""
        return self.topic, *(f"{self.prefix}/+/{kind}" for kind in ("availability", "state"))

    @property
    def result_topics(self) -> tuple[str, ...]:
        """What to subscribe to then; for each of them, a table has at most one retained result."""
        return tuple(f"{self.prefix}/+/{result_slot(number)}" for number in range(KEPT_RESULTS))

    # What the broker says

    def report_connection(self, fault: str) -> None:
        """Note that the broker was reached, or why it can't be; "": it was."""
        with self._lock:
            self._connection = fault
            self._connected_at = None if fault else self._clock()
            self._heard = Revision(0, "")
            self._invalidate()
        self.listeners.tell()

    def report(self, part: str, fault: str) -> None:
        """Note why a part of the hall fails; "": it works again."""
        with self._lock:
            self._troubles.pop(part, None)
            if fault:
                self._troubles[part] = Message(
                    "a part doesn’t work (%(part)s: %(detail)s)", part=part, detail=fault
                )
            self._invalidate()
        self.listeners.tell()

    def receive(self, messages: Sequence[BrokerMessage]) -> None:
        """Take messages in, in the order in which they came. Never raises for what they say."""
        states: dict[str, bytes] = {}
        results: list[ToldResult] = []
        with self._lock:
            for message in messages:
                if message.topic == self.topic:
                    self._receive_document(message.payload)
                    continue
                parsed = parse(self.prefix, message.topic)
                if parsed is None or not self._admit(parsed.name, listing=bool(message.payload)):
                    continue
                match parsed.kind:
                    case "state":
                        # Only the last of several states in a row is worth reading.
                        states[parsed.name] = message.payload
                    case "availability":
                        self._receive_availability(parsed.name, message.payload)
                    case "result":
                        results += self._read_result(parsed.name, message.payload)
            for name, payload in states.items():
                self._receive_state(name, payload)
            if results:
                self._keep(results)
            self._invalidate()
        self.listeners.tell()

    def tick(self) -> None:
        """Notice what changes with time alone, and tell a broker without a tournament of ours."""
        with self._lock:
            now = self._clock()
            found = {name: needs(entry, now) for name, entry in self._tables.items()}
            changed = found != self._needs
            if changed:
                self._invalidate()
            due = self._connected_at is not None and now - self._connected_at >= QUIET_S
            if due and self.key and self._heard < self._shared.revision:
                self._heard = self._shared.revision
                self._send(self.topic, documents.encode(self._shared, self.key))
        if changed:
            self.listeners.tell()

    def _admit(self, name: str, *, listing: bool) -> bool:
        """Return whether a table is listed; with `listing`, from now on if there is room."""
        if name in self._tables:
            return True
        if not listing or not may_name(name):
            return False
        if len(self._tables) >= MOST_TABLES:
            self._troubles["tables"] = Message(
                "more than %(most)s tables: the others are left out", most=MOST_TABLES
            )
            return False
        self._tables[name] = TableEntry(name)
        return True

    def _put(self, entry: TableEntry) -> None:
        self._tables[entry.name] = entry

    def _receive_availability(self, name: str, payload: bytes) -> None:
        entry = self._tables[name]
        online = {ONLINE.encode(): True, OFFLINE.encode(): False}.get(payload)
        if online != entry.online:
            # Whatever a table does when it is back counts as a move.
            self._put(
                entry._replace(online=online, moved=self._clock(), revision=entry.revision + 1)
            )

    def _receive_state(self, name: str, payload: bytes) -> None:
        entry = self._tables[name]
        if not payload:
            # Somebody removed the table from the broker.
            del self._tables[name]
            return
        try:
            state = documents.clean(reading.read(MessageKind.STATE, payload))
        except UnreadableMessageError as error:
            newer = isinstance(error, NewerMessageError)
            fault = MessageFault.NEWER if newer else MessageFault.UNREADABLE
            self._put(
                entry._replace(fault=fault, detail=_short(error), revision=entry.revision + 1)
            )
        else:
            self._put(with_state(entry, state, self._clock()))

    def _read_result(self, name: str, payload: bytes) -> list[ToldResult]:
        if not payload:
            return []
        try:
            message = _clean_result(reading.read(MessageKind.RESULT, payload))
        except UnreadableMessageError as error:
            self._troubles[f"result {name}"] = Message(
                "%(table)s told a result that can’t be read: %(why)s",
                table=name,
                why=_short(error),
            )
            return []
        self._troubles.pop(f"result {name}", None)
        return [ToldResult(name, _start_time(message), message)]

    def _keep(self, results: Sequence[ToldResult]) -> None:
        try:
            if self._store.keep_results(results):
                self._results = None
            self._troubles.pop("store", None)
        except StoreError as error:
            _log.error("%s", error)
            self._troubles["store"] = Message(
                "results can’t be kept (%(why)s): what comes now is lost when the hall stops",
                why=str(error),
            )

    # The tournament

    def _load(self) -> None:
        """Read what was kept."""
        if self._store.damaged:
            self._troubles["damaged"] = Message(
                "lines of the hall’s log were damaged and left out: %(count)s",
                count=self._store.damaged,
            )
        if self._store.older:
            self._troubles["older"] = Message(
                "the hall’s log is older than the one saved last, or another hall’s: check that "
                "nothing is missing"
            )
        payload = self._store.document()
        if payload is None:
            return
        try:
            self._shared = documents.decode(payload, self.key)
        except NewerMessageError as error:
            self._troubles["tournament"] = str(error)
        except UnreadableMessageError as error:
            self._troubles["tournament"] = Message(
                "the tournament kept here can’t be used: %(why)s", why=_short(error)
            )

    def _receive_document(self, payload: bytes) -> None:
        try:
            shared = documents.decode(payload, self.key)
        except UnreadableMessageError as error:
            if payload:
                self._troubles["foreign"] = Message(
                    "a tournament on the broker is left out: %(why)s", why=_short(error)
                )
            return
        self._troubles.pop("foreign", None)
        self._heard = max(self._heard, shared.revision)
        ours = self._shared.revision
        if shared.revision > ours:
            if shared.revision.number == ours.number:
                self._troubles["conflict"] = Message(
                    "two halls changed the tournament at the same time: check the last change"
                )
            try:
                self._adopt(shared, payload, DocumentStep.ELSEWHERE)
            except Refused as refused:
                # It is the one that counts all the same.
                self._shared, self._results, self._unsaved = shared, None, True
                self._troubles["store"] = Message(
                    "nothing can be saved (%(why)s)", why=str(refused.__cause__)
                )

    def change(
        self, change: Callable[[Tournament | None], Tournament | None], revision: int
    ) -> None:
        """Change the tournament. revision: of the tournament that the page showed.

        Raises Refused, also for a page that is out of date.
        """
        with self._lock:
            if self.key is None:
                raise Refused(Problem.FORBIDDEN, "this hall has no organiser’s password")
            before = self._shared
            if revision != before.revision.number:
                raise Refused(Problem.STALE, "the tournament has changed meanwhile: look again")
            after = change(self._current_tournament())
            # What wasn't kept can't be undone to.
            self._share(after, DocumentStep.ELSEWHERE if self._unsaved else DocumentStep.CHANGE)
            self._troubles.pop("conflict", None)
            self._invalidate()
        self.listeners.tell()

    def undo(self, revision: int) -> None:
        """Take the last change of the tournament back. Raises Refused."""
        with self._lock:
            if revision != self._shared.revision.number:
                raise Refused(Problem.STALE, "the tournament has changed meanwhile: look again")
            before = None if self._unsaved else self._store.document_before()
            if before is None or self.key is None:
                raise Refused(Problem.ILLEGAL, "there is nothing to undo")
            try:
                found = documents.decode(before, self.key).tournament if before else None
            except UnreadableMessageError:
                # The password was another one then.
                raise Refused(Problem.ILLEGAL, "there is nothing to undo") from None
            self._share(found, DocumentStep.UNDO)
            self._invalidate()
        self.listeners.tell()

    def draw(self, names: Sequence[str], *, ranked: bool, revision: int) -> None:
        """Draw the next round at the tables with these names. Raises Refused."""

        def draw_at_tables(found: Tournament | None) -> Tournament:
            last = self._store.last_games()
            ids = {name: self._tables[name].id if name in self._tables else "" for name in names}
            tables = [KnownTable(name, ids[name], last.get((name, ids[name]), 0)) for name in names]
            return tournament.draw_round(existing(found), tables, self._chance, ranked=ranked)

        self.change(draw_at_tables, revision)

    def _share(self, after: Tournament | None, step: DocumentStep) -> None:
        assert self.key is not None
        number = max(self._shared.revision.number, self._heard.number) + 1
        shared = SharedTournament(Revision(number, self._store.hall), after)
        payload = documents.encode(shared, self.key)
        self._adopt(shared, payload, step)
        self._heard = shared.revision
        self._send(self.topic, payload)

    def _adopt(self, shared: SharedTournament, payload: bytes, step: DocumentStep) -> None:
        """Keep a state of the tournament, then show it. Raises Refused."""
        try:
            # Without a password nothing proves who made it; the broker keeps it anyway.
            if self.key is not None:
                self._store.keep_document(payload, step)
        except StoreError as error:
            raise Refused(
                Problem.FAILED, "nothing can be saved (%(why)s)", why=str(error)
            ) from error
        self._troubles.pop("tournament", None)
        self._shared, self._results, self._unsaved = shared, None, False

    def _current_tournament(self) -> Tournament | None:
        """Return the tournament with the games of its open round."""
        found = self._shared.tournament
        if found is None or found.open_round is None:
            return found
        games = [
            game for table in found.open_round.tables for game in self._store.games_of(table.table)
        ]
        return tournament.count_games(found, games)

    # What is shown

    def view(self) -> HallView:
        """Return what everybody may see of the hall."""
        with self._lock:
            if self._view is None:
                self._view = self._build_view()
            return self._view

    def _build_view(self) -> HallView:
        now = self._clock()
        self._needs = {name: needs(entry, now) for name, entry in self._tables.items()}
        if self._results is None:
            self._results = self._find_results()
        latest, evening, found, ranking = self._results
        return HallView(
            revision=self._revision,
            name=self._name,
            tables=tuple(
                ListedTable(self._tables[name], self._needs[name])
                for name in sorted(sorted(self._tables), key=_natural)
            ),
            connection=self._connection,
            troubles=tuple(self._troubles.values()),
            latest=latest,
            evening=evening,
            shared=self._shared.revision.number,
            tournament=found,
            ranking=ranking,
            undoable=not self._unsaved and self._store.document_before() is not None,
        )

    def _find_results(self) -> "_Results":
        """Return what follows from the results and the tournament alone."""
        latest = self._store.results(LATEST)
        evening: list[EveningLine] = []
        if latest:
            since = (datetime.fromisoformat(latest[0].at) - EVENING).isoformat(timespec="seconds")
            evening = _evening(self._store.results(since=since))
        found = self._current_tournament()
        ranking = tournament.ranking(found) if found else ()
        return _Results(tuple(latest), tuple(evening), found, tuple(ranking))

    def results(self) -> list[KeptResult]:
        """Return all results, the newest first."""
        with self._lock:
            return self._store.results()

    def _invalidate(self) -> None:
        self._revision += 1
        self._view = None


def existing(found: Tournament | None) -> Tournament:
    """Return the tournament that there is. Raises Refused if there is none."""
    if found is None:
        raise Refused(Problem.STALE, "there is no tournament")
    return found


def _evening(kept: Sequence[KeptResult]) -> list[EveningLine]:
    """Return the standings of an evening's games. kept: the newest first."""
    scheme = next(iter(SCHEMES.values()))
    games: dict[tuple[str, str], list[GameScore]] = {}
    names: dict[tuple[str, str], str] = {}
    seen: set[tuple[str, int]] = set()
    for result in kept:
        game = result.game
        # A table that got another name tells of its games again.
        if (game.table_id, game.number) in seen:
            continue
        seen.add((game.table_id, game.number))
        brought = points(scheme, game.side, game.seats)
        for seat, each in zip(game.seats, brought, strict=True):
            # Stand-ins have the same names everywhere.
            table = game.table if seat.name in result.stand_ins else ""
            key = key_of(seat.name), table
            names.setdefault(key, seat.name)
            games.setdefault(key, []).append(GameScore(each, seat))
    ranked = standings(games)
    return [EveningLine(names[line.key], line.key[1], line) for line in ranked]


def _natural(name: str) -> list[tuple[int, int | str]]:
    """Return what sorts "Table 9" before "Table 10", and doesn't tell upper from lower case."""
    parts: list[tuple[int, int | str]] = []
    for part in re.split(r"(\d+)", name.casefold()):
        parts.append((0, int(part)) if part.isdecimal() else (1, part))
    return parts


def _start_time(message: Mapping[str, Any]) -> str:
    """Return when a game began by its record; now, if the record doesn't say or can't be right."""
    now = datetime(*time.gmtime()[:6], tzinfo=UTC)
    first = message.get("record", "").partition("\n")[0]
    try:
        header = load(first.encode("utf-8", "backslashreplace"))
        at = datetime.fromisoformat(header["date"]).astimezone(UTC)
    except (FormatError, ValueError, TypeError, KeyError, OverflowError):
        at = now
    return min(at, now).isoformat(timespec="seconds")


def _clean_result(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a result whose texts can be shown and whose numbers can be kept.

    Raises UnreadableMessageError.
    """
    numbers = {key: int(message[key]) for key in ("game", "events")}
    if max(numbers.values()) > LARGEST:
        raise UnreadableMessageError("a number is too large")
    # The record isn't shown, and its lines end with control characters.
    cleaned = documents.clean({key: message[key] for key in message if key != "record"})
    return {**message, **cleaned, **numbers, "withdrawn": bool(message["withdrawn"])}


def _short(error: Exception) -> str:
    return str(error)[:200]
