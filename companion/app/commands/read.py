"""`bang-companion read`: read the dice in pictures."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.commands.arguments import add_game_argument
from companion.app.commands.errors import CommandError, complain_of

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
    if arguments.game == "cards":
        from companion.app.commands.cards import read_cards

        _refuse(arguments, "tray", "cards are read with --before, not --tray")
        return read_cards(arguments)
    _refuse(arguments, "before", "dice are read with --tray, not --before")
    import time

    from companion.app.commands.dice import die_entry, load_dice
    from companion.app.progress import Progress
    from companion.app.results import print_result
    from hardware.camera.interface import CameraError
    from vision.dice.reader import DiceReader

    names: list[str] = arguments.pictures
    tray: str | None = arguments.tray
    if [*names, tray].count(_STDIN) > 1:
        raise CommandError("-: standard input holds one picture only; name the others as files")
    with complain_of(CameraError):
        reader = DiceReader(load_dice(arguments.profile))
        empty = None if tray is None else _picture(tray)
        with Progress(len(names)) as progress:
            for name in names:
                image = _picture(name)
                if empty is not None and empty.shape != image.shape:
                    (height, width, _), (tall, wide, _) = empty.shape, image.shape
                    raise CommandError(
                        f"{tray}: {width} x {height} pixels, but {name} has {wide} x {tall}"
                    )
                begun = time.perf_counter()
                reading = reader.read(image, empty)
                spent = (time.perf_counter() - begun) * 1000
                entry = {
                    "picture": str(Path(name)),
                    "verdict": reading.verdict,
                    "dice": [die_entry(die) for die in reading.dice],
                    "ms": round(spent, 1),
                }
                print_result(entry)
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
