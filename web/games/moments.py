"""What happened in a game, as short moments that the television plays."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.table.history import EntryStatus, Undone
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
    was: str = ""
    """The drawing of the card for which it was taken, if it was corrected."""
    was_text: str = ""
    """What is written on that."""
    picture: str = ""
    """The address of the card's picture, as the camera saw it."""
    back: int | None = None
    """The first event that an undo takes back; None if nothing is told backwards."""


def turn_moment(number: int, seat: int) -> TelevisionMoment:
    """Return the moment of a turn that begins; the first one begins with the deal."""
    return TelevisionMoment(number, "deal" if number == 1 else "turn", to=(seat,))


def undo_moment(
    number: int, story: Sequence[Entry], statuses: Sequence[EntryStatus]
) -> TelevisionMoment:
    """Return the moment of an undo, which takes back all since the last event that still counts."""
    kept = next(
        place
        for place in range(number - 1, 0, -1)
        if not statuses[place - 1].undone and not isinstance(story[place - 1], Undone)
    )
    return TelevisionMoment(number, "undone", back=kept + 1)


def latest_events(story: Sequence[Entry]) -> Iterator[tuple[int, Entry]]:
    """Return the last LATEST events of a story, each with its place from 1."""
    begin = max(0, len(story) - LATEST)
    return enumerate(story[begin:], start=begin + 1)
