"""The messages of a table, built from what spectators see (`Table.view()`).

Each is an allow-list, built field by field, so that no secret can slip in. The JSON Schema files in
`schemas` describe them, and `docs/dev/mqtt.md` explains them.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.base.refused import Message
from companion.club.publishing.reading import DEEPEST, MOST_REASON, SCHEMA
from companion.games.game import AnyEvent, Correction, PublicGame
from companion.table.history import EntryStatus, Retitled, Undone
from companion.table.scene import Phase
from companion.table.views import TableView

MOST_NAME = 200
"""How long the name of a camera may be, as the schema says."""


class TableName(NamedTuple):
    """Which table a message is from."""

    id: str
    """Its own number, drawn at random; stays the same when it is renamed."""
    name: str
    """Its name in the settings; empty if it has none."""
    companion: str
    """The version of the program that runs it."""


def encode(message: Mapping[str, Any]) -> bytes:
    """Return a message as UTF-8. Equal messages are equal bytes."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    # A name may contain half a surrogate pair, which UTF-8 can't encode but a JSON escape can.
    return text.encode("utf-8", "backslashreplace")


def state_message(view: TableView, table: TableName) -> dict[str, Any]:
    """Return the state of the table. view: a spectator's."""
    return {
        **_head(table),
        "phase": view.phase,
        "people": [
            {
                "name": person.name,
                "host": person.host,
                "phone": person.has_phone,
                "stand_in": person.stand_in,
                "left": person.left,
            }
            for person in view.people
        ],
        "waiting": [guest.name for guest in view.requests.queue],
        "game": _game(view),
        "dice": {
            "status": view.tray.status,
            "seen": view.tray.seen,
            "dice": [
                {"face": die.face, "thrown": die.thrown, "sure": die.sure, "said": die.said}
                for die in view.tray.dice
            ],
        },
        "health": {
            "camera": {
                "name": _cut(view.camera.name, MOST_NAME),
                "works": view.camera.works,
                "fault": _cut(view.camera.fault, MOST_REASON),
            },
            "reader": {
                "signal": view.signal,
                "corrections": sum(isinstance(entry, Correction) for entry in settled_story(view)),
            },
            "troubles": {str(part): _cut(why, MOST_REASON) for part, why in view.troubles.items()},
            "reasons": {
                part: _parts(why)
                for part, why in _faults(view)
                if isinstance(why, Message) and len(why) <= MOST_REASON
            },
        },
    }


def _faults(view: TableView) -> Iterator[tuple[str, str]]:
    """Yield what fails, each with the reason."""
    yield "camera", view.camera.fault
    for part, why in view.troubles.items():
        yield str(part), why


def _cut(text: str, most: int) -> str:
    # An error of the system may name a long path.
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _parts(reason: Message, depth: int = DEEPEST) -> dict[str, Any]:
    """Return a reason in parts; of its particulars, only those that its text shows."""
    return {
        "text": reason.text,
        "particulars": {
            name: _parts(value, depth - 1)
            if depth > 1 and isinstance(value, Message)
            else str(value)
            for name, value in reason.particulars.items()
            if f"%({name})" in reason.text
        },
    }


def _head(table: TableName) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "table": {"id": table.id, "name": table.name, "companion": table.companion},
    }


def _game(view: TableView) -> dict[str, Any] | None:
    standing = view.standing
    if standing is None:
        return None
    public = view.selection.game.public
    return {
        "number": view.game_number,
        **_rules(view),
        "events": len(settled_story(view)),
        "turn": standing.turn,
        "awaited": standing.awaited,
        "rolling": standing.rolling,
        "resumed": view.resumed,
        "players": _players(view, public),
        "board": public.board_entry(view.game) if public else {},
        "outcome": _outcome(view),
    }


