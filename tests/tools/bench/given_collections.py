"""Read given collections (docs/dev/collection.md), and name what is wrong with bad ones."""

import json
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.setup.collection import (
    CAMERAS,
    DICE,
    FORMAT,
    MANIFEST,
    CollectedDie,
    CollectedThrow,
    DiceCollection,
)
from hardware.camera.interface import CameraError
from hardware.camera.pictures import decode_picture
from vision.dice.profile import EDITIONS, Profile, taught_profile
from vision.dice.reading import FACES, TrayVerdict
from vision.profile_files import ProfileError

Image = npt.NDArray[np.uint8]

MOST_THROWS, MOST_DICE = 200, 24
"""Pictures of a collection, and dice in one of them."""

_LARGEST = 16 << 20  # bytes, of one file
_MOST_PIXELS = 8_000_000
_THROW = re.compile(r"throws/[0-9]{3}\.jpg")
# What a damaged or forged ZIP raises when it is read.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError, RuntimeError, OSError,
)  # fmt: skip


class CollectionError(Exception):
    """A collection can't be read; the message names the file and what is wrong."""


def load_collection(path: Path) -> DiceCollection:
    """Return the collection in a folder or ZIP file. Raises CollectionError."""
    try:
        if path.is_dir():
            return _parsed(path, lambda name: _from_folder(path, name))
        with zipfile.ZipFile(path) as file:
            return _parsed(path, lambda name: _from_zip(path, file, name))
    except _DAMAGE as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise CollectionError(f"{path}: no collection, or damaged ({reason})") from error


def decoded_throw(path: Path, throw: CollectedThrow) -> Image:
    """Return the picture of a throw, BGR (H, W, 3); path: of its collection, for errors.

    Raises CollectionError.
    """
    try:
        image = decode_picture(throw.jpeg, str(path))
    except CameraError as error:
        raise CollectionError(str(error)) from None
    height, width = image.shape[:2]
    if width * height > _MOST_PIXELS:
        raise CollectionError(
            f"{path}: a picture of {width} x {height} pixels is no part of a tray"
        )
    return image


def _from_folder(folder: Path, name: str) -> bytes:
    file = folder / name
    if file.is_symlink() or not file.is_file():
        raise CollectionError(f"{folder}: {name} is missing")
    if file.stat().st_size > _LARGEST:
        raise CollectionError(f"{folder}: {name} is too large")
    return file.read_bytes()


def _from_zip(path: Path, file: zipfile.ZipFile, name: str) -> bytes:
    if name not in file.namelist():
        raise CollectionError(f"{path}: {name} is missing")
    with file.open(name) as entry:
        # The size that an entry declares may be false.
        data = entry.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise CollectionError(f"{path}: {name} is too large")
    return data


def _parsed(path: Path, content: Callable[[str], bytes]) -> DiceCollection:
    """Return a collection; content: returns the bytes of one of its files, by name."""
    try:
        manifest = json.loads(content(MANIFEST))
    except (ValueError, RecursionError) as error:
        raise CollectionError(f"{path}: {MANIFEST}: damaged ({error})") from error
    if not isinstance(manifest, dict) or type(manifest.get("format")) is not int:
        raise CollectionError(f"{path}: {MANIFEST}: no format")
    if manifest["format"] > FORMAT:
        raise CollectionError(
            f"{path}: written by a newer version (format {manifest['format']}; this one reads up "
            f"to {FORMAT})"
        )
    throws = manifest.get("throws")
    if not isinstance(throws, list) or len(throws) > MOST_THROWS:
        raise CollectionError(f"{path}: {MANIFEST}: throws must be a list of at most {MOST_THROWS}")
    camera = manifest.get("camera")
    if camera not in CAMERAS:
        raise CollectionError(f"{path}: {MANIFEST}: camera must be one of {', '.join(CAMERAS)}")
    profile = _profile(path, manifest, content)
    read = tuple(
        _throw(f"{path}: {MANIFEST}: throw {number}", throw, content)
        for number, throw in enumerate(throws, 1)
    )
    return DiceCollection(profile, camera, read)


def _profile(path: Path, manifest: Mapping[str, Any], content: Callable[[str], bytes]) -> Profile:
    if manifest.get("kind") == "taught":
        try:
            return taught_profile(path / DICE, content(DICE))
        except ProfileError as error:
            raise CollectionError(str(error)) from error
    faces = manifest.get("faces")
    edition = manifest.get("edition")
    if manifest.get("kind") != "pips" or edition not in EDITIONS:
        raise CollectionError(f"{path}: {MANIFEST}: kind must be taught or pips, with an edition")
    if not isinstance(faces, list) or sorted(map(str, faces)) != sorted(FACES):
        raise CollectionError(f"{path}: {MANIFEST}: faces must name each face once")
    return Profile("collection", tuple(faces), edition)


def _throw(where: str, throw: Any, content: Callable[[str], bytes]) -> CollectedThrow:
    if not isinstance(throw, dict):
        raise CollectionError(f"{where}: not a throw")
    picture, dice = throw.get("picture"), throw.get("dice")
    if not isinstance(picture, str) or not _THROW.fullmatch(picture):
        raise CollectionError(f"{where}: pictures are called throws/001.jpg and so on")
    if throw.get("verdict") not in list(TrayVerdict):
        raise CollectionError(f"{where}: no such verdict")
    if not isinstance(dice, list) or len(dice) > MOST_DICE:
        raise CollectionError(f"{where}: dice must be a list of at most {MOST_DICE}")
    return CollectedThrow(content(picture), str(throw["verdict"]), tuple(_dice(where, dice)))


def _dice(where: str, dice: Sequence[Any]) -> list[CollectedDie]:
    found = []
    for die in dice:
        sound = (
            isinstance(die, dict)
            and die.get("face") in FACES
            and die.get("read") in FACES
            and isinstance(die.get("sure"), bool)
            and all(_is_length(die.get(key)) for key in ("x", "y", "size"))
        )
        if not sound:
            raise CollectionError(f"{where}: a die needs face, read, sure, x, y and size")
        place = (float(die[key]) for key in ("x", "y", "size"))
        found.append(CollectedDie(die["face"], die["read"], die["sure"], *place))
    return found


def _is_length(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e5
