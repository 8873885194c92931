"""Taught decks: what the cards on the table look like.

A deck is one ZIP file that can be copied from table to table: `deck.json` (`format`, `kind`) and
the pictures of the cards, `taught/TITLE/NN-SIGN.png` and, gathered while playing,
`learned/TITLE/NN-SIGN-SOURCE.png`, where `_` stands for a title or sign that nobody named.
"""

import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import cv2

from vision import profile_files
from vision.cards.sides import card_size
from vision.cards.signs import PrintedSign, parse_sign
from vision.imaging.geometry import Image

SUFFIX = ".cards"
"""Of the file of a deck."""
FORMAT = 1
"""The newest format of decks, in which they are written."""
PICTURE = card_size(3)
"""Pixels of a picture in a deck: width and height."""
MOST = 4
"""Pictures of a title. A new one replaces the oldest."""
MOST_LEARNED = 2
"""Learned pictures of a title, and of a sign without a title. A new one replaces the oldest."""
TITLE = re.compile("[a-z][a-z0-9_]{0,29}")
"""What titles are called."""

_TAUGHT = re.compile(r"taught/([a-z0-9_]+)/\d{2}-(\w{2,3})\.png")
_LEARNED = re.compile(r"learned/([a-z0-9_]+)/\d{2}-(\w{1,3})-([\w-]{1,40})\.png")
_UNNAMED = "_"
"""In the name of a learned picture, a title or a sign that nobody named."""


def encode_picture(picture: Image) -> bytes:
    """Return a card's picture as PNG, without loss: a seventh of the memory."""
    return cv2.imencode(".png", picture)[1].tobytes()


def _decode_picture(png: bytes) -> Image:
    """Return the picture (PICTURE[1], PICTURE[0], 3) in a PNG. Raises ValueError if it is other."""
    image = profile_files.decode_png(png, *PICTURE)
    if image is None:
        raise ValueError("no picture of a card")
    return image


class TaughtCard(NamedTuple):
    """One picture of one card."""

    title: str
    """Such as `cat_balou`; it matches TITLE."""
    sign: PrintedSign
    """The sign of this copy."""
    png: bytes
    """Its picture, as PNG."""

    @property
    def picture(self) -> Image:
        """(PICTURE[1], PICTURE[0], 3), BGR: rectified, upright, the outline at the border."""
        return _decode_picture(self.png)


class LearnedCard(NamedTuple):
    """One picture of a card that a player named while playing."""

    title: str
    """Its title; "" if it was read by its sign."""
    sign: PrintedSign | None
    """Its sign; None if nobody named it."""
    png: bytes
    """Its picture, as PNG."""
    source: str
    """The lesson that it comes from: a game and its move."""

    @property
    def picture(self) -> Image:
        """As that of a taught card."""
        return _decode_picture(self.png)


class TaughtDeck(NamedTuple):
    """The cards of one table."""

    name: str
    """What players call it; the file's name without its suffix."""
    cards: tuple[TaughtCard, ...]
    """Its pictures, by title, the oldest first."""
    learned: tuple[LearnedCard, ...] = ()
    """Pictures gathered while playing, the oldest first."""

    @property
    def titles(self) -> tuple[str, ...]:
        """Its titles, each once."""
        return tuple(dict.fromkeys(card.title for card in self.cards))


def add_cards(deck: TaughtDeck, cards: Iterable[TaughtCard]) -> TaughtDeck:
    """Return a deck with more pictures, of each title the MOST newest."""
    by_title: dict[str, list[TaughtCard]] = {}
    for card in (*deck.cards, *cards):
        by_title.setdefault(card.title, []).append(card)
    newest = tuple(c for title in sorted(by_title) for c in by_title[title][-MOST:])
    return deck._replace(cards=newest)


def add_learned_card(deck: TaughtDeck, card: LearnedCard) -> TaughtDeck:
    """Return a deck with one more learned picture; of each kind, the MOST_LEARNED newest stay."""

    def kind(one: LearnedCard) -> tuple[str, PrintedSign | None]:
        return one.title, None if one.title else one.sign

    alike = [one for one in deck.learned if kind(one) == kind(card)][1 - MOST_LEARNED :]
    others = [one for one in deck.learned if kind(one) != kind(card)]
    return deck._replace(learned=(*others, *alike, card))


def remove_learned_cards(deck: TaughtDeck, is_taken_back: Callable[[str], bool]) -> TaughtDeck:
    """Return the deck without the pictures of these lessons; itself if there are none."""
    left = tuple(card for card in deck.learned if not is_taken_back(card.source))
    return deck if len(left) == len(deck.learned) else deck._replace(learned=left)


