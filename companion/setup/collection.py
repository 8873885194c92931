"""The format of collections: pictures of dice and tray that players may give to improve the reader.

A collection is a folder, or the same as one ZIP file:

    manifest.json      what dice and camera these are, and what every picture shows
    dice.dice          the taught dice, a profile (`vision/dice/profile.py`); none of dice with pips
    throws/NNN.jpg     dice in the tray, with everything else painted grey (`vision/dice/redact.py`)

It says nothing about persons, games, places and times. docs/dev/collection.md lists the fields.
"""

from dataclasses import asdict, dataclass, replace

from vision.dice.profile import Profile, profile_bytes
from vision.profile_files import zip_bytes

FORMAT = 1
"""The newest format, in which collections are written."""
MANIFEST, DICE, THROW = "manifest.json", "dice.dice", "throws/{:03}.jpg"
"""The names of the files."""
CAMERAS = ("picamera", "usb", "simulated", "pictures")
"""Kinds of cameras; `pictures`: files that were given."""


@dataclass(frozen=True, slots=True)
class CollectedDie:
    """A die in a picture."""

    face: str
    """What it shows, as a player said."""
    read: str
    """What the reader said."""
    sure: bool
    """Whether the reader was sure."""
    x: float
    """Centre of the top face, pixels from the left."""
    y: float
    """Centre of the top face, pixels from the top."""
    size: float
    """Edge of the top face, pixels."""


@dataclass(frozen=True, slots=True)
class CollectedThrow:
    """A picture of dice in the tray."""

    jpeg: bytes
    """The picture."""
    verdict: str
    """The reader's verdict of it (`vision.dice.reading.TrayVerdict`)."""
    dice: tuple[CollectedDie, ...]
    """The dice in it."""


@dataclass(frozen=True)
class DiceCollection:
    """What one table gives."""

    profile: Profile
    """The dice. Its name is not written."""
    camera: str
    """One of CAMERAS."""
    throws: tuple[CollectedThrow, ...]
    """The pictures."""


def camera_kind(name: str) -> str:
    """Return the kind of a camera by its name, which may hold a path."""
    if name.startswith("usb"):
        return "usb"
    return name if name in CAMERAS else "pictures"


def collection_zip(collection: DiceCollection) -> bytes:
    """Return a collection as the bytes of a ZIP file."""
    profile = collection.profile
    manifest = {
        "format": FORMAT,
        "kind": "pips" if profile.pips else "taught",
        "edition": profile.edition,
        "faces": list(profile.faces),
        "camera": collection.camera,
        "throws": [
            {
                "picture": THROW.format(number),
                "verdict": throw.verdict,
                "dice": [_die_entry(die) for die in throw.dice],
            }
            for number, throw in enumerate(collection.throws, 1)
        ],
    }
    files = [
        (THROW.format(number), throw.jpeg) for number, throw in enumerate(collection.throws, 1)
    ]
    if not profile.pips:
        # What was learned names its game and move.
        files.insert(0, (DICE, profile_bytes(replace(profile, sources={}))))
    return zip_bytes((MANIFEST, manifest), files)


def _die_entry(die: CollectedDie) -> dict[str, object]:
    places = {name: round(getattr(die, name), 1) for name in ("x", "y", "size")}
    return asdict(die) | places
