"""Read what was laid on a pile of cards, from a picture and the one before."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

import cv2
import numpy as np

from vision.cards.agree import align_cards
from vision.cards.change import FILLED, ChangedRegion, Changes
from vision.cards.deck import LearnedCard, TaughtCard, TaughtDeck
from vision.cards.keypoints import KeypointFinder
from vision.cards.outline import edge_share, lone_outline, turned_outlines
from vision.cards.prints import find_prints
from vision.cards.push import find_push, move_back, rescale
from vision.cards.reading import UNREAD, CardReading, PileVerdict
from vision.cards.sides import (
    Movement,
    Outline,
    area_of,
    has_card_shape,
    is_card_shaped,
    outline_of,
)
from vision.cards.signs import (
    PrintedSign,
    SignReader,
    SignReading,
    find_signs,
    parse_sign,
    probably_agree,
    surely_differ,
    usual_place,
)
from vision.cards.titles import LIKE, CardMatch, TitleMatcher
from vision.imaging.geometry import Image

_WIDTH = 820
"""Pixels of the pictures in which cards are searched; signs are read in the whole picture."""
_LIKELY = 3
"""Titles named where none is sure."""
_CARD = 0.45
"""The likeness below which a picture shows no taught card. Cards that it doesn't show have 0.25 at
most, those that it shows 0.5 at least, burnt out by half."""
_WITHIN = 0.93
"""The share of the change that one card holds. Two that overlap have 0.91."""
_ALL = 0.97
"""The share of a card that must have changed to be new for certain, or gone: less, and something
lies on a part of it. And the share of the change that a card holds that is all that changed."""
_EDGED = 0.87
"""The share of a card's worst side that is an edge: 0.9 at least of new ones, and 0.83 at most
where a card was taken off."""
_PARTLY = 0.2
"""The share that has changed at least of a white card that lies exactly on another, and of what a
card that was taken off no longer covers."""
_LEFT = 0.3
"""The share that has changed at least of what a card no longer covers once it was pushed: a second
card of its kind on it leaves 0.2."""
_STRAIGHT = 0.72
"""The share of the line around cards that lie over each other that is straight: nine of ten have
more. A hand out of a dark sleeve has 0.67, round things have 0."""
_LARGER = 1.08
"""By what factor a card is larger at least than the part of it that differs from one below."""


class CardReader:
    """Reads the cards of one deck. It keeps no state between calls, so threads may share it."""

    def __init__(self, deck: TaughtDeck, signs: Mapping[str, Sequence[str]] | None = None) -> None:
        """Learn the pictures of a deck.

        signs: those that cards have, by title, if that is known; they count for nothing in a deck
        of which another was taught. Raises ValueError where one is no sign.
        """
        known = {title: frozenset(map(parse_sign, each)) for title, each in (signs or {}).items()}
        is_other = any(card.sign not in known.get(card.title, (card.sign,)) for card in deck.cards)
        self._known = {} if is_other else known
        self._twins = {
            (title, parse_sign(sign))
            for title, each in (signs or {}).items()
            for sign, copies in Counter(each).items()
            if copies > 1 and not is_other
        }
        cards: list[TaughtCard | LearnedCard] = [*deck.cards]
        cards += [card for card in deck.learned if card.title]
        # What players named while playing may show a sign only.
        signed = [card for card in deck.learned if not card.title and card.sign]
        pictures, odd = align_cards([card.picture for card in (*cards, *signed)])
        shown = [card.sign for card in (*cards, *signed)]
        found = find_signs(list(zip(pictures, shown, strict=True)))
        printed = [
            (picture, sign, place)
            for picture, sign, place in zip(pictures, shown, found, strict=True)
            if place and sign
        ]
        self._signs = SignReader(printed)
        usual = usual_place([place for _, _, place in printed])
        prints = find_prints(pictures, [card.title for card in cards], odd)
        self._titles = [each.title for each in prints]
        self._keypoints = KeypointFinder([each.picture for each in prints], self._titles)
        placed = [[place for n in each.numbers if (place := found[n])] for each in prints]
        self._places = [usual_place(places) or usual for places in placed]
        odd_prints = frozenset(n for n, each in enumerate(prints) if odd.intersection(each.numbers))
        self._matcher = TitleMatcher([p.picture for p in prints], self._titles, usual, odd_prints)

    def read(
        self, picture: Image, before: Image | None = None, top: Outline | None = None
    ) -> CardReading:
        """Return what a picture (H, W, 3) shows that the one before it does not.

        before: the same tray through the same camera, of the same size. Without it, the card that
        is seen best is taken for the new one. top: where the topmost card lay, if that is known.
        Raises ValueError where the sizes differ.
        """
        after = resize_to_read(picture)
        if before is None:
            return self._read_alone(picture, after)
        if before.shape != picture.shape:
            raise ValueError(f"pictures of {before.shape} and {picture.shape} can't be compared")
        changes = Changes(resize_to_read(before), after)
        region = changes.find_region()
        if region is None:
            reading = self._read_exactly_on(picture, changes) or CardReading(PileVerdict.NONE)
        else:
            reading = self._read_changed(picture, changes, region)
        if top is None or reading.verdict not in (PileVerdict.NONE, *UNREAD):
            return reading
        return self._read_on_top(picture, changes, region, top) or reading

    def _read_changed(self, picture: Image, changes: Changes, region: ChangedRegion) -> CardReading:
        """Return what was laid where a part of the tray changed."""
        then, after = changes.before, changes.after
        matches = self._matches(picture, after, region.outline)
        best = matches[0]
        if not best.sure and region.reaches_rim:
            # An arm comes from somewhere; a card that is cut off can't be read.
            return CardReading(PileVerdict.BLOCKED)
        push = find_push(then, after, region)
        if not best.sure:
            reading = self._read_unsure(picture, changes, region, matches, push)
        elif self._was_below(then, region, best):
            reading = CardReading(PileVerdict.MOVED)
        else:
            reading = self._read_taught(picture, matches, then, push, region)
            if reading.as_new.sure and region.share_within(best.outline, 1.1) < FILLED:
                reading = CardReading(PileVerdict.MANY)
        if push is None or reading.verdict is not PileVerdict.MOVED:
            return reading
        return replace(reading, movement=rescale(push, picture.shape[1] / _WIDTH))

    def _read_on_top(
        self, picture: Image, changes: Changes, region: ChangedRegion | None, top: Outline
    ) -> CardReading | None:
        """Return the reading of a card about where the topmost one lay; None if none does.

        What is white on white there seems unchanged, so what changed needn't look like a card.
        """
        place = top * (_WIDTH / picture.shape[1])
        told = self._read_in_place(picture, changes, place, region)
        return _unless_uncovered(told) if told and told.as_new.sure else None

    def _read_in_place(
        self,
        picture: Image,
        changes: Changes,
        place: Outline,
        region: ChangedRegion | None,
        push: Movement | None = None,
    ) -> CardReading | None:
        """Return the reading of a taught card about there; None if none holds what changed."""
        matches = self._matches(picture, changes.after, place)
        best = matches[0]
        if not best.sure and best.likeness <= LIKE:
            return None
        if region is not None and region.share_within(best.outline, 1.1) < FILLED:
            return None
        return self._read_taught(picture, matches, changes.before, push)

    def is_empty(self, picture: Image) -> bool:
        """Return whether a picture (H, W, 3) shows no card."""
        return self.read(picture).verdict is PileVerdict.NONE

    def shows(self, picture: Image, card: CardReading) -> bool:
        """Return whether a picture (H, W, 3) surely shows a card where it was read, or pushed to.

        By title and sign: a card whose sign has a twin can't be told from others.
        """
        if card.outline is None or card.twin or not card.sure:
            return False
        outline = card.outline * (_WIDTH / picture.shape[1])
        best = self._matcher.matches(resize_to_read(picture), outline)[0]
        if not best.sure or self._titles[best.number] != card.title:
            return False
        sign = self._sign(picture, best)
        return sign is not None and probably_agree(sign.chances, card.chances)

    def _read_unsure(
        self,
        picture: Image,
        changes: Changes,
        region: ChangedRegion,
        matches: Sequence[CardMatch],
        push: Movement | None,
    ) -> CardReading:
        """Return what was laid where no title fits the outline of what changed surely.

        push: the movement that explains the change, if there is one.
        """
        then, after = changes.before, changes.after
        single = _is_one(region)
        filled = single and region.share_of(region.outline) > FILLED
        if push is None and self._was_taken(then, after, region):
            return CardReading(PileVerdict.MOVED)
        if not filled:
            exactly = self._read_exactly_on(picture, changes, region, push)
            if exactly:
                return exactly
        # Keypoints take long, so they come last.
        found = self._keypoints.find(after, region.mask, region.box[:2])
        laid = (self._matches(picture, after, one.outline)[0] for one in found)
        cards = (m for m in laid if m.sure and region.share_of(m.outline) > _PARTLY)
        card = next(cards, None)
        top = card is not None and region.share_of(card.outline) > _ALL
        if push is None and card and self._was_below(then, region, card):
            return CardReading(PileVerdict.MOVED)
        told = None
        if card and region.share_within(card.outline, 1.1) > _WITHIN:
            # A card and the one below it changed together: their outline is none of the two.
            told = self._read_taught(picture, [card, *matches], then, push, region)
        # Two cards may lie as if the one below them, of the same title, had been pushed.
        if push is not None and not (filled or (top and told and told.sure)):
            return CardReading(PileVerdict.MOVED)
        if told:
            # White on white is no change: much of the card may seem to have been there before.
            return told if top else _unless_uncovered(told)
        resembles = single and matches[0].likeness > _CARD
        if push is not None and filled:
            # A change in the shape of one card may be another copy, laid exactly there.
            if resembles and not top:
                return self._read_taught(picture, matches, then, push, region)
            return CardReading(PileVerdict.MOVED)
        # Two cards side by side can have the shape of one, or one nearly on the other.
        if top or any(region.share_of(one.outline) > _ALL for one in cards):
            return CardReading(PileVerdict.MANY)
        if resembles:
            return self._read_taught(picture, matches, then)
        if filled and is_card_shaped(region.outline):
            if card:
                return _unless_uncovered(self._read_taught(picture, [card, *matches], then))
            return self._read_unknown(picture, region.outline, matches)
        return CardReading(
            PileVerdict.MANY if region.straight_share > _STRAIGHT else PileVerdict.BLOCKED
        )

    def _read_exactly_on(
        self,
        picture: Image,
        changes: Changes,
        region: ChangedRegion | None = None,
        push: Movement | None = None,
    ) -> CardReading | None:
        """Return the reading of a card that lies exactly on another; None if none does.

        It is asked about: the upper one may have been taken off instead.
        """
        around = changes.find_region(wide=True)
        if around is None or not _is_one(around):
            return None
        if region and area_of(around.outline) < _LARGER * area_of(region.outline):
            return None
        told = self._read_in_place(picture, changes, around.outline, around, push)
        if told and (told.as_new.sure or (region and push is None and told.title)):
            return _unless_uncovered(told)
        return None

    def _was_taken(self, then: Image, after: Image, region: ChangedRegion) -> bool:
        """Return whether all that changed is that the topmost card is gone."""
        if is_card_shaped(region.outline) and _is_one(region):
            # Where a card lies, all four sides are edges; where it lay, what is below goes on.
            edges, earlier_edges = (edge_share(each, region.outline) for each in (after, then))
            if edges >= min(earlier_edges, _EDGED):
                return False
            if earlier_edges >= _EDGED:
                return True
            # White cards on white ones have few edges: was it a card that is known?
        earlier = self._matcher.matches(then, region.outline)
        if not earlier[0].sure:
            return False
        share, within = (
            region.share_of(earlier[0].outline), region.share_within(earlier[0].outline, 1.04)
        )  # fmt: skip
        return share > _ALL or (share > FILLED and within > _ALL)

    def sign_of(self, card: Image, title: str) -> PrintedSign | None:
        """Return the sign of a rectified card (h, w, 3) whose title is known; None if unsure."""
        if title not in self._titles:
            return None
        everywhere = outline_of(card.shape[1::-1])
        read = self._sign_at(card, everywhere, self._titles.index(title), True)
        return read.sign if read and read.sure else None

    def _read_alone(self, picture: Image, after: Image) -> CardReading:
        found = self._keypoints.find(after)[:_LIKELY]
        tried: list[list[CardMatch]] = []
        for outline in chain((one.outline for one in found), turned_outlines(after)):
            # Turned by half, another title may fit as well.
            matches = self._matches(picture, after, outline)
            if matches[0].sure:
                return self._read_taught(picture, matches)
            tried.append(matches)
        upright = lone_outline(after)
        if upright is not None:
            tried.append(self._matcher.matches(after, upright))
        best = max(tried, key=lambda matches: matches[0].likeness, default=None)
        if best and best[0].likeness > _CARD:
            return self._read_taught(picture, best)
        if upright is None:
            # At any turn, a tray or a book may have the shape of a card, too.
            return CardReading(PileVerdict.NONE)
        return self._read_unknown(picture, upright, tried[-1])

    def _read_taught(
        self,
        picture: Image,
        matches: Sequence[CardMatch],
        then: Image | None = None,
        push: Movement | None = None,
        region: ChangedRegion | None = None,
    ) -> CardReading:
        """Return the reading of a taught card; then: the picture before, if there is one.

        push: the movement that explains the change as well, if there is one. region: the change.
        """
        best = matches[0]
        sign = self._sign(picture, best)
        verdict = PileVerdict.OK if matches[0].sure else PileVerdict.UNSURE
        told = self._reading(verdict, picture, matches, sign)
        if then is None:
            return told
        back = move_back(best.outline, push)
        before = best._replace(outline=back)
        if self._matcher.likeness_at(then, before) <= _CARD:
            return told
        # The same title may have lain there: is it another copy, or the same card pushed a little?
        earlier = self._sign(then, before)
        if sign and earlier and surely_differ(sign.chances, earlier.chances):
            return told
        below = self._matcher.matches(then, back)[0]
        is_other = self._titles[below.number] != self._titles[best.number]
        if best.sure and below.sure and is_other:
            # In some decks all cards are alike that much.
            return _unless_uncovered(told)
        asked = self._reading(PileVerdict.UNSURE, picture, matches, sign)
        if not (sign and earlier and sign.sure and earlier.sure):
            return asked
        # One that was pushed no longer lies where it lay.
        left = region is not None and region.share_beside(back, best.outline) > _LEFT
        return asked if asked.twin and not left else CardReading(PileVerdict.MOVED)

    def _read_unknown(
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

    def _was_below(self, then: Image, region: ChangedRegion, match: CardMatch) -> bool:
        """Return whether a card showed in part before, and what covered it was taken off."""
        changed = region.share_of(match.outline)
        if changed > FILLED:
            return False
        earlier = self._matcher.matches(then, region.outline)
        if not earlier[0].sure or region.share_of(earlier[0].outline) <= changed:
            return False
        return region.share_beside(earlier[0].outline, match.outline) > _PARTLY

    def _matches(self, picture: Image, small: Image, outline: Outline) -> list[CardMatch]:
        """Return the likeliest cards in an outline, a title once, the likeliest first.

        A title that isn't sure by itself may be so by the sign that is seen on the card. small: the
        picture as wide as it is searched.
        """
        best, *others = self._matcher.matches(small, outline)
        sign = None if best.sure else self._sign(picture, best)
        if sign and sign.sure:
            titles = {title for title, signs in self._known.items() if sign.sign in signs}
            best = self._matcher.tell_by_sign((best, *others), titles)
        return [best, *others]

    def _sign(self, picture: Image, match: CardMatch) -> SignReading | None:
        outline = match.outline * (picture.shape[1] / _WIDTH)
        return self._sign_at(picture, outline, match.number, match.sure)

    def _sign_at(
        self, picture: Image, outline: Outline, number: int, sure: bool
    ) -> SignReading | None:
        """Return the sign of the print with this number; sure: whether it surely lies there."""
        place = self._places[number]
        if place is None:
            return None
        known = self._known.get(self._titles[number], ()) if sure else ()
        return self._signs.read(picture, outline, place, known)

    def _reading(
        self,
        verdict: PileVerdict,
        picture: Image,
        matches: Sequence[CardMatch],
        sign: SignReading | None,
    ) -> CardReading:
        likely = tuple(dict.fromkeys(self._titles[match.number] for match in matches))
        return CardReading(
            verdict,
            likely[: 1 if verdict is PileVerdict.OK else _LIKELY],
            sign.sign if sign else None,
            verdict is PileVerdict.OK and sign is not None and sign.sure,
            matches[0].outline * (picture.shape[1] / _WIDTH),
            twin=sign is not None and (likely[0], sign.sign) in self._twins,
            chances=sign.chances if sign else {},
        )


def _unless_uncovered(reading: CardReading) -> CardReading:
    """Return the reading of a card that may have been uncovered instead of laid."""
    if not reading.sure:
        return replace(reading, sign_sure=False)
    asked = replace(reading, verdict=PileVerdict.UNSURE, sign_sure=False)
    return replace(asked, unless_uncovered=reading)


def _is_one(region: ChangedRegion) -> bool:
    """Return whether what changed has the shape of one card."""
    return region.share_within(region.outline, 1.04) > _WITHIN and has_card_shape(region.outline)


def resize_to_read(picture: Image) -> Image:
    """Return a picture as wide as those in which cards are searched."""
    height, width = picture.shape[:2]
    if width == _WIDTH:
        return picture
    size = (_WIDTH, max(1, round(height * _WIDTH / width)))
    how = cv2.INTER_AREA if width > _WIDTH else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8)
