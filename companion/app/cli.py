"""The command line: finds the command, runs it, and says in one line what went wrong."""

import argparse
import difflib
import io
import os
import sys
import textwrap
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NoReturn, TextIO

from companion import __version__
from companion.app.commands import doctor, hall, play, read, replay, run, statistics, teach, watch
from companion.app.commands.errors import CommandError

COMMANDS: Mapping[str, ModuleType] = {
    "run": run,
    "read": read,
    "watch": watch,
    "teach": teach,
    "play": play,
    "replay": replay,
    "statistics": statistics,
    "hall": hall,
    "doctor": doctor,
}
"""The commands by name, in the order of the help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    _open_standard_streams()
    # We report what is wrong with a picture ourselves. OpenCV reads this when it is imported.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    try:
        whole, _ = parsers()
        given = sys.argv[1:] if argv is None else argv
        if not given:
            whole.print_help()
            return 0
        _check_command(given)
        arguments = whole.parse_args(given)
        status: int = COMMANDS[arguments.command].run(arguments)
        sys.stdout.flush()
    except CommandError as error:
        _complain(str(error))
        return error.status
    except BrokenPipeError:
        # The reader of the output has ended, such as `| head`. That isn't an error.
        _drop(sys.stdout)
        _drop(sys.stderr)
        return 0
    except OSError as error:
        _drop(sys.stdout)
        _complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
        return CommandError.status
    return status


def _check_command(given: Sequence[str]) -> None:
    """Raise CommandError for an unknown command, with the one that was probably meant."""
    name = next((word for word in given if not word.startswith("-")), None)
    if name is None or name in COMMANDS:
        return
    close = difflib.get_close_matches(name, COMMANDS, n=1)
    mend = f"did you mean {close[0]}?" if close else f"there are {', '.join(COMMANDS)}"
    raise CommandError(f"COMMAND: {name[:40]!r} is not a command; {mend}")


def parsers() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """Return the parser of the whole command line, and those of the commands by name."""
    whole = _Parser(
        prog="bang-companion",
        description="A companion for BANG!, with dice or cards: reads the tray and keeps count.",
        epilog="Example: bang-companion run --camera simulated",
    )
    whole.add_argument("--version", action="version", version=f"bang-companion {__version__}")
    commands = whole.add_subparsers(
        title="commands",
        dest="command",
        metavar="COMMAND",
        required=True,
        parser_class=_CommandParser,
    )
    each = {
        name: commands.add_parser(
            name,
            module=command,
            help=command.SUMMARY,
            description=command.DESCRIPTION,
            epilog=f"Example: {command.EXAMPLE}",
        )
        for name, command in COMMANDS.items()
    }
    return whole, each


class _Help(argparse.HelpFormatter):
    """Keeps names with hyphens and the example on one line, so that they can be copied."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith("Example: "):
            return text
        return textwrap.fill(text, width, break_on_hyphens=False)


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with a command, and takes no abbreviated options."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False, formatter_class=_Help)

    def error(self, message: str) -> NoReturn:
        option = message.removeprefix("argument ")
        where = "" if option != message else f"{self.prog}: "
        _complain(f"{where}{option} (see {self.prog} --help)")
        sys.exit(CommandError.status)

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse's own ignores errors in writing the help.
        if message:
            print(message, end="", file=file)


class _CommandParser(_Parser):
    """The parser of a command, which adds the arguments only when they are needed."""

    def __init__(self, *, module: ModuleType, **options: Any) -> None:
        super().__init__(**options)
        self._module: ModuleType | None = module

    def parse_known_args(self, *arguments: Any, **options: Any) -> Any:
        self._complete()
        return super().parse_known_args(*arguments, **options)

    def format_help(self) -> str:
        self._complete()
        return super().format_help()

    def _complete(self) -> None:
        module, self._module = self._module, None
        if module is not None:
            module.add_arguments(self)


def _open_standard_streams() -> None:
    """Write output line by line, and discard it if it is closed (`>&-`)."""
    # Otherwise, the next file that is opened gets the number of the closed stream, and output
    # goes into that file.
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 (stays open)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 (stays open)
    # An interrupted command then prints whole lines only. File names need not be valid text.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")


def _complain(text: str) -> None:
    try:
        print(text, file=sys.stderr)
    except OSError:
        _drop(sys.stderr)


def _drop(stream: TextIO) -> None:
    """Discard what is left in a stream, since writing it at exit would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
