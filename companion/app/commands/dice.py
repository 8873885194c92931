"""What the commands that read dice share: their profile, and how a die is printed."""

from companion.settings import Settings
from vision.profile import Profile, load_profile
from vision.reading import Die


def dice_profile(name: str) -> Profile:
    """Load a profile by its name or path. Raises ProfileError."""
    return load_profile(name, Settings().profiles)


def die_entry(die: Die) -> dict[str, object]:
    """Return what is printed of a die, as JSON takes it."""
    return {
        "face": die.face,
        "x": round(die.x, 1),
        "y": round(die.y, 1),
        "size": round(die.size, 1),
        "angle": round(die.angle, 1),
        "confidence": round(die.confidence, 3),
        "sure": die.sure,
    }
