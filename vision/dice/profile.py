"""Load and save profiles: which dice are on the table, and what their faces mean or look like.

There are two forms. A TOML file says what numbers of pips stand for (`kind = "pips"`). Taught dice
are one ZIP file that can be copied from table to table: `profile.json` (`format`, `kind`,
`edition`) and the pictures of the faces, `taught/FACE/NN.png` and `learned/FACE/NN-SOURCE.png`.
"""

import io
import json
import os
import re
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2

from vision.dice.reading import FACES
from vision.imaging.geometry import Image
from vision.profile_files import (
    DAMAGE,
    LARGEST,
    SHIPPED,
    ProfileError,
    check_head,
    check_name,
    decode_png,
    read_profile_file,
    write_profile_file,
    zip_bytes,
)

FacePictures = Mapping[str, tuple[Image, ...]]
"""Pictures by face, each (PICTURE, PICTURE, 3), BGR: rectified, the face FACE_EDGE wide in the
middle, in any turn."""

EDITIONS = ("base", "walking-dead", "print", "pips")
"""Whose faces a profile may show."""
SUFFIX = ".dice"
"""Of the file of a taught profile."""
FORMAT = 1
"""The newest format of taught profiles, in which they are written."""
PICTURE, FACE_EDGE = 96, 64
"""Pixels of a picture in a profile, and of the face in the middle of it."""
MOST = 8
"""Learned pictures of a face. A new one replaces the oldest: the light of tonight matters most."""


@dataclass(frozen=True)
class Profile:
    """One set of dice."""

    name: str
    """What players call it; the file's name without its suffix."""
    faces: tuple[str, ...] = FACES
    """Of dice with pips, what one to six pips stand for; else FACES."""
    edition: str = "base"
    """One of EDITIONS."""
    taught: FacePictures = field(default_factory=dict)
    """What the faces look like; empty for dice with pips."""
    learned: FacePictures = field(default_factory=dict)
    """Pictures gathered while playing, the oldest first."""
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each learned picture the lesson it comes from, "" where that is not known."""

    @property
    def pips(self) -> bool:
        """Whether faces are told by counting pips."""
        return not self.taught


def load_profile(name_or_path: str | Path, folder: Path | None = None) -> Profile:
    """Return the profile of this name, in `folder` or shipped, or the one at this path.

    What was learned of a shipped profile is in `folder`; its taught pictures are those that ship.
    Raises ProfileError where there is no such profile, or it is malformed.
    """
    name = check_name(name_or_path)
    path = _path(name, folder)
    profile = _read(path, name)
    shipped = SHIPPED / path.name
    if path.parent == folder and path.suffix == SUFFIX and shipped.is_file():
        return replace(profile, taught=_read(shipped, path.stem).taught)
    return profile


def _read(path: Path, name: str) -> Profile:
    data = read_profile_file(path, f"{name}: no such profile")
    if not data:
        raise ProfileError(f"{path}: the file is empty")
    if data.startswith(b"PK"):
        return taught_profile(path, data)
    return _pips_profile(path, data)


def profile_path(name_or_path: str | Path, folder: Path) -> Path:
    """Return where a taught profile of this name is kept in `folder`, or the path itself.

    Raises ProfileError where no profile can have this name, or a shipped one has it.
    """
    name = check_name(name_or_path)
    if Path(name).name in ("", ".", "..", SUFFIX):
        raise ProfileError(f"{name}: no name of a profile")
    if Path(name).suffix not in ("", SUFFIX):
        raise ProfileError(f"{name}: dice that are taught are kept in a file *{SUFFIX}")
    if _is_path(name):
        return Path(name)
    if (SHIPPED / f"{name}.toml").is_file() or (SHIPPED / f"{name}{SUFFIX}").is_file():
        raise ProfileError(f"{name}: comes with the product; choose another name")
    return folder / f"{name}{SUFFIX}"


def save_profile(profile: Profile, path: Path) -> None:
    """Write a taught profile, whole or not at all. Raises ProfileError where that fails."""
    write_profile_file(path, profile_bytes(profile))


def profile_bytes(profile: Profile) -> bytes:
    """Return the file of a taught profile. It doesn't say when it was made."""
    head = {"format": FORMAT, "kind": "taught", "edition": profile.edition}
    pictures = ((name, cv2.imencode(".png", crop)[1].tobytes()) for name, crop in _entries(profile))
    return zip_bytes(("profile.json", head), pictures)


def _entries(profile: Profile) -> Iterator[tuple[str, Image]]:
    """Yield all pictures of faces, with their names in the file."""
    for face, crops in profile.taught.items():
        yield from ((f"taught/{face}/{n:02}.png", crop) for n, crop in enumerate(crops))
    for face, crops in profile.learned.items():
        sources = profile.sources.get(face) or ("",) * len(crops)
        for n, (crop, source) in enumerate(zip(crops, sources, strict=True)):
            yield f"learned/{face}/{n:02}-{source}.png", crop


