"""The awards at the end of a card game, each with its figure; all come from public events."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.table.views import TableView
from web.cardgame.board import terms_of
from web.cardgame.chronicle import chronicle_of
from web.i18n import gettext, ngettext

MOST = 3
"""How many awards are given."""

SHARED = 2
"""How many players may share an award; more would make it none."""


class CardAward(NamedTuple):
    """An award."""

    card: str
    """The card that is drawn beside it."""
    title: str
    """What it is called."""
    seats: tuple[int, ...]
    """Who gets it: several if they are equal."""
    figure: str
    """What it was given for."""


def awards(view: TableView) -> tuple[CardAward, ...]:
    """Return the awards of a finished game, at most MOST; none before its end."""
    found = chronicle_of(view)
    if found is None:
        return ()
    words = terms_of(view)

    def points(count: int) -> str:
        return words.counted(count, words.life_point)

    def shots(count: int) -> str:
        return ngettext("%(num)s attack answered", "%(num)s attacks answered", count)

    def cards(count: int) -> str:
        return words.counted(count, words.card)

    given = (
        *_most_of(found.taken, "bang", gettext("Sharpest shot"), points),
        *_most_of(found.saved, "missed", gettext("Hardest to hit"), shots),
        *_most_of(found.drunk, "beer", gettext("Greatest thirst"), points),
        *_most_of(found.drawn, "stagecoach", gettext("Most cards"), cards),
    )
    return given[:MOST]


def _most_of(
    counts: Sequence[int], card: str, title: str, figure: Callable[[int], str]
) -> Iterator[CardAward]:
    """Yield an award for the highest count, unless it is zero or too many have it."""
    most = max(counts)
    seats = tuple(seat for seat, count in enumerate(counts) if count == most)
    if most and len(seats) <= SHARED:
        yield CardAward(card, title, seats, figure(most))
