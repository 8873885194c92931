"""What the camera says of the dice in the tray. Places are pixels of its picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vision.matching import LIKELY, lies_there
from vision.reading import DICE as DICE
from vision.reading import Verdict

if TYPE_CHECKING:
    from vision.follow import FollowedDie


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
        """Return whether a die here may be the one that lay there."""
        return lies_there(self, other)


@dataclass(frozen=True, slots=True)
class TrayDie:
    """One of the five dice of this turn."""

    face: str | None
    """What it shows; None while unknown. Once a player has corrected it, not the same as `read`."""
    thrown: bool
    """Whether it was thrown since the last accepted roll."""
    sure: bool
    """Whether no question about its face is open."""
    likely: tuple[str, ...] = ()
    """Faces, from most to least likely."""
    place: Place | None = None
    """Where the camera saw it; None if it was entered by hand or lies beside the tray."""
    read: str | None = None
    """What the camera took it for; None as with `place`."""
    track: int | None = None
    """Its number among the dice that the camera follows; None as with `place`."""
    bumped: bool = False
    """Whether it seems to be kept but lies differently, and nobody has said yet if it was thrown
    or only pushed."""


class Sight(StrEnum):
    """Whether the camera can say anything of the dice."""

    NO_CAMERA = "no camera"
    MOVING = "moving"
    """Something moves."""
    STILL = "still"
    """What lies in the tray has come to rest and was read."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What the camera says of the tray at one moment."""

    sight: Sight
    """Whether the camera works, and whether anything moves."""
    verdict: Verdict | None = None
    """How the reading may be used; None unless the tray is still."""
    dice: tuple[TrayDie, ...] = ()
    """The dice from left to right."""

    def unmoved(self, other: "Observation") -> bool:
        """Return whether both show the same dice, lying still."""
        return len(self.dice) == len(other.dice) and all(
            find_same(die, other.dice) is not None for die in self.dice
        )


NO_CAMERA = Observation(Sight.NO_CAMERA)
MOVING = Observation(Sight.MOVING)
EMPTY = Observation(Sight.STILL, Verdict.EMPTY)


def still(verdict: Verdict, dice: "Sequence[FollowedDie]") -> Observation:
    """Return the observation of a tray at rest, from a reading of it."""
    return Observation(
        Sight.STILL,
        verdict,
        tuple(
            TrayDie(
                face=die.face,
                thrown=True,
                sure=die.sure,
                likely=tuple(die.likely),
                place=Place(die.x, die.y, die.size),
                read=die.face,
                track=die.number,
            )
            for die in sorted(dice, key=lambda die: (die.x, die.y))
        ),
    )


def lies_on(die: TrayDie, other: TrayDie) -> bool:
    """Return whether the camera sees a die where it saw another one."""
    return die.place is not None and other.place is not None and die.place.near(other.place)


def find_same(die: TrayDie, others: Sequence[TrayDie]) -> int | None:
    """Return which of `others` a die still is, None if it is none of them."""
    for number, other in enumerate(others):
        if lies_on(die, other) and (
            die.read in (other.read, other.face)
            or (not die.sure and other.face in die.likely[:LIKELY])
        ):
            return number
    return None
