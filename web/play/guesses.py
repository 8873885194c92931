"""Eliminated players' guesses about who wins, and whether they were right."""

from typing import NamedTuple

from markupsafe import Markup

from companion.table.views import TableView, may_see_chances
from web.games.game import terms_of
from web.i18n import gettext, percent


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
    interval: tuple[float, float] | None = None
    """The bounds of the true share, 19 times in 20; None until worked out."""


def bets(view: TableView) -> tuple[Bet, ...]:
    """Return the sides that may still win."""
    names, own = terms_of(view).sides, view.guesses.get(-1 if view.seat is None else view.seat)
    shares = view.odds.shares if view.odds else {}
    intervals = view.odds.intervals if view.odds else {}
    return tuple(
        Bet(side, names[side], shares.get(side), side == own, intervals.get(side))
        for side in view.sides
    )


def sees_chances(view: TableView) -> bool:
    """Return whether this phone may see what the throws to come decide."""
    return may_see_chances(view)


def bar(bet: Bet) -> Markup:
    """Return a share as a bar, with a bright line from bound to bound."""
    low, high = bet.interval or (bet.share or 0.0,) * 2
    return Markup(
        '<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="{:.1f}" height="4"/><path d="M{:.1f} 2H{:.1f}"/></svg>'
    ).format(100 * (bet.share or 0.0), 100 * low, 100 * high)


def tell_range(bet: Bet) -> str:
    """Return the bounds of a share; empty until worked out."""
    if bet.interval is None:
        return ""
    low, high = (percent(bound) for bound in bet.interval)
    return gettext("%(low)s to %(high)s", low=low, high=high)


def tell_leader(view: TableView) -> str:
    """Return who wins most often from here; that nobody does, if the bounds don't tell sides apart.

    Empty until the chances are worked out.
    """
    known = [(bet.interval, bet.name) for bet in bets(view) if bet.interval is not None]
    if not known:
        return ""
    (low, _), name = max(known)
    if any(high >= low for (_, high), other in known if other != name):
        return gettext("It is close: no side stands out from here.")
    return gettext("%(side)s: the best chances from here.", side=name)


def source(view: TableView) -> str:
    """Return where the chances come from."""
    assert view.odds is not None
    return gettext(
        "Sensible stand-ins played on %(games)s times, each time with the hidden roles dealt again,"
        " as likely as what everybody saw. The true chance lies between the bounds 19 times in 20,"
        " if players are as sensible. It gives away no secret.",
        games=view.odds.games,
    )


class Guess(NamedTuple):
    """What an eliminated player guessed, once the game is over."""

    player: str
    """The player's name."""
    side: str
    """What players call the side that they guessed."""
    right: bool
    """Whether that side won."""


def list_guesses(view: TableView) -> tuple[Guess, ...]:
    """Return what each player guessed, by seat, after the game; nothing before."""
    if view.standing is None or view.standing.outcome is None:
        return ()
    names, won = terms_of(view).sides, view.standing.outcome.side
    return tuple(
        Guess(view.people[seat].name, names[side], side == won)
        for seat, side in sorted(view.guesses.items())
    )
