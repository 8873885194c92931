"""What `teach`, `read` and `watch` do with cards."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.app.commands.errors import CommandError, compare_sizes, complain_of
from companion.app.progress import Progress
from companion.app.results import print_result
from companion.games.registry import card_signs
from companion.settings import Settings
from hardware.camera.interface import CameraError, Frame
from hardware.camera.pictures import PICTURE_SUFFIXES, load_picture
from vision.cards import deck as decks
from vision.cards.agree import align_cards
from vision.cards.follow import CardFollower
from vision.cards.reader import CardReader
from vision.cards.reading import CardReading
from vision.cards.signs import find_signs, parse_sign
from vision.cards.teach import cut_out, self_check
from vision.profile_files import ProfileError


def card_reader(profile: str) -> Callable[[Frame, Frame | None], Mapping[str, object]]:
    """Return what reads the card of a picture that the one before it doesn't show."""
    reader = CardReader(_deck(profile), card_signs())
    return lambda picture, before: _entry(reader.read(picture, before))


def card_follower(profile: str) -> Callable[[Frame, float], Mapping[str, object] | None]:
    """Return what takes frames with their times, and tells each change of the pile."""
    reader = CardReader(_deck(profile), card_signs())
    follower = CardFollower(reader.read, shows=reader.shows, is_empty=reader.is_empty)

    def follow(frame: Frame, at: float) -> Mapping[str, object] | None:
        change = follower.update(frame, at)
        if change is None:
            return None
        return {"event": change.event, **(_entry(change.reading) if change.reading else {})}

    return follow


def teach_cards(arguments: argparse.Namespace) -> int:
    """Teach the cards in the pictures, and print what the deck then contains.

    If nothing can be learned or written, the deck stays as it was.
    """
    from companion.app.interrupts import delay_signals

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
        ground = None if empty is None else load_picture(Path(empty))
        shown: list[Frame] = []
        for file in files:
            shown.append(load_picture(file))
            compare_sizes(empty, ground, file, shown[-1])
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
