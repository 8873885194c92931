"""Events: what a move brought about, in the order in which it happened. All are public."""

from dataclasses import dataclass
from enum import StrEnum

from companion.dicegame.faces import Dice
from companion.dicegame.moves import Shot
from companion.dicegame.roles import Role


class Cause(StrEnum):
    """Why a player loses life points, or gains them, or takes or puts back arrows."""

    INDIANS = "indians"
    DYNAMITE = "dynamite"
    BULLSEYE = "bullseye"
    GATLING = "gatling"
    BEER = "beer"
    ROLL = "roll"
    ABILITY = "ability"


# As with the faces: until Python 3.12 `Cause.ROLL` takes its time.
INDIANS, DYNAMITE, BULLSEYE, GATLING, BEER, ROLL, ABILITY = Cause


class Side(StrEnum):
    """Who won: a team or the Renegade; with three players the winner's role, or nobody."""

    LAW = "law"
    OUTLAWS = "outlaws"
    RENEGADE = "renegade"
    DEPUTY = "deputy"
    OUTLAW = "outlaw"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended: the side that won and its seats, ascending."""

    side: Side
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """`seat` is next."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """`seat` threw the dice `thrown` and they all lie as `dice`."""

    seat: int
    dice: Dice
    thrown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ArrowsTaken:
    """`seat` took arrows from the pile."""

    seat: int
    count: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class ArrowsDiscarded:
    """`count` arrows of `seat` went back to the pile."""

    seat: int
    count: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class IndiansAttacked:
    """The pile was empty: everybody pays for his arrows, and all arrows are back."""


@dataclass(frozen=True, slots=True)
class DynamiteExploded:
    """Three or more dynamites lie before `seat`."""

    seat: int


@dataclass(frozen=True, slots=True)
class ShotsFired:
    """`seat` assigned his bull's eyes."""

    seat: int
    shots: tuple[Shot, ...]


@dataclass(frozen=True, slots=True)
class GatlingFired:
    """`seat` fired at everybody else."""

    seat: int


@dataclass(frozen=True, slots=True)
class LifeLost:
    """`seat` lost life points; hits beyond his last one are not counted."""

    seat: int
    count: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class LifeGained:
    """`seat` gained life points: 0 when he had them all already."""

    seat: int
    count: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class Eliminated:
    """`seat` is out and shows his role."""

    seat: int
    role: Role


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over."""

    result: Result


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