def _rules(view: TableView) -> dict[str, Any]:
    """Return which game is played, and by which rules."""
    return {
        "game": view.selection.game.public_name,
        "ruleset": view.selection.ruleset.id,
        "house_rules": sorted(view.selection.house_rules),
    }


def _players(view: TableView, public: PublicGame[AnyEvent] | None) -> list[dict[str, Any]]:
    """Return the players of the game by seat, each with what the game tells of them."""
    assert view.standing is not None
    own = public.player_entries(view.game) if public else ({},) * len(view.people)
    return [
        {"name": person.name, "stand_in": person.stand_in, "alive": alive, **more}
        for person, alive, more in zip(view.people, view.standing.alive, own, strict=True)
    ]


def _outcome(view: TableView) -> dict[str, Any] | None:
    outcome = view.standing.outcome if view.standing else None
    return {"side": outcome.side, "winners": outcome.winners} if outcome else None


def _eliminations(view: TableView, public: PublicGame[AnyEvent] | None) -> Iterator[int]:
    """Yield the seats that were eliminated, in this order."""
    for entry, status in zip(view.story, view.statuses, strict=True):
        if not status.undone:
            event = _event(entry, status, public)
            if event["kind"] == "eliminated":
                yield event["seat"]


def settled_story(view: TableView) -> Sequence[AnyEvent | Undone | Retitled | Correction]:
    """Return the story without the corrections of a roll that isn't accepted, which may change."""
    count = len(view.story)
    while count and isinstance(view.story[count - 1], Correction):
        count -= 1
    return view.story[:count]


def event_messages(view: TableView, table: TableName, after: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the events of the game on the table, in order.

    Each has a number, from 1: its place in the story, which only grows. After an undo, an event
    says so; nothing is taken out. view: a spectator's; after: the last number to leave out.
    """
    public = view.selection.game.public
    story = settled_story(view)
    for number in range(after, len(story)):
        yield {
            **_head(table),
            "game": view.game_number,
            "number": number + 1,
            "move": view.statuses[number].moves,
            "event": _event(story[number], view.statuses[number], public),
        }


def _event(
    entry: AnyEvent | Undone | Retitled | Correction,
    status: EntryStatus,
    public: PublicGame[AnyEvent] | None,
) -> Mapping[str, Any]:
    match entry:
        case Undone():
            return {
                "kind": "undone",
                "by": entry.by,
                "seat": entry.whose,
                "action": entry.action,
                "left": status.moves,
            }
        case Retitled():
            return {
                "kind": "retitled",
                "by": entry.by,
                "seat": entry.whose,
                "before": entry.before,
                "after": entry.after,
                **({} if entry.to is None else {"to": entry.to}),
                "left": entry.move - 1,
            }
        case Correction():
            return {
                "kind": "corrected",
                "correction": entry.kind,
                "by": entry.by,
                "die": entry.die,
                "before": entry.before,
                "after": entry.after,
            }
    return public.event_entry(entry) if public else {"kind": "told", "text": str(entry)}


def result_message(view: TableView, record: str, table: TableName) -> dict[str, Any]:
    """Return the result of the finished game on the table, with its record.

    view: a spectator's, after the game, when all roles are open; so the record has no secrets.
    Raises ValueError before that.
    """
    if view.phase is not Phase.OVER or view.standing is None:
        raise ValueError("the game isn't over")
    public = view.selection.game.public
    return {
        **_head(table),
        "game": view.game_number,
        "events": len(settled_story(view)),
        "withdrawn": False,
        "rules": _rules(view),
        "players": _players(view, public),
        "outcome": {**(_outcome(view) or {}), "eliminated": list(_eliminations(view, public))},
        "record": record,
    }


def withdrawn_message(view: TableView, table: TableName) -> dict[str, Any]:
    """Return what takes the result of the game on the table back, because an undo resumed it.

    view: a spectator's.
    """
    return {
        **_head(table),
        "game": view.game_number,
        "events": len(settled_story(view)),
        "withdrawn": True,
    }
