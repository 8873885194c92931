"""What each event of the dice game sounds like, and whether the announcer tells it."""

from collections.abc import Mapping

from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.dice.rules import events
from companion.games.dice.rules.views import SeatView
from companion.games.dice.terms import DiceTerms
from companion.games.game import Correction
from companion.table.controls.announcer import Heard
from companion.table.history import Undone
from web.games.cues import QUIET, Cue, hear
from web.games.dice import story as stories
from web.games.dice.story import Entry

CUES: Mapping[type[Entry], Cue] = {
    TurnBegan: Cue(("turn",), True),
    # The dice were heard when they came to rest.
    events.Rolled: QUIET,
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
    Correction: QUIET,
}
"""How each kind of event is heard."""


def audio(
    story: tuple[Entry, ...], players: tuple[SeatView, ...], words: DiceTerms, latest: int
) -> tuple[Heard, ...]:
    """Return how the last `latest` events of a story are heard, without those that are silent."""
    return hear(
        story,
        latest,
        lambda _, event: CUES[type(event)],
        lambda event: stories.speak(event, players, words),
    )
