"""`bang-companion read`: read the dice in pictures."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.commands.arguments import add_game_argument
from companion.app.commands.errors import CommandError, compare_sizes, complain_of

if TYPE_CHECKING:
    from hardware.camera.interface import Frame

SUMMARY = "read the dice or the card in pictures"
DESCRIPTION = (
    "Read the dice in pictures, or with --game cards the card that was laid, and print a JSON line "
    "for each."
)
EXAMPLE = "bang-companion read --profile pips tray.jpg"

MOST_BYTES = 512 << 20
"""The most bytes read from standard input, more than any readable picture has."""

_STDIN = "-"
"""The name for standard input; a file of that name is `./-`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the pictures to read, and the profile to read them with."""
    add_game_argument(parser)
    parser.add_argument(
        "--profile", default="pips", metavar="P", help="the dice, or the deck; default: pips"
    )
    parser.add_argument("--tray", metavar="PICTURE", help="of dice: the same tray, seen empty")
    parser.add_argument(
        "--model", metavar="FILE", help="of dice: tray.json of the table at which they lay"
    )
    parser.add_argument(
        "--before", metavar="PICTURE", help="of cards: the same pile before the new card was laid"
    )
    parser.add_argument(
        "pictures",
        nargs="+",
        metavar="PICTURE",
        help="a picture file; - reads a picture from standard input",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print what is read in each picture."""
    import time

    from companion.app.progress import Progress
    from companion.app.results import print_result
    from hardware.camera.interface import CameraError

    names: list[str] = arguments.pictures
    if arguments.game == "cards":
        from companion.app.commands.cards import card_reader

        for option in ("tray", "model"):
            _refuse(arguments, option, f"cards are read with --before, not --{option}")
        earlier: str | None = arguments.before
        read = card_reader(arguments.profile)
    else:
        from companion.app.commands.dice import dice_reader

        _refuse(arguments, "before", "dice are read with --tray, not --before")
        earlier = arguments.tray
        read = dice_reader(arguments.profile, arguments.model)
    if [*names, earlier].count(_STDIN) > 1:
        raise CommandError("-: standard input holds one picture only; name the others as files")
    with complain_of(CameraError):
        before = None if earlier is None else _picture(earlier)
        with Progress(len(names)) as progress:
            for name in names:
                picture = _picture(name)
                compare_sizes(earlier, before, name, picture)
                begun = time.perf_counter()
                entry = read(picture, before)
                spent = (time.perf_counter() - begun) * 1000
                print_result({"picture": str(Path(name)), **entry, "ms": round(spent, 1)})
                progress.step()
    return 0


def _refuse(arguments: argparse.Namespace, option: str, reason: str) -> None:
    """Raise CommandError if an option of the other game is given."""
    if getattr(arguments, option) is not None:
        raise CommandError(f"--{option}: {reason}")


def _picture(name: str) -> "Frame":
    """Load a picture. Raises CommandError or CameraError."""
    from hardware.camera.pictures import decode_picture, load_picture

    if name == _STDIN:
        return decode_picture(_standard_input(), name)
    return load_picture(Path(name))


def _standard_input() -> bytes:
    """Return the picture from standard input. Raises CommandError."""
    example = "pipe a picture in, as in: bang-companion read - < tray.jpg"
    if sys.stdin is None or sys.stdin.isatty():
        raise CommandError(f"-: no picture on standard input; {example}")
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    except OSError as error:
        raise CommandError(f"-: {error.strerror}") from None
    if not data:
        raise CommandError(f"-: standard input is empty; {example}")
    if len(data) > MOST_BYTES:
        raise CommandError(f"-: more than {MOST_BYTES >> 20} MB, which is no picture of dice")
    return data
