"""Moves: what a seat decides, as plain data. Whether one is legal, the state says (`rules`)."""

from dataclasses import dataclass
from enum import StrEnum

from companion.dicegame.faces import Dice, Face


class Action(StrEnum):
    """Kinds of moves, by their names in records."""

    HEAL = "heal"
    ROLL = "roll"
    STOP = "stop"
    SHOOT = "shoot"
    TAKE_ARROWS = "take_arrows"
    DISCARD_ARROWS = "discard_arrows"
    BEER = "beer"
    DISCARD_FROM = "discard_from"


@dataclass(frozen=True, slots=True)
class Heal:
    """At the start of the turn, `target` gains a life point."""

    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Roll:
    """The five dice as they lie; `rerolled`: which were just thrown (None: the first roll)."""

    seat: int
    dice: Dice
    rerolled: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """No more rolls this turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Shot:
    """One bull's-eye die and whom it hits (None: nobody is in reach).

    used_as: the face as which it counts (None: as it lies); beer: the die that doubles it.
    """

    die: int
    target: int | None
    used_as: Face | None = None
    beer: int | None = None


@dataclass(frozen=True, slots=True)
class Shoot:
    """All bull's eyes, one shot a die, ascending by die."""

    seat: int
    shots: tuple[Shot, ...]


@dataclass(frozen=True, slots=True)
class TakeArrows:
    """Take so many arrows, each instead of a life point."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class DiscardArrows:
    """Put so many of one's own arrows back."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Beer:
    """Who drinks: a seat for each remaining beer die, in the order in which they count."""

    seat: int
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiscardFrom:
    """Whose arrows go back to the pile, one for each mention."""

    seat: int
    targets: tuple[int, ...]


Move = Heal | Roll | Stop | Shoot | TakeArrows | DiscardArrows | Beer | DiscardFrom

MOVES: dict[Action, type[Move]] = {
    Action.HEAL: Heal,
    Action.ROLL: Roll,
    Action.STOP: Stop,
    Action.SHOOT: Shoot,
    Action.TAKE_ARROWS: TakeArrows,
    Action.DISCARD_ARROWS: DiscardArrows,
    Action.BEER: Beer,
    Action.DISCARD_FROM: DiscardFrom,
}

ACTIONS: dict[type[Move], Action] = {kind: action for action, kind in MOVES.items()}
