"""What `teach`, `read` and `watch` do with cards."""

import argparse
import time
from collections.abc import Mapping
from pathlib import Path

from companion.app.commands.errors import CommandError, complain_of
from companion.app.progress import Progress
from companion.app.results import print_result
from companion.games.registry import card_signs
from companion.settings import Settings
from hardware.camera.frames import frame_rate, frames
from hardware.camera.interface import CameraError, Frame
from hardware.camera.pictures import PICTURE_SUFFIXES, load_picture, pictures
from vision.cards import deck as decks
from vision.cards.agree import align_cards
from vision.cards.follow import CardFollower
from vision.cards.reader import CardReader
from vision.cards.reading import CardReading
from vision.cards.signs import find_signs, parse_sign
from vision.cards.teach import cut_out, self_check
from vision.profile_files import ProfileError


def read_cards(arguments: argparse.Namespace) -> int:
    """Print what each picture shows that the one before it does not."""
    reader = CardReader(_deck(arguments.profile), card_signs())
    with complain_of(CameraError):
        before = _picture_before(arguments.before)
        with Progress(len(arguments.pictures)) as progress:
            for name in arguments.pictures:
                picture = load_picture(Path(name))
                _compare_sizes(arguments.before, before, name, picture)
                begun = time.perf_counter()
                reading = reader.read(picture, before)
                spent = round((time.perf_counter() - begun) * 1000, 1)
                print_result({"picture": name, **_entry(reading), "ms": spent})
                progress.step()
    return 0


def _picture_before(name: str | None) -> Frame | None:
    """Return the picture that `--before` names. Raises CameraError."""
    return None if name is None else load_picture(Path(name))


def _compare_sizes(earlier: str, before: Frame | None, name: object, picture: Frame) -> None:
    """Raise CommandError where a picture isn't as large as the one before."""
    if before is not None and before.shape != picture.shape:
        (height, width, _), (tall, wide, _) = before.shape, picture.shape
        raise CommandError(f"{earlier}: {width} x {height} pixels, but {name} has {wide} x {tall}")


def watch_cards(arguments: argparse.Namespace) -> int:
    """Print a line for every change of the pile."""
    reader = CardReader(_deck(arguments.profile), card_signs())
    follower = CardFollower(reader.read)
    path: Path = arguments.frames
    with complain_of(CameraError):
        fps = arguments.fps or frame_rate(path)
        with Progress(len(pictures(path)) if path.is_dir() else 0) as progress:
            for number, image in frames(path):
                change = follower.update(image, number / fps)
                if change is not None:
                    entry: dict[str, object] = {"frame": number, "event": change.event}
                    if change.reading is not None:
                        entry |= _entry(change.reading)
                    print_result(entry)
                progress.step()
    return 0


def teach_cards(arguments: argparse.Namespace) -> int:
    """Teach the cards in the pictures, and print what the deck then contains.

    If nothing can be learned or written, the deck stays as it was.
    """
    from companion.app.signals import delay_signals

    folder: Path = arguments.folder
    with complain_of(ProfileError, "--profile"):
        path = decks.deck_path(arguments.profile, Settings().profiles)
        known = decks.find_deck(arguments.profile, Settings().profiles)
        before = decks.load_deck(known) if known.exists() else decks.TaughtDeck(path.stem, ())
    files = _pictures(folder)
    with Progress(len(files)) as progress:
        deck = decks.add_cards(before, _taught_cards(files, arguments.before, progress))
        if not deck.cards:
            raise CommandError(f"{folder}: no picture shows a card")
        missing = [title for title in card_signs() if title not in deck.titles]
        if missing:
            progress.message(f"not taught: {', '.join(missing)}")
        _name_doubts(deck, progress)
    right, tested = self_check(deck)
    with complain_of(ProfileError, "--profile"), delay_signals():
        decks.save_deck(deck, path)
    counts = {title: sum(c.title == title for c in deck.cards) for title in deck.titles}
    check = round(right / tested, 3) if tested else None
    print_result({"profile": arguments.profile, "titles": counts, "self_check": check})
    return 0


def _taught_cards(
    files: Mapping[Path, tuple[str, str]], empty: str | None, progress: Progress
) -> list[decks.TaughtCard]:
    """Return the cards in pictures, each with its title and sign; say where none is found.

    empty: the name of a picture of the ground without a card. Raises CommandError.
    """
    with complain_of(CameraError):
        ground = _picture_before(empty)
        shown: list[Frame] = []
        for file in files:
            shown.append(load_picture(file))
            _compare_sizes(empty or "", ground, file, shown[-1])
            progress.step()
    taught = []
    advice = "lay it alone and upright, on plain ground"
    if empty is None:
        advice += ", or give a picture of the empty ground with --before"
    for (file, (title, sign)), card in zip(files.items(), cut_out(shown, ground), strict=True):
        if card is None:
            progress.message(f"{file}: no card found; {advice}")
        else:
            taught.append(decks.TaughtCard(title, parse_sign(sign), decks.encode_picture(card)))
    return taught


def _name_doubts(deck: decks.TaughtDeck, progress: Progress) -> None:
    """Say which cards look odd, and whether no signs can be read."""
    agreed = align_cards([card.picture for card in deck.cards])
    for number in sorted(agreed.odd):
        odd = deck.cards[number]
        progress.message(
            f"{odd.title}/{odd.sign}: looks cut off or burnt out, unlike the other cards: "
            "it will never be sure; take it again"
        )
    signs = (card.sign for card in deck.cards)
    if not any(find_signs(list(zip(agreed.pictures, signs, strict=True)))):
        progress.message(
            "signs won't be read: no corner of the cards shows a rank with its suit to the right"
        )


def _deck(name: str) -> decks.TaughtDeck:
    """Return a deck, given its name or path. Raises CommandError."""
    try:
        return decks.load_deck(decks.find_deck(name, Settings().profiles))
    except ProfileError as error:
        raise CommandError(f"--profile: {error}") from None


def _entry(reading: CardReading) -> Mapping[str, object]:
    """Return the fields of a reading for JSON."""
    return {
        "verdict": reading.verdict,
        "title": reading.title,
        "sign": None if reading.sign is None else str(reading.sign),
        "sure": reading.sure,
        "sign_sure": reading.sign_sure,
        "likely": list(reading.likely),
    }


def _pictures(folder: Path) -> Mapping[Path, tuple[str, str]]:
    """Return the pictures in a folder, each with its title and sign. Raises CommandError."""
    found: dict[Path, tuple[str, str]] = {}
    titles = card_signs()
    try:
        homes = sorted(home for home in folder.iterdir() if home.is_dir())
        for home in homes:
            if home.name not in titles:
                raise CommandError(f"{home}: no title; folders are named {', '.join(titles)}")
            for file in sorted(home.iterdir()):
                if file.suffix.lower() in PICTURE_SUFFIXES and not file.name.startswith("."):
                    found[file] = (home.name, _sign_of(file))
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from None
    if not found:
        raise CommandError(f"{folder}: no pictures TITLE/SIGN-NNN, such as bang/4D-000.jpg")
    return found


def _sign_of(file: Path) -> str:
    """Return the sign in the name of a picture. Raises CommandError."""
    try:
        return str(parse_sign(file.stem.partition("-")[0]))
    except ValueError as error:
        raise CommandError(f"{file}: {error}; pictures are named such as 4D-000.jpg") from None
