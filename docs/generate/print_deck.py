"""Teach the deck of the cards to print: `python -m docs.generate.print_deck OUT.cards`.

From the cards as they are drawn, without any camera: one copy of each title, and as many more as it
takes to show each rank and each suit often enough; and one more of each title whose word is another
in another language.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.games.cards.rules.deck import KINDS
from companion.games.cards.terms import LANGUAGES, terms
from vision.cards import deck
from vision.cards.signs import RANKS, parse_sign
from vision.simulate.cards.art import WORDS, draw_card

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


def printed() -> Iterator[tuple[str, str, str]]:
    """The title, the sign and the word of each copy that is taught."""
    for title, sign in (known := chosen()):
        yield title, sign, WORDS[title]
    signs = dict(known)
    for language in LANGUAGES:
        for title, text in terms(language).cards.items():
            if text.name.upper() != WORDS[title]:
                yield str(title), signs[title], text.name.upper()


def print_deck() -> deck.TaughtDeck:
    """The deck that is shipped."""
    cards = []
    for title, sign, word in printed():
        large = draw_card(title, sign, word=word)
        small = cv2.resize(large, deck.PICTURE, interpolation=cv2.INTER_AREA)
        picture = deck.encode_picture(np.asarray(small, np.uint8))
        cards.append(deck.TaughtCard(title, parse_sign(sign), picture))
    return deck.add_cards(deck.TaughtDeck("print", ()), cards)


def main() -> None:
    deck.save_deck(print_deck(), Path(sys.argv[1]))


if __name__ == "__main__":
    main()
