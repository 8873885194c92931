"""Moves: what a seat decides, as plain data. `check` says whether one is legal in a state.

Each kind ends with the name of its action, so that moves of two kinds are never equal.
"""

from enum import StrEnum
from typing import Literal, NamedTuple

from companion.games.dice.rules.faces import Dice, Face


class Action(StrEnum):
    """A kind of move; the value is its name in records."""

    HEAL = "heal"
    ROLL = "roll"
    STOP = "stop"
    SHOOT = "shoot"
    TAKE_ARROWS = "take_arrows"
    DISCARD_ARROWS = "discard_arrows"
    BEER = "beer"
    DISCARD_FROM = "discard_from"


class Heal(NamedTuple):
    """Give a life point to a player at the start of the turn."""

    seat: int
    """The seat that decides."""
    target: int
    """The seat that gains the life point."""
    action: Literal[Action.HEAL] = Action.HEAL
    """Tells the kinds of moves apart."""


class Roll(NamedTuple):
    """Accept the dice as they lie after a throw."""

    seat: int
    """The seat that rolls."""
    dice: Dice
    """All five faces."""
    rerolled: tuple[int, ...] | None = None
    """The dice that were just thrown, ascending; None in the first roll, which throws all."""
    action: Literal[Action.ROLL] = Action.ROLL
    """Tells the kinds of moves apart."""


class Stop(NamedTuple):
    """Stop rolling for this turn."""

    seat: int
    """The seat that decides."""
    action: Literal[Action.STOP] = Action.STOP
    """Tells the kinds of moves apart."""


class Shot(NamedTuple):
    """One bull's-eye die and its target."""

    die: int
    """The number of the die."""
    target: int | None
    """The seat that it hits; None if nobody is in reach."""
    used_as: Face | None = None
    """The face that the die counts as; None: the face that it shows."""
    beer: int | None = None
    """The beer die that doubles the shot, if any."""


class Shoot(NamedTuple):
    """Assign all bull's eyes to targets."""

    seat: int
    """The seat that shoots."""
    shots: tuple[Shot, ...]
    """One shot for each bull's-eye die, ascending by die."""
    action: Literal[Action.SHOOT] = Action.SHOOT
    """Tells the kinds of moves apart."""


class TakeArrows(NamedTuple):
    """Take arrows instead of losing life points."""

    seat: int
    """The seat that was hit."""
    arrows: int
    """How many arrows it takes, each instead of a life point."""
    action: Literal[Action.TAKE_ARROWS] = Action.TAKE_ARROWS
    """Tells the kinds of moves apart."""


class DiscardArrows(NamedTuple):
    """Put one's own arrows back after losing life points."""

    seat: int
    """The seat that was hit."""
    arrows: int
    """How many arrows it puts back."""
    action: Literal[Action.DISCARD_ARROWS] = Action.DISCARD_ARROWS
    """Tells the kinds of moves apart."""


class Beer(NamedTuple):
    """Hand out the beers that are left."""

    seat: int
    """The seat that decides."""
    targets: tuple[int, ...]
    """The seat that drinks each beer, in the order in which they count."""
    action: Literal[Action.BEER] = Action.BEER
    """Tells the kinds of moves apart."""


class DiscardFrom(NamedTuple):
    """Put other players' arrows, or one's own, back to the pile."""

    seat: int
    """The seat that decides."""
    targets: tuple[int, ...]
    """The seat that each arrow comes from; a seat may stand here more than once."""
    action: Literal[Action.DISCARD_FROM] = Action.DISCARD_FROM
    """Tells the kinds of moves apart."""


Move = Heal | Roll | Stop | Shoot | TakeArrows | DiscardArrows | Beer | DiscardFrom
