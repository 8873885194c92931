"""Read what was laid on a pile of cards, from a picture and the one before."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.cards.deck import LearnedCard, TaughtCard, TaughtDeck
from vision.cards.keypoints import KeypointFinder, was_pushed
from vision.cards.outline import (
    ChangedRegion,
    Outline,
    covers,
    find_change,
    largest_region,
    lone_outline,
)
from vision.cards.reading import CardReading, PileVerdict
from vision.cards.signs import SignReader, SignReading, find_signs, usual_place
from vision.cards.titles import CardMatch, TitleMatcher
from vision.imaging.geometry import Image

_WIDTH = 820
"""Pixels of the pictures in which cards are searched; signs are read in the whole picture."""
_LIKELY = 3
"""Titles named where none is sure."""
_CARD = 0.35
"""The likeness below which a picture shows no taught card. Cards that it doesn't show have 0.25 at
most, those that it shows 0.5 at least, burnt out by half."""
_FILLED, _WITHIN = 0.92, 0.93
"""The share of a card that must have changed, and the share of the change that it must hold, where
one card was laid. Hands over the pile fill 0.88 of their box at most, pushed piles 0.9."""
_BURNT = 0.75
"""The share that must have changed of a card that looks like a taught one, with glare on both."""
_GONE = 0.96
"""The share of a card that must have changed to be gone. Less: something lies on a part of it."""
_NEW = 0.985
"""The share of a card that must have changed to be new for certain, whatever lay there before."""
_THERE = 0.5
"""The likeness from which a card lay in the same place before."""


class CardReader:
    """Reads the cards of one deck. It keeps no state between calls, so threads may share it."""

    def __init__(self, deck: TaughtDeck) -> None:
        """Learn the pictures of a deck."""
        cards: list[TaughtCard | LearnedCard] = [*deck.cards]
        cards += [card for card in deck.learned if card.title]
        pictures = [card.picture for card in cards]
        self._titles = [card.title for card in cards]
        self._rivals = [
            [n for n, other in enumerate(self._titles) if other != title] for title in self._titles
        ]
        self._matcher = TitleMatcher(pictures)
        self._keypoints = KeypointFinder(pictures, self._titles)
        # What players named while playing may show a sign only.
        signed = [card for card in deck.learned if not card.title and card.sign]
        found = find_signs([(card.picture, card.sign) for card in (*cards, *signed)])
        signs = [
            (card.picture, card.sign, place)
            for card, place in zip((*cards, *signed), found, strict=True)
            if place and card.sign
        ]
        self._signs = SignReader(signs)
        usual = usual_place([place for _, _, place in signs])
        self._places = [place or usual for place in found[: len(cards)]]

    def read(self, picture: Image, before: Image | None = None) -> CardReading:
        """Return what a picture (H, W, 3) shows that the one before it does not.

        before: the same tray through the same camera, of the same size. Without it, the card that
        is seen best is taken for the new one. Raises ValueError where the sizes differ.
        """
        after = at_reading_size(picture)
        if before is None:
            return self._read_alone(picture, after)
        if before.shape != picture.shape:
            raise ValueError(f"pictures of {before.shape} and {picture.shape} can't be compared")
        then = at_reading_size(before)
        region = largest_region(find_change(then, after))
        if region is None:
            return CardReading(PileVerdict.NONE)
        matches = self._matcher.matches(after, region.outline)
        alone = covers(region.outline, region.mask, 1.04) > _WITHIN
        resembles = region.filled > _BURNT and matches[0].likeness > _CARD
        if self._is_sure(matches) or (alone and resembles):
            return self._laid_or_below(picture, then, region, matches)
        earlier = self._matcher.matches(then, region.outline)
        if self._is_sure(earlier) and region.share_of(earlier[0].outline) > _GONE:
            # What lay there is gone, and what lies there now is no single card.
            return CardReading(PileVerdict.MOVED)
        if alone and region.share_of(region.outline) > _FILLED:
            # Two cards side by side can have the shape of one, or one nearly on the other.
            found = self._keypoints.find(after, region.mask)
            known = [[self._matcher.laid(one.number, after, one.outline)] for one in found]
            apart = [each for each in known if covers(each[0].outline, region.mask, 1.1) <= _WITHIN]
            if len(found) > 1 or any(self._is_sure(each) for each in apart):
                return CardReading(PileVerdict.MANY)
            for each in known:
                # A card and the one below it changed together: their outline is none of the two.
                if self._is_sure(each):
                    return self._laid_or_below(picture, then, region, each)
            return self._unknown(picture, region.outline, matches)
        return self._told_by_keypoints(picture, then, after, region)

    def identify(self, card: Image, without: int) -> str:
        """Return the likeliest title of a rectified card, by all taught cards but one."""
        h, w = card.shape[:2]
        whole = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float64)
        return self._titles[self._matcher.matches(card, whole, without)[0].number]

    def _read_alone(self, picture: Image, after: Image) -> CardReading:
        everywhere = np.ones(after.shape[:2], bool)
        for found in self._keypoints.find(after, everywhere)[:_LIKELY]:
            matches = [self._matcher.laid(found.number, after, found.outline)]
            if self._is_sure(matches):
                return self._told(picture, matches)
        outline = lone_outline(after)
        if outline is None:
            return CardReading(PileVerdict.NONE)
        matches = self._matcher.matches(after, outline)
        if matches[0].likeness > _CARD:
            return self._told(picture, matches)
        return self._unknown(picture, outline, matches)

    def _told(
        self, picture: Image, matches: Sequence[CardMatch], then: Image | None = None
    ) -> CardReading:
        """Return the reading of a taught card; then: the picture before, if there is one."""
        best = matches[0]
        sign = self._sign(picture, best)
        if then is not None and self._matcher.likeness_at(then, best) > _THERE:
            # The same title lay there. Is it another copy, or the same card pushed a little?
            earlier = self._sign(then, best)
            if sign is None or earlier is None or not (sign.sure and earlier.sure):
                return self._reading(PileVerdict.UNSURE, picture, matches, sign)
            if sign.sign == earlier.sign:
                return CardReading(PileVerdict.MOVED)
        verdict = PileVerdict.OK if self._is_sure(matches) else PileVerdict.UNSURE
        return self._reading(verdict, picture, matches, sign)

    def _unknown(
        self, picture: Image, outline: Outline, matches: Sequence[CardMatch]
    ) -> CardReading:
        """Return the reading of a card that no taught one resembles: its back, or a new title."""
        place = self._places[matches[0].number]
        scale = picture.shape[1] / _WIDTH
        for turn in (0, 2):
            turned = np.roll(outline, turn, axis=0)
            if place and self._signs.sees(picture, turned * scale, place):
                return self._reading(PileVerdict.UNSURE, picture, matches, None)
        return CardReading(PileVerdict.FACEDOWN, outline=outline * scale)

    def _told_by_keypoints(
        self, picture: Image, then: Image, after: Image, region: ChangedRegion
    ) -> CardReading:
        """Return the reading where what changed has not the shape of a card."""
        if was_pushed(then, after, region.mask):
            return CardReading(PileVerdict.MOVED)
        found = self._keypoints.find(after, region.mask)
        if len(found) > 1:
            return CardReading(PileVerdict.MANY)
        for one in found:
            matches = [self._matcher.laid(one.number, after, one.outline)]
            if self._is_sure(matches) and covers(matches[0].outline, region.mask, 1.1) > _WITHIN:
                return self._told(picture, matches, then)
        return CardReading(PileVerdict.BLOCKED)

    def _laid_or_below(
        self, picture: Image, then: Image, region: ChangedRegion, matches: Sequence[CardMatch]
    ) -> CardReading:
        """Return the reading of a card that was laid, or from which another was taken off."""
        if self._was_below(then, region, matches[0]):
            return CardReading(PileVerdict.MOVED)
        return self._told(picture, matches, then)

    def _was_below(self, then: Image, region: ChangedRegion, match: CardMatch) -> bool:
        """Return whether a card showed in part before, and what covered it was taken off."""
        changed = region.share_of(match.outline)
        if changed > _NEW:
            return False
        earlier = self._matcher.matches(then, region.outline)
        return self._is_sure(earlier) and region.share_of(earlier[0].outline) > changed

    def _is_sure(self, matches: Sequence[CardMatch]) -> bool:
        return self._matcher.is_sure(matches[0], self._rivals[matches[0].number])

    def _sign(self, picture: Image, match: CardMatch) -> SignReading | None:
        place = self._places[match.number]
        if place is None:
            return None
        return self._signs.read(picture, match.outline * (picture.shape[1] / _WIDTH), place)

    def _reading(
        self,
        verdict: PileVerdict,
        picture: Image,
        matches: Sequence[CardMatch],
        sign: SignReading | None,
    ) -> CardReading:
        likely = dict.fromkeys(self._titles[match.number] for match in matches)
        return CardReading(
            verdict,
            tuple(likely)[: 1 if verdict is PileVerdict.OK else _LIKELY],
            sign.sign if sign else None,
            verdict is PileVerdict.OK and sign is not None and sign.sure,
            matches[0].outline * (picture.shape[1] / _WIDTH),
        )


def at_reading_size(picture: Image) -> Image:
    """Return a picture as wide as those in which cards are searched."""
    height, width = picture.shape[:2]
    if width == _WIDTH:
        return picture
    size = (_WIDTH, max(1, round(height * _WIDTH / width)))
    how = cv2.INTER_AREA if width > _WIDTH else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8)
