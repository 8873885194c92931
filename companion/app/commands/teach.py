"""`bang-companion teach`: teach the faces of dice from pictures."""

import argparse
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.commands.arguments import add_game_argument, one_of
from companion.app.commands.errors import CommandError, complain_of
from companion.app.progress import Progress

if TYPE_CHECKING:
    from vision.dice.profile import Profile
    from vision.dice.teach import CrossValidation, ProfileTrainer
    from vision.imaging.crop import Crop
    from vision.imaging.geometry import Image

SUMMARY = "teach dice or cards from pictures"
DESCRIPTION = (
    "Teach the faces of dice: DIR/FACE/ holds pictures of dice with FACE up, three to six of each "
    "face. A die may fill its picture. Creates the profile or adds to it, and prints as JSON how "
    "many pictures each face has and which share of them the others identify correctly. With "
    "--game cards, DIR/TITLE/SIGN-NNN.jpg show one card each, upright, alone, as bang/4D-000.jpg; "
    "on a patterned ground, give a picture of that with --before."
)
EXAMPLE = "bang-companion teach --profile mine pictures/"

EDITIONS = ("base", "walking-dead", "print", "pips")
"""Copied from `vision.dice.profile`, because importing that needs OpenCV."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the pictures to learn from, and the profile to write."""
    add_game_argument(parser)
    parser.add_argument("--profile", required=True, metavar="P", help="a name or a path")
    parser.add_argument(
        "--edition",
        type=one_of(EDITIONS),
        metavar="|".join(EDITIONS),
        help="whose symbols the dice carry; default: base, or as before",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="say of each picture how it was used"
    )
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="write a picture of all faces that were found"
    )
    parser.add_argument(
        "--collect",
        type=Path,
        metavar="FILE",
        help="write the pictures of the faces to a file to give away, *.zip, with a sheet to look "
        "through beside it",
    )
    parser.add_argument(
        "--before", metavar="PICTURE", help="of cards: the same ground without a card"
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="pictures in DIR/FACE/")


def run(arguments: argparse.Namespace) -> int:
    """Teach the faces in the pictures, and print what the profile then contains.

    If nothing can be learned or written, the profile stays as it was.
    """
    if arguments.game == "cards":
        from companion.app.commands.cards import teach_cards

        for option in ("edition", "sheet", "collect"):
            if getattr(arguments, option) is not None:
                raise CommandError(f"--{option}: not for cards")
        return teach_cards(arguments)
    if arguments.before is not None:
        raise CommandError("--before: only for cards")
    return _teach_dice(arguments)


def _teach_dice(arguments: argparse.Namespace) -> int:
    from companion.app.interrupts import delay_signals
    from companion.app.results import print_result
    from vision.dice.profile import counts, save_profile
    from vision.dice.reading import FACES
    from vision.dice.teach import ProfileTrainer, build_profile
    from vision.profile_files import ProfileError

    folder: Path = arguments.folder
    collection: Path | None = arguments.collect
    if collection is not None and collection.suffix != ".zip":
        raise CommandError(f"--collect: {collection}: collections are files *.zip")
    path, before = _profile_so_far(arguments.profile)
    files = _pictures(folder)
    with Progress(sum(map(len, files.values()))) as progress:
        _name_others(folder, {file for each in files.values() for file in each}, progress)
        teacher = ProfileTrainer()
        pictures = _cut_faces(teacher, files, progress, before, verbose=arguments.verbose)
    if arguments.sheet is not None:
        _write_sheet(pictures, arguments.sheet, "--sheet")
    edition = arguments.edition or (before.edition if before else "base")
    profile = build_profile(path.stem, pictures, edition, before)
    missing = [face for face in FACES if not profile.taught[face]]
    if missing:
        raise CommandError(f"{folder}: no picture shows a die with {', '.join(missing)} up")
    check = teacher.check(profile)
    _advise(profile, check, progress)
    if collection is not None:
        _collect(profile, collection, progress)
    with complain_of(ProfileError, "--profile"), delay_signals():
        save_profile(profile, path)
    entry = {
        "profile": arguments.profile,
        "faces": counts(profile.taught),
        "self_check": round(check.accuracy, 3) if check.tested else None,
    }
    print_result(entry)
    return 0


def _profile_so_far(name: str) -> "tuple[Path, Profile | None]":
    """Return where a profile is, and what it holds already. Raises CommandError."""
    from companion.settings import Settings
    from vision.dice.profile import load_profile, profile_path
    from vision.profile_files import ProfileError

    with complain_of(ProfileError, "--profile"):
        path = profile_path(name, Settings().profiles)
        before = load_profile(path) if path.exists() else None
    if before is not None and before.pips:
        raise CommandError(f"--profile: {path}: counts pips and can't be taught")
    return path, before


def _name_others(folder: Path, used: Collection[Path], progress: Progress) -> None:
    """Say which files in the folders aren't used, such as the .heic files of some phones."""
    others = [
        path
        for home in _entries(folder)
        for path in (_entries(home) if home.is_dir() else [home])
        if path not in used
    ]
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        progress.message(f"{others[0]}{more}: not used; pictures are {_kinds()} in DIR/FACE/")


def _advise(profile: "Profile", check: "CrossValidation", progress: Progress) -> None:
    """Say which faces look alike, and which have few pictures."""
    from companion.setup.lesson import LEAST, MOST
    from vision.dice.profile import counts
    from vision.dice.teach import ALIKE

    for face, other, chance in check.confused:
        # The reverse may be unlikely.
        if chance > ALIKE:
            progress.message(
                f"{face} looks like {other} ({chance:.0%}): check that their pictures show the "
                "right faces, or show both again in better light"
            )
    for face, count in counts(profile.taught).items():
        if count < LEAST:
            noun = "picture" if count == 1 else "pictures"
            progress.message(f"only {count} {noun} of {face}: show {LEAST} to {MOST}")


