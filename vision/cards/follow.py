"""Follow a pile of cards from frame to frame: what was laid, each time it lies still."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf

import numpy as np

from vision.cards.reading import UNREAD, CardReading, PileVerdict
from vision.cards.sides import APART, SAME_PLACE, Outline, move
from vision.cards.signs import PrintedSign, probably_agree, surely_differ
from vision.imaging.geometry import Image
from vision.motion import Motion, MotionDetector, StillFrames

_DOUBTFUL = (PileVerdict.UNSURE, PileVerdict.FACEDOWN, PileVerdict.MANY, PileVerdict.MOVED)
"""What a change may seem to be that uncovers a card."""

_AT_ONCE = 3
"""How many cards somebody takes off a pile at once, at most, where signs tell which."""
_AT_ONCE_UNTOLD = 2
"""The same where nothing tells which: more than two at once are rare."""

_ANY_CARD = CardReading(PileVerdict.UNSURE)
"""What lies there although it wasn't read."""


class PileEvent(StrEnum):
    """What has become of the pile."""

    MOVING = "moving"
    """Something moves."""
    SETTLED = "settled"
    """Everything lies still."""


@dataclass(frozen=True, slots=True)
class PileChange:
    """One change of the pile."""

    event: PileEvent
    """What happened."""
    reading: CardReading | None = None
    """What was laid since the pile lay still before; None while something moves."""


