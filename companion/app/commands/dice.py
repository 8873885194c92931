"""Shared by the commands that read dice: loading a profile and printing a die."""

from companion.app.commands.errors import CommandError
from companion.settings import Settings
from vision.dice.profile import SUFFIX, Profile, load_profile
from vision.dice.reading import Die
from vision.profile_files import SHIPPED, ProfileError


def load_dice(name: str) -> Profile:
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


def die_entry(die: Die) -> dict[str, object]:
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
