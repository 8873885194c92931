"""Whose turn it is, what this phone must decide, who sits where and who won."""

from typing import NamedTuple

from companion.table.scene import Phase
from companion.table.views import TableView
from web.games.game import GamePages


def round_table(view: TableView, first: int) -> tuple[int, ...]:
    """Return all seats clockwise, starting with `first`."""
    count = len(view.people)
    return tuple((first + place) % count for place in range(count))


def sides_of_table(view: TableView) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the seats at the far and the near side of the table, each from left to right."""
    far = (len(view.people) + 1) // 2
    return tuple(range(far)), tuple(reversed(range(far, len(view.people))))


class AroundTable(NamedTuple):
    """The seats at each side of the table, clockwise."""

    far: tuple[int, ...]
    """From left to right."""
    right: tuple[int, ...]
    """From far to near; at most one."""
    near: tuple[int, ...]
    """From left to right."""
    left: tuple[int, ...]
    """From near to far; at most one."""


def around_table(view: TableView) -> AroundTable:
    """Return the seats as people sit, clockwise from the upper left: from five on, also beside."""
    count = len(view.people)
    beside = int(count > 4)
    far = (count - 2 * beside + 1) // 2
    seats = tuple(range(count))
    near = seats[far + beside : count - beside]
    return AroundTable(seats[:far], seats[far : far + beside], near[::-1], seats[count - beside :])


def must_decide(view: TableView) -> bool:
    """Return whether this phone must decide something other than a throw."""
    standing = view.standing
    return (
        view.phase is Phase.PLAYING
        and standing is not None
        and not standing.rolling
        and standing.awaited in view.decides
    )


def calls(view: TableView, game: GamePages) -> str:
    """Return what this phone is needed for, as a text that changes with each new need.

    Empty while it isn't needed. Phones alert their players when the text changes.
    """
    if view.standing is None or view.phase is not Phase.PLAYING:
        return ""
    if must_decide(view):
        return game.alert_key(view)
    if view.rolling and view.seat == view.standing.turn:
        return f"turn-{view.game_number}-{game.turns(view)}"
    return ""


def secret_roles(view: TableView, game: GamePages) -> tuple[int, ...]:
    """Return the seats without a phone whose secret roles this phone can show."""
    if view.standing is None:
        return ()
    secret = game.secret_roles(view)
    return tuple(seat for seat in view.passed_around if seat in secret)


def winners(view: TableView) -> tuple[str, ...]:
    """Return the winners' names."""
    assert view.standing is not None
    assert view.standing.outcome is not None
    return tuple(view.people[seat].name for seat in view.standing.outcome.winners)
