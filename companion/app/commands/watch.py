"""`bang-companion watch`: follow the dice through a video."""

import json
from math import inf
from pathlib import Path

from companion.app.commands.dice import dice_profile, die_entry
from companion.app.progress import show_progress
from hardware.camera import CameraError, frame_rate, frames, pictures
from vision.follow import Follower
from vision.reader import Reader


def watch_frames(profile: str, path: Path, fps: float | None = None) -> int:
    """Follow the dice through a folder of frames or a video; print a JSON line for each change.

    fps: frames a second; None: a video's own, 30 of a folder. Raises what can't be read.
    """
    if fps is None:
        fps = frame_rate(path)
    elif not 0 < fps < inf:
        raise CameraError(f"--fps: {fps:g} frames a second can't be")
    follower = Follower(Reader(dice_profile(profile)).read)
    total = len(pictures(path)) if path.is_dir() else 0
    for done, (number, image) in enumerate(frames(path), start=1):
        change = follower.update(image, number / fps)
        if change is not None:
            dice = [die_entry(die) | {"die": die.number, "moved": die.moved} for die in change.dice]
            entry = {
                "frame": number,
                "event": change.event,
                "verdict": change.verdict,
                "dice": dice,
            }
            print(json.dumps(entry), flush=True)
        if total:
            show_progress(done, total)
    return 0
