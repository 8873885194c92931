"""Moves: what a seat decides, as plain data. Whether one is legal, the state says (`check`).

Each kind ends with the name of its action, so that moves of two kinds are never equal.
"""

from enum import StrEnum
from typing import Literal, NamedTuple

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


class Heal(NamedTuple):
    """At the start of the turn, `target` gains a life point."""

    seat: int
    target: int
    action: Literal[Action.HEAL] = Action.HEAL


class Roll(NamedTuple):
    """The five dice as they lie; `rerolled`: which were just thrown (None: the first roll)."""

    seat: int
    dice: Dice
    rerolled: tuple[int, ...] | None = None
    action: Literal[Action.ROLL] = Action.ROLL


class Stop(NamedTuple):
    """No more rolls this turn."""

    seat: int
    action: Literal[Action.STOP] = Action.STOP


class Shot(NamedTuple):
    """One bull's-eye die and whom it hits (None: nobody is in reach).

    used_as: the face as which it counts (None: as it lies); beer: the die that doubles it.
    """

    die: int
    target: int | None
    used_as: Face | None = None
    beer: int | None = None


class Shoot(NamedTuple):
    """All bull's eyes, one shot a die, ascending by die."""

    seat: int
    shots: tuple[Shot, ...]
    action: Literal[Action.SHOOT] = Action.SHOOT


class TakeArrows(NamedTuple):
    """Take so many `arrows`, each instead of a life point."""

    seat: int
    arrows: int
    action: Literal[Action.TAKE_ARROWS] = Action.TAKE_ARROWS


class DiscardArrows(NamedTuple):
    """Put so many of one's own arrows back."""

    seat: int
    arrows: int
    action: Literal[Action.DISCARD_ARROWS] = Action.DISCARD_ARROWS


class Beer(NamedTuple):
    """Who drinks: a seat for each remaining beer die, in the order in which they count."""

    seat: int
    targets: tuple[int, ...]
    action: Literal[Action.BEER] = Action.BEER


class DiscardFrom(NamedTuple):
    """Whose arrows go back to the pile, one for each mention."""

    seat: int
    targets: tuple[int, ...]
    action: Literal[Action.DISCARD_FROM] = Action.DISCARD_FROM


Move = Heal | Roll | Stop | Shoot | TakeArrows | DiscardArrows | Beer | DiscardFrom