def _cut_faces(
    teacher: "ProfileTrainer",
    files: Mapping[str, Sequence[Path]],
    progress: Progress,
    before: "Profile | None",
    *,
    verbose: bool,
) -> dict[str, list["Image"]]:
    """Return the faces cut out of the pictures. Raises CommandError."""
    from hardware.camera.interface import CameraError
    from hardware.camera.pictures import load_picture
    from vision.dice.teach import is_same_picture
    from vision.imaging.crop import Crop

    pictures: dict[str, list[Image]] = {}
    known = [
        (face, f"a picture of {face} in the profile", Crop(picture, None))
        for face, each in (before.taught if before else {}).items()
        for picture in each
    ]
    for face, each in files.items():
        for file in each:
            with complain_of(CameraError):
                found = teacher.crops(load_picture(file))
            used: list[Crop] = []
            for crop in found:
                if crop.picture is None:
                    continue
                same = next((each for each in known if is_same_picture(crop, each[2])), None)
                if same is not None:
                    # Pictures that a profile has already may be shown again.
                    if same[0] != face:
                        message = f"the same picture as {same[1]}; check which face it shows"
                        progress.message(f"{file}: not used: {message}")
                    continue
                other = _looks_like(teacher, crop.picture, face, known)
                if other:
                    progress.message(f"{file}: looks like your {other}; check that {face} is up")
                used.append(crop)
                known.append((face, str(file), crop))
            flaws = dict.fromkeys(str(crop.flaw) for crop in found if crop.flaw)
            for flaw in flaws:
                progress.message(f"{file}: {flaw}")
            if verbose or len(used) > 1:
                progress.message(f"{file}: {_say_cut(used, face)}")
            pictures.setdefault(face, []).extend(c.picture for c in used if c.picture is not None)
            progress.step()
    return pictures


def _say_cut(crops: Sequence["Crop"], face: str) -> str:
    """Return what was cut out of a picture, and where."""
    if not crops:
        return "not used"
    cut = (crop.spot for crop in crops if crop.spot is not None)
    places = "; ".join(f"{edge:.0f} pixels wide at {x:.0f}, {y:.0f}" for x, y, edge in cut)
    if len(crops) == 1:
        return f"1 die taught as {face}: {places}"
    return f"{len(crops)} dice taught as {face}: {places}; check that each is a whole die"


def _looks_like(
    teacher: "ProfileTrainer",
    picture: "Image",
    face: str,
    known: Sequence[tuple[str, str, "Crop"]],
) -> str | None:
    """Return the other face that a picture resembles; known: face, name and crop of each so far."""
    pictures: dict[str, list[Image]] = {}
    for other, _, crop in known:
        if crop.picture is not None:
            pictures.setdefault(other, []).append(crop.picture)
    return teacher.looks_like(picture, face, pictures)


def _write_sheet(pictures: Mapping[str, Sequence["Image"]], file: Path, option: str) -> None:
    """Write all faces as one picture, a row for each face. Raises CommandError naming `option`."""
    import cv2

    from vision.dice.draw import contact_sheet

    try:
        encoded, data = cv2.imencode(file.suffix, contact_sheet(pictures))
    except cv2.error:
        encoded = False
    if not encoded:
        raise CommandError(f"{option}: {file}: pictures are written as {_kinds()}")
    try:
        file.write_bytes(data.tobytes())
    except OSError as error:
        raise CommandError(f"{option}: {file}: {error.strerror}") from None


def _collect(profile: "Profile", file: Path, progress: Progress) -> None:
    """Write what was taught as a collection, and a sheet of it beside it. Raises CommandError."""
    from companion.base.whole_file import write_whole
    from companion.setup.collection import DiceCollection, collection_zip

    sheet = file.with_suffix(".png")
    every = {f: [*profile.taught[f], *profile.learned.get(f, ())] for f in profile.faces}
    _write_sheet(every, sheet, "--collect")
    try:
        write_whole(file, collection_zip(DiceCollection(profile, "pictures", ())), mode=0o666)
    except OSError as error:
        raise CommandError(f"--collect: {file}: {error.strerror}") from None
    progress.message(f"{file}: look at {sheet} before you give it away: it shows all its pictures")


def _pictures(folder: Path) -> dict[str, list[Path]]:
    """Return the picture files of each face. Raises CommandError."""
    from hardware.camera.pictures import PICTURE_SUFFIXES
    from vision.dice.reading import FACES

    try:
        homes = [home for home in _entries(folder) if home.is_dir()]
        files = {home.name: _entries(home) for home in homes}
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from None
    strangers = [home for home in homes if home.name not in FACES]
    if strangers:
        raise CommandError(f"{strangers[0]}: no face; folders are named {', '.join(FACES)}")
    found = {
        face: [file for file in each if file.suffix.lower() in PICTURE_SUFFIXES]
        for face, each in files.items()
    }
    if not any(found.values()):
        raise CommandError(
            f"{folder}: no pictures ({_kinds()}) in folders named {', '.join(FACES)}"
        )
    return found


def _entries(folder: Path) -> list[Path]:
    """Return the entries of a folder that aren't hidden."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _kinds() -> str:
    from hardware.camera.pictures import PICTURE_SUFFIXES

    return ", ".join(sorted(PICTURE_SUFFIXES))
