"""`bang-companion replay`: play a record again."""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

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
    from companion.dicegame.record import replay, view_line
    from companion.dicegame.views import view

    name, wanted = arguments.file, arguments.viewer
    viewer: Viewer = Audience.RECORD
    if wanted == "table":
        viewer = Audience.TABLE
    elif wanted is not None:
        if not re.fullmatch("[0-9]", wanted):
            raise CommandError(f"{name}:1: --as: there is no seat {wanted[:20]!r}")
        viewer = int(wanted)
    try:
        for state in replay(_lines(name)):
            if isinstance(viewer, int) and viewer >= len(state.life):
                raise CommandError(
                    f"{name}:1: --as: there is no seat {viewer}, only 0 to {len(state.life) - 1}"
                )
            print(view_line(view(state, viewer)))
    except RecordError as error:
        raise CommandError(f"{name}:{error.line}: {error}") from None
    return 0


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
