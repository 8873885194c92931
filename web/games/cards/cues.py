"""What each event of the card game sounds like, and whether the announcer tells it.

The television and the table's own speaker both follow this table. Events are public, so what is
heard is what any spectator may see.
"""

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.cards.rules import events
from companion.games.cards.rules.titles import Title
from companion.games.cards.terms import CardTerms
from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.table.controls.announcer import Heard
from companion.table.history import EntryStatus, Retitled, Undone
from web.games.cards.story import Entry, sentence


class CardCue(NamedTuple):
    """How a kind of event is heard."""

    sounds: tuple[str, ...]
    """The sounds that are played, in order, by their files in `static/sounds`; none if empty."""
    spoken: bool
    """Whether the announcer tells it, in the words of the story."""


QUIET = CardCue((), False)

CUES: Mapping[type[events.CardEvent | Undone | Retitled], CardCue] = {
    TurnBegan: CardCue(("turn",), True),
    events.CardPlayed: CardCue(("card",), True),
    events.CardAnswered: CardCue(("card",), True),
    events.CardFlipped: CardCue(("role",), True),
    events.Cancelled: CardCue(("ricochet",), False),
    events.Hurt: CardCue(("hit",), False),
    events.Regained: CardCue(("beer",), False),
    Eliminated: CardCue(("role", "death"), True),
    events.Shuffled: CardCue(("shuffle",), True),
    events.JailServed: CardCue((), True),
    events.DynamitePassed: CardCue(("card",), True),
    events.Taken: CardCue(("card",), True),
    events.Removed: CardCue(("card",), True),
    events.Inherited: CardCue(("card",), True),
    events.Discarded: CardCue(("card",), False),
    # Everybody draws all the time.
    events.Drawn: QUIET,
    events.DrawnFromPile: CardCue(("card",), True),
    events.SecondShown: CardCue(("role",), True),
    GameEnded: CardCue(("victory",), True),
    Undone: CardCue(("undo",), False),
    Retitled: CardCue(("undo",), True),
}
"""How each kind of event is heard."""

PLAYED: Mapping[Title, tuple[str, ...]] = {
    Title.BANG: ("shot",),
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
    begin = max(0, len(story) - latest)
    found = []
    for number, event in enumerate(story[begin:], start=begin + 1):
        cue = QUIET if statuses[number - 1].again else cue_of(event)
        if cue.sounds or cue.spoken:
            told = sentence(event, names, words) if cue.spoken else ""
            undoes = isinstance(event, Undone | Retitled)
            found.append(Heard(number, cue.sounds, told, undoes))
    return tuple(found)


def cue_of(event: Entry) -> CardCue:
    """Return how an event is heard."""
    match event:
        case events.CardPlayed(_, card) if card in PLAYED:
            return CardCue(PLAYED[card], True)
        case events.CardFlipped(_, _, Title.DYNAMITE, True):
            return CardCue(("role", "dynamite"), True)
        case events.Regained(_, 0):
            return QUIET
        case events.Drawn(_, _, events.Occasion.REWARD):
            return CardCue((), True)
    return CUES.get(type(event), QUIET)
