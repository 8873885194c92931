"""Reads messages of tables and halls, which anything on the broker may have sent."""

import json
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from fastjsonschema import JsonSchemaException, compile

from companion.base.refused import Message

SCHEMA = 1
"""The version of the messages. It grows only where earlier programs would misread a message; a new
key doesn't change it."""

MAX_BYTES = 1 << 20
"""The longest message that is read."""


MOST_REASON = 500
"""How long the reason of a fault may be, as the schema says."""

DEEPEST = 2
"""How deep the parts of a reason may be nested."""

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")


class MessageKind(StrEnum):
    """The kinds of messages of a table; each value is the name of a schema file, and of a topic."""

    STATE = "state"
    EVENT = "event"
    RESULT = "result"


class UnreadableMessageError(ValueError):
    """A message is not one of a table; the text says what is wrong."""


class NewerMessageError(UnreadableMessageError):
    """A message is from a newer version of the program, which this one can't understand."""


def schema(kind: str) -> Mapping[str, Any]:
    """Return the JSON Schema of a kind of message."""
    text = files("companion.club.publishing").joinpath(f"schemas/{kind}.json").read_text("utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found


@cache
def _check(kind: str) -> Callable[[object], object]:
    check: Callable[[object], object] = compile(dict(schema(kind)))
    return check


def read(kind: str, payload: bytes) -> Mapping[str, Any]:
    """Return a message. Unknown keys are left in it, because later versions may add some.

    Raises UnreadableMessageError or NewerMessageError.
    """
    if len(payload) > MAX_BYTES:
        raise UnreadableMessageError(f"longer than {MAX_BYTES} bytes")
    try:
        message = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise UnreadableMessageError(f"not JSON: {error}") from None
    version = message.get("schema") if isinstance(message, dict) else None
    if type(version) is int and version > SCHEMA:
        raise NewerMessageError(
            f"schema {version}, but only {SCHEMA} is known; update this program"
        )
    if type(version) is not int:
        raise UnreadableMessageError("it has no schema")
    try:
        _check(kind)(message)
    except JsonSchemaException as error:
        raise UnreadableMessageError(str(error)) from None
    found: Mapping[str, Any] = message
    game = found["game"] if kind == MessageKind.STATE else found
    if isinstance(game, dict) and "players" in game:
        _check_seats(game)
    return found


def reason(health: Mapping[str, Any], part: str) -> str:
    """Return why a part of a table fails: a `Message` if the table told it in parts.

    health: of a checked state; part: `camera`, or a key of its troubles.
    """
    english = health["camera"]["fault"] if part == "camera" else health["troubles"][part]
    message = _message(health.get("reasons", {}).get(part), DEEPEST)
    # Anybody can send parts; only those that come to the same are as good as the text.
    return message if message is not None and message == english else str(english)


def _message(parts: object, depth: int) -> str | None:
    """Return a message, or what a placeholder stands for, from its parts; None if they are none."""
    found: str | None = None
    match parts:
        case str(text):
            found = text
        case {"text": str(text), "particulars": dict(given)} if text and depth:
            values = {name: _message(value, depth - 1) for name, value in given.items()}
            wanted = set(_PLACEHOLDER.findall(text))
            whole = "%" not in _PLACEHOLDER.sub("", text)
            if whole and all(values.get(name) is not None for name in wanted):
                found = Message(text, **values)
    # Parts within parts must not multiply.
    return found if found is not None and len(found) <= MOST_REASON else None


def _check_seats(game: Mapping[str, Any]) -> None:
    """Raise UnreadableMessageError if a message names a seat that its game doesn't have."""
    outcome = game["outcome"] or {}
    named = [game.get("turn"), game.get("awaited")]
    named += [*outcome.get("winners", ()), *outcome.get("eliminated", ())]
    if any(seat is not None and seat >= len(game["players"]) for seat in named):
        raise UnreadableMessageError("names a seat that the game doesn't have")
