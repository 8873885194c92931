"""`bang-companion teach`: teach the faces of dice from pictures."""

import json
import sys
from collections.abc import Collection
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.app.progress import show_progress
from companion.settings import Settings
from companion.watching.teaching import LEAST, MOST
from hardware.camera import PICTURE_SUFFIXES, CameraError, load_picture
from vision.profile import EDITIONS, ProfileError, counts, load_profile, profile_path, save_profile
from vision.reading import FACES
from vision.teach import ALIKE, ProfileTrainer, build_profile

Image = npt.NDArray[np.uint8]

_KINDS = ", ".join(sorted(PICTURE_SUFFIXES))


def teach_profile(name: str, edition: str | None, folder: Path) -> int:
    """Teach the faces shown in `folder`/FACE/ and print what the profile holds as a JSON line.

    edition: whose symbols they are; None: as before, or the base game's. Raises ProfileError where
    nothing could be learned or written; the profile is then as it was.
    """
    if edition is not None and edition not in EDITIONS:
        raise ProfileError(f"--edition: {edition!r} is not one of {', '.join(EDITIONS)}")
    path = profile_path(name, Settings().profiles)
    before = load_profile(path) if path.exists() else None
    if before is not None and before.pips:
        raise ProfileError(f"{path}: counts pips and can't be taught")
    shown = _shown_pictures(folder)
    teacher, pictures = ProfileTrainer(), dict[str, list[Image]]()
    every = [(face, file) for face, files in shown.items() for file in files]
    for number, (face, file) in enumerate(every, start=1):
        try:
            found = teacher.crop(load_picture(file))
        except CameraError as error:
            raise ProfileError(str(error)) from error
        if found.flaw:
            _warn(f"{file}: {found.flaw}")
        if found.picture is not None:
            pictures.setdefault(face, []).append(found.picture)
        show_progress(number, len(every))
    profile = build_profile(
        path.stem, pictures, edition or (before.edition if before else "base"), before
    )
    missing = [face for face in FACES if not profile.taught[face]]
    if missing:
        raise ProfileError(f"{folder}: no picture shows a die with {', '.join(missing)} up")
    check = teacher.check(profile)
    for face, other, chance in check.confused:
        # The other way round it may be unlikely.
        if chance > ALIKE:
            _warn(f"{face} looks like {other} ({chance:.0%}): show both again in better light")
    faces = counts(profile.taught)
    for face, count in faces.items():
        if count < LEAST:
            noun = "picture" if count == 1 else "pictures"
            _warn(f"only {count} {noun} of {face}: show {LEAST} to {MOST}")
    save_profile(profile, path)
    entry = {
        "profile": name,
        "faces": faces,
        "self_check": round(check.accuracy, 3) if check.tested else None,
    }
    print(json.dumps(entry), flush=True)
    return 0


def _shown_pictures(folder: Path) -> dict[str, list[Path]]:
    """The pictures of each face. Raises ProfileError."""
    try:
        homes = [home for home in _shown(folder) if home.is_dir()]
        files = {home.name: _shown(home) for home in homes}
    except OSError as error:
        raise ProfileError(f"{error.filename}: {error.strerror}") from error
    strangers = [home.name for home in homes if home.name not in FACES]
    if strangers:
        raise ProfileError(
            f"{folder / strangers[0]}: no face; folders are named {', '.join(FACES)}"
        )
    found = {
        face: [file for file in each if file.suffix.lower() in PICTURE_SUFFIXES]
        for face, each in files.items()
    }
    if not any(found.values()):
        raise ProfileError(
            f"{folder}: no pictures in folders named {', '.join(FACES)} ({_KINDS} are taken)"
        )
    _warn_of_others(folder, {file for each in found.values() for file in each})
    return found


def _warn_of_others(folder: Path, taken: Collection[Path]) -> None:
    """Say what in the folder and those of the faces is not taken, as some phones' .heic."""
    others = [
        path
        for home in _shown(folder)
        for path in (_shown(home) if home.is_dir() else [home])
        if path not in taken
    ]
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        _warn(f"{others[0]}{more}: not taken; {_KINDS} in DIR/FACE/ are")


def _shown(folder: Path) -> list[Path]:
    """What is in a folder and not hidden."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _warn(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
