"""Find what the copies of each title have in common: their print.

A taught card shows its print, and besides the wear, the bend and the light of one copy at one
moment. Copies are laid onto each other and their median is taken, so that each picture more, of
those taught or learned while playing, leaves less of that.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vision.cards.agree import align_cut, correlation, lay_card, lay_cut
from vision.cards.sides import glare_mask
from vision.cards.titles import local_contrast, shrink
from vision.imaging.crop import BURNT
from vision.imaging.geometry import Image
from vision.imaging.overlay import LIKE


class CardPrint(NamedTuple):
    """The print of a title, or one of several that are too unlike to be one."""

    title: str
    """The title."""
    picture: Image
    """(h, w, 3), as large as the cards that it is made of."""
    numbers: tuple[int, ...]
    """Which cards these are."""


def find_prints(
    cards: Sequence[Image], titles: Sequence[str], odd: frozenset[int] = frozenset()
) -> list[CardPrint]:
    """Return the prints of rectified cards (h, w, 3) of one size, by title.

    titles: theirs. odd: the numbers of cards that were cut otherwise than the rest: each is a print
    of its own.
    """
    prints: list[CardPrint] = []
    for title in dict.fromkeys(titles):
        own = [number for number, other in enumerate(titles) if other == title]
        flat = {number: local_contrast(shrink(cards[number])) for number in own}
        left = [number for number in own if number not in odd]
        while left:
            first, *others = left
            warps = {
                number: align_cut(flat[first], flat[number], np.eye(3, dtype=np.float32))
                for number in others
            }
            alike = [
                number
                for number, warp in warps.items()
                if correlation(flat[first], lay_cut(flat[number], warp)) > LIKE
            ]
            laid = [cards[first], *(lay_card(cards[n], warps[n]) for n in alike)]
            prints.append(CardPrint(title, _median(laid), (first, *alike)))
            left = [number for number in others if number not in alike]
        prints += [CardPrint(title, cards[n], (n,)) for n in own if n in odd]
    return prints


def _median(cards: Sequence[Image]) -> Image:
    """Return the median of cards in the light of the first; what is burnt out doesn't count."""
    if len(cards) == 1:
        return cards[0]
    usual = cards[0].mean(axis=(0, 1))
    lit = [card * (usual / np.maximum(card.mean(axis=(0, 1)), 1.0)) for card in cards]
    burnt = np.array([glare_mask(card) > 0 for card in cards])
    # Lit alike, paper may become whiter than any picture showed it.
    seen = np.minimum(np.asarray(lit, np.float32), BURNT - 1)
    seen[burnt] = np.nan
    seen[:, burnt.all(axis=0)] = 255
    return np.asarray(np.nanmedian(seen, axis=0).round(), np.uint8)
