"""What `read` and `watch` do with dice."""

from collections.abc import Callable, Mapping
from pathlib import Path

from companion.app.commands.errors import CommandError
from companion.camera.table_reader import load_model
from companion.settings import Settings
from hardware.camera.interface import Frame
from vision.dice.find.tray_model import UNKNOWN, TrayModel
from vision.dice.follow import DiceFollower
from vision.dice.profile import SUFFIX, Profile, load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import Die
from vision.profile_files import SHIPPED, ProfileError


def dice_reader(
    profile: str, model: str | None = None
) -> Callable[[Frame, Frame | None], Mapping[str, object]]:
    """Return what reads the dice of a picture, given the same tray seen empty if it is known.

    model: the file of what else is known of the table. Raises CommandError.
    """
    reader = DiceReader(_load_dice(profile))
    known = UNKNOWN if model is None else _load_model(model)

    def read(picture: Frame, empty: Frame | None) -> Mapping[str, object]:
        if model is not None and known.size != picture.shape[1::-1]:
            (width, height), (tall, wide, _) = known.size, picture.shape
            reason = f"of pictures with {width} x {height} pixels, not {wide} x {tall}"
            raise CommandError(f"{model}: {reason}")
        table = known.with_tray(empty)
        reading = reader.read(picture, table)
        by = {} if model is None else {"model": table.digest}
        return {"verdict": reading.verdict, "dice": list(map(_die_entry, reading.dice)), **by}

    return read


def dice_follower(profile: str) -> Callable[[Frame, float], Mapping[str, object] | None]:
    """Return what takes frames with their times, and tells each change of the dice."""
    follower = DiceFollower(DiceReader(_load_dice(profile)).read)

    def follow(frame: Frame, at: float) -> Mapping[str, object] | None:
        change = follower.update(frame, at)
        if change is None:
            return None
        dice = [_die_entry(die) | {"die": die.number, "moved": die.moved} for die in change.dice]
        return {"event": change.event, "verdict": change.verdict, "dice": dice}

    return follow


def _load_dice(name: str) -> Profile:
    """Return a profile, given its name or path. Raises CommandError."""
    folder = Settings().profiles
    try:
        return load_profile(name, folder)
    except ProfileError as error:
        known = {
            path.stem
            for home in (SHIPPED, folder)
            for path in home.glob("*")
            if path.suffix in (SUFFIX, ".toml")
        }
        raise CommandError(
            f"--profile: {error}; known profiles are {', '.join(sorted(known))}"
        ) from None


def _load_model(name: str) -> TrayModel:
    """Return the model of a table in a file. Raises CommandError."""
    try:
        return load_model(Path(name))
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"{name}: {error}") from None


def _die_entry(die: Die) -> dict[str, object]:
    """Return the fields of a die for JSON."""
    return {
        "face": die.face,
        "x": round(die.x, 1),
        "y": round(die.y, 1),
        "size": round(die.size, 1),
        "angle": round(die.angle, 1),
        "confidence": round(die.confidence, 3),
        "sure": die.sure,
    }
