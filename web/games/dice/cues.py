"""What each event of the dice game sounds like, and whether the announcer tells it.

The television and the table's own speaker both follow this table. Events are public, so what is
heard is what any spectator may see.
"""

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.dice.rules import events
from companion.games.dice.rules.views import SeatView
from companion.games.dice.terms import Terms
from companion.games.game import Correction
from companion.table.controls.announcer import Heard
from companion.table.history import Undone
from web.games.dice import story as stories
from web.games.dice.story import Entry


class Cue(NamedTuple):
    """How a kind of event is heard."""

    sounds: tuple[str, ...]
    """The sounds that are played, in order, by their files in `static/sounds`; none if empty."""
    spoken: bool
    """Whether the announcer tells it, in the words of the story."""


CUES: Mapping[type[Entry], Cue] = {
    TurnBegan: Cue(("turn",), True),
    # The dice were heard when they came to rest.
    events.Rolled: Cue((), False),
    events.ArrowsTaken: Cue(("arrow",), False),
    events.ArrowsDiscarded: Cue(("returned",), False),
    events.IndiansAttacked: Cue(("indians",), True),
    events.DynamiteExploded: Cue(("dynamite",), True),
    events.ShotsFired: Cue(("shot",), True),
    events.GatlingFired: Cue(("gatling",), True),
    events.LifeLost: Cue(("hit",), False),
    events.LifeGained: Cue(("beer",), False),
    # Their role card is turned over, and a bell tolls.
    Eliminated: Cue(("role", "death"), True),
    GameEnded: Cue(("victory",), True),
    Undone: Cue(("undo",), False),
    # Tapping a die is quiet, as turning it over is.
    Correction: Cue((), False),
}
"""How each kind of event is heard."""


def audio(
    story: tuple[Entry, ...],
    players: tuple[SeatView, ...],
    words: Terms,
    latest: int,
) -> tuple[Heard, ...]:
    """Return how the last `latest` events of a story are heard, without those that are silent."""
    begin = max(0, len(story) - latest)
    found = []
    for number, event in enumerate(story[begin:], start=begin + 1):
        cue = CUES[type(event)]
        if cue.sounds or cue.spoken:
            told = stories.speak(event, players, words) if cue.spoken else ""
            found.append(Heard(number, cue.sounds, told, isinstance(event, Undone)))
    return tuple(found)
