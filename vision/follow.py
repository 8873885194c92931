"""Follows dice from reading to reading: which lie as they lay, and which were thrown.

Only what has come to rest is read. A die keeps its number for as long as it seems to be the same
one: it lies where it lay, was pushed with all the others, or was bumped and lies nearby.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from itertools import product
from math import hypot, inf, isinf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.reading import DICE, Die, Reading, Verdict
from vision.settle import Motion, Settler, is_dark

Image = NDArray[np.uint8]

AHEAD_S = 0.06
"""Seconds without motion after which a picture is read, to have the reading when the dice lie."""

# Distances in edges of the die, angles in degrees.
NEAR = 0.35
"""A die that shows the same lies where it lay."""
UNTOUCHED = (0.12, 6.0)
"""The same of a die that was away: it was only hidden. A throw ends so once in 3,000 times."""
BUMPED = 2.0
"""A die that lies so far from where one lay may still be that one."""
SAME_SIZE = 1.25
LIKELY = 2
"""A doubtful die shows what it showed if that is among so many of its likeliest faces."""


class Event(StrEnum):
    """What has become of the tray."""

    EMPTY = "empty"
    MOVING = "moving"
    SETTLED = "settled"
    PICKED_UP = "picked_up"
    """Some dice are gone, and the others lie as they lay: these are kept."""
    BLOCKED = "blocked"
    """Something lies over the dice, or nothing can be seen."""


@dataclass(frozen=True, slots=True)
class FollowedDie(Die):
    """A die as read, with its number, 0 to 4 (None where there are too many dice).

    `moved`: whether it does not lie as it lay before the motion, or shows another face.
    """

    number: int | None
    moved: bool


@dataclass(frozen=True, slots=True)
class Sighting:
    """A change: what happened, and of a tray at rest the verdict and the dice of its reading."""

    event: Event
    verdict: Verdict | None = None
    dice: tuple[FollowedDie, ...] = ()


class Read(Protocol):
    """A reader, as `vision.reader.Reader.read`."""

    def __call__(self, image: Image, tray: Image | None) -> Reading:
        """The dice in `image`; `tray`: the same tray seen empty, if it was."""


class Follower:
    """Takes every picture of one camera and tells what changes."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._settler = Settler()
        self._at = self._moved_at = -inf
        self._ahead: Reading | None = None
        self._size: tuple[int, ...] = ()
        self._tray: Image | None = None
        self._last: Sighting | None = None
        # Where the dice lay before the motion, and lie now. Those that are away since lay there.
        self._before = self._lying = dict[int, Die]()
        self._away = self._gone = frozenset[int]()

    def update(self, image: Image, at: float) -> Sighting | None:
        """What one more picture changes, None if nothing.

        `image`: BGR, uint8, (H, W, 3). It is kept, not copied. `at`: when it was taken, in seconds;
        one older than the last tells nothing new. Raises what the reader raises.
        """
        if at < self._at:
            return None
        if isinf(self._at):
            self._moved_at = at
        self._at = at
        motion = self._settler.update(image, at)
        if motion is Motion.PAUSED and self._ahead is None and at - self._moved_at >= AHEAD_S:
            self._ahead = self._reading(image)
        if motion is Motion.MOVING:
            self._moved_at, self._ahead = at, None
            sighting = Sighting(Event.MOVING)
        elif motion is Motion.SETTLED:
            reading, self._ahead = self._ahead or self._reading(image), None
            sighting = self._look(image, reading)
        else:
            return None
        news = self._last is None or _gist(sighting) != _gist(self._last)
        if sighting.event is Event.MOVING and news:
            self._before, self._away = self._lying, self._gone
        self._last = sighting
        return sighting if news else None

    def _reading(self, image: Image) -> Reading:
        if image.shape != self._size:
            # Another camera, or another mode of it: no place of before is one of now.
            self._size, self._tray = image.shape, None
            self._before, self._away = {}, frozenset()
        if is_dark(image):
            return Reading(Verdict.BLOCKED, ())
        return self._read(image, self._tray)

    def _look(self, image: Image, reading: Reading) -> Sighting:
        dice = follow(self._before, reading.dice, self._away)
        if reading.verdict is Verdict.BLOCKED:
            return Sighting(Event.BLOCKED, reading.verdict, dice)
        if reading.verdict is Verdict.EMPTY:
            self._tray = image
            self._lying, self._gone = self._before, frozenset(self._before)
            return Sighting(Event.EMPTY, reading.verdict)
        here = {die.number: die for die in dice if die.number is not None}
        missing = frozenset(self._before) - frozenset(here)
        if missing and not any(die.moved for die in dice):
            self._lying, self._gone = {**self._before, **here}, missing
            return Sighting(Event.PICKED_UP, reading.verdict, dice)
        self._lying, self._gone = {**here}, frozenset()
        return Sighting(Event.SETTLED, reading.verdict, dice)


