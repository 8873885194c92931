"""What each event of the card game sounds like, and whether the announcer tells it."""

from collections.abc import Mapping

from companion.games.cards.rules import events
from companion.games.cards.rules.titles import Title
from companion.games.cards.terms import CardTerms
from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.table.controls.announcer import Heard
from companion.table.history import EntryStatus, Retitled, Undone
from web.games.cards.story import Entry, sentence
from web.games.cues import QUIET, Cue, hear

CUES: Mapping[type[events.CardEvent | Undone | Retitled], Cue] = {
    TurnBegan: Cue(("turn",), True),
    events.CardPlayed: Cue(("card",), True),
    events.CardAnswered: Cue(("card",), True),
    events.CardFlipped: Cue(("role",), True),
    events.Cancelled: Cue(("ricochet",), False),
    events.Hurt: Cue(("hit",), False),
    events.Regained: Cue(("beer",), False),
    Eliminated: Cue(("role", "death"), True),
    events.Shuffled: Cue(("shuffle",), True),
    events.JailServed: Cue((), True),
    events.DynamitePassed: Cue(("card",), True),
    events.Counted: Cue(("undo",), True),
    events.Taken: Cue(("card",), True),
    events.Removed: Cue(("card",), True),
    events.Inherited: Cue(("card",), True),
    events.Discarded: Cue(("card",), False),
    # Everybody draws all the time.
    events.Drawn: QUIET,
    events.DrawnFromPile: Cue(("card",), True),
    events.SecondShown: Cue(("role",), True),
    GameEnded: Cue(("victory",), True),
    Undone: Cue(("undo",), False),
    Retitled: Cue(("undo",), True),
}
"""How each kind of event is heard."""

PLAYED: Mapping[Title, tuple[str, ...]] = {
    Title.GATLING: ("gatling",),
    Title.INDIANS: ("indians",),
    Title.DUEL: ("shot",),
}
"""Titles that sound different from others when they are played."""


def audio(
    story: tuple[Entry, ...],
    statuses: tuple[EntryStatus, ...],
    names: tuple[str, ...],
    words: CardTerms,
    latest: int,
) -> tuple[Heard, ...]:
    """Return how the last `latest` events of a story are heard, without those that are silent.

    What is told again after a correction is silent.
    """
    return hear(
        story,
        latest,
        lambda place, event: QUIET if statuses[place].again else cue_of(event),
        lambda event: sentence(event, names, words),
    )


def cue_of(event: Entry) -> Cue:
    """Return how an event is heard."""
    match event:
        case events.CardPlayed(_, card) if card in PLAYED:
            return Cue(PLAYED[card], True)
        case events.Hurt(card=Title.BANG | Title.MISSED):
            return Cue(("shot",), False)
        case events.CardFlipped(_, _, Title.DYNAMITE, True):
            return Cue(("role", "dynamite"), True)
        case events.Regained(_, 0):
            return QUIET
        case events.Drawn(_, _, events.Occasion.REWARD):
            return Cue((), True)
    return CUES.get(type(event), QUIET)
