"""`bang-companion replay`: play a record again."""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from companion.app.commands.errors import CommandError

SUMMARY = "play a record again and print the state after each line"
DESCRIPTION = "Play a record again and print the state after each line."
EXAMPLE = "bang-companion replay evening.jsonl --as table"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the record and the viewer."""
    parser.add_argument("file", metavar="FILE", help="the record; - is standard input")
    parser.add_argument(
        "--as",
        dest="viewer",
        metavar="SEAT|table",
        help="hide the roles that this seat, or everybody at the table, may not know",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the state after each line of the record."""
    from companion.common.audience import Audience, Viewer
    from companion.common.lines import RecordError

    name, wanted = arguments.file, arguments.viewer
    viewer: Viewer = Audience.RECORD
    if wanted == "table":
        viewer = Audience.TABLE
    elif wanted is not None:
        if not re.fullmatch("[0-9]", wanted):
            raise CommandError(f"{name}:1: --as: there is no seat {wanted[:20]!r}")
        viewer = int(wanted)
    lines = _lines(name)
    first = next(lines, b"")
    try:
        states, line = _game_of(first)
        for state in states(chain([first] if first else [], lines)):
            if isinstance(viewer, int) and viewer >= len(state.life):
                raise CommandError(
                    f"{name}:1: --as: there is no seat {viewer}, only 0 to {len(state.life) - 1}"
                )
            print(line(state, viewer))
    except RecordError as error:
        raise CommandError(f"{name}:{error.line}: {error}") from None
    return 0


def _game_of(header: bytes) -> tuple[Callable[..., Iterator[Any]], Callable[..., str]]:
    """Return how a record with this header is replayed, and how a state becomes a line.

    Raises RecordError if the header names another game.
    """
    from companion.common.lines import RecordError, quote, record_name

    named = record_name(header)
    if named == "bang-card":
        from companion.cardgame import record as card_record
        from companion.cardgame.views import view as card_view

        return card_record.replay, lambda *seen: card_record.view_line(card_view(*seen))
    if isinstance(named, str) and named != "bang-dice":
        reason = f'this is not a record: "record" is {quote(named)}, not bang-dice or bang-card'
        raise RecordError(1, reason)
    from companion.dicegame import record
    from companion.dicegame.views import view

    # What doesn't say which game it is is refused there.
    return record.replay, lambda *seen: record.view_line(view(*seen))


def _lines(name: str) -> Iterator[bytes]:
    try:
        if name != "-":
            with Path(name).open("rb") as file:
                yield from file
        elif sys.stdin is None:
            raise CommandError("-: standard input is closed; give the record's file instead")
        else:
            yield from sys.stdin.buffer
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from None
