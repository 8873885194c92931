"""Work out what statistics keep of a game, by playing its record again."""

import json

from companion.games.common.lines import RecordError, quote
from companion.games.registry import LIST
from companion.games.summary import GameSummary

SUMMARIES = {game.record_name: game.summary() for game in LIST.values()}
"""How each game is summarised, by the name in its records."""

_FIRST = next(iter(LIST.values()))

RATED = _FIRST.record_name
"""The game whose players are rated; the others are counted apart."""

FACES = _FIRST.faces
"""The faces of the dice of that game, in the order of all counts."""


def kind_of(record: bytes) -> str:
    """Return which game a record is of, as its first line says; empty if it says nothing."""
    try:
        name = json.loads(record.partition(b"\n")[0])["record"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return name if isinstance(name, str) else ""


def summarise(record: bytes) -> GameSummary:
    """Return the summary of a record. Raises RecordError, which names the first wrong line."""
    kind = kind_of(record)
    if kind and kind not in SUMMARIES:
        raise RecordError(1, f"{quote(kind)} is no game that is counted")
    return SUMMARIES[kind or RATED](record)
