"""`bang-companion read`: read the dice in pictures."""

import json
import time
from collections.abc import Sequence
from pathlib import Path

from companion.app.commands.dice import dice_profile, die_entry
from companion.app.progress import show_progress
from hardware.camera import CameraError, load_picture
from vision.reader import Reader


def read_pictures(profile: str, pictures: Sequence[Path], tray: Path | None = None) -> int:
    """Read dice in pictures and print a JSON line for each. Raises what can't be read.

    tray: a picture of the same tray without dice.
    """
    reader = Reader(dice_profile(profile))
    empty = None if tray is None else load_picture(tray)
    for number, path in enumerate(pictures, start=1):
        image = load_picture(path)
        if empty is not None and empty.shape != image.shape:
            (height, width, _), (tall, wide, _) = empty.shape, image.shape
            raise CameraError(f"{tray}: {width} x {height} pixels, but {path} has {wide} x {tall}")
        begun = time.perf_counter()
        reading = reader.read(image, empty)
        spent = (time.perf_counter() - begun) * 1000
        dice = [die_entry(die) for die in reading.dice]
        entry = {
            "picture": str(path),
            "verdict": reading.verdict,
            "dice": dice,
            "ms": round(spent, 1),
        }
        print(json.dumps(entry), flush=True)
        show_progress(number, len(pictures))
    return 0
