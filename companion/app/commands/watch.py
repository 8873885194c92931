"""`bang-companion watch`: follow the dice through a video."""

import argparse
from pathlib import Path

from companion.app.commands.arguments import add_game_argument
from companion.app.commands.errors import complain_of

SUMMARY = "follow the dice or cards through a video"
DESCRIPTION = (
    "Follow the dice through a video or a folder of numbered frames, as the table does with its "
    "camera, and print a JSON line for every change: empty, moving, settled, picked_up or blocked. "
    "Dice that lie still are listed, each with a number that it keeps and whether it has moved. "
    "With --game cards, follow the pile instead: what was laid each time it lies still."
)
EXAMPLE = "bang-companion watch --profile pips --fps 15 throw.mp4"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the video and the profile."""
    add_game_argument(parser)
    parser.add_argument(
        "--profile", default="pips", metavar="P", help="the dice, or the deck; default: pips"
    )
    parser.add_argument(
        "--fps",
        type=_rate,
        metavar="F",
        help="frames a second; default: the video's own, or 30 for a folder",
    )
    parser.add_argument("frames", type=Path, metavar="FRAMES", help="a folder or a video")


def run(arguments: argparse.Namespace) -> int:
    """Print a line for every change."""
    from companion.app.progress import Progress
    from companion.app.results import print_result
    from hardware.camera.frames import frame_rate, frames
    from hardware.camera.interface import CameraError
    from hardware.camera.pictures import pictures

    if arguments.game == "cards":
        from companion.app.commands.cards import card_follower as follower_of
    else:
        from companion.app.commands.dice import dice_follower as follower_of

    path: Path = arguments.frames
    with complain_of(CameraError):
        fps = arguments.fps or frame_rate(path)
        follow = follower_of(arguments.profile)
        with Progress(len(pictures(path)) if path.is_dir() else 0) as progress:
            for number, image in frames(path):
                change = follow(image, number / fps)
                if change is not None:
                    print_result({"frame": number, **change})
                progress.step()
    return 0


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < float("inf"):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a frame rate; give one such as 15")
    return rate
