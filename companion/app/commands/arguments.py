"""Types of arguments, and the options that `run` shares with `doctor`."""

import argparse
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

_OVERRIDES = ("camera", "profile", "host", "port", "data")
"""Options that override the settings file, by the names of its keys."""


def whole_number(text: str) -> int:
    """Return the number in an argument."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number") from None


def one_of(known: Sequence[str]) -> Callable[[str], str]:
    """Return the type of an argument that accepts only certain words."""

    def check(text: str) -> str:
        if text not in known:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not one of {', '.join(known)}")
        return text

    return check


def add_game_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option that says what is read, taught or watched: dice or cards."""
    from companion.games.registry import LIST

    first = next(iter(LIST))
    parser.add_argument(
        "--game",
        type=one_of(tuple(LIST)),
        default=first,
        metavar="|".join(LIST),
        help=f"whether these are {' or '.join(LIST)}; default: {first}",
    )


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for the settings of the table."""
    parser.add_argument(
        "--config", type=existing_file, metavar="FILE", help="settings (TOML); default: none"
    )
    parser.add_argument(
        "--camera",
        type=_camera,
        metavar="SOURCE",
        help="picamera, usb:0, a folder of pictures or a video (played as a camera), simulated "
        "(a drawn tray), none (dice by hand); default: auto, the first that works",
    )
    parser.add_argument("--profile", metavar="P", help="the dice; default: those last chosen")
    parser.add_argument("--host", metavar="H", help="address to serve on; default: all")
    parser.add_argument(
        "--port", type=port_number, metavar="N", help="port; default: 8000, 0: any free one"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder for games and profiles")


def overrides(arguments: argparse.Namespace) -> dict[str, object]:
    """Return the settings given as options of `add_table_arguments`; None for each one left out."""
    return {key: getattr(arguments, key) for key in _OVERRIDES}


def source_of(key: str, arguments: argparse.Namespace) -> str:
    """Return where a setting comes from, for errors: its option, the settings file, or neither."""
    if getattr(arguments, key) is not None:
        return f"--{key}"
    return f"{arguments.config}: {key}" if arguments.config else key


def existing_file(text: str) -> Path:
    """Return the path of a settings file."""
    path = Path(text)
    reason = "a folder"
    try:
        # Don't open it yet, because it can be a pipe.
        if not stat.S_ISDIR(path.stat().st_mode):
            return path
    except OSError as error:
        reason = error.strerror or str(error)
    raise argparse.ArgumentTypeError(
        f"{text}: {reason}; name a settings file, or leave --config out"
    )


def _camera(text: str) -> str:
    from companion.settings import CAMERAS, camera_mistake

    if mistake := camera_mistake(text):
        raise argparse.ArgumentTypeError(mistake)
    known = text in CAMERAS or text.startswith("usb:")
    if not known and not Path(text).expanduser().exists():
        raise argparse.ArgumentTypeError(
            f"{text}: no such file or folder; choose {', '.join(CAMERAS)}, usb:0, "
            "a folder of pictures or a video"
        )
    return text


def port_number(text: str) -> int:
    """Return the TCP port in an argument."""
    number = whole_number(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port; choose 0 to 65535, such as 8000")
    return number