class CardFollower:
    """Takes every frame of one camera and tells what was laid. Not for two threads at a time."""

    def __init__(
        self,
        read: Callable[[Image, Image, Outline | None], CardReading],
        read_glimpse: Callable[[Image, Image, Outline | None], CardReading] | None = None,
        shows: Callable[[Image, CardReading], bool] = lambda *_: False,
        is_empty: Callable[[Image], bool] = lambda _: False,
    ) -> None:
        """Follow cards, read by `read`, as `CardReader.read` does.

        read_glimpse: reads a picture of what lay there for a moment alone; None: `read`. shows:
        whether a picture surely shows a card that was read, as `CardReader.shows` tells. is_empty:
        whether a picture shows no card.
        """
        self._shows, self._is_empty = shows, is_empty
        self._read, self._read_glimpse = read, read_glimpse or read
        self._motion = MotionDetector()
        self._frames = StillFrames()
        self._glimpse: Image | None = None
        self._pile: Image | None = None
        self._laid: list[CardReading] = []
        # Whether these are all cards of the pile, down to the tray.
        self._whole = False
        self._count = 0
        self._latest: Image | None = None
        self._at = -inf
        self._moving = False

    def update(self, image: Image, at: float) -> PileChange | None:
        """Take the next frame and return what it changes, None if nothing.

        image: BGR, uint8, (H, W, 3). at: when it was taken, in seconds; a frame older than the last
        one changes nothing. The pile as it lies at first is not read. Raises what `read` raises.
        """
        if at < self._at:
            return None
        self._at = at
        motion = self._motion.update(image, at)
        if motion is Motion.MOVING:
            if self._moving and self._frames.count:
                # Something lay still there, but not for long enough.
                self._glimpse = self._frames.mean()
            self._frames.clear()
            moving, self._moving = self._moving, True
            return None if moving else PileChange(PileEvent.MOVING)
        if motion is Motion.STILL:
            return None
        self._frames.add(image)
        if motion is Motion.PAUSED:
            return None
        self._moving = False
        return self._read_at_rest(self._frames.mean())

    def take_as_is(self) -> None:
        """Compare the next picture with the pile as it lay last, whatever was read there."""
        self._laid.append(_ANY_CARD)
        if self._latest is not None:
            self._pile = self._latest

    def forget_cards(self) -> None:
        """Forget the cards that were read: the tray was emptied."""
        self._laid, self._whole = [], True

    def name_card(self, number: int, title: str | None, sign: PrintedSign | None) -> None:
        """Take over what players said of a card, and its sign, if that is sure.

        number: as its reading had it; title: None if they said nothing of that.
        """

        def rename(card: CardReading) -> CardReading:
            if sign is None:
                told = replace(card, sign_sure=False)
            else:
                told = replace(card, sign=sign, sign_sure=True, chances={sign: 1.0})
            return told if title is None else replace(told, verdict=PileVerdict.OK, likely=(title,))

        self._laid = [rename(card) if card.number == number else card for card in self._laid]

    def _read_at_rest(self, picture: Image) -> PileChange:
        before, self._latest = self._pile, picture
        glimpse, self._glimpse = self._glimpse, None
        if before is None or before.shape != picture.shape:
            self._pile = picture
            self._laid, self._whole = [], self._is_empty(picture)
            return PileChange(PileEvent.SETTLED, CardReading(PileVerdict.NONE))
        seen = (card.outline for card in reversed(self._laid) if card.outline is not None)
        top = next(seen, None)
        reading = self._read(picture, before, top)
        if reading.verdict is PileVerdict.NONE and glimpse is not None:
            gone = self._read_glimpse(glimpse, before, top)
            if gone.title is not None and gone.verdict in (PileVerdict.OK, PileVerdict.UNSURE):
                reading = CardReading(PileVerdict.GONE, gone.likely, gone.sign, gone.sign_sure)
        if reading.verdict not in UNREAD:
            self._pile = picture
        laid = reading.as_new
        uncovered = self._find_uncovered(picture, before, laid)
        if (
            uncovered is not None
            and laid.twin
            and not _is_near(laid, self._laid[uncovered], SAME_PLACE)
        ):
            # Is it that card again, or the other one of its title and sign?
            reading = laid = replace(laid, verdict=PileVerdict.UNSURE, sign_sure=False)
        elif uncovered is not None:
            self._pile = picture
            self._laid = self._laid[: uncovered + 1]
            return PileChange(PileEvent.SETTLED, CardReading(PileVerdict.MOVED))
        if laid is not reading and self._is_new(laid):
            reading = laid
        elif reading.sure and self._may_be_uncovered(laid):
            reading = replace(laid, verdict=PileVerdict.UNSURE, sign_sure=False)
        if reading.verdict is PileVerdict.MOVED:
            reading = self._follow_move(picture, reading)
        elif reading.outline is not None and reading.title is not None:
            self._count += 1
            self._laid.append(replace(laid, number=self._count))
            reading = replace(reading, number=self._count)
        return PileChange(PileEvent.SETTLED, reading)

    def _follow_move(self, picture: Image, reading: CardReading) -> CardReading:
        """Follow a pile that was pushed, or lost a card; return what is told."""
        if reading.movement is not None:
            self._laid = [
                card
                if card.outline is None
                else replace(card, outline=move(card.outline, reading.movement))
                for card in self._laid
            ]
            if self._laid and self._shows(picture, self._laid[-1]):
                # The topmost card still lies there, so nothing was taken off.
                return CardReading(PileVerdict.NONE)
            self._whole = False
        elif self._laid:
            # It may also be a card that was laid. In an emptied tray nothing lies.
            self._laid.append(_ANY_CARD)
        return reading

    def _find_uncovered(self, picture: Image, before: Image, reading: CardReading) -> int | None:
        """Return the number of the known card that a reading shows; None if it shows none.

        It was there all the time, and what lay on it was taken off. Where that was more than one
        card, its sign tells it. So it does if it surely shows now and didn't before, whatever else
        the change seems to be.
        """
        top = len(self._laid) - 1
        for number in range(top, max(-1, top - 1 - _AT_ONCE), -1):
            card = self._laid[number]
            told = number == top - 1 or probably_agree(reading.chances, card.chances)
            if told and _is_same(reading, card):
                return number
            doubtful = number < top and reading.verdict in _DOUBTFUL
            if doubtful and self._shows(picture, card) and not self._shows(before, card):
                return number
        return None

    def _is_new(self, laid: CardReading) -> bool:
        """Return whether a card, if it was laid, is none that lies below the topmost one.

        Of a pile that isn't known down to the tray, two of these must be known. What lies deeper
        than those that are taken off at once is told by its sign.
        """
        below = self._laid[:-1]
        near, far = below[-_AT_ONCE_UNTOLD:], below[:-_AT_ONCE_UNTOLD]
        if not (self._whole or len(near) == _AT_ONCE_UNTOLD) or not all(c.sure for c in near[-1:]):
            return False
        is_seen = any(_may_be(laid, card) for card in near)
        return not is_seen and not any(_is_surely(laid, card) for card in far)

    def _may_be_uncovered(self, laid: CardReading) -> bool:
        """Return whether a card may be one that lay there, as those on it were taken off.

        One that wasn't read may lie exactly below the topmost one.
        """
        *below, top = self._laid or [_ANY_CARD]
        return any(
            _may_be(laid, card)
            and (
                _is_near(laid, card, APART) or (not card.likely and _is_near(laid, top, SAME_PLACE))
            )
            for card in below[-_AT_ONCE_UNTOLD:]
        )


def _may_be(reading: CardReading, earlier: CardReading) -> bool:
    """Return whether a reading may be of a card that was read before."""
    is_likely = reading.title in earlier.likely or not earlier.likely
    return is_likely and not surely_differ(reading.chances, earlier.chances)


def _is_surely(reading: CardReading, earlier: CardReading) -> bool:
    """Return whether a reading is of a card that was read before, by its title and its sign."""
    by_sign = reading.sign_sure and earlier.sign_sure
    return by_sign and (reading.title, reading.sign) == (earlier.title, earlier.sign)


def _is_same(reading: CardReading, earlier: CardReading) -> bool:
    """Return whether a reading is of a card that was read before, in the same place."""
    if reading.title != earlier.title or not _may_be(reading, earlier):
        return False
    # A pile may have been pushed meanwhile.
    by_sign = probably_agree(reading.chances, earlier.chances)
    return _is_near(reading, earlier, APART if by_sign else SAME_PLACE)


def _is_near(reading: CardReading, earlier: CardReading, farthest: float) -> bool:
    """Return whether a card lies where another was read; farthest: in widths of a card."""
    if reading.outline is None or earlier.outline is None:
        return False
    off = np.linalg.norm(reading.outline - earlier.outline, axis=1).max()
    return bool(off < farthest * np.linalg.norm(earlier.outline[1] - earlier.outline[0]))
