"""The log of a game: its story with what was undone, and where this phone may go back to."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from companion.games.game import Correction
from companion.table.views import TableView
from web.games.game import CorrectableCard, GamePages, StoryLine


class LogLine(NamedTuple):
    """A line of the log."""

    kind: str
    """The kind of event, for styling."""
    text: str
    """The sentence."""
    undone: bool
    """Whether it was undone."""
    back: int | None
    """The number of moves to go back to, to be where this line ended; None if that is not offered.
    """
    moves: int = 0
    """How many moves had been made when it happened, its own included."""
    picture: str = ""
    """The address of the picture of the die that it is about; empty if there is none."""
    why: tuple[str, ...] = ()
    """Why a stand-in made this move; empty for people."""
    again: bool = False
    """Whether it was told before, when a card of it or before it was another one."""
    cards: tuple[CorrectableCard, ...] = ()
    """The cards that this phone may correct here, by their places in the move."""


def whole(view: TableView, game: GamePages) -> tuple[LogLine, ...]:
    """Return everything that happened in the game."""
    return _mark_lines(view, game, game.tell(view, view.story), 0)


def recent(view: TableView, game: GamePages) -> tuple[LogLine, ...]:
    """Return what happened lately, for pages of a running game."""
    story = game.recent(view.story)
    return _mark_lines(view, game, game.tell(view, story), len(view.story) - len(story))


TOLD = 3
"""How many sentences stand on the television."""


def latest(view: TableView, game: GamePages) -> tuple[str, ...]:
    """Return the last TOLD sentences of the story that still hold, the latest first.

    A corrected card is told by its correction, without what happened since.
    """
    told = [line.text for line in recent(view, game) if not line.undone and not line.again]
    return tuple(reversed(told[-TOLD:]))


def by_number(view: TableView, game: GamePages) -> Mapping[int, str]:
    """Return the recent sentences of the story, by the numbers of their first events."""
    story = game.recent(view.story)
    number, found = len(view.story) - len(story) + 1, {}
    for line in game.tell(view, story):
        found[number] = line.text
        number += line.events
    return found


def of_moves(view: TableView, game: GamePages, moves: Collection[int]) -> tuple[LogLine, ...]:
    """Return the lines whose cards can be corrected that tell some moves, by their numbers."""
    return tuple(line for line in whole(view, game) if line.moves in moves and line.cards)


def _mark_lines(
    view: TableView, game: GamePages, lines: tuple[StoryLine, ...], begin: int
) -> tuple[LogLine, ...]:
    """Return lines of the story with their marks. begin: the entry that the first line tells."""
    statuses, landings = view.statuses[begin:], frozenset(view.back_to)
    # The last entry that still counts of each moment.
    ends = {status.moves: place for place, status in enumerate(statuses) if not status.undone}
    marked, place, explained = [], 0, set[int]()
    for line in lines:
        place += line.events
        status = statuses[place - 1]
        ends_here = ends.get(status.moves) == place - 1 and status.moves in landings
        back = status.moves if ends_here else None
        picture = picture_of(view, view.story[begin + place - 1], status.moves)
        why: tuple[str, ...] = ()
        if not status.undone and status.moves not in explained and line.kind != "TurnBegan":
            # The first line of a move tells what was decided.
            explained.add(status.moves)
            why = tuple(game.because(view, each) for each in view.reasons.get(status.moves, ()))
        of = view.passes.get(status.moves, ())
        correctable = line.cards if view.back_to and not status.undone else ()
        cards = tuple(card._replace(of=of) for card in correctable)
        marked.append(
            LogLine(
                kind=line.kind,
                text=line.text,
                undone=status.undone,
                back=back,
                moves=status.moves,
                picture=picture,
                why=why,
                again=status.again,
                cards=cards,
            )
        )
    return tuple(marked)


def picture_of(view: TableView, event: object, move: int) -> str:
    """Return the address of the picture of the die that a move corrected; "" if there is none."""
    if not isinstance(event, Correction) or not event.pictured or event.die is None:
        return ""
    return f"/corrections/{view.game_number}-{move}-{event.die}.jpg"
