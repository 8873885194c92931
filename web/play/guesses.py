"""Eliminated players' guesses about who wins, and whether they were right."""

from typing import NamedTuple

from companion.table.views import TableView
from web.play.game_pages import terms_of


class Bet(NamedTuple):
    """A side that an eliminated player can bet on."""

    side: str
    """The side, as a press names it."""
    name: str
    """What players call it."""
    share: float | None
    """Its share of the games played on, 0 to 1; None until worked out."""
    chosen: bool
    """Whether this player guessed it."""


def bets(view: TableView) -> tuple[Bet, ...]:
    """Return the sides that may still win."""
    names, own = terms_of(view).sides, view.guesses.get(-1 if view.seat is None else view.seat)
    shares = view.odds.shares if view.odds else {}
    return tuple(Bet(side, names[side], shares.get(side), side == own) for side in view.sides)


class Guess(NamedTuple):
    """What an eliminated player guessed, once the game is over."""

    player: str
    """The player's name."""
    side: str
    """What players call the side that they guessed."""
    right: bool
    """Whether that side won."""


def guessed(view: TableView) -> tuple[Guess, ...]:
    """Return what each player guessed, by seat, after the game; nothing before."""
    if view.standing is None or view.standing.outcome is None:
        return ()
    names, won = terms_of(view).sides, view.standing.outcome.side
    return tuple(
        Guess(view.people[seat].name, names[side], side == won)
        for seat, side in sorted(view.guesses.items())
    )
