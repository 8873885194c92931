"""`bang-companion replay`: play a record again."""

import argparse
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.commands.errors import CommandError

if TYPE_CHECKING:
    from companion.games.registry import ListedGame

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
    from companion.app.results import print_json
    from companion.games.common.audience import Audience, Viewer
    from companion.games.common.lines import RecordError

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
        states, line = _game_of(first).replay()
        for state in states(chain([first] if first else [], lines)):
            if isinstance(viewer, int) and viewer >= len(state.life):
                raise CommandError(
                    f"{name}:1: --as: there is no seat {viewer}, only 0 to {len(state.life) - 1}"
                )
            print_json(line(state, viewer))
    except RecordError as error:
        raise CommandError(f"{name}:{error.line}: {error}") from None
    return 0


def _game_of(header: bytes) -> "ListedGame":
    """Return the game of a record with this header. Raises RecordError if it names another."""
    from companion.games.common.lines import RecordError, quote, record_name
    from companion.games.registry import LIST

    games = {game.record_name: game for game in LIST.values()}
    named = record_name(header)
    if isinstance(named, str) and named not in games:
        reason = f'this is not a record: "record" is {quote(named)}, not {" or ".join(games)}'
        raise RecordError(1, reason)
    # What doesn't say which game it is is refused by the first one.
    return games[named] if isinstance(named, str) else next(iter(games.values()))


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
