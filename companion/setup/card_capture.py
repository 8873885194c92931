"""Captures cards while a deck is taught: each is laid alone in the tray."""

from collections.abc import Mapping, Sequence

import numpy as np

from companion.camera.empty_tray import EmptyTray
from companion.camera.workers import FrameWorkers
from companion.setup.lesson import CapturedFace, Lesson, LessonCheck
from companion.setup.teaching import REST_S, LessonCapture
from vision.cards import capture as captures
from vision.cards.deck import TaughtCard, encode_picture
from vision.cards.reader import resize_to_read
from vision.cards.signs import parse_sign
from vision.imaging.crop import Crop
from vision.imaging.geometry import Image
from vision.motion import Motion, MotionDetector, StillFrames

REMEMBERED = 4
"""Pictures of the tray that a new one is compared with, besides the first, which may be empty."""

WIDER = 0.12
"""By how much a card's width may differ from that of the cards before, which lay as high."""

AVERAGED = 12
"""Frames whose mean is captured, which has less noise than one."""


class CardCapture(LessonCapture):
    """Captures cards from frames during a lesson."""

    _is_same = staticmethod(captures.is_same_card_picture)

    def __init__(self, workers: FrameWorkers, empty_tray: EmptyTray) -> None:
        """empty_tray: what the tray shows without a card, if that is known."""
        super().__init__(workers)
        self._empty_tray = empty_tray
        self.begin()

    def begin(self) -> None:
        """Forget what the tray showed before."""
        self._motion = MotionDetector(rest=REST_S)
        self._frames, self._count = StillFrames(), 0
        self._stills: list[Image] = []

    def end(self) -> None:
        """Free the pictures."""
        self.begin()
        super().end()

    def moving(self, frame: Image, at: float) -> bool | None:
        """Return whether the card or a hand moves in a frame; None while that is unclear."""
        return self._workers.analyse(lambda: self._moving(frame, at))

    def _moving(self, frame: Image, at: float) -> bool | None:
        motion = self._motion.update(frame, at)
        if motion is Motion.MOVING:
            if self._count:
                picture = self._frames.mean()
                first, *later = [*self._seen_before(picture), resize_to_read(picture)]
                self._stills = [first, *later[-REMEMBERED:]]
                self._frames.clear()
                self._count = 0
            return True
        if self._count < AVERAGED:
            self._frames.add(frame)
            self._count += 1
        return None if motion is Motion.PAUSED else False

    def capture(self, frame: Image, known: Mapping[str, Sequence[CapturedFace]]) -> Crop | None:
        """Return the card that was laid; None if the tray shows what it showed before."""

        def look() -> Crop | None:
            picture = self._frames.mean() if self._count else frame
            small = resize_to_read(picture)
            if any(captures.is_unchanged(still, small) for still in self._stills):
                return None
            before = [each for captured in known.values() for each in captured]
            earlier = self._seen_before(picture)
            crop = captures.capture_card(picture, earlier, [each.image for each in before])
            widths = [each.spot[2] for each in before if each.spot is not None]
            if crop.spot and widths and abs(crop.spot[2] / np.median(widths) - 1) > WIDER:
                # Such as the outline of a pile.
                return Crop(None, captures.CardFlaw.SEVERAL)
            return crop

        return self._workers.analyse(look)

    def _seen_before(self, picture: Image) -> list[Image]:
        """Return what the tray showed before, as `capture_card` expects it."""
        if self._stills:
            return self._stills
        tray = self._empty_tray.matching(picture)
        if tray is None or captures.laid_outline(resize_to_read(picture), tray) is None:
            return []
        # The lesson began with a card in the tray.
        return [resize_to_read(tray)]

    def looks_like(
        self, picture: Image, face: str, known: Mapping[str, Sequence[Image]]
    ) -> str | None:
        """Return the other title that a card would be read as; None if no other."""
        return (
            self._workers.analyse(lambda: captures.looks_like_title(picture, face, known)) or None
        )

    def check(self, lesson: Lesson) -> LessonCheck:
        """Return how well the cards of a lesson are told apart."""
        cards = taught_cards(lesson)
        found = self._workers.analyse(lambda: captures.check_deck(cards, self._workers.progress))
        return LessonCheck(
            tuple((one, other, 1.0) for one, other in found.alike),
            misread=tuple((title, str(sign), str(read)) for title, sign, read in found.misread),
            odd=found.odd,
        )


def taught_cards(lesson: Lesson) -> tuple[TaughtCard, ...]:
    """Return the cards that a lesson has captured, by title."""
    return tuple(
        TaughtCard(title, parse_sign(each.sign), encode_picture(each.image))
        for title, captured in lesson.pictures.items()
        for each in captured
    )
