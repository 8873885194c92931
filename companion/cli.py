"""The commands, and the only place that builds and joins everything.

What a command needs is imported inside it, so that `replay` and `--help` start without OpenCV
and Flask.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    arguments = _parser().parse_args(argv)
    try:
        status: int = arguments.command(arguments)
    except _CommandError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read the output has seen enough (`| head`); nothing may be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


class _CommandError(Exception):
    """`WHERE: what is wrong`, for standard error and exit status 2."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bang-companion", description="A companion for BANG! The Dice Game."
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    replay = commands.add_parser(
        "replay",
        help="play a record again and print the state after each line",
        description="Play a record again and print the state after each line.",
        epilog="Example: bang-companion replay evening.jsonl --as table",
    )
    replay.add_argument("file", metavar="FILE", help="the record; - is standard input")
    replay.add_argument(
        "--as",
        dest="viewer",
        metavar="SEAT|table",
        help="hide the roles that this seat, or everybody, may not know",
    )
    replay.set_defaults(command=_replay)
    return parser


def _replay(arguments: argparse.Namespace) -> int:
    from companion.dicegame.record import RecordError, replay, view_line
    from companion.dicegame.views import Audience, Viewer, view

    viewer: Viewer = Audience.RECORD
    if arguments.viewer == "table":
        viewer = Audience.TABLE
    elif arguments.viewer is not None:
        if not arguments.viewer.isdecimal() or not arguments.viewer.isascii():
            raise _CommandError(f"--as: {arguments.viewer!r} is neither a seat nor table")
        viewer = int(arguments.viewer)
    name = "standard input" if arguments.file == "-" else arguments.file
    try:
        with sys.stdin.buffer if arguments.file == "-" else Path(arguments.file).open("rb") as file:
            for state in replay(file):
                if isinstance(viewer, int) and viewer >= len(state.life):
                    raise _CommandError(
                        f"--as: there is no seat {viewer}, only 0 to {len(state.life) - 1}"
                    )
                print(view_line(view(state, viewer)))
    except RecordError as error:
        sys.stdout.flush()
        raise _CommandError(f"{name}:{error.line}: {error}") from None
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise _CommandError(f"{name}: {error.strerror}") from None
    return 0
