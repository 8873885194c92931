"""Teach the deck of the cards to print: `python -m docs.generate.print_deck OUT.cards`.

From the cards as they are drawn, without any camera: one copy of each title, and as many more as it
takes to show each rank and each suit often enough.
"""

import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from companion.games.cards.rules.deck import KINDS
from vision.cards import deck
from vision.cards.signs import RANKS, parse_sign
from vision.simulate.cards.art import draw_card

RANK_OFTEN = 3


def chosen() -> list[tuple[str, str]]:
    """The titles and signs of the copies that are taught."""
    cards = [(str(title), str(sign)) for title, kind in KINDS.items() for sign in kind.signs]
    taught: list[tuple[str, str]] = []
    ranks: Counter[str] = Counter()
    suits: Counter[str] = Counter()
    # First the titles that have the fewest copies, and so the least choice.
    for title, kind in sorted(KINDS.items(), key=lambda item: len(item[1].signs)):
        sign = min(map(str, kind.signs), key=lambda s: (ranks[s[:-1]], suits[s[-1]]))
        taught.append((str(title), sign))
        ranks[sign[:-1]] += 1
        suits[sign[-1]] += 1
    for rank in RANKS:
        while ranks[rank] < RANK_OFTEN:
            titles = Counter(title for title, _ in taught)
            more = [
                card for card in cards
                if card[1][:-1] == rank and card not in taught and titles[card[0]] < deck.MOST
            ]  # fmt: skip
            if not more:
                break
            card = min(more, key=lambda one: (suits[one[1][-1]], titles[one[0]]))
            taught.append(card)
            ranks[rank] += 1
            suits[card[1][-1]] += 1
    return taught


def print_deck() -> deck.TaughtDeck:
    """The deck that is shipped."""
    cards = []
    for title, sign in chosen():
        small = cv2.resize(draw_card(title, sign), deck.PICTURE, interpolation=cv2.INTER_AREA)
        cards.append(
            deck.TaughtCard(
                title, parse_sign(sign), deck.encode_picture(np.asarray(small, np.uint8))
            )
        )
    return deck.add_cards(deck.TaughtDeck("print", ()), cards)


def main() -> None:
    deck.save_deck(print_deck(), Path(sys.argv[1]))


if __name__ == "__main__":
    main()
