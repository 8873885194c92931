"""What is known of the dice in the tray, as values. Places are pixels of the camera's picture."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from companion.base import codec
from vision.dice.matching import lies_there
from vision.dice.reading import DICE as DICE
from vision.dice.reading import TrayVerdict

# What the camera says


@codec.row
@dataclass(frozen=True, slots=True)
class Place:
    """Where a die lies, in pixels."""

    x: float
    """Centre, from the left."""
    y: float
    """Centre, from the top."""
    size: float
    """Edge of the top face."""

    def near(self, other: "Place") -> bool:
        """Return whether a die here may be the one that lay at the other place."""
        return lies_there(self, other)


@dataclass(frozen=True, slots=True)
class TrayDie:
    """One of the five dice of this turn."""

    face: str | None
    """What it shows; None while unknown. Once a player has corrected it, not the same as `read`."""
    thrown: bool
    """Whether it was thrown since the last accepted roll."""
    sure: bool
    """Whether its face is certain."""
    likely: tuple[str, ...] = ()
    """Faces, from most to least likely."""
    place: Place | None = None
    """Where the camera saw it; None if it was entered by hand or lies beside the tray."""
    read: str | None = None
    """The face that the camera read; None as with `place`."""
    track: int | None = None
    """The tracker's number for it; None as with `place`."""
    said: bool = False
    """Whether a player, not the camera, said what it shows."""
    bumped: bool = False
    """Whether it seems to be kept but lies differently, so that players must say if it was thrown
    or only pushed."""
    leans: bool = False
    """Whether it may lean, for which it isn't sure."""


class Sight(StrEnum):
    """Whether the camera can see the dice."""

    NO_CAMERA = "no camera"
    MOVING = "moving"
    """Something moves."""
    STILL = "still"
    """The tray is at rest and was read."""


@dataclass(frozen=True, slots=True)
class TrayObservation:
    """The camera's observation of the tray at one moment."""

    sight: Sight
    """Whether the camera works, and whether anything moves."""
    verdict: TrayVerdict | None = None
    """How the reading may be used; None unless the tray is still."""
    dice: tuple[TrayDie, ...] = ()
    """The dice from left to right."""


NO_CAMERA = TrayObservation(Sight.NO_CAMERA)
MOVING = TrayObservation(Sight.MOVING)
EMPTY = TrayObservation(Sight.STILL, TrayVerdict.EMPTY)

# What players said


@dataclass(frozen=True, slots=True)
class TrayMark:
    """A player's correction of a die."""

    face: str | None = None
    """What it shows; None if not said."""
    thrown: bool | None = None
    """Whether it was thrown; None if not said."""
    by: int | None = None
    """The seat that said it last; None if unknown."""

    def then(self, later: "TrayMark") -> "TrayMark":
        """Return this mark combined with a later one."""
        if later.thrown is False:
            return later
        return TrayMark(
            self.face if later.face is None else later.face,
            self.thrown if later.thrown is None else later.thrown,
            self.by if later.by is None else later.by,
        )


@dataclass(frozen=True, slots=True)
class CountCorrection:
    """Players' corrections of the number of dice."""

    left_out: tuple[Place, ...] = ()
    """Places where the camera wrongly sees a die."""
    added: tuple[str, ...] = ()
    """Faces of the dice that the camera misses."""
    by: int | None = None
    """The seat that corrected it last; None if unknown."""


COUNT_IS_RIGHT = CountCorrection()


# What is known of it together


@dataclass(frozen=True, slots=True)
class Watched:
    """The camera reads this roll, and players may correct it."""

    now: TrayObservation
    """Its latest observation."""
    at_rest: TrayObservation
    """Its last observation of a tray at rest, to which corrections apply."""
    accepted: TrayObservation = NO_CAMERA
    """Its observation of the dice accepted last: unmoved, they are not a new roll."""
    stayed: tuple[TrayDie, ...] = ()
    """The dice that stayed in the tray when others were last picked up: they are kept."""
    marks: Mapping[int, TrayMark] = field(default_factory=dict)
    """Players' corrections of single dice, by number."""
    count: CountCorrection = COUNT_IS_RIGHT
    """Players' corrections of the number of dice."""
    picked: frozenset[int] = frozenset()
    """The dice to throw next, if the table throws them."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """Players enter this roll although there is a camera."""

    watched: Watched
    """The camera's observations meanwhile."""
    marks: Mapping[int, TrayMark] = field(default_factory=dict)
    """What players entered, by number of the die."""


@dataclass(frozen=True, slots=True)
class Unwatched:
    """No camera works, so players enter each roll."""

    accepted: TrayObservation = NO_CAMERA
    """The camera's observation of the dice accepted last, while it worked."""
    marks: Mapping[int, TrayMark] = field(default_factory=dict)
    """What players entered, by number of the die."""
    before: Watched | ByHand | None = None
    """What was known before a restart, while a camera worked."""


TrayState = Watched | ByHand | Unwatched
"""What is known about the tray, by source of the faces."""


class Wish(NamedTuple):
    """The dice that a stand-in wants to be thrown again."""

    version: int
    """The version of the table that it was said in; later it no longer holds."""
    dice: tuple[int, ...]
    """The dice, ascending."""


# What everybody sees


class TrayStatus(StrEnum):
    """Whether the dice can be accepted and, if not, what is missing."""

    EMPTY = "empty"
    """No dice, or none thrown yet."""
    MOVING = "moving"
    LYING = "lying"
    """The dice lie as they were accepted."""
    PICKED_UP = "picked_up"
    """Some dice are in a player's hand; the others lie as they were accepted."""
    BESIDE = "beside"
    """Dice were thrown while others lie beside the tray, and players must say which."""
    READY = "ready"
    UNSURE = "unsure"
    INCOMPLETE = "incomplete"
    """Dice entered by hand, but not all of them."""
    COUNT = "count"
    TOO_NEAR = "too_near"
    """The camera is so near that five dice don't fit in its picture."""
    COCKED = "cocked"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Tray:
    """The dice as everybody sees them."""

    status: TrayStatus
    """Whether the dice can be accepted and, if not, what is missing."""
    dice: tuple[TrayDie, ...] = ()
    """By number; empty while unknown."""
    seen: int = 0
    """How many dice the camera counts."""
    choices: tuple[tuple[int, ...], ...] = ()
    """The dice that may lie beside the tray, by number, once for each set of faces; empty unless
    that is open."""
    counted: tuple[TrayDie, ...] = ()
    """The dice that the camera sees when it doesn't see five."""
    doubted: bool = False
    """Whether all five are sure, but there may be one more."""
    cocked: tuple[TrayDie, ...] = ()
    """The dice from left to right where one leans."""
