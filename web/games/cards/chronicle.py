"""Statistics of a finished card game: who shot whom, life by turn, what was played.

All of it comes from events that everybody may see.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.games.cards.rules.events import (
    Cancelled,
    CardAnswered,
    CardEvent,
    CardPlayed,
    Drawn,
    Hurt,
    Regained,
)
from companion.games.cards.rules.titles import Title
from companion.games.cards.summary import shot_at
from companion.games.common.events import Eliminated, TurnBegan
from companion.table.views import TableView


class CardChronicle(NamedTuple):
    """A game's statistics, everything by seat."""

    shots: tuple[tuple[int, ...], ...]
    """Shots and attacks of each shooter (row) at each target (column), as statistics count them."""
    life: tuple[tuple[int, ...], ...]
    """Life points of each player: at the start, then after each turn."""
    laid: tuple[Mapping[Title, int], ...]
    """How often each player played each title, answers included."""
    drawn: tuple[int, ...]
    """How many cards each player drew."""
    taken: tuple[int, ...]
    """How many life points each player took from others."""
    saved: tuple[int, ...]
    """How many shots and attacks each player answered."""
    drunk: tuple[int, ...]
    """How many life points each player regained by Beer and Saloon."""

    @property
    def turns(self) -> int:
        """How many turns of the card game were begun."""
        return len(self.life[0]) - 1


def chronicle(events: Sequence[CardEvent], most: Sequence[int]) -> CardChronicle:
    """Return a card game's statistics. most: life points at the start, by seat."""
    seats, living = range(len(most)), set(range(len(most)))
    shots = [[0 for _ in seats] for _ in seats]
    laid: list[Counter[Title]] = [Counter() for _ in seats]
    drawn, taken, saved, drunk = ([0 for _ in seats] for _ in range(4))
    player: int | None = None
    for event in events:
        match event:
            case TurnBegan():
                # Nobody causes what the Dynamite does.
                player = None
            case CardPlayed(seat, card, target):
                player = seat
                laid[seat][card] += 1
                for other in shot_at(seat, card, target, living):
                    shots[seat][other] += 1
            case Eliminated(seat):
                living.discard(seat)
            case CardAnswered(seat, card):
                laid[seat][card] += 1
            case Hurt(seat, count) if player not in (None, seat):
                assert player is not None
                taken[player] += count
            case Cancelled(seat):
                saved[seat] += 1
            case Regained(seat, count, card) if card is not None:
                drunk[seat] += count
            case Drawn(seat, count):
                drawn[seat] += count
    moments = list(_by_turn(events, most))
    return CardChronicle(
        shots=tuple(map(tuple, shots)),
        life=tuple(tuple(life[seat] for life in moments) for seat in seats),
        laid=tuple(laid),
        drawn=tuple(drawn),
        taken=tuple(taken),
        saved=tuple(saved),
        drunk=tuple(drunk),
    )


def _by_turn(events: Sequence[CardEvent], most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield life points by seat: at the start, and after each turn."""
    life = list(most)
    yield tuple(life)
    begun = False
    for event in events:
        match event:
            case TurnBegan():
                if begun:
                    yield tuple(life)
                begun = True
            case Hurt(seat, count):
                life[seat] -= count
            case Regained(seat, count):
                life[seat] += count
            case Eliminated(seat):
                life[seat] = 0
    yield tuple(life)


def chronicle_of(view: TableView) -> CardChronicle | None:
    """Return the statistics of a finished card game, None before its end."""
    if view.game is None or not view.events:
        return None
    return chronicle(view.events, [player.max_life for player in view.game.players])


def titles_by_use(found: CardChronicle) -> tuple[Title, ...]:
    """Return the titles that were played, the most frequent first."""
    total: Counter[Title] = Counter()
    for laid in found.laid:
        total.update(laid)
    return tuple(title for title, _ in total.most_common())
