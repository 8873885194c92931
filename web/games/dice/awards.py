"""The awards at the end of a game, each with its figure. All come from events that are public."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import sqrt

from companion.games.dice.rules.events import (
    ArrowsTaken,
    Cause,
    Event,
    GatlingFired,
    LifeGained,
    LifeLost,
    ShotsFired,
)
from companion.games.dice.rules.faces import ARROW, DYNAMITE, Face
from companion.table.views import TableView
from web.games.dice.board import terms_of
from web.games.dice.chronicle import Luck, chronicle_of, tell_luck
from web.i18n import gettext
from web.play.finale import MOST, Award, most_of

BY_SHOTS = (Cause.BULLSEYE, Cause.GATLING)


def awards(view: TableView) -> tuple[Award, ...]:
    """Return the awards of a finished game, at most MOST; none before its end."""
    found = chronicle_of(view)
    if found is None:
        return ()
    words, events = terms_of(view), view.events
    points = partial(words.quantity, thing=words.life_point)
    arrows = partial(words.quantity, thing=words.arrow)

    given = (
        *most_of(damage(events), Face.BULLSEYE1, gettext("Sharpest shot"), points),
        *most_of(arrows_taken(events), Face.ARROW, gettext("Magnet"), arrows),
        *_luckiest(view, found.luck),
        *most_of(points_drunk(events), Face.BEER, gettext("Greatest thirst"), points),
    )
    return given[:MOST]


def damage(events: Sequence[Event]) -> Mapping[int, int]:
    """Return how many life points each seat took from others by shooting."""
    taken: Counter[int] = Counter()
    shooter = None
    for event in events:
        match event:
            case ShotsFired(seat) | GatlingFired(seat):
                shooter = seat
            case LifeLost(_, count, cause) if cause in BY_SHOTS and shooter is not None:
                taken[shooter] += count
    return taken


def sum_by_seat(counts: Iterable[tuple[int, int]]) -> Mapping[int, int]:
    """Return the sum of the counts of each seat; each count comes with its seat."""
    sums: Counter[int] = Counter()
    for seat, count in counts:
        sums[seat] += count
    return sums


def arrows_taken(events: Sequence[Event]) -> Mapping[int, int]:
    """Return how many arrows each seat took."""
    return sum_by_seat(
        (event.seat, event.count) for event in events if isinstance(event, ArrowsTaken)
    )


def points_drunk(events: Sequence[Event]) -> Mapping[int, int]:
    """Return how many life points each seat gained by beers."""
    gains = (event for event in events if isinstance(event, LifeGained))
    return sum_by_seat((event.seat, event.count) for event in gains if event.cause is Cause.BEER)


def _luckiest(view: TableView, luck: Sequence[Luck]) -> Iterator[Award]:
    """Yield an award for the face that came up for somebody more often than chance explains."""
    found = [
        (surplus(own, face), -seat, face)
        for seat, own in enumerate(luck)
        for face in Face
        if face not in (ARROW, DYNAMITE)
    ]
    best, seat, face = max(found)
    if best > 0:
        figure = tell_luck(view, luck[-seat], face)
        yield Award(face, gettext("Lucky hand"), (-seat,), figure)


def surplus(luck: Luck, face: Face) -> float:
    """Return how far a face is above its expectation, in standard deviations."""
    if not luck.thrown:
        return 0.0
    chance = 1 / len(Face)
    return (luck.faces[face] - luck.expected) / sqrt(luck.thrown * chance * (1 - chance))