def _is_path(name: str) -> bool:
    return Path(name).suffix in (SUFFIX, ".toml") or os.sep in name or "/" in name


def _path(name: str, folder: Path | None) -> Path:
    homes = [] if _is_path(name) else [home for home in (folder, SHIPPED) if home is not None]
    paths = [home / f"{name}{suffix}" for home in homes for suffix in (SUFFIX, ".toml")]
    try:
        return next((path for path in paths if path.is_file()), Path(name))
    except OSError as error:
        # Such as a name that is too long for a file.
        raise ProfileError(f"{name[:40]}: {error.strerror}") from error


def _pips_profile(path: Path, data: bytes) -> Profile:
    try:
        values = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ProfileError(f"{path}: not a dice profile") from error
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{path}: not a dice profile ({error})") from error
    except RecursionError as error:
        raise ProfileError(f"{path}: damaged ({error})") from error
    if values.get("kind") != "pips":
        raise ProfileError(f"{path}: kind must be 'pips', not {values.get('kind')!r}")
    faces = values.get("faces")
    if not isinstance(faces, list) or sorted(map(str, faces)) != sorted(FACES):
        raise ProfileError(f"{path}: faces must name each of {', '.join(FACES)} once")
    return Profile(path.stem, tuple(faces), "pips")


def taught_profile(path: Path, data: bytes) -> Profile:
    """Return the profile in the bytes of a file *.dice; path: its name. Raises ProfileError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            if "deck.json" in file.namelist():
                raise ProfileError(f"{path}: a deck of cards, not dice")
            head = file.getinfo("profile.json")
            if head.file_size > LARGEST:
                raise ProfileError(f"{path}: damaged (profile.json: {head.file_size} bytes)")
            edition = _edition(path, json.loads(file.read(head)))
            names = {face: _names(file, f"learned/{face}/")[-MOST:] for face in FACES}
            taught = {
                face: _pictures(path, file, _names(file, f"taught/{face}/")) for face in FACES
            }
            learned = {face: _pictures(path, file, each) for face, each in names.items() if each}
            strangers = {
                name.split("/")[1] for name in file.namelist() if name.count("/") == 2
            } - set(FACES)
    except DAMAGE as error:
        raise ProfileError(f"{path}: damaged ({error})") from error
    if strangers:
        raise ProfileError(f"{path}: {min(strangers)} is no face; faces are {', '.join(FACES)}")
    missing = [face for face in FACES if not taught[face]]
    if missing:
        raise ProfileError(f"{path}: no picture of {', '.join(missing)}")
    sources = {face: tuple(_source(name) for name in names[face]) for face in learned}
    return Profile(path.stem, FACES, edition, taught, learned, sources)


def _source(name: str) -> str:
    """Return the lesson in the name of an entry: `learned/FACE/NN-SOURCE.png`."""
    return Path(name).stem.partition("-")[2]


def _edition(path: Path, head: Any) -> str:
    """Return the edition in the head of a taught profile. Raises ProfileError if it is none."""
    check_head(path, "profile.json", head, "taught", FORMAT)
    if head.get("edition") not in EDITIONS:
        raise ProfileError(f"{path}: edition must be one of {', '.join(EDITIONS)}")
    return str(head["edition"])


def _names(file: zipfile.ZipFile, folder: str) -> list[str]:
    """Return the entries in a folder, the oldest first."""
    found = (n for n in file.namelist() if n.startswith(folder) and not n.endswith("/"))
    return sorted(found, key=lambda name: (_number(name), name))


def _number(name: str) -> int:
    """Return the number with which the name of an entry begins."""
    digits = re.match("[0-9]{1,9}", name.rpartition("/")[2])
    return int(digits[0]) if digits else -1


def _pictures(path: Path, file: zipfile.ZipFile, names: Sequence[str]) -> tuple[Image, ...]:
    return tuple(_picture(path, file, file.getinfo(name)) for name in names)


def _picture(path: Path, file: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Image:
    small = entry.file_size <= LARGEST
    image = decode_png(file.read(entry), PICTURE, PICTURE) if small else None
    if image is None:
        raise ProfileError(f"{path}: {entry.filename}: no picture of a face")
    if (image == image[0, 0]).all():
        raise ProfileError(f"{path}: {entry.filename}: one colour, no picture of a face")
    return image


def counts(pictures: FacePictures, faces: Sequence[str] = FACES) -> dict[str, int]:
    """Return how many pictures each face has."""
    return {face: len(pictures.get(face, ())) for face in faces}
