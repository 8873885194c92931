"""Events: what a move caused, in the order in which it happened. All are public."""

from dataclasses import dataclass
from enum import StrEnum

from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.dice.rules.faces import Dice
from companion.games.dice.rules.moves import Shot


class Cause(StrEnum):
    """Why a player gains or loses life points, or takes or puts back arrows."""

    INDIANS = "indians"
    DYNAMITE = "dynamite"
    BULLSEYE = "bullseye"
    GATLING = "gatling"
    BEER = "beer"
    ROLL = "roll"
    ABILITY = "ability"


# As with the faces: until Python 3.12, looking up `Cause.ROLL` is slow.
INDIANS, DYNAMITE, BULLSEYE, GATLING, BEER, ROLL, ABILITY = Cause


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll was accepted."""

    seat: int
    """The seat that rolled."""
    dice: Dice
    """All five faces, thrown or kept."""
    thrown: tuple[int, ...]
    """The dice that were thrown."""


@dataclass(frozen=True, slots=True)
class ArrowsTaken:
    """Arrows were taken from the pile."""

    seat: int
    """The seat that took them."""
    count: int
    """How many."""
    cause: Cause
    """Why."""


@dataclass(frozen=True, slots=True)
class ArrowsDiscarded:
    """Arrows went back to the pile."""

    seat: int
    """The seat that held them."""
    count: int
    """How many."""
    cause: Cause
    """Why."""


@dataclass(frozen=True, slots=True)
class IndiansAttacked:
    """The pile ran out: players pay for their arrows with life points and put them back."""


@dataclass(frozen=True, slots=True)
class DynamiteExploded:
    """Three or more dice show dynamite."""

    seat: int
    """The seat that rolled them."""


@dataclass(frozen=True, slots=True)
class ShotsFired:
    """Bull's eyes were assigned to targets."""

    seat: int
    """The seat that shot."""
    shots: tuple[Shot, ...]
    """The shots, ascending by die."""


@dataclass(frozen=True, slots=True)
class GatlingFired:
    """The Gatling was fired at everybody else."""

    seat: int
    """The seat that fired it."""


@dataclass(frozen=True, slots=True)
class LifeLost:
    """A player lost life points."""

    seat: int
    """The seat that lost them."""
    count: int
    """How many; hits beyond the last life point are not counted."""
    cause: Cause
    """Why."""


@dataclass(frozen=True, slots=True)
class LifeGained:
    """A player gained life points."""

    seat: int
    """The seat that gained them."""
    count: int
    """How many; 0 if they had all of them already."""
    cause: Cause
    """Why."""


Event = (
    TurnBegan
    | Rolled
    | ArrowsTaken
    | ArrowsDiscarded
    | IndiansAttacked
    | DynamiteExploded
    | ShotsFired
    | GatlingFired
    | LifeLost
    | LifeGained
    | Eliminated
    | GameEnded
)
