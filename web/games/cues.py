"""What events sound like, and whether the announcer tells them, in any game.

The television and the table's own speaker both follow a game's cues. Events are public, so what is
heard is what any spectator may see.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.table.controls.announcer import Heard
from companion.table.history import Retitled, Undone
from web.games.game import Entry


class Cue(NamedTuple):
    """How a kind of event is heard."""

    sounds: tuple[str, ...]
    """The sounds that are played, in order, by their files in `static/sounds`; none if empty."""
    spoken: bool
    """Whether the announcer tells it, in the words of the story."""


QUIET = Cue((), False)
"""It isn't heard."""

DEAL = "deal"
"""The sound of the deal, with which each story begins."""


def hear(
    story: Sequence[Entry],
    latest: int,
    cue_of: Callable[[int, Entry], Cue],
    speak: Callable[[Entry], str],
) -> tuple[Heard, ...]:
    """Return how the last `latest` events of a story are heard, without those that are silent.

    cue_of: returns the cue of an event, by its place in the story, and the event; speak: returns
    the sentence that tells an event aloud.
    """
    begin = max(0, len(story) - latest)
    found = []
    for place, event in enumerate(story[begin:], start=begin):
        cue = cue_of(place, event)
        if cue != QUIET:
            said = speak(event) if cue.spoken else ""
            undoes = isinstance(event, Undone | Retitled)
            sounds = cue.sounds if place else (DEAL, *cue.sounds)
            found.append(Heard(place + 1, sounds, said, undoes))
    return tuple(found)
