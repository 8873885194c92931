"""Lines that are no part of a record, as text, and what is said of each.

    After header roll
        stop seat false | 1.0 => "seat" is not an integer
        shoot -shots.0.die => the key "die" is missing

A line is an entry of the test, with each of these values in turn in one place, or without it (`-`);
several changes have `;` between them. Or it is JSON by itself. In what is said, `{}` is the value,
and dots at the end stand for any words.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from scenes import Ruling

from companion.games.common.lines import RecordError

Replay = Callable[[Iterable[bytes]], Iterator[Any]]


def lines(*entries: Any) -> list[bytes]:
    """A record: each entry is a line, given as bytes or as what to write in JSON."""
    return [
        entry if isinstance(entry, bytes) else json.dumps(entry).encode() + b"\n"
        for entry in entries
    ]


def replayed(replay: Replay, record: Iterable[bytes]) -> tuple[list[Any], RecordError | None]:
    """The states of a record up to its first wrong line, and what is wrong there."""
    states = []
    try:
        for state in replay(record):
            states.append(state)
    except RecordError as error:
        return states, error
    return states, None


def assert_refused(replay: Replay, before: list[Any], wrong: Any, reason: str) -> None:
    """Assert what is said of the line after a record."""
    states, error = replayed(replay, lines(*before, wrong, "more"))
    assert error is not None, (wrong, reason)
    said = str(error)
    if reason.endswith("..."):
        said = said[: len(reason) - 3] + "..."
    expected = (reason, len(before) + 1, len(before))
    assert (said, error.line, len(states)) == expected, wrong


def check(replay: Replay, entries: Mapping[str, Any], ruling: Ruling) -> None:
    """Assert what is said of all lines below a title, which names what stands before them."""
    before = [entries[name] for name in ruling.title.split()[1:]]
    for _, line in ruling.lines:
        case, _, reason = line.strip().partition(" => ")
        for value, wrong in _wrong_lines(entries, case):
            assert_refused(replay, before, wrong, reason.replace("{}", value))


def _wrong_lines(entries: Mapping[str, Any], case: str) -> Iterator[tuple[str, Any]]:
    """What a case describes, each with the value that makes it wrong."""
    name, _, changes = case.partition(" ")
    if name not in entries:
        yield from ((value, json.loads(value)) for value in case.split(" | "))
        return
    *others, last = changes.split("; ")
    place, _, values = last.partition(" ")
    for value in values.split(" | "):
        wrong = deepcopy(entries[name])
        for change in (*others, f"{place} {value}"):
            _put(wrong, *change.split(" ", 1))
        yield value, wrong


def _put(entry: Any, place: str, value: str = "") -> None:
    *way, last = [int(part) if part.isdigit() else part for part in place.strip("-").split(".")]
    for part in way:
        entry = entry[part]
    if place.startswith("-"):
        del entry[last]
    elif place:
        entry[last] = json.loads(value)
