"""Capture cards one after the other while a deck is taught, and check how well they differ."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import cv2
import numpy as np

from vision.cards.agree import align_cards
from vision.cards.change import FILLED, Changes
from vision.cards.deck import PICTURE, TaughtCard
from vision.cards.outline import fit_to_edges, lone_outline
from vision.cards.reader import resize_to_read
from vision.cards.sides import SAME_PLACE, Outline, glare_mask, has_card_shape, outline_of
from vision.cards.signs import (
    Corner,
    PrintedSign,
    SignPlace,
    SignReader,
    find_sign,
    find_signs,
    usual_corner,
    usual_place,
)
from vision.cards.titles import TitleMatcher, rectify_card
from vision.imaging.crop import LEAST_CONTRAST, SAME_PICTURE, Crop
from vision.imaging.geometry import Image

_LEAST_WIDTH = 60.0
"""Pixels of a card's width below which its sign can't be read."""
_MOST_BURNT = 0.12
"""The share of a card that may be burnt out."""
_LEAST_LIGHT = 60.0
"""Grey level: the 98th percentile of a card."""


class CardFlaw(StrEnum):
    """Why a picture of a card is of no use, or the card hard to learn."""

    NONE_FOUND = "no card found"
    SEVERAL = "not one single card"
    TURNED = "turned: its top must be at the top of the picture"
    SMALL = "too small: move the camera closer"
    BURNT = "overexposed: turn the lamp or the card"
    DARK = "too dark"
    FAINT = "too faint"
    NO_SIGN = "no rank and suit found at the bottom left"
    MISPLACED = "its rank and suit aren't where other cards have them: it may be upside down"


class DeckCheck(NamedTuple):
    """How well the cards of a deck are told apart."""

    alike: tuple[tuple[str, str], ...]
    """Pairs of titles: the first, even in its own picture, isn't told from the other."""
    misread: tuple[tuple[str, PrintedSign, PrintedSign], ...]
    """Title and sign of cards whose sign looks like another, and that one, by all other cards."""
    odd: tuple[str, ...]
    """Titles of cards that look cut off or burnt out, unlike the rest, and so are never sure."""


def is_unchanged(before: Image, after: Image) -> bool:
    """Return whether two pictures of a tray show the same cards in the same places."""
    if before.shape != after.shape:
        return False
    return Changes(resize_to_read(before), resize_to_read(after)).find_region() is None


def capture_card(picture: Image, earlier: Sequence[Image], known: Sequence[Image] = ()) -> Crop:
    """Return the card that was laid, its top at the top of the picture within 45 degrees.

    picture: (H, W, 3); earlier: the same tray as it lay before, of which one picture at least shows
    it empty, the likeliest first; without any, the card is found by its edges. known: other cards
    of the deck, as it keeps them.
    """
    small = resize_to_read(picture)
    scale = picture.shape[1] / small.shape[1]
    laid = (laid_outline(small, before) for before in earlier)
    outline = next((one for one in laid if one is not None), None)
    if not earlier:
        outline = lone_outline(small)
    missing = CardFlaw.SEVERAL if earlier else CardFlaw.NONE_FOUND
    if outline is None:
        return Crop(None, missing)
    outline = begin_top_left(outline)
    if has_card_shape(np.roll(outline, 1, axis=0)):
        return Crop(None, CardFlaw.TURNED)
    if not has_card_shape(outline):
        return Crop(None, missing)
    width = float(np.linalg.norm(outline[1] - outline[0]))
    x, y = outline.mean(axis=0) * scale
    spot = (float(x), float(y), width * scale)
    if width < _LEAST_WIDTH:
        return Crop(None, CardFlaw.SMALL, spot)
    card = rectify_card(picture, outline * scale, PICTURE)
    return Crop(card, flaw_of(card, known), spot)


def laid_outline(small: Image, before: Image) -> Outline | None:
    """Return the outline of the one card by which a picture differs from an earlier one.

    small: as `resize_to_read` returns it; the earlier one may be larger.
    """
    then = resize_to_read(before)
    if then.shape != small.shape:
        return None
    changes = Changes(then, small)
    region = changes.find_region()
    # A card as white as what it lies on has holes in its change, but no gaps in its rim.
    if region is None or region.share_of(region.outline) < FILLED:
        return None
    if region.share_within(region.outline, 1.04) < FILLED:
        return None
    # With its shadow, what changed is larger than the card.
    return fit_to_edges(changes.amount(), region.outline)


def begin_top_left(outline: Outline) -> Outline:
    """Return an outline so that it begins at the corner that is most to the top left."""
    return np.roll(outline, -int(np.argmin(outline.sum(axis=1))), axis=0)