def deck_path(name_or_path: str, folder: Path) -> Path:
    """Return where a deck of this name is kept in `folder`, or the path itself.

    Raises ProfileError where no deck can have this name.
    """
    name = profile_files.check_name(name_or_path)
    if Path(name).name in ("", ".", "..", SUFFIX):
        raise profile_files.ProfileError(f"{name}: no name of a deck")
    if Path(name).suffix not in ("", SUFFIX):
        raise profile_files.ProfileError(f"{name}: decks are kept in a file *{SUFFIX}")
    if os.sep in name or Path(name).suffix:
        return Path(name)
    return folder / f"{name}{SUFFIX}"


def find_deck(name_or_path: str, folder: Path) -> Path:
    """Return where a deck of this name is found: in `folder`, or among those that are shipped.

    Raises ProfileError where no deck can have this name.
    """
    path = deck_path(name_or_path, folder)
    shipped = profile_files.SHIPPED / path.name
    return shipped if path.parent == folder and not path.exists() and shipped.is_file() else path


def load_deck(path: Path) -> TaughtDeck:
    """Return the deck in a file. Raises ProfileError where there is none, or it is malformed."""
    data = profile_files.read_profile_file(path, f"{path.stem}: no such deck ({path})")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            head = json.loads(_entry(path, file, "deck.json"))
            profile_files.check_head(path, "deck.json", head, "cards", FORMAT)
            names = sorted(name for name in file.namelist() if name != "deck.json")
            # Numbered across all titles, the oldest first.
            gathered = sorted(
                (name for name in names if name.startswith("learned/")),
                key=lambda name: Path(name).name,
            )
            learned = tuple(_learned_card(path, file, name) for name in gathered)
            cards = tuple(
                _taught_card(path, file, name) for name in names if not name.startswith("learned/")
            )
    except profile_files.DAMAGE as error:
        raise profile_files.ProfileError(f"{path}: damaged ({error})") from error
    if not cards:
        raise profile_files.ProfileError(f"{path}: no picture of a card")
    return TaughtDeck(path.stem, cards, learned)


def save_deck(deck: TaughtDeck, path: Path) -> None:
    """Write a deck, whole or not at all. Raises ProfileError where that fails."""
    head = {"format": FORMAT, "kind": "cards"}
    data = profile_files.zip_bytes(("deck.json", head), _pictures(deck))
    profile_files.write_profile_file(path, data)


def _pictures(deck: TaughtDeck) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of a deck, with their names in its file."""
    for title in deck.titles:
        own = [card for card in deck.cards if card.title == title]
        for number, card in enumerate(own):
            yield f"taught/{title}/{number:02}-{card.sign}.png", card.png
    for number, learned in enumerate(deck.learned):
        place = f"learned/{learned.title or _UNNAMED}/{number:02}"
        yield f"{place}-{learned.sign or _UNNAMED}-{learned.source}.png", learned.png


def _entry(path: Path, file: zipfile.ZipFile, name: str) -> bytes:
    if file.getinfo(name).file_size > profile_files.LARGEST:
        raise profile_files.ProfileError(f"{path}: {name}: too large for a deck")
    return file.read(name)


def _taught_card(path: Path, file: zipfile.ZipFile, name: str) -> TaughtCard:
    named = _TAUGHT.fullmatch(name)
    if named is None or not TITLE.fullmatch(named[1]):
        raise profile_files.ProfileError(f"{path}: {name}: no picture of a card")
    picture = _picture(path, file, name)
    return TaughtCard(named[1], parse_sign(named[2]), picture)


def _learned_card(path: Path, file: zipfile.ZipFile, name: str) -> LearnedCard:
    named = _LEARNED.fullmatch(name)
    if named is None or not (named[1] == _UNNAMED or TITLE.fullmatch(named[1])):
        raise profile_files.ProfileError(f"{path}: {name}: no picture of a card")
    picture = _picture(path, file, name)
    title = "" if named[1] == _UNNAMED else named[1]
    sign = None if named[2] == _UNNAMED else parse_sign(named[2])
    return LearnedCard(title, sign, picture, named[3])


def _picture(path: Path, file: zipfile.ZipFile, name: str) -> bytes:
    png = _entry(path, file, name)
    try:
        _decode_picture(png)
    except ValueError as error:
        raise profile_files.ProfileError(f"{path}: {name}: {error}") from error
    return png