def follow(
    before: Mapping[int, Die], dice: Sequence[Die], away: Collection[int] = ()
) -> tuple[FollowedDie, ...]:
    """Number the dice of a reading, in its order.

    before: where each die was last seen, by its number; away: those of them that have been seen
    to be gone since. New dice take the free numbers from the left.
    """
    before = _pushed(before, dice)
    # The nearest pairs first; showing the same makes nearer.
    pairs = sorted(
        product(range(len(dice)), before),
        key=lambda pair: (
            _distance(dice[pair[0]], before[pair[1]])
            + (not _shows_same(dice[pair[0]], before[pair[1]]))
        ),
    )
    numbers: dict[int, int] = {}

    def join(is_same: Callable[[Die, int], bool]) -> None:
        for index, number in pairs:
            taken = index in numbers or number in numbers.values()
            if not taken and is_same(dice[index], number):
                numbers[index] = number

    join(
        lambda die, number: (
            _lies_on(die, before[number])
            and (number not in away or _untouched(die, before[number]))
        )
    )
    lying = set(numbers)
    join(lambda die, number: number not in away and _distance(die, before[number]) <= BUMPED)
    thrown = sorted(set(range(len(dice))) - set(numbers), key=lambda i: (dice[i].x, dice[i].y))
    numbers |= dict(
        zip(thrown, (n for n in range(DICE) if n not in numbers.values()), strict=False)
    )
    return tuple(
        FollowedDie(
            **{field.name: getattr(die, field.name) for field in fields(Die)},
            number=numbers.get(index),
            moved=index not in lying,
        )
        for index, die in enumerate(dice)
    )


def _pushed(before: Mapping[int, Die], dice: Sequence[Die]) -> Mapping[int, Die]:
    """Where the dice lay, moved along with the tray if that was pushed.

    It was if all dice, three at least, fit their places again after the same small move.
    """
    for die in dice[:1] if len(dice) > 2 else ():
        for old in before.values():
            if _shows_same(die, old) and _distance(die, old) <= BUMPED:
                x, y = die.x - old.x, die.y - old.y
                moved = {n: replace(o, x=o.x + x, y=o.y + y) for n, o in before.items()}
                if all(any(_lies_on(d, o) for o in moved.values()) for d in dice):
                    return moved
    return before


def _distance(one: Die, other: Die) -> float:
    """Between centres, in edges."""
    return hypot(one.x - other.x, one.y - other.y) / max(min(one.size, other.size), 1e-6)


def _lies_on(die: Die, old: Die) -> bool:
    alike = max(die.size, old.size) <= SAME_SIZE * min(die.size, old.size)
    return alike and _distance(die, old) <= NEAR and _shows_same(die, old)


def _shows_same(die: Die, old: Die) -> bool:
    return (
        die.face == old.face
        or (not die.sure and old.face in die.likely[:LIKELY])
        or (not old.sure and die.face in old.likely[:LIKELY])
    )


def _untouched(die: Die, old: Die) -> bool:
    """Whether it lies exactly as it lay; a square looks the same after a quarter turn."""
    distance, angle = UNTOUCHED
    turned = (die.angle - old.angle) % 90
    return _distance(die, old) <= distance and min(turned, 90 - turned) <= angle


def _gist(sighting: Sighting) -> tuple[object, ...]:
    """What makes one sighting another."""
    dice = sorted(
        (die.number, die.face, die.sure) for die in sighting.dice if die.number is not None
    )
    return sighting.event, sighting.verdict, len(sighting.dice), dice
