"""Follow dice from frame to frame: what happens in the tray, and which dice were thrown.

Only a tray that has come to rest is read. A die keeps its number for as long as it seems to be the
same one, see `vision.matching`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from math import inf, isinf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.matching import MatchableDie, match_dice
from vision.motion import Motion, MotionDetector, is_dark
from vision.reading import Die, Reading, Verdict

Image = NDArray[np.uint8]

AHEAD_S = 0.06
"""Seconds without motion after which a picture is read, to have the reading when the dice lie."""


class TrayEvent(StrEnum):
    """What has become of the tray."""

    EMPTY = "empty"
    """No dice."""
    MOVING = "moving"
    """Something moves."""
    SETTLED = "settled"
    """Dice lie still, some of them otherwise than before."""
    PICKED_UP = "picked_up"
    """Some dice are gone, and the others lie as they lay: these are kept."""
    BLOCKED = "blocked"
    """Something lies over the dice, or nothing can be seen."""


@dataclass(frozen=True, slots=True)
class FollowedDie(Die):
    """A die as read, with its number."""

    number: int | None
    """0 to 4, None where there are too many dice."""
    moved: bool
    """Whether it does not lie as it lay before the motion, or shows another face."""


@dataclass(frozen=True, slots=True)
class TrayChange:
    """One change of the tray."""

    event: TrayEvent
    """What happened."""
    verdict: Verdict | None = None
    """Of a tray at rest, how its reading may be used."""
    dice: tuple[FollowedDie, ...] = ()
    """Of a tray at rest, the dice that were read, from top to bottom."""


class ReadPicture(Protocol):
    """A function that reads pictures, as `vision.reader.Reader.read`."""

    def __call__(self, image: Image, tray: Image | None) -> Reading:
        """Return the dice in `image`; tray: the same tray seen empty, if it was."""


class Follower:
    """Takes every frame of one camera and tells what changes. Not for two threads at a time."""

    def __init__(self, read: ReadPicture) -> None:
        """Follow dice, read by `read`."""
        self._read = read
        self._motion = MotionDetector()
        self._at = self._moved_at = -inf
        self._ahead: Reading | None = None
        self._size: tuple[int, ...] = ()
        self._tray: Image | None = None
        self._last: TrayChange | None = None
        # Where the dice lay before the motion, and lie now. Those that are away since lay there.
        self._before: Mapping[int, MatchableDie] = {}
        self._lying: Mapping[int, MatchableDie] = self._before
        self._away = self._gone = frozenset[int]()

    def update(self, image: Image, at: float) -> TrayChange | None:
        """Take the next frame and return what it changes, None if nothing.

        image: BGR, uint8, (H, W, 3); kept, not copied. at: when it was taken, in seconds; a frame
        older than the last one changes nothing. Raises what `read` raises.
        """
        if at < self._at:
            return None
        if isinf(self._at):
            self._moved_at = at
        self._at = at
        motion = self._motion.update(image, at)
        if motion is Motion.PAUSED and self._ahead is None and at - self._moved_at >= AHEAD_S:
            self._ahead = self._reading(image)
        if motion is Motion.MOVING:
            self._moved_at, self._ahead = at, None
            change = TrayChange(TrayEvent.MOVING)
        elif motion is Motion.SETTLED:
            reading, self._ahead = self._ahead or self._reading(image), None
            change = self._settled(image, reading)
        else:
            return None
        is_news = self._last is None or _essence(change) != _essence(self._last)
        if change.event is TrayEvent.MOVING and is_news:
            self._before, self._away = self._lying, self._gone
        self._last = change
        return change if is_news else None

    def _reading(self, image: Image) -> Reading:
        if image.shape != self._size:
            if self._size:
                # Another camera, or another mode of it: places from before mean nothing now.
                self._before, self._away = {}, frozenset()
            self._size, self._tray = image.shape, None
        if is_dark(image):
            return Reading(Verdict.BLOCKED, ())
        return self._read(image, self._tray)

    def _settled(self, image: Image, reading: Reading) -> TrayChange:
        dice = follow_dice(self._before, reading.dice, self._away)
        if reading.verdict is Verdict.BLOCKED:
            return TrayChange(TrayEvent.BLOCKED, reading.verdict, dice)
        if reading.verdict is Verdict.EMPTY:
            self._tray = image
            self._lying, self._gone = self._before, frozenset(self._before)
            return TrayChange(TrayEvent.EMPTY, reading.verdict)
        here = {die.number: die for die in dice if die.number is not None}
        missing = frozenset(self._before) - frozenset(here)
        if missing and not any(die.moved for die in dice):
            self._lying, self._gone = {**self._before, **here}, missing
            return TrayChange(TrayEvent.PICKED_UP, reading.verdict, dice)
        self._lying, self._gone = {**here}, frozenset()
        return TrayChange(TrayEvent.SETTLED, reading.verdict, dice)


def follow_dice(
    before: Mapping[int, MatchableDie], dice: Sequence[Die], away: Collection[int] = ()
) -> tuple[FollowedDie, ...]:
    """Return the dice of a reading with their numbers; arguments as those of `match_dice`."""
    return tuple(
        FollowedDie(
            **{field.name: getattr(die, field.name) for field in fields(Die)},
            number=match.number,
            moved=match.moved,
        )
        for die, match in zip(dice, match_dice(before, dice, away), strict=True)
    )


def _essence(change: TrayChange) -> tuple[object, ...]:
    """Return what makes one change differ from another."""
    dice = sorted((die.number, die.face, die.sure) for die in change.dice if die.number is not None)
    return change.event, change.verdict, len(change.dice), dice
