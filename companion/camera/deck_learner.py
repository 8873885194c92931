"""Learns cards that players named while playing: the deck in use knows them from then on."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from companion.camera.pile_reader import PileReader
from companion.table.surface.cards.surface import NamedCard
from vision.cards import deck as decks
from vision.cards.capture import flaw_of
from vision.cards.signs import parse_sign
from vision.imaging.geometry import Image


class DeckLearner:
    """Adds pictures to the deck in use while another thread reads with it. For one thread.

    Each change is saved in `folder`, whole or not at all, together with the taught pictures. What
    can't be saved is known until the end all the same.
    """

    def __init__(self, reader: PileReader, folder: Path) -> None:
        """Learn for the deck that `reader` has in use."""
        self._reader, self._folder = reader, folder

    @property
    def counts(self) -> dict[str, int]:
        """How many pictures of each title were learned."""
        deck = self._reader.deck
        titles = [card.title for card in deck.learned if card.title] if deck is not None else []
        return {title: titles.count(title) for title in titles}

    def learn(self, pictures: Mapping[int, Image], named: Sequence[NamedCard], source: str) -> None:
        """Learn cards by their pictures, in the place of what this lesson, `source`, taught before.

        The pile is followed by what they are, too. A picture in which the sign isn't where it
        belongs isn't learned: it may show the card upside down. Raises ProfileError where the deck
        can't be saved.
        """
        deck = self._reader.deck
        if deck is None:
            return
        known = [card.picture for card in deck.cards]
        after = decks.remove_learned_cards(deck, source.__eq__)
        for card in named:
            self._reader.name(card)
            picture = _upright(pictures.get(card.number), known)
            if picture is not None:
                sign = parse_sign(card.sign) if card.sign else None
                after = decks.add_learned_card(
                    after,
                    decks.LearnedCard(
                        card.title or "", sign, decks.encode_picture(picture), source
                    ),
                )
        self._use(deck, after)

    def take_back(self, is_taken_back: Callable[[str], bool]) -> None:
        """Unlearn the lessons for whose source this is true. Raises ProfileError as `learn`."""
        deck = self._reader.deck
        if deck is not None:
            self._use(deck, decks.remove_learned_cards(deck, is_taken_back))

    def _use(self, before: decks.TaughtDeck, after: decks.TaughtDeck) -> None:
        if after is before:
            return
        self._reader.know(after)
        decks.save_deck(after, self._folder / f"{after.name}{decks.SUFFIX}")


def _upright(picture: Image | None, known: Sequence[Image]) -> Image | None:
    """Return a picture turned so that its sign is where other cards have theirs, if it is."""
    if picture is None:
        return None
    turned = np.ascontiguousarray(picture[::-1, ::-1])
    return next((each for each in (picture, turned) if flaw_of(each, known) is None), None)
