"""Statistics of a finished game: who shot whom, life and arrows by turn, luck of the dice.

All of it comes from events that everybody may see.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from companion.games.common.events import Eliminated, TurnBegan
from companion.games.dice.rules.events import (
    ArrowsDiscarded,
    ArrowsTaken,
    Event,
    GatlingFired,
    IndiansAttacked,
    LifeGained,
    LifeLost,
    Rolled,
    ShotsFired,
)
from companion.games.dice.rules.faces import Face
from companion.table.views import TableView
from web.games.dice.board import terms_of
from web.i18n import gettext, tenths


class Luck(NamedTuple):
    """A player's throws compared with fair dice."""

    thrown: int
    """How many dice they threw."""
    faces: Mapping[Face, int]
    """How often each face came up."""
    expected: float
    """How often fair dice show each face, on average."""
    oddest: Face | None
    """The face furthest from its expectation; None if nothing was thrown."""
    off: float
    """How far, in standard deviations of a binomial distribution; below 0: too rare."""


class DiceChronicle(NamedTuple):
    """A game's statistics, everything by seat."""

    shots: tuple[tuple[int, ...], ...]
    """Shots of each shooter (row) at each target (column); a doubled shot counts twice."""
    gatlings: tuple[int, ...]
    """How often each player fired the Gatling."""
    life: tuple[tuple[int, ...], ...]
    """Life points of each player: at the start, then after each turn."""
    arrows: tuple[tuple[int, ...], ...]
    """Arrows of each player: at the start, then after each turn."""
    luck: tuple[Luck, ...]
    """What each player threw."""

    @property
    def turns(self) -> int:
        """How many turns were begun."""
        return len(self.life[0]) - 1


def chronicle(events: Sequence[Event], most: Sequence[int]) -> DiceChronicle:
    """Return a game's statistics. most: life points at the start, by seat."""
    seats = range(len(most))
    shots = [[0 for _ in seats] for _ in seats]
    gatlings = Counter(event.seat for event in events if isinstance(event, GatlingFired))
    for event in events:
        if isinstance(event, ShotsFired):
            for shot in event.shots:
                if shot.target is not None:
                    shots[event.seat][shot.target] += 1 if shot.beer is None else 2
    moments = list(_by_turn(events, most))
    return DiceChronicle(
        shots=tuple(map(tuple, shots)),
        gatlings=tuple(gatlings[seat] for seat in seats),
        life=tuple(tuple(life[seat] for life, _ in moments) for seat in seats),
        arrows=tuple(tuple(arrows[seat] for _, arrows in moments) for seat in seats),
        luck=tuple(_luck(events, seat) for seat in seats),
    )


def _by_turn(
    events: Sequence[Event], most: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield life points and arrows by seat: at the start, and after each turn."""
    life, arrows = list(most), [0] * len(most)
    yield tuple(life), tuple(arrows)
    begun = False
    for event in events:
        match event:
            case TurnBegan():
                if begun:
                    yield tuple(life), tuple(arrows)
                begun = True
            case LifeLost(seat, count):
                life[seat] -= count
            case LifeGained(seat, count):
                life[seat] += count
            case ArrowsTaken(seat, count):
                arrows[seat] += count
            case ArrowsDiscarded(seat, count):
                arrows[seat] -= count
            case IndiansAttacked():
                arrows = [0] * len(arrows)
            case Eliminated(seat):
                arrows[seat] = 0
    yield tuple(life), tuple(arrows)


def _luck(events: Sequence[Event], seat: int) -> Luck:
    faces = Counter(
        event.dice[die]
        for event in events
        if isinstance(event, Rolled) and event.seat == seat
        for die in event.thrown
    )
    thrown = faces.total()
    chance = 1 / len(Face)
    expected = thrown * chance
    if not thrown:
        return Luck(0, faces, 0.0, None, 0.0)
    oddest = max(Face, key=lambda face: abs(faces[face] - expected))
    off = (faces[oddest] - expected) / sqrt(thrown * chance * (1 - chance))
    return Luck(thrown, faces, expected, oddest, off)


def chronicle_of(view: TableView) -> DiceChronicle | None:
    """Return the statistics of a finished game, None before its end."""
    if view.game is None or not view.events:
        return None
    return chronicle(view.events, [player.max_life for player in view.game.players])


def oddest_face(view: TableView, luck: Luck) -> str:
    """Return the face whose count is furthest from what this number of dice should give."""
    return "" if luck.oddest is None else tell_luck(view, luck, luck.oddest)


def tell_luck(view: TableView, luck: Luck, face: Face) -> str:
    """Return how often a player threw a face, and how often fair dice would show it."""
    return gettext(
        "%(thrown)s dice: %(face)s ×%(count)s, %(expected)s expected",
        thrown=luck.thrown,
        face=terms_of(view).faces[face],
        count=luck.faces[face],
        expected=tenths(luck.expected),
    )