def flaw_of(card: Image, known: Sequence[Image]) -> CardFlaw | None:
    """Return what is wrong with the picture of a card; None if nothing.

    known: other cards of its deck.
    """
    if (glare_mask(card) > 0).mean() > _MOST_BURNT:
        return CardFlaw.BURNT
    down, across = card.shape[0] // 20, card.shape[1] // 20
    inner = card[down:-down, across:-across]
    grey = cv2.cvtColor(inner, cv2.COLOR_BGR2GRAY)
    dark, light = (float(np.percentile(grey, share)) for share in (2, 98))
    if light < _LEAST_LIGHT:
        return CardFlaw.DARK
    if light - dark < LEAST_CONTRAST:
        return CardFlaw.FAINT
    corner = usual_corner(known)
    place = find_sign(card, corner)
    if place is None:
        return CardFlaw.NO_SIGN
    usual = _usual_sign(known, corner)
    if usual is None:
        return None
    aside = max(abs(place.left - usual.left), abs(place.top - usual.top))
    return CardFlaw.MISPLACED if aside > SAME_PLACE else None


def _usual_sign(cards: Sequence[Image], corner: Corner) -> SignPlace | None:
    """Return where most cards have what looks like a sign in a corner; None if none has."""
    found = (find_sign(card, corner) for card in cards)
    return usual_place([place for place in found if place is not None])


def is_same_card_picture(one: Crop, other: Crop) -> bool:
    """Return whether two crops are one and the same picture: the card wasn't moved in between."""
    if one.picture is None or other.picture is None or one.spot is None or other.spot is None:
        return False
    apart = np.hypot(one.spot[0] - other.spot[0], one.spot[1] - other.spot[1])
    if apart > SAME_PLACE * one.spot[2]:
        return False
    alike = cv2.matchTemplate(one.picture, other.picture, cv2.TM_CCOEFF_NORMED)
    return float(alike.max()) > SAME_PICTURE


def looks_like_title(picture: Image, title: str, known: Mapping[str, Sequence[Image]]) -> str:
    """Return the other title that a card resembles so much that it would be read as that; "".

    known: pictures of cards by title.
    """
    others = {other: seen[-1] for other, seen in known.items() if other != title and seen}
    if not others:
        return ""
    titles = list(others)
    pictures = list(others.values())
    matcher = TitleMatcher(pictures, titles, _usual_sign(pictures, usual_corner(pictures)))
    match = matcher.matches(picture, outline_of(picture.shape[1::-1]))[0]
    return titles[match.number] if match.sure else ""


def check_deck(
    cards: Sequence[TaughtCard], progress: Callable[[], None] = lambda: None
) -> DeckCheck:
    """Return which titles are too alike, and which signs may have been named wrongly.

    progress: called after each of its pieces, none of which takes a second.
    """
    # They are kept as PNG, which takes long to decode.
    pictures = [card.picture for card in cards]
    titles = [card.title for card in cards]
    signs = [card.sign for card in cards]
    found = find_signs(list(zip(pictures, signs, strict=True)))
    usual = usual_place([place for place in found if place is not None])
    matcher = TitleMatcher(pictures, titles, usual)
    alike = []
    for number, (picture, title) in enumerate(zip(pictures, titles, strict=True)):
        own = matcher.lay(number, picture, outline_of(picture.shape[1::-1]))
        for other, its_title in enumerate(titles):
            if title != its_title and not matcher.tell_from(own, [other]).sure:
                alike.append((title, its_title))
        progress()
    odd = [titles[number] for number in sorted(align_cards(pictures, progress).odd)]
    misread = _misread_signs(cards, pictures, progress)
    return DeckCheck(tuple(dict.fromkeys(alike)), tuple(misread), tuple(dict.fromkeys(odd)))


def _misread_signs(
    cards: Sequence[TaughtCard], pictures: Sequence[Image], progress: Callable[[], None]
) -> list[tuple[str, PrintedSign, PrintedSign]]:
    """Return the signs that all other cards together read as others, and surely."""
    corner = usual_corner(pictures)
    found = [
        (card, picture, find_sign(picture, corner))
        for card, picture in zip(cards, pictures, strict=True)
    ]
    placed = [(card, picture, place) for card, picture, place in found if place is not None]
    misread = []
    for number, (card, picture, place) in enumerate(placed):
        others = [
            (its_picture, other.sign, there)
            for n, (other, its_picture, there) in enumerate(placed)
            if n != number
        ]
        read = SignReader(others).read(picture, outline_of(picture.shape[1::-1]), place)
        # A rank that no other card has can only be taken for another one.
        ranks = {sign.rank for _, sign, _ in others}
        if read and read.ahead and read.sign != card.sign and card.sign.rank in ranks:
            misread.append((card.title, card.sign, read.sign))
        progress()
    return misread
