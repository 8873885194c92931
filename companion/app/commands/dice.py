"""What `read` and `watch` do with dice."""

from collections.abc import Callable, Mapping

from companion.app.commands.errors import CommandError
from companion.settings import Settings
from hardware.camera.interface import Frame
from vision.dice.follow import DiceFollower
from vision.dice.profile import SUFFIX, Profile, load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import Die
from vision.profile_files import SHIPPED, ProfileError


def dice_reader(profile: str) -> Callable[[Frame, Frame | None], Mapping[str, object]]:
    """Return what reads the dice of a picture, given the same tray seen empty if it is known."""
    reader = DiceReader(_load_dice(profile))

    def read(picture: Frame, empty: Frame | None) -> Mapping[str, object]:
        reading = reader.read(picture, empty)
        return {"verdict": reading.verdict, "dice": list(map(_die_entry, reading.dice))}

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
