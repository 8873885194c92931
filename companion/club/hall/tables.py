"""What the hall knows of each table, and which of them need help."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from companion.club.publishing.reading import reason

UNSURE_S = 45.0
"""Seconds after which dice that can't be accepted need help."""

IDLE_S = 300.0
"""Seconds without any event after which a game needs help."""

MISREAD = 5
"""How many corrections in one game say that the reader needs help."""

FLAPPING_S = 60.0
"""Two tables have one name if it changes hands twice in so many seconds."""


class MessageFault(StrEnum):
    """What is wrong with a message."""

    NEWER = "newer"
    """It is from a newer version."""
    UNREADABLE = "unreadable"
    """It isn't one of a table."""


class TableEntry(NamedTuple):
    """What is known of a table. Times are of the hall's own clock, in seconds."""

    name: str
    """Its name on the broker."""
    revision: int = 0
    """Changes whenever anything here does."""
    online: bool | None = None
    """Whether it is there; None if it didn't say."""
    state: Mapping[str, Any] | None = None
    """Its last readable state."""
    fault: MessageFault | None = None
    """What is wrong with its last state; None if nothing is."""
    detail: str = ""
    """What exactly is wrong."""
    moved: float = 0.0
    """When its game last moved on."""
    signalled: float = 0.0
    """Since when its light has shown what it shows."""
    earlier: tuple[tuple[str, float], ...] = ()
    """The numbers of the tables that used this name before, and until when."""

    @property
    def id(self) -> str:
        """The table's own number; empty if it isn't known."""
        return str(self.state["table"]["id"]) if self.state else ""

    @property
    def phase(self) -> str:
        """The phase of the evening; empty if it isn't known."""
        return str(self.state["phase"]) if self.state else ""

    @property
    def is_playing(self) -> bool:
        """Whether a game is being played or dealt."""
        return self.phase in ("playing", "dealing")

    @property
    def waiting(self) -> Sequence[str]:
        """The names of those who wait for its next game."""
        return self.state["waiting"] if self.state else ()


def with_state(entry: TableEntry, state: Mapping[str, Any], now: float) -> TableEntry:
    """Return a table after a readable state."""
    before = entry.state
    earlier = tuple(each for each in entry.earlier if now - each[1] < FLAPPING_S)
    if before and before["table"]["id"] != state["table"]["id"]:
        earlier = (*earlier, (entry.id, now))[-4:]
    return entry._replace(
        revision=entry.revision + 1,
        state=state,
        fault=None,
        detail="",
        moved=entry.moved if before and _progress(before) == _progress(state) else now,
        signalled=entry.signalled if before and _signal(before) == _signal(state) else now,
        earlier=earlier,
    )


def _progress(state: Mapping[str, Any]) -> object:
    game = state["game"]
    return state["phase"], game and (game["number"], game["events"]), state["dice"]


def _signal(state: Mapping[str, Any]) -> str:
    return str(state["health"]["reader"]["signal"])


class NeedKind(StrEnum):
    """Why a table needs help."""

    NEWER = "newer"
    """It runs a newer version than the hall."""
    UNREADABLE = "unreadable"
    """Its messages can't be read."""
    RIVALS = "rivals"
    """Two tables have its name."""
    STOPPED = "stopped"
    """It is gone in the middle of a game."""
    CAMERA = "camera"
    """Its camera doesn't work."""
    TROUBLE = "trouble"
    """A part of it doesn't work."""
    DICE = "dice"
    """Its dice can't be accepted."""
    MISREAD = "misread"
    """Its dice are corrected often."""
    IDLE = "idle"
    """Nothing happens there."""


class Need(NamedTuple):
    """What a table needs help with."""

    kind: NeedKind
    """Why."""
    detail: str = ""
    """What exactly; empty if the kind says enough. A fault of a table is a `Message` if it can be
    translated."""
    part: str = ""
    """Which part of the table has a trouble, by the name in its messages."""


def needs(entry: TableEntry, now: float) -> tuple[Need, ...]:
    """Return what a table needs help with, the most urgent first."""
    found = []
    if entry.fault is not None:
        kind = NeedKind.NEWER if entry.fault is MessageFault.NEWER else NeedKind.UNREADABLE
        found.append(Need(kind, entry.detail))
    used = [number for number, until in entry.earlier if now - until < FLAPPING_S]
    if len(used) > 1 and entry.id in used:
        found.append(Need(NeedKind.RIVALS))
    state = entry.state
    if state is None:
        return tuple(found)
    if entry.online is False:
        # What it said of itself before doesn't hold any more.
        return (*found, *((Need(NeedKind.STOPPED),) if entry.is_playing else ()))
    health = state["health"]
    if health["camera"]["fault"]:
        found.append(Need(NeedKind.CAMERA, reason(health, "camera")))
    found += [Need(NeedKind.TROUBLE, reason(health, part), part) for part in health["troubles"]]
    if entry.phase == "playing":
        signal = health["reader"]["signal"]
        if signal in ("uncertain", "illegal") and now - entry.signalled >= UNSURE_S:
            found.append(Need(NeedKind.DICE))
        if (corrections := health["reader"]["corrections"]) >= MISREAD:
            found.append(Need(NeedKind.MISREAD, str(corrections)))
        if now - entry.moved >= IDLE_S:
            found.append(Need(NeedKind.IDLE, str(int(now - entry.moved) // 60)))
    return tuple(found)
