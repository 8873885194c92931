"""Observations of the dice in the tray. Places are pixels of the camera's picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vision.dice.matching import LIKELY, lies_there
from vision.dice.reading import DICE as DICE
from vision.dice.reading import TrayVerdict

if TYPE_CHECKING:
    from vision.dice.follow import FollowedDie


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


class Sight(StrEnum):
    """Whether the camera can see the dice."""

    NO_CAMERA = "no camera"
    MOVING = "moving"
    """Something moves."""
    STILL = "still"
    """The tray is at rest and was read."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The camera's observation of the tray at one moment."""

    sight: Sight
    """Whether the camera works, and whether anything moves."""
    verdict: TrayVerdict | None = None
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
EMPTY = Observation(Sight.STILL, TrayVerdict.EMPTY)


def still(verdict: TrayVerdict, dice: "Sequence[FollowedDie]") -> Observation:
    """Return the observation of a tray at rest from its reading."""
    return Observation(
        Sight.STILL,
        verdict,
        tuple(
            TrayDie(
                face=die.face,
                thrown=True,
                sure=die.sure,
                likely=tuple(die.likely),
                # Each correction saves the places: tenths of a pixel are precise enough.
                place=Place(round(die.x, 1), round(die.y, 1), round(die.size, 1)),
                read=die.face,
                track=die.number,
            )
            for die in sorted(dice, key=lambda die: (die.x, die.y))
        ),
    )


def lies_on(die: TrayDie, other: TrayDie) -> bool:
    """Return whether the camera sees a die in the place of another."""
    return die.place is not None and other.place is not None and die.place.near(other.place)


def find_same(die: TrayDie, others: Sequence[TrayDie]) -> int | None:
    """Return the number of the die among `others` that is this die, or None."""
    for number, other in enumerate(others):
        if lies_on(die, other) and (
            die.read in (other.read, other.face)
            or (not die.sure and other.face in die.likely[:LIKELY])
        ):
            return number
    return None
