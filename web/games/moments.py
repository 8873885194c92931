"""What happened in a game, as short moments that the television plays."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from web.games.game import Entry

LATEST = 32
"""How many events of the story a page names: more than one press ever causes."""


class TelevisionMoment(NamedTuple):
    """Something that the television plays once."""

    number: int
    """The event's place in the story, from 1. The story only grows, so no number comes twice."""
    kind: str
    """What to play, as `moments.js` and the game's own script name it."""
    by: int | None = None
    """The seat that it comes from."""
    to: tuple[int, ...] = ()
    """The seats that it reaches, each as often as it is hit."""
    amount: int = 1
    """How many life points, arrows or cards."""
    cause: str = ""
    """Why life points come or go."""
    card: str = ""
    """The drawing of the card that is shown; empty for a card that nobody names."""
    text: str = ""
    """What is written on it: the rank of a flipped card."""


def latest_events(story: Sequence[Entry]) -> Iterator[tuple[int, Entry]]:
    """Return the last LATEST events of a story, each with its place from 1."""
    begin = max(0, len(story) - LATEST)
    return enumerate(story[begin:], start=begin + 1)
