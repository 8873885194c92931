"""What the end of any game is summed up in: who won, and the awards."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.table.views import TableView
from web.games.game import terms_of

MOST = 3
"""How many awards are given."""

SHARED = 2
"""How many players may share an award; more would make it none."""


class Award(NamedTuple):
    """An award."""

    icon: str
    """The face or the card that is drawn beside it."""
    title: str
    """What it is called."""
    seats: tuple[int, ...]
    """Who gets it: several if they are equal."""
    figure: str
    """What it was given for."""


def most_of(
    counts: Mapping[int, int], icon: str, title: str, figure: Callable[[int], str]
) -> Iterator[Award]:
    """Yield an award for the highest count, unless it is zero or too many have it.

    counts: by seat.
    """
    most = max(counts.values(), default=0)
    seats = tuple(sorted(seat for seat, count in counts.items() if count == most))
    if most and len(seats) <= SHARED:
        yield Award(icon, title, seats, figure(most))


def summary(view: TableView, given: Sequence[Award]) -> tuple[str, ...]:
    """Return each player's character, role and life points, and the awards, a line each."""
    words, players = terms_of(view), view.game.players
    told = [
        f"{player.name}: {words.characters[player.character].name},"
        f" {words.roles[player.role]} ({_life(player, words)})"
        for player in players
    ]
    awards = [
        f"{award.title}: {words.join([players[seat].name for seat in award.seats])}"
        f" ({award.figure})"
        for award in given
    ]
    return *told, *([""] if awards else []), *awards


def _life(player: Any, words: Any) -> str:
    text: str = words.quantity(player.life, words.life_point)
    return text if player.alive else words.questions.out
