"""The saved state of a table, and the changes from one save to the next as JSON."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, NamedTuple

from companion.base import codec
from companion.base.codec import Json


class LineKind(StrEnum):
    """What a line of a game is."""

    HEADER = "header"
    """The header of the record, which starts the game."""
    MOVE = "move"
    """A decision that a player made."""
    FORCED = "forced"
    """A move that the table made because all legal moves were equivalent."""
    SAID = "said"
    """What players corrected in the dice of the next line."""
    UNDO = "undo"
    """The last decision was taken back, with the forced moves after it."""
    RETITLE = "retitle"
    """A card of some moves ago got another title or sign."""
    INSERT = "insert"
    """A card that was forgotten some moves ago was put in between."""


class Line(NamedTuple):
    """A line of a game."""

    kind: LineKind
    """Its kind."""
    body: str
    """A line of the record. Of an undo: how many moves it takes back, and the seat that asked. Of
    corrections: each as JSON. Of another title: the number of the move, the seat, the title or
    sign, and its place in the move unless it is the first."""
    places: str = ""
    """Where the dice lie, as JSON; empty if they did not change. With cards, the signs that the
    camera saw on those of the move, as JSON; empty if it was sure of none."""
    at: str = ""
    """When it was saved, in UTC; set by `Journal.save`. Empty if version 0.1.0 saved it."""


Digest = Annotated[str, re.compile("[0-9a-f]{64}")]
"""The digest of a phone's secret."""


@codec.row
@dataclass(frozen=True, slots=True)
class Person:
    """A player at the table."""

    id: int
    """Their number, unique at this table."""
    name: str
    """Their name."""
    token: Digest | None
    """The digest of their phone's token; None without a phone."""
    host: bool
    """Whether they are the host."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Everything that a table needs to continue where it stopped."""

    version: int = 0
    """The version of the table; it grows with every change."""
    code: str = ""
    """The join code; empty before the first start."""
    game: int = 0
    """The number of the game on the table; 0 if there is none."""
    last_game: int = 0
    """The highest number that a game of this table has had."""
    people: tuple[Person, ...] = ()
    """Everybody at the table, clockwise."""
    lines: tuple[Line, ...] = ()
    """The lines of the game on the table, in order."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What else the table keeps besides games and people, by name; opaque to the journal."""


FIELDS = ("version", "code", "game", "last_game", "people")
"""The fields of `Saved` that change as a whole."""


def difference(before: Saved, after: Saved) -> dict[str, Json]:
    """Return the change from one save to the next, as `changed` reads it.

    The game of `after` must be a new one or continue that of `before`.
    """
    kept = len(before.lines) if after.game == before.game else 0
    facts = {k: _embed(text) for k, text in after.facts.items() if before.facts.get(k) != text}
    changed = [name for name in FIELDS[1:] if getattr(after, name) != getattr(before, name)]
    return {
        "version": after.version,
        **{name: codec.write(getattr(after, name)) for name in changed},
        **({"lines": list(map(line_json, after.lines[kept:]))} if after.lines[kept:] else {}),
        **({"facts": facts} if facts else {}),
    }


def changed(saved: Saved, change: Mapping[str, Json]) -> Saved:
    """Return the saved state after a change. Raises ValueError if that makes no sense."""
    try:
        given = {name: change[name] for name in FIELDS if name in change}
        after = replace(saved, **codec.read_fields(Saved, given))
        lines = tuple(map(line_from_json, change.get("lines", ())))
        if after.game == saved.game:
            lines = saved.lines + lines
        facts = {codec.read(str, k): _extract(v) for k, v in change.get("facts", {}).items()}
        return replace(after, lines=lines, facts={**saved.facts, **facts})
    except (TypeError, AttributeError, IndexError) as error:
        raise ValueError(str(error)) from error


def line_json(line: Line) -> Sequence[Json]:
    """Return a line as JSON, without empty values behind its body."""
    entry = [line.kind, _embed(line.body), _embed(line.places), line.at]
    while len(entry) > 2 and not entry[-1]:
        entry.pop()
    return entry


def line_from_json(entry: Json) -> Line:
    """Return the line that `line_json` wrote. Raises ValueError or TypeError."""
    kind, *texts = codec.read(tuple[Json, ...], entry)
    return Line(LineKind(kind), *map(_extract, texts))


def _embed(text: str) -> Json:
    """Return a text to embed in JSON: JSON as it is, any other text as a string.

    That keeps the lines of the record readable in the file, and short.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    same = isinstance(value, dict | list) and as_json(value) == text
    return value if same else text


def _extract(value: Json) -> str:
    return as_json(value) if isinstance(value, dict | list) else codec.read(str, value)


as_json = json.JSONEncoder(ensure_ascii=False).encode
"""Return a value as JSON, without escaping letters."""
