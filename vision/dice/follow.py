"""Follow dice from frame to frame: what happens in the tray, and which dice were thrown.

Only a tray that has come to rest is read. A die keeps its number for as long as it seems to be the
same one, see `vision.dice.matching`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from math import inf, isinf
from typing import Protocol

from vision.dice.find.tray_model import UNKNOWN, TrayModel
from vision.dice.matching import match_dice
from vision.dice.reading import DiceReading, Die, TrayVerdict
from vision.imaging.exposure import merge_exposures
from vision.imaging.geometry import Image
from vision.motion import Motion, MotionDetector, StillFrames, is_dark

AHEAD_S = 0.06
"""Seconds without motion after which a picture is read, to have the reading when the dice lie."""
AGAIN_S = 0.5
"""Seconds after which dice that lie still and are not clear are read once more."""
_UNCLEAR = (TrayVerdict.UNSURE, TrayVerdict.COCKED)
"""What less noise may change."""

TakeDarkerFrame = Callable[[], Image | None]
"""A function that takes a frame with less light at once; None where the camera can't."""


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
    """Something lies over the dice, they are too near, or nothing can be seen."""


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
    verdict: TrayVerdict | None = None
    """Of a tray at rest, how its reading may be used."""
    dice: tuple[FollowedDie, ...] = ()
    """Of a tray at rest, the dice that were read, from top to bottom."""


class ReadPicture(Protocol):
    """A function that reads pictures, as `vision.dice.reader.DiceReader.read`."""

    def __call__(self, image: Image, model: TrayModel) -> DiceReading:
        """Return the dice in `image`; model: the same tray seen empty, if it was."""


class DiceFollower:
    """Takes every frame of one camera and tells what changes. Not for two threads at a time."""

    def __init__(self, read: ReadPicture, take_darker: TakeDarkerFrame | None = None) -> None:
        """Follow dice, read by `read`.

        take_darker: called at most once while dice lie, where their faces are unclear: a face that
        is burnt out in one frame can be read in a darker one.
        """
        self._read, self._take_darker = read, take_darker
        self._motion = MotionDetector()
        self._at = self._moved_at = -inf
        self._ahead: DiceReading | None = None
        self._frames = StillFrames()
        self._again_at = inf
        self._size: tuple[int, ...] = ()
        self._tray = UNKNOWN
        self._last: TrayChange | None = None
        # Where the dice lay before the motion, and lie now. Those that are away since lay there.
        self._before: Mapping[int, Die] = {}
        self._lying: Mapping[int, Die] = self._before
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
        if motion is Motion.MOVING:
            self._moved_at, self._ahead, self._again_at = at, None, inf
            self._frames.clear()
            return self._news(TrayChange(TrayEvent.MOVING))
        reading = self._read_still(motion, image, at)
        return None if reading is None else self._news(self._change_at_rest(image, reading))

    def _read_still(self, motion: Motion, image: Image, at: float) -> DiceReading | None:
        """Return what a tray without motion shows, None unless that is due or was told before.

        A clear frame is enough. Else the mean of all until now is read, and once more later,
        together with a darker frame where one can be had.
        """
        waits = not isinf(self._again_at)
        if motion is Motion.STILL and not waits:
            return None
        if motion is Motion.SETTLED and waits:
            self._frames.clear()  # they show another light
        self._frames.add(image)
        if motion is Motion.PAUSED:
            if self._ahead is None and at - self._moved_at >= AHEAD_S:
                self._ahead = self._reading(image)
            return None
        if motion is Motion.STILL and at < self._again_at:
            return None
        reading, self._ahead = self._ahead, None
        if motion is Motion.SETTLED and reading is None:
            reading = self._reading(image)
        if reading is None or reading.verdict in _UNCLEAR:
            reading = self._reading(self._frames.mean())
        if motion is Motion.STILL and reading.verdict is TrayVerdict.UNSURE:
            reading = self._read_bracket(self._frames.mean()) or reading
        if motion is Motion.SETTLED and reading.verdict in _UNCLEAR:
            self._again_at = at + AGAIN_S
        else:
            self._again_at = inf
            self._frames.clear()
        return reading

    def _read_bracket(self, image: Image) -> DiceReading | None:
        """Return what a frame merged with a darker one shows, None unless it shows more.

        A die that leans is seen less well in both together, so only faces are told by them.
        """
        darker = self._take_darker() if self._take_darker else None
        if darker is None or darker.shape != image.shape:
            return None
        reading = self._reading(merge_exposures([image, darker]))
        return reading if reading.verdict in (TrayVerdict.OK, TrayVerdict.UNSURE) else None

    def _news(self, change: TrayChange) -> TrayChange | None:
        """Return the change if it is news."""
        is_news = self._last is None or _essence(change) != _essence(self._last)
        if change.event is TrayEvent.MOVING and is_news:
            self._before, self._away = self._lying, self._gone
        self._last = change
        return change if is_news else None

    def _reading(self, image: Image) -> DiceReading:
        if image.shape != self._size:
            if self._size:
                # Another camera, or another mode of it: places from before mean nothing now.
                self._before, self._away = {}, frozenset()
            self._size, self._tray = image.shape, UNKNOWN
        if is_dark(image):
            return DiceReading(TrayVerdict.BLOCKED, ())
        return self._read(image, self._tray)

    def _change_at_rest(self, image: Image, reading: DiceReading) -> TrayChange:
        dice = follow_dice(self._before, reading.dice, self._away)
        if reading.verdict in (TrayVerdict.BLOCKED, TrayVerdict.TOO_NEAR):
            return TrayChange(TrayEvent.BLOCKED, reading.verdict, dice)
        if reading.verdict is TrayVerdict.EMPTY:
            self._tray = TrayModel(image)
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
    before: Mapping[int, Die], dice: Sequence[Die], away: Collection[int] = ()
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
    numbered = [die for die in change.dice if die.number is not None]
    dice = sorted((die.number, die.face, die.sure, die.leans) for die in numbered)
    return change.event, change.verdict, len(change.dice), dice
